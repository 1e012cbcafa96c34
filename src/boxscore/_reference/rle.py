"""COCO's compressed masks, defined: text, runs, pixels, measures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

NONE, CHARACTER, UNFINISHED, TOO_LARGE, NEGATIVE, SIZE, EMPTY_RUN = range(7)
LONGEST = 12  # characters of a number
MOST = 2**32 - 1


def text(counts: Sequence[int]) -> bytes:
    """Runs as text: 5 bits per character, lowest first; from the fourth on the difference to two before."""
    letters = bytearray()
    for i, count in enumerate(counts):
        rest, more = count - (counts[i - 2] if i > 2 else 0), True
        while more:
            digit = rest & 31
            rest >>= 5
            more = rest != (-1 if digit & 16 else 0)
            letters.append(48 + digit + (32 if more else 0))
    return bytes(letters)


def counts_of(letters: bytes) -> tuple[list[int], int]:
    """The runs of a text up to its first fault, and that fault."""
    counts: list[int] = []
    at = 0
    while at < len(letters):
        number, length, more = 0, 0, True
        while more:
            if at == len(letters):
                return counts, UNFINISHED
            if not 48 <= letters[at] <= 111:
                return counts, CHARACTER
            if length == LONGEST:
                return counts, TOO_LARGE
            digit = letters[at] - 48
            number |= (digit & 31) << (5 * length)
            at, length, more = at + 1, length + 1, bool(digit & 32)
        if digit & 16:
            number -= 1 << (5 * length)
        if len(counts) > 2:
            number += counts[-2]
        if not 0 <= number <= MOST:
            return counts, NEGATIVE if number < 0 else TOO_LARGE
        counts.append(number)
    return counts, NONE


def whole_counts(letters: bytes, height: int, width: int) -> tuple[list[int], int]:
    """The runs of a text and its fault, if only that they do not add up."""
    counts, fault = counts_of(letters)
    fits = height >= 0 and width >= 0 and max(height, width, height * width) <= MOST
    if fault == NONE and not (fits and sum(counts) == height * width):
        fault = SIZE
    return counts, fault


def column_pixels(counts: Iterable[int]) -> Array:
    """The pixels of runs, column by column."""
    runs = np.array(list(counts), np.int64)
    return np.repeat(np.arange(len(runs)) % 2, runs).astype(np.bool_)


def column_counts(pixels: Iterable[bool]) -> list[int]:
    """Runs of pixels that come column by column."""
    counts, inside = [0], False
    for pixel in pixels:
        if bool(pixel) != inside:
            counts.append(0)
            inside = not inside
        counts[-1] += 1
    return counts


def texts_and_ends(texts: Iterable[bytes]) -> tuple[Array, Array]:
    """Many texts in one array, and where each ends."""
    all_ = list(texts)
    return np.frombuffer(b"".join(all_), np.uint8), np.cumsum([len(one) for one in all_], dtype=np.int64)


def each_text(letters: Array, begin: Array, end: Array) -> Iterator[bytes]:
    """The text of each mask."""
    return (letters[b:e].tobytes() for b, e in zip(begin, end, strict=True))


def rle_check(
    letters: Array, begin: Array, end: Array, size: Array, area: Array, box: Array, fault: Array, threads: int = 1
) -> None:
    """Fills area, tight box (x0 y0 x1 y1) and fault of each mask; zeros where it has no pixels or is at fault."""
    area[:], box[:], fault[:] = 0, 0, NONE
    for i, (one, (h, w)) in enumerate(zip(each_text(letters, begin, end), size.tolist(), strict=True)):
        counts, fault[i] = whole_counts(one, h, w)
        if fault[i] != NONE:
            continue
        if 0 in counts[1:]:
            fault[i] = EMPTY_RUN
        y, x = np.nonzero(column_pixels(counts).reshape(w, h).T)
        area[i] = len(x)
        if len(x):
            box[i] = x.min(), y.min(), x.max() + 1, y.max() + 1


def rle_texts(counts: Array, ends: Array) -> tuple[Array, Array]:
    """The runs of masks as text."""
    return texts_and_ends(text(one.tolist()) for one in np.split(counts, ends)[: len(ends)])


def rle_counts(letters: Array, begin: Array, end: Array) -> tuple[Array, Array]:
    """The runs of each mask up to its first fault, and where those of each end."""
    all_ = [counts_of(one)[0] for one in each_text(letters, begin, end)]
    return np.array([count for one in all_ for count in one], np.uint32), np.cumsum(
        [len(one) for one in all_], dtype=np.int64
    )


def rle_of_bitmaps(pixels: Array, threads: int = 1) -> tuple[Array, Array]:
    """The nonzero pixels of bitmaps (n, height, width) as masks."""
    return texts_and_ends(text(column_counts((one != 0).T.ravel())) for one in pixels)


def rle_bitmap(letters: Array, height: int, width: int) -> Array:
    """The pixels of one mask, as far as its runs go."""
    pixels = np.zeros(height * width, np.uint8)
    at = 0
    for i, count in enumerate(counts_of(letters.tobytes())[0]):
        pixels[at : at + count] = i % 2
        at += count
    return np.ascontiguousarray(pixels.reshape(width, height).T)


def rle_of_labels(labels: Array, ids: Array) -> tuple[Array, Array]:
    """The pixels of each id in a picture of labels as a mask."""
    return texts_and_ends(text(column_counts((labels == i).T.ravel())) for i in ids)
