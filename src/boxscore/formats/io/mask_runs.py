"""Masks as runs: COCO's, which go down the columns of the whole image, out of pixels of a part of it, and back."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from boxscore.tables.model import Bools, Floats


def runs_of(mask: Bools, height: int, width: int, top: int = 0, left: int = 0) -> list[float]:
    """The values of a `Shape.RLE`: height, width and runs of an image that has the mask at the given place.

    >>> runs_of(np.array([[True, True], [False, True]]), 2, 3, 0, 1)
    [2, 3, 2, 1, 1, 2]
    """
    rows, n_columns = mask.shape
    flat = np.zeros(n_columns * (rows + 1) + 1, np.bool_)  # the columns, with an empty pixel before and after each
    flat[1:].reshape(n_columns, rows + 1)[:, :rows] = mask.T
    column, row = np.divmod(np.flatnonzero(flat[1:] != flat[:-1]), rows + 1)
    places = (left + column) * height + top + row
    first, last = places[::2], places[1::2]
    new = np.append(True, first[1:] != last[:-1])[: len(first)]  # what goes on at the top of the next column is one run
    borders = np.stack([first[new], last[np.append(new[1:], True)[: len(new)]]], axis=1).ravel()
    counts = np.diff(np.concatenate([[0], borders, [height * width]]))
    return [height, width, *counts[: None if counts[-1] else -1].tolist()]


def mask_of(values: Sequence[float] | Floats) -> Bools:
    """The pixels of a `Shape.RLE`.

    >>> mask_of([2, 3, 2, 1, 1, 2]).astype(int)
    array([[0, 1, 1],
           [0, 0, 1]])
    """
    height, width, *counts = (int(value) for value in values)
    if sum(counts) > height * width or min(counts, default=0) < 0:
        raise ValueError(f"runs over {sum(counts):,} pixels in a mask of {height} x {width}")
    counts.append(height * width - sum(counts))  # the last one may be left out
    inside = np.arange(len(counts)) % 2 == 1
    inside[-1] = False
    return np.repeat(inside, counts).reshape(width, height).T
