"""Tubes: the boxes of tracks, frame by frame, as flat arrays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore.tables.shapes import Floats, Ints


@dataclass(frozen=True, eq=False)
class Tubes:
    """The boxes of track i are `begin[i]` to `end[i]` of the flat columns, by ascending frame; gaps are allowed."""

    begin: Ints
    end: Ints
    frame: Ints
    corners: Floats  # (boxes, 4)
    volume: Floats  # of each track: the areas of its boxes, added up

    def __len__(self) -> int:
        return len(self.begin)

    @property
    def length(self) -> Ints:
        """How many frames each track has."""
        return self.end - self.begin

    def take(self, rows: npt.NDArray[Any]) -> Tubes:
        """The given tracks; the boxes stay where they are."""
        return replace(self, begin=self.begin[rows], end=self.end[rows], volume=self.volume[rows])

    @staticmethod
    def joined(some: list[Tubes | None]) -> Tubes | None:
        """Tubes of several tables as one; None where one of these has none."""
        if any(tubes is None for tubes in some):
            return None
        known = [tubes for tubes in some if tubes is not None]
        shifts = np.cumsum([0, *(len(tubes.frame) for tubes in known)])
        return Tubes(
            np.concatenate([tubes.begin + shift for tubes, shift in zip(known, shifts, strict=False)]),
            np.concatenate([tubes.end + shift for tubes, shift in zip(known, shifts, strict=False)]),
            *(np.concatenate([getattr(tubes, name) for tubes in known]) for name in ("frame", "corners", "volume")),
        )
