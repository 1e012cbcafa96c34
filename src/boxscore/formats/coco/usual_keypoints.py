"""Keypoints of COCO records in the usual form: the columns of the kernel as shapes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from boxscore.formats.coco.shapes import SIGMAS
from boxscore.tables.model import Floats, Ints
from boxscore.tables.shapes import Shape, Shapes

EACH = 3  # x, y and visibility
ANNOTATION_FIELDS = {"keypoints": "numbers", "num_keypoints": "integer"}
RESULT_FIELDS = {"keypoints": "numbers"}
CATEGORY_FIELDS = dict.fromkeys(SIGMAS, "numbers")
Column = tuple[Any, Any, Any]


class Keypoints(NamedTuple):
    """What records say of keypoints; nothing where none has any."""

    shapes: Shapes | None = None
    labelled: Ints | None = None  # how many are labelled, -1 where it is not said


def usual_keypoints(points: Column | None, counts: Column | None = None) -> Keypoints | None:
    """The keypoints of all records; None where a record has a part of a point, of which the careful reader tells."""
    if points is None or not len(points[2]):
        return Keypoints()
    ends, _, values = points
    lengths = np.diff(ends, prepend=np.int64(0))
    if (lengths % EACH).any():
        return None
    has = lengths > 0
    part = np.append(np.int64(0), np.cumsum(has))
    value = np.append(np.int64(0), ends[has])
    shapes = Shapes(part, np.full(int(part[-1]), Shape.KEYPOINTS, np.uint8), value, values)
    if counts is None:
        return Keypoints(shapes)
    return Keypoints(shapes, counts[0] if counts[1] is None else np.where(counts[1] != 0, np.int64(-1), counts[0]))


def usual_sigmas(categories: dict[str, Column]) -> list[tuple[float, ...]]:
    """The sigmas of the keypoints of each class; [] where no class has any."""
    made: list[tuple[float, ...]] = []
    for name in reversed(SIGMAS):  # the first name stands
        if name not in categories:
            continue
        ends, _, values = categories[name]
        some = [tuple(one.tolist()) for one in np.split(values, ends[:-1])] if len(ends) else []
        made = [new or old for new, old in zip(some, made or [()] * len(some), strict=True)]
    return made if any(made) else []


def boxes_around_points(shapes: Shapes | None, n: int) -> Floats | None:
    """x y width height of the boxes around all points of each record; None where one has none."""
    if shapes is None or len(shapes.kind) != n or not n:
        return None
    first = shapes.value[:-1] // EACH
    x, y = shapes.values[::EACH], shapes.values[1::EACH]
    low = np.stack([np.minimum.reduceat(side, first) for side in (x, y)], axis=1).astype(np.float64)
    high = np.stack([np.maximum.reduceat(side, first) for side in (x, y)], axis=1).astype(np.float64)
    return np.concatenate([low, high - low], axis=1)
