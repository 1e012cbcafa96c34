"""Masks as COCO writes them: runs down the columns, and those runs as short text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from boxscore.tables.masks import EMPTY_RUN, FINE, Masks, measured_masks
from boxscore.tables.runs import Runs

_FITS = (FINE, EMPTY_RUN, 5)  # 5: runs that do not fill the size, which nobody has stated
FAULTS = {
    1: "a character that is none of COCO's 64",
    2: "it ends in the middle of a number",
    3: "a number that is too large",
    4: "a run of negative length",
}


def counts_of(text: str | bytes) -> list[int]:
    """The lengths of the runs behind COCO's short text; a ValueError says what is wrong with it.

    >>> counts_of("52203")
    [5, 2, 2, 2, 5]
    """
    letters = text.encode("utf-8", "replace") if isinstance(text, str) else text
    runs = Runs.ending(np.frombuffer(letters, np.uint8), np.array([len(letters)], np.int64))
    fault = int(_measured(runs, 0, 0).fault[0])
    if fault not in _FITS:
        raise ValueError(FAULTS[fault])
    return runs.counts(0)


def text_of(counts: Sequence[int]) -> str:
    """The short text of runs.

    >>> text_of([5, 2, 2, 2, 5])
    '52203'
    """
    return Runs.of_counts(counts).decode("ascii")


def box_of(counts: Sequence[int], height: int) -> list[float]:
    """x, y, width and height of the pixels of a mask whose runs fill whole columns; zeros where it has none.

    >>> box_of([5, 2, 2, 2, 5], 4)
    [1.0, 1.0, 2.0, 2.0]
    """
    letters = np.frombuffer(Runs.of_counts(counts), np.uint8)
    runs = Runs.ending(letters, np.array([len(letters)], np.int64))
    x0, y0, x1, y1 = _measured(runs, height, sum(counts) // height).box[0].tolist()
    return [x0, y0, x1 - x0, y1 - y0]


def _measured(runs: Runs, height: int, width: int) -> Masks:
    return measured_masks(runs, np.array([[height, width]], np.int64), 1)
