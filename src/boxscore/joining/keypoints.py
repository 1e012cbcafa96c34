"""Keypoints of both sides as columns, with as many points on one side as on the other."""

from __future__ import annotations

from typing import Any

import numpy as np

from boxscore.errors import InputError
from boxscore.tables.keypoints import keypoints_of, point_counts, points_by_class
from boxscore.tables.model import Bools, Detections, Floats, Ints, Truth


def keypoints_column(table: Truth | Detections, _: int) -> Floats | None:
    """The keypoints of each row; None where no row has any.

    An object without any, of a class that has some, has as many as the others, of which none is labelled.
    """
    if not len(table):
        return np.zeros((0, 0, 3))
    column = None if table.shapes is None else keypoints_of(table.shapes)
    if column is None or isinstance(table, Detections):
        return column
    counts = np.append(points_by_class(column, table.label, len(table.classes)), 0)[table.label]
    without = point_counts(column) == 0
    if not without.any():
        return column
    column[without[:, None] & (np.arange(column.shape[1]) < counts[:, None])] = 0.0
    return column


def check_counts(truth: Truth, detections: Detections) -> None:
    """InputError where rows of a class have different numbers of points."""
    if truth.keypoints is None or detections.keypoints is None:
        return
    expected = points_by_class(truth.keypoints, truth.label, len(truth.classes))
    sides: tuple[tuple[Any, str], ...] = ((truth, "object"), (detections, "detection"))
    for table, what in sides:
        counts, wanted = point_counts(table.keypoints), np.append(expected, 0)[table.label]
        if (wrong := (wanted > 0) & (counts != wanted)).any():
            raise _error(table, what, wrong, counts, wanted)


def _error(table: Truth | Detections, what: str, wrong: Bools, counts: Ints, wanted: Ints) -> InputError:
    row = int(wrong.argmax())
    count = int(counts[row])
    image = table.images.key[table.image[row]] if table.image[row] >= 0 else "?"
    place = f"{table.source or what + 's'}: {what} {int(table.position[row]) + 1} (image {image})"
    more = f" (and {int(wrong.sum()) - 1:,} more like it)" if int(wrong.sum()) > 1 else ""
    found = f"{count or 'no'} keypoint{'s' * (count != 1)}{more}"
    others = "like the other objects of its class" if what == "object" else "as in the ground truth"
    return InputError(place, found, f"{wanted[row]} keypoints for '{table.classes.name[table.label[row]]}', {others}")
