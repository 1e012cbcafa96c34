"""Keypoints of rows as YOLO has them: normalized, after the box, the same number in every row."""

from __future__ import annotations

import numpy as np

from boxscore.errors import InputError
from boxscore.formats.io.label_lines import Table, image_sizes
from boxscore.formats.io.writing import Writing
from boxscore.tables.keypoints import keypoints_of, point_counts
from boxscore.tables.model import Floats
from boxscore.tables.shapes import Shape


def poses_of(table: Table, how: Writing) -> Floats | None:
    """x, y and visibility of the points of each row, nan where it has none; None where no poses are written.

    A file holds either poses or polygons: poses if the user says so, or where no row has a polygon.
    """
    shapes = table.shapes
    wanted = how.rows == "pose" or (how.rows is None and shapes is not None and Shape.POLYGON not in shapes.kind)
    if shapes is None or not wanted or Shape.KEYPOINTS not in shapes.kind:
        return None
    points = keypoints_of(shapes)
    assert points is not None
    counts = np.unique(point_counts(points))
    if len(counts := counts[counts > 0]) > 1:
        found = f"rows with {' and '.join(map(str, counts.tolist()))} keypoints"
        raise InputError(table.source, found, "the same number in all rows", "Write boxes alone (--write-rows box).")
    if not table.relative:
        sizes = np.append(image_sizes(table), [[np.nan, np.nan]], axis=0)[table.image][:, None]
        return np.concatenate([points[:, :, :2] / sizes, points[:, :, 2:]], axis=2)
    return points
