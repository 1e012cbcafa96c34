"""Tables of one image whose objects and detections are drawn: letters in a picture are their pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from boxscore.formats.io.mask_runs import runs_of
from boxscore.tables.model import Detections, Flag, Table, Truth
from boxscore.tables.shapes import Shape, ShapesMaker
from small_tables import Found, Object, tables

Box = tuple[float, float, float, float]


class Drawn(NamedTuple):
    """An object or a detection by its pixels; without any it is its box alone."""

    pixels: np.ndarray | None
    box: Box | None = None  # that around the pixels, if it is not said
    flags: Flag = Flag(0)
    score: float = 0.0

    def corners(self) -> Box:
        if self.box is not None:
            return self.box
        assert self.pixels is not None
        rows, columns = np.nonzero(self.pixels)
        if not len(rows):
            return (0.0, 0.0, 0.0, 0.0)
        return tuple(float(v) for v in (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1))


def letters(picture: str, *wanted: str) -> np.ndarray:
    """The pixels of a picture that have one of the letters."""
    lines = [line.strip() for line in picture.strip().splitlines()]
    return np.array([[letter in wanted for letter in line] for line in lines])


def rectangle(box: Sequence[float], height: int, width: int) -> np.ndarray:
    """The pixels of a box of whole pixels."""
    x0, y0, x1, y1 = (int(v) for v in box)
    pixels = np.zeros((height, width), np.bool_)
    pixels[y0:y1, x0:x1] = True
    return pixels


def with_masks(table: Table, drawn: Sequence[np.ndarray | None]) -> Table:
    """A table with masks, none where there is none."""
    made = ShapesMaker()
    for row, pixels in enumerate(drawn):
        if pixels is not None:
            made.add(row, Shape.RLE, runs_of(pixels, *pixels.shape))
    return replace(table, shapes=made.shapes(len(table)))


def masked(objects: Sequence[Drawn], found: Sequence[Drawn], **more: Any) -> tuple[Truth, Detections]:
    """Both sides over one image and one class."""
    truth, detections = tables(
        [Object(1, "a", o.corners(), o.flags) for o in objects],
        [Found(1, "a", d.corners(), d.score) for d in found],
        images=(1,), classes=("a",), **more,
    )  # fmt: skip
    return with_masks(truth, [o.pixels for o in objects]), with_masks(detections, [d.pixels for d in found])
