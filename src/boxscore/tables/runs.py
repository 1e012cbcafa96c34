"""Runs of many masks, as the text that COCO writes, in one piece of memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore import _core

Letters = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Runs:
    """The runs of mask i are `letters[begin[i] : end[i]]`: lengths down the columns of the image, the first outside.

    They stay text: as numbers, those of a large file would take several times the memory. What is taken from others has
    the same letters.
    """

    letters: Letters
    begin: Ints
    end: Ints

    def __len__(self) -> int:
        return len(self.begin)

    @staticmethod
    def ending(letters: Letters, ends: Ints) -> Runs:
        """Those that stand one after the other, by their ends."""
        bounds = np.append(np.int64(0), ends)  # both columns are views of it
        return Runs(letters, bounds[:-1], bounds[1:])

    @staticmethod
    def of_counts(counts: Sequence[float]) -> bytes:
        """The text of one mask from the lengths of its runs.

        >>> Runs.of_counts([5, 2, 2, 2, 5])
        b'52203'
        """
        letters, _ = _core.rle_texts(np.array(counts, np.uint32), np.array([len(counts)], np.int64))
        text: bytes = letters.tobytes()
        return text

    def text(self, i: int) -> bytes:
        """The text of one mask."""
        return self.letters[self.begin[i] : self.end[i]].tobytes()

    def counts(self, i: int) -> list[int]:
        """The lengths of the runs of one mask."""
        counts, _ = _core.rle_counts(self.letters, self.begin[i : i + 1], self.end[i : i + 1])
        lengths: list[int] = counts.tolist()
        return lengths

    def take(self, rows: npt.NDArray[Any]) -> Runs:
        """Those of the given rows, a mask of rows or their numbers."""
        return Runs(self.letters, self.begin[rows], self.end[rows])

    @staticmethod
    def joined(some: Sequence[tuple[Runs | None, int]]) -> Runs | None:
        """Several one after the other, each with its length; what has none is empty. None if all have none."""
        if all(runs is None for runs, _ in some):
            return None
        nothing = [Runs(np.zeros(0, np.uint8), *(np.zeros(n, np.int64),) * 2) for _, n in some]
        every = [runs or empty for (runs, _), empty in zip(some, nothing, strict=True)]
        shifts = np.cumsum([0, *(len(runs.letters) for runs in every)])
        placed = list(zip(every, shifts, strict=False))
        return Runs(
            np.concatenate([runs.letters for runs in every]),
            np.concatenate([runs.begin + shift for runs, shift in placed]),
            np.concatenate([runs.end + shift for runs, shift in placed]),
        )
