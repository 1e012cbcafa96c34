"""COCO's `segmentation` in JSON records, defined: lists of polygons, masks with their runs as text or as a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from boxscore._reference.json_values import Token, UnusualError, integer, integers, numbers, raw
from boxscore._reference.polygon import grid

POLYGON, RLE = 1, 2
_NOTHING: tuple[Any, ...] = ([], [[]], Token("string", b""), None)


class Part(NamedTuple):
    """A polygon, or a mask: its height and width are the values, its runs the letters."""

    kind: int
    values: list[float]
    letters: bytes


def shape_column(values: Sequence[Any], fine: bool = False) -> tuple[Any, ...]:
    """The ends of the records in a list of parts, the mask of records without any or None, and the parts.

    Those are their kinds, their ends in a list of numbers, that list, their ends in a text, that text (as bytes). Where
    only masks are to be made, the numbers are whole (`fine`): coordinates of polygons are on the grid of drawing.
    """
    shapes = [shape(value) for value in values]
    parts = [part for some in shapes for part in some]
    missing = np.array([not some for some in shapes], np.uint8)
    dtype = np.int32 if fine else np.float64
    listed = (
        np.array([part.kind for part in parts], np.uint8),
        _ends([len(part.values) for part in parts]),
        np.array([value for part in parts for value in (on_grid(part) if fine else part.values)], dtype),
        _ends([len(part.letters) for part in parts]),
        np.array([letter for part in parts for letter in part.letters], np.uint8),
    )
    return _ends([len(some) for some in shapes]), missing if missing.any() else None, listed


def on_grid(part: Part) -> list[int]:
    """The numbers of a part, where they are coordinates, on the fine grid."""
    return [grid(value) if part.kind == POLYGON else int(value) for value in part.values]


def shape(value: Any) -> list[Part]:
    """The parts of one record; there are ways to write that it has none."""
    if value in _NOTHING:
        return []
    if isinstance(value, dict):
        return [mask(value)]
    if not isinstance(value, list):
        raise UnusualError
    return [polygon(item) for item in value]


def polygon(value: Any) -> Part:
    """At least three corners."""
    corners = numbers(value)
    if len(corners) < 6 or len(corners) % 2:
        raise UnusualError
    return Part(POLYGON, corners, b"")


def mask(value: dict[bytes, list[Any]]) -> Part:
    """Height and width, and runs, of which there is at least one."""
    if value.keys() != {b"size", b"counts"} or any(len(values) != 1 for values in value.values()):
        raise UnusualError
    (size,), (counts,) = value[b"size"], value[b"counts"]
    sides = integers(size)
    if len(sides) != 2 or not all(0 < side < 1 << 31 for side in sides):
        raise UnusualError
    letters = rle_text([run(count) for count in counts]) if isinstance(counts, list) else rle_letters(counts)
    if not letters:
        raise UnusualError
    return Part(RLE, [float(side) for side in sides], letters)


def rle_letters(value: Any) -> bytes:
    """COCO's text; of its characters only the backslash needs an escape."""
    text = raw(value, "string")
    resolved = text.replace(b"\\\\", b"\\")
    if text.count(b"\\") != 2 * resolved.count(b"\\") or not all(48 <= letter < 112 for letter in resolved):
        raise UnusualError
    return resolved


def run(value: Any) -> int:
    """The length of a run."""
    count = integer(value)
    if not 0 <= count < 1 << 32:
        raise UnusualError
    return count


def rle_text(counts: Sequence[int]) -> bytes:
    """COCO's text of runs: five bits a character, from the fourth run on the difference to the last but one."""
    letters = bytearray()
    for i, count in enumerate(counts):
        rest, more = count - (counts[i - 2] if i > 2 else 0), True
        while more:
            five = rest & 31
            rest >>= 5
            more = rest != (-1 if five & 16 else 0)
            letters.append(48 + five + 32 * more)
    return bytes(letters)


def _ends(lengths: Sequence[int]) -> Any:
    return np.cumsum(lengths, dtype=np.int64)
