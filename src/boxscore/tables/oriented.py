"""Oriented boxes (centre, sides, angle) and their corners."""

from __future__ import annotations

import numpy as np

from boxscore import _core
from boxscore.tables.model import Floats, Ints, empty
from boxscore.tables.shapes import Shape, Shapes

_QUARTER = np.pi / 2
_SAME = 4 * np.finfo(np.float64).eps  # relative: what is left of a right angle after degrees became radians


def corners_of(boxes: Floats) -> Floats:
    """Corners of boxes (n, 5): centre x y, width, height, angle in radians, clockwise as seen; (n, 8), x y of each.

    They begin at the one that is top left before it is turned and go clockwise. Boxes turned by right angles have
    exactly the corners of plain boxes.

    >>> corners_of(np.array([[10.0, 20.0, 4.0, 2.0, 0.0]])).tolist()
    [[8.0, 19.0, 12.0, 19.0, 12.0, 21.0, 8.0, 21.0]]
    """
    x, y, width, height, angle = boxes.T
    turns = np.rint(angle / _QUARTER)
    right = np.abs(angle - turns * _QUARTER) <= _SAME * np.abs(angle)
    cos = np.where(right, np.array([1.0, 0.0, -1.0, 0.0])[(turns % 4).astype(np.int64)], np.cos(angle))
    sin = np.where(right, np.array([0.0, 1.0, 0.0, -1.0])[(turns % 4).astype(np.int64)], np.sin(angle))
    across, down = width / 2, height / 2
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    # Half sides come before the signs, so that opposite corners are as far from the centre, to the last bit.
    made = [(x + (a * across * cos - b * down * sin), y + (a * across * sin + b * down * cos)) for a, b in signs]
    return np.ascontiguousarray(np.stack([value for corner in made for value in corner], axis=1))


def oriented_of(corners: Floats) -> Floats:
    """Centre, sides and angle (n, 5) of rectangles given by their corners (n, 8), as `corners_of` takes them.

    The width goes from the first corner to the second. Of four corners that are no rectangle: the mean of opposite
    sides, and the direction of the longer ones.

    >>> oriented_of(np.array([[8.0, 19.0, 12.0, 19.0, 12.0, 21.0, 8.0, 21.0]])).tolist()
    [[10.0, 20.0, 4.0, 2.0, 0.0]]
    """
    at = corners.reshape(-1, 4, 2)
    centre = (at[:, 0] + at[:, 2]) / 2 / 2 + (at[:, 1] + at[:, 3]) / 2 / 2
    along = (at[:, 1] - at[:, 0] + (at[:, 2] - at[:, 3])) / 2
    across = (at[:, 3] - at[:, 0] + (at[:, 2] - at[:, 1])) / 2
    sides = [np.hypot(*along.T), np.hypot(*across.T)]
    # The longer side knows the direction better, and a side without length does not know it.
    angle = np.where(
        sides[0] >= sides[1], np.arctan2(along[:, 1], along[:, 0]), np.arctan2(-across[:, 0], across[:, 1])
    )
    return np.column_stack([centre, *sides, angle])


def box_around(corners: Floats) -> Floats:
    """The tight axis-aligned box x0 y0 x1 y1 around four corners each: (n, 8) to (n, 4).

    >>> box_around(np.array([[5.0, 0.0, 10.0, 5.0, 5.0, 10.0, 0.0, 5.0]])).tolist()
    [[0.0, 0.0, 10.0, 10.0]]
    """
    at = corners.reshape(-1, 4, 2)
    return np.ascontiguousarray(np.concatenate([at.min(axis=1), at.max(axis=1)], axis=1))


def corners_of_boxes(boxes: Floats) -> Floats:
    """The four corners of plain boxes x0 y0 x1 y1, as `corners_of` gives them: (n, 4) to (n, 8).

    >>> corners_of_boxes(np.array([[8.0, 19.0, 12.0, 21.0]])).tolist()
    [[8.0, 19.0, 12.0, 19.0, 12.0, 21.0, 8.0, 21.0]]
    """
    return np.ascontiguousarray(boxes[:, [0, 1, 2, 1, 2, 3, 0, 3]])


def quad_areas(corners: Floats, threads: int = 1) -> Floats:
    """Areas of quadrilaterals (n, 8), whichever way round.

    >>> quad_areas(np.array([[5.0, 0.0, 10.0, 5.0, 5.0, 10.0, 0.0, 5.0]])).tolist()
    [50.0]
    """
    area: Floats = empty(len(corners))
    _core.quad_areas(np.ascontiguousarray(corners), area, threads)
    return area


def quad_shapes(corners: Floats) -> Shapes:
    """Shapes of rows that have four corners each."""
    n = len(corners)
    kinds = np.full(n, Shape.QUAD, np.uint8)
    return Shapes(np.arange(n + 1), kinds, 8 * np.arange(n + 1), np.ascontiguousarray(corners).reshape(-1))


def quads_of(shapes: Shapes | None, polygons: bool = False) -> tuple[Ints, Floats]:
    """Rows that have an oriented box, in ascending order, and the corners (n, 8) of the first that each has.

    With `polygons`, those of four corners are oriented boxes, too.

    >>> rows, corners = quads_of(quad_shapes(np.array([[5.0, 0.0, 10.0, 5.0, 5.0, 10.0, 0.0, 5.0]])))
    >>> rows.tolist(), corners.shape
    ([0], (1, 8))
    """
    if shapes is None:
        return np.zeros(0, np.int64), np.zeros((0, 8))
    row = np.repeat(np.arange(len(shapes)), np.diff(shapes.part))
    four = (shapes.kind == Shape.POLYGON) & (np.diff(shapes.value) == 8) & polygons
    parts = np.flatnonzero(np.isin(shapes.kind, (Shape.QUAD, Shape.ORIENTED)) | four)
    rows, first = np.unique(row[parts], return_index=True)
    corners: Floats = empty((len(rows), 8))
    for kind, width in ((Shape.QUAD, 8), (Shape.POLYGON, 8), (Shape.ORIENTED, 5)):
        own = shapes.kind[parts[first]] == kind
        values = shapes.values[shapes.value[parts[first][own]][:, None] + np.arange(width)]
        corners[own] = corners_of(values) if kind == Shape.ORIENTED else values
    return rows, corners
