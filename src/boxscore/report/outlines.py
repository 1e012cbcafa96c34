"""What rows are besides boxes, as something to draw: outlines, pixels, points and the limbs between them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from boxscore import _core
from boxscore.report.contours import Path, contours
from boxscore.tables.masks import Masks
from boxscore.tables.model import Bools, Detections, Truth
from boxscore.tables.oriented import corners_of
from boxscore.tables.shapes import Shape, Shapes

Point = tuple[float, float, float]  # x y visibility
# The limbs between the 17 points of COCO's persons, counted from 1: legs, trunk, arms, face.
LIMBS = (
    (16, 14), (14, 12), (17, 15), (15, 13), (12, 13), (6, 12), (7, 13), (6, 7), (6, 8), (7, 9), (8, 10), (9, 11),
    (2, 3), (1, 2), (1, 3), (2, 4), (3, 5), (4, 6), (5, 7),
)  # fmt: skip
_ROUND = 64  # corners of circles


class Pixels(NamedTuple):
    """A piece of a mask, and where it lies in the image."""

    left: int
    top: int
    inside: Bools


class Figure(NamedTuple):
    """How a row looks besides its box."""

    paths: tuple[Path, ...] = ()  # closed
    pixels: Pixels | None = None  # what is filled; None where the paths are
    filled: bool = False
    points: tuple[Point, ...] = ()
    boxed: bool = False  # whether the box is drawn, too

    def scaled(self, width: float, height: float) -> Figure:
        """In pixels of an image of that size, where it is normalized."""
        paths = tuple(tuple((x * width, y * height) for x, y in path) for path in self.paths)
        return self._replace(paths=paths, points=tuple((x * width, y * height, v) for x, y, v in self.points))

    @property
    def limbs(self) -> list[Path]:
        """Lines between points that are there, of persons with COCO's points."""
        if len(self.points) != 17:
            return []
        ends = [(self.points[a - 1], self.points[b - 1]) for a, b in LIMBS]
        return [(a[:2], b[:2]) for a, b in ends if a[2] > 0 and b[2] > 0]


def figure_of(table: Truth | Detections, row: int) -> Figure | None:
    """How a row looks besides its box: what overlaps are made of, else what the source says; None for a box alone."""
    if table.masks is not None and not table.masks.absent[row]:
        return _mask(table.masks, row)
    if table.keypoints is not None and np.isfinite(table.keypoints[row]).any():
        return Figure(points=_points(table.keypoints[row].ravel().tolist()), boxed=True)
    if table.quads is not None:
        return Figure((_path(table.quads[row].tolist()),))
    return None if table.shapes is None else _shapes(table.shapes, row)


def _mask(masks: Masks, row: int) -> Figure:
    height, width = masks.size[row].tolist()
    return _bitmap(masks.runs.text(row), height, width)


def _bitmap(text: bytes, height: int, width: int) -> Figure:
    inside: Bools = np.asarray(_core.rle_bitmap(np.frombuffer(text, np.uint8), height, width)).astype(np.bool_)
    rows, columns = np.flatnonzero(inside.any(axis=1)), np.flatnonzero(inside.any(axis=0))
    if not len(rows):
        return Figure(boxed=True)
    top, left = int(rows[0]), int(columns[0])
    piece = inside[top : rows[-1] + 1, left : columns[-1] + 1]
    paths = tuple(tuple((x + left, y + top) for x, y in path) for path in contours(piece))
    return Figure(paths, Pixels(left, top, piece), True)


def _shapes(shapes: Shapes, row: int) -> Figure | None:
    made: Figure | None = None
    for part in range(shapes.part[row], shapes.part[row + 1]):
        one = _part(shapes, part)
        if one is not None and made is not None:
            one = Figure(
                made.paths + one.paths, made.pixels or one.pixels, made.filled or one.filled, made.points + one.points,
                made.boxed and one.boxed,
            )  # fmt: skip
        made = made if one is None else one
    return made


def _part(shapes: Shapes, part: int) -> Figure | None:
    kind = Shape(shapes.kind[part])
    values: list[float] = shapes.values[shapes.value[part] : shapes.value[part + 1]].tolist()
    if kind == Shape.RLE and shapes.runs is not None:
        return _bitmap(shapes.runs.text(part), int(values[0]), int(values[1]))
    if kind == Shape.KEYPOINTS:
        return Figure(points=_points(values), boxed=True)
    if kind == Shape.POINTS:
        return Figure(points=tuple((x, y, 2.0) for x, y in zip(values[::2], values[1::2], strict=True)))
    if kind in (Shape.CIRCLE, Shape.ELLIPSE):
        return Figure((_ellipse(*values, *values[2:3] * (kind == Shape.CIRCLE)),), filled=True)
    if kind == Shape.ORIENTED:
        values = corners_of(np.array([values]))[0].tolist()
    return Figure((_path(values),), filled=kind == Shape.POLYGON) if len(values) >= 4 else None


def _path(values: Sequence[float]) -> Path:
    return tuple(zip(values[::2], values[1::2], strict=True))


def _points(values: Sequence[float]) -> tuple[Point, ...]:
    triples = zip(values[::3], values[1::3], values[2::3], strict=True)
    return tuple((x, y, v) if math.isfinite(x + y + v) else (0.0, 0.0, 0.0) for x, y, v in triples)


def _ellipse(x: float, y: float, across: float, down: float, angle: float = 0.0) -> Path:
    turns = (2 * math.pi * k / _ROUND for k in range(_ROUND))
    cos, sin = math.cos(angle), math.sin(angle)
    around = ((across * math.cos(turn), down * math.sin(turn)) for turn in turns)
    return tuple((x + a * cos - b * sin, y + a * sin + b * cos) for a, b in around)
