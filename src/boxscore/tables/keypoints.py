"""The keypoints of rows as a column: x, y and visibility of each point, nan for points that a row does not have."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from boxscore import _core
from boxscore.tables.shapes import Floats, Ints, Shape, Shapes

Bools = npt.NDArray[np.bool_]
VISIBLE = 2.0  # of points that say nothing about it


def keypoints_of(shapes: Shapes) -> Floats | None:
    """The first keypoints of each row, or its points as visible ones; None where no row has any.

    >>> from boxscore.tables.shapes import ShapesMaker
    >>> made = ShapesMaker()
    >>> made.add(1, Shape.KEYPOINTS, [3, 4, 2, 5, 6, 1])
    >>> keypoints_of(made.shapes(2))[1].tolist()
    [[3.0, 4.0, 2.0], [5.0, 6.0, 1.0]]
    """
    if (whole := _as_they_stand(shapes)) is not None:
        return whole
    rows = np.repeat(np.arange(len(shapes)), np.diff(shapes.part))
    column: Floats | None = None
    for kind, each in ((Shape.POINTS, 2), (Shape.KEYPOINTS, 3)):  # what is written last stands
        parts = np.flatnonzero(shapes.kind == kind)[::-1]  # the first of a row is written last
        counts = (shapes.value[parts + 1] - shapes.value[parts]) // each
        most = int(counts.max(initial=0))
        if not most:
            continue
        if column is None or column.shape[1] < most:
            wider = np.full((len(shapes), most, 3), np.nan)
            if column is not None:
                wider[:, : column.shape[1]] = column
            column = wider
        for count in np.unique(counts).tolist():
            some = parts[counts == count]
            values = shapes.values[shapes.value[some][:, None] + np.arange(count * each)].reshape(-1, count, each)
            column[rows[some]] = np.nan
            column[rows[some], :count, :each] = values
            if each == 2:
                column[rows[some], :count, 2] = VISIBLE
    return column


def shapes_of_keypoints(keypoints: Floats) -> Shapes:
    """Keypoints, of which every row has equally many, as shapes."""
    n, count, each = keypoints.shape
    kind, numbers = np.full(n, Shape.KEYPOINTS, np.uint8), np.arange(n + 1, dtype=np.int64)
    return Shapes(numbers, kind, numbers * count * each, keypoints.reshape(-1))


def _as_they_stand(shapes: Shapes) -> Floats | None:
    """The keypoints of rows that have just these, as many each, without a copy; None of any others."""
    n, length = len(shapes), np.diff(shapes.value)
    if not n or len(length) != n or not length[0] or (shapes.kind != Shape.KEYPOINTS).any():
        return None
    if (length != length[0]).any() or (np.diff(shapes.part) != 1).any():
        return None
    return shapes.values[: n * length[0]].reshape(n, -1, 3)


def point_counts(keypoints: Floats) -> Ints:
    """How many points each row has."""
    counts = np.empty(len(keypoints), np.int64)
    _core.point_counts(np.ascontiguousarray(keypoints), counts, threads=1)
    return counts


def labelled_counts(keypoints: Floats) -> Ints:
    """How many points of each row are labelled: their visibility is above 0."""
    return np.asarray(np.count_nonzero(keypoints[:, :, 2] > 0, axis=1), np.int64)


def points_by_class(keypoints: Floats, label: npt.NDArray[np.int32], n_classes: int) -> Ints:
    """How many points the rows of each class have; 0 for classes whose rows have none."""
    counts, known = np.zeros(n_classes, np.int64), label >= 0
    np.maximum.at(counts, label[known], point_counts(keypoints)[known])
    return counts
