"""Masks as run lengths, as COCO counts them: down the columns, the first run outside; and COCO's short text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from boxscore.model import Bools


def counts_of(mask: Bools) -> list[int]:
    """The run lengths of a mask (height, width).

    >>> counts_of(np.array([[False, True], [False, True]])), counts_of(np.array([[True, False]]))
    ([2, 2], [0, 1, 1])
    """
    flat = mask.reshape(-1, order="F")
    if not flat.size:
        return []
    changes = np.flatnonzero(np.diff(flat)) + 1
    runs = np.diff(np.concatenate([[0], changes, [flat.size]])).tolist()
    return [0, *runs] if flat[0] else runs


def mask_of(counts: Sequence[int], height: int, width: int) -> Bools:
    """The mask (height, width) of run lengths.

    >>> mask_of([2, 2], 2, 2).tolist()
    [[False, True], [False, True]]
    """
    inside = np.arange(len(counts)) % 2 == 1
    flat: npt.NDArray[np.bool_] = np.repeat(inside, np.array(counts, np.int64))
    return flat.reshape((height, width), order="F")


def hull_of(counts: Sequence[int], height: int) -> tuple[float, float, float, float] | None:
    """The corners around a mask, in pixels; None if nothing is inside.

    >>> hull_of([2, 2], 2)
    (1.0, 0.0, 2.0, 2.0)
    """
    ends = [0, *accumulate(counts)]
    runs = [(first, end) for first, end in zip(ends[1::2], ends[2::2], strict=False) if end > first]
    if not runs:
        return None
    left, right = runs[0][0] // height, (runs[-1][1] - 1) // height + 1
    # A run that goes on to the next column touches both edges.
    whole = any(first // height != (end - 1) // height for first, end in runs)
    top = 0 if whole else min(first % height for first, _ in runs)
    bottom = height if whole else max((end - 1) % height + 1 for _, end in runs)
    return float(left), float(top), float(right), float(bottom)


def compressed(counts: Sequence[int]) -> str:
    """COCO's text for run lengths: 5 bits a character, and from the fourth run on the difference to the last but one.

    >>> compressed([2, 2, 3, 3])
    '2231'
    """
    made = []
    for i, count in enumerate(counts):
        value = count - counts[i - 2] if i > 2 else count
        while True:
            bits = value & 31
            value >>= 5
            more = value != (-1 if bits & 16 else 0)
            made.append(chr(48 + bits + 32 * more))
            if not more:
                break
    return "".join(made)


def decompressed(text: str) -> list[int]:
    """The run lengths behind COCO's text; a ValueError if it is none.

    >>> decompressed("2231")
    [2, 2, 3, 3]
    """
    counts, value, shift = list[int](), 0, 0
    for letter in text:
        bits = ord(letter) - 48
        if not 0 <= bits < 64 or shift > 60:
            raise ValueError(f"'{letter}' is no part of a run length")
        value |= (bits & 31) << shift
        shift += 5
        if bits & 32:
            continue
        if bits & 16:
            value -= 1 << shift
        counts.append(value + counts[-2] if len(counts) > 2 else value)
        if counts[-1] < 0:
            raise ValueError(f"the run length {counts[-1]}")
        value = shift = 0
    if shift:
        raise ValueError("it ends within a run length")
    return counts
