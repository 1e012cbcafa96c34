"""Masks as COCO writes them: runs down the columns, and those runs as short text."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from boxscore.tables.shapes import Ints

_FIRST = 48  # the character that stands for 0
_LONGEST = 12  # characters of a number: more do not fit into 64 bits


def counts_of(text: str | bytes) -> list[int]:
    """The lengths of the runs behind COCO's short text; a ValueError says what is wrong with it.

    >>> counts_of("52203")
    [5, 2, 2, 2, 5]
    """
    letters = np.frombuffer(text.encode("utf-8", "replace") if isinstance(text, str) else text, np.uint8)
    digits = letters.astype(np.int64) - _FIRST
    if len(digits) and (digits.min() < 0 or digits.max() > 63):
        raise ValueError("a character that is none of COCO's 64")
    ends = np.flatnonzero(digits < 32)  # numbers go on while the bit of 32 is set
    if len(digits) and (not len(ends) or ends[-1] != len(digits) - 1):
        raise ValueError("it ends in the middle of a number")
    starts = np.append(0, ends[:-1] + 1)[: len(ends)]
    lengths = ends - starts + 1
    if len(lengths) and lengths.max() > _LONGEST:
        raise ValueError("a number that is too large")
    places = np.arange(len(digits)) - np.repeat(starts, lengths)
    steps = np.add.reduceat((digits & 31) << (5 * places), starts) if len(starts) else digits
    negative = (digits[ends] & 16) != 0
    steps[negative] -= np.int64(1) << (5 * lengths[negative])
    # From the fourth on, each stands as the difference to the one before the previous one.
    counts = steps.copy()
    counts[1::2] = np.cumsum(steps[1::2])
    counts[2::2] = np.cumsum(steps[2::2])
    if len(counts) and counts.min() < 0:
        raise ValueError("a run of negative length")
    return [int(count) for count in counts.tolist()]


def text_of(counts: Iterable[int]) -> str:
    """The short text of runs.

    >>> text_of([5, 2, 2, 2, 5])
    '52203'
    """
    runs, letters = list(counts), bytearray()
    for i, run in enumerate(runs):
        rest, going = run - (runs[i - 2] if i > 2 else 0), True
        while going:
            digit = rest & 31
            rest >>= 5
            going = rest != (-1 if digit & 16 else 0)
            letters.append(_FIRST + digit + (32 if going else 0))
    return letters.decode()


def box_of(counts: Iterable[int], height: int) -> list[float]:
    """x, y, width and height of the pixels of a mask; zeros where it has none.

    >>> box_of([5, 2, 2, 2, 5], 4)
    [1.0, 1.0, 2.0, 2.0]
    """
    ends: Ints = np.cumsum(np.fromiter(counts, np.int64))
    last = ends[1::2] - 1
    first = ends[::2][: len(last)]
    first, last = first[last >= first], last[last >= first]
    if not len(first):
        return [0.0] * 4
    columns = np.concatenate([first, last]) // height
    rows = np.concatenate([first, last]) % height
    if (first // height != last // height).any():  # a run that goes on in the next column has its top and bottom
        rows = np.array([0, height - 1])
    left, top = columns.min(), rows.min()
    return [float(left), float(top), float(columns.max() - left + 1), float(rows.max() - top + 1)]
