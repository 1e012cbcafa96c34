"""Boxes and shapes of YOLO rows: centre and size as written, or the hull of a polygon."""

from __future__ import annotations

import numpy as np

from boxscore.formats.yolo.rows import Parts
from boxscore.tables.box_forms import scaled, to_corners
from boxscore.tables.model import Floats, Ints, empty
from boxscore.tables.shapes import Shape, Shapes


def boxes_of(numbers: Floats, parts: Parts, size: tuple[float, float] | None) -> tuple[Floats, Floats]:
    """Corners and areas; in pixels if the size of the images is given."""
    is_box = (parts.length == 4) | (parts.keypoints is not None)
    if is_box.all():
        return _of_centres(numbers, parts.begin, size)
    corners, area = empty((len(parts.begin), 4)), empty(len(parts.begin))
    corners[is_box], area[is_box] = _of_centres(numbers, parts.begin[is_box], size)
    points, first = _points(numbers, parts, ~is_box)
    points *= (1, 1) if size is None else size
    hull = np.concatenate([np.minimum.reduceat(points, first[:-1]), np.maximum.reduceat(points, first[:-1])], axis=1)
    corners[~is_box], area[~is_box] = to_corners(np.ascontiguousarray(hull), "xyxy")
    return corners, area


def _of_centres(numbers: Floats, begin: Ints, size: tuple[float, float] | None) -> tuple[Floats, Floats]:
    """Corners and areas of the boxes that begin somewhere; where these are all alike, nothing is looked up."""
    step = len(numbers) // max(len(begin), 1)
    if len(begin) and len(begin) * step == len(numbers) and bool((np.diff(begin) == step).all()):
        boxes = np.ascontiguousarray(numbers.reshape(-1, step)[:, begin[0] : begin[0] + 4])
    else:
        boxes = numbers[begin[:, None] + np.arange(4)]
    return to_corners(boxes if size is None else scaled(boxes, np.array([size])), "cxcywh")


def _points(numbers: Floats, parts: Parts, rows: np.ndarray) -> tuple[Floats, Ints]:
    """The points of some rows, and where those of each begin."""
    begin, length = parts.begin[rows], parts.length[rows]
    first = np.append(np.int64(0), np.cumsum(length))
    taken = numbers[np.repeat(begin - first[:-1], length) + np.arange(first[-1])]
    return taken.reshape(-1, 2), first // 2


def shapes_of(numbers: Floats, parts: Parts, size: tuple[float, float] | None, oriented: bool) -> Shapes | None:
    """Polygons, corners of oriented boxes, or keypoints; None if no row has any."""
    has = parts.length > 4
    if not has.any():
        return None
    sides = np.ones(2) if size is None else np.array(size)
    part = np.append(np.int64(0), np.cumsum(has, dtype=np.int64))
    if parts.keypoints is not None:
        count, each = parts.keypoints
        points = numbers[(parts.begin[has] + 4)[:, None] + np.arange(count * each)].reshape(-1, each)
        seen = points[:, 2] if each == 3 else np.where((points == 0).all(axis=1), 0.0, 2.0)
        values = np.column_stack([points[:, :2] * sides, seen]).reshape(-1)
        kind, length = Shape.KEYPOINTS, np.full(int(has.sum()), 3 * count)
    else:
        values = (_points(numbers, parts, has)[0] * sides).reshape(-1)
        kind, length = (Shape.QUAD if oriented else Shape.POLYGON), parts.length[has]
    kinds = np.full(len(length), kind, np.uint8)
    return Shapes(part, kinds, np.append(np.int64(0), np.cumsum(length)), values)
