"""Masks that are drawn with a brush in Label Studio: red, green, blue and alpha of all pixels, in packed runs.

The packed form begins with the number of values (32 bits), their size in bits (5) and four sizes of lengths (4 each),
both less 1. Then come blocks: a bit that says whether one value is repeated, two bits that choose the size of the
length, the length less 1, and the value or values.
"""

from __future__ import annotations

import numpy as np

from boxscore.formats.io.json_values import Value
from boxscore.formats.io.mask_runs import runs_of
from boxscore.tables.model import Bools
from boxscore.tables.shapes import Shape

_MOST = 1 << 30  # values: what is more is a mistake or an attack
_EXPECTED = "the packed runs of a brush"


class _Bits:
    """Numbers of some bits, one after the other."""

    def __init__(self, value: Value, content: bytes) -> None:
        self.value, self.content, self.at = value, content, 0

    def take(self, count: int) -> int:
        """The next bits as a number."""
        first, last = self.at // 8, (self.at + count + 7) // 8
        if last > len(self.content):
            raise self.value.wrong("runs that end too early", _EXPECTED)
        number = int.from_bytes(self.content[first:last], "big") >> (last * 8 - self.at - count)
        self.at += count
        return number & ((1 << count) - 1)


def unpacked(value: Value) -> np.ndarray:
    """The values behind packed runs."""
    numbers = [one.whole() for one in value.items()]
    if not all(0 <= number < 256 for number in numbers):
        raise value.wrong("numbers that are no bytes", _EXPECTED)
    bits = _Bits(value, bytes(numbers))
    count, size = bits.take(32), bits.take(5) + 1
    lengths = [bits.take(4) + 1 for _ in range(4)]
    if count > _MOST or size > 8:
        raise value.wrong(f"{count:,} values of {size} bits", _EXPECTED)
    made, at = np.zeros(count, np.uint8), 0
    while at < count:
        repeated = bits.take(1)
        length = bits.take(lengths[bits.take(2)]) + 1
        if at + length > count:
            raise value.wrong(f"runs of more than {count:,} values", _EXPECTED)
        made[at : at + length] = bits.take(size) if repeated else [bits.take(size) for _ in range(length)]
        at += length
    return made


def brushed(
    value: Value, size: tuple[float, float], shapes: bool
) -> tuple[list[float], float | None, list[tuple[Shape, list[float]]]]:
    """The box of a mask, and the mask as runs if it is wanted."""
    width, height = (int(side) for side in size)
    values = unpacked(value)
    if len(values) != width * height * 4:
        found = f"{len(values):,} values, and an image of {width} x {height}"
        raise value.wrong(found, f"4 for each of {width * height:,} pixels")
    mask: Bools = values.reshape(height, width, 4)[:, :, 3] > 0
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        raise value.wrong("a mask without pixels", "a mask of the object")
    box = [float(side) for side in (columns[0], rows[0], columns[-1] + 1, rows[-1] + 1)]
    return box, None, [(Shape.RLE, runs_of(mask, height, width))] if shapes else []
