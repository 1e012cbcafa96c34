"""Tubes: the boxes of tracks, and their masks, frame by frame, as flat arrays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore.tables.masks import Masks
from boxscore.tables.shapes import Floats, Ints


@dataclass(frozen=True, eq=False)
class MaskTubes:
    """The masks of tracks, where overlaps are made of these."""

    masks: Masks  # one per frame of a track, as `Tubes` has them
    volume: Floats  # of each track: the pixels of its masks, added up
    box: Floats  # (tracks, 4) corners of the smallest box around the pixels of all frames

    def take(self, rows: npt.NDArray[Any]) -> MaskTubes:
        """The given tracks; the masks stay where they are."""
        return replace(self, volume=self.volume[rows], box=self.box[rows])


@dataclass(frozen=True, eq=False)
class Tubes:
    """The boxes of track i are `begin[i]` to `end[i]` of the flat columns, by ascending frame; gaps are allowed."""

    begin: Ints
    end: Ints
    frame: Ints
    corners: Floats  # (boxes, 4)
    area: Floats  # of each box, in the source's own arithmetic
    volume: Floats  # of each track: the areas of its boxes, added up
    pixels: MaskTubes | None = None

    def __len__(self) -> int:
        return len(self.begin)

    @property
    def length(self) -> Ints:
        """How many frames each track has."""
        return self.end - self.begin

    def take(self, rows: npt.NDArray[Any]) -> Tubes:
        """The given tracks; the boxes stay where they are."""
        pixels = None if self.pixels is None else self.pixels.take(rows)
        return replace(self, begin=self.begin[rows], end=self.end[rows], volume=self.volume[rows], pixels=pixels)

    @staticmethod
    def joined(some: list[Tubes | None]) -> Tubes | None:
        """Tubes of several tables as one; None where one of these has none."""
        if any(tubes is None for tubes in some):
            return None
        known = [tubes for tubes in some if tubes is not None]
        shifts = np.cumsum([0, *(len(tubes.frame) for tubes in known)])
        placed = list(zip(known, shifts, strict=False))
        columns = ("frame", "corners", "area", "volume")
        return Tubes(
            begin=np.concatenate([tubes.begin + shift for tubes, shift in placed]),
            end=np.concatenate([tubes.end + shift for tubes, shift in placed]),
            **{name: np.concatenate([getattr(tubes, name) for tubes in known]) for name in columns},
            pixels=_joined([tubes.pixels for tubes in known]),
        )


def _joined(some: list[MaskTubes | None]) -> MaskTubes | None:
    """Masks of several tables as one; None where one of these has none."""
    known = [pixels for pixels in some if pixels is not None]
    masks = Masks.joined([pixels.masks for pixels in known])
    if masks is None or len(known) < len(some):
        return None
    return MaskTubes(masks, *(np.concatenate([getattr(one, name) for one in known]) for name in ("volume", "box")))
