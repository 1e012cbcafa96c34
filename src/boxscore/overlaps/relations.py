"""Overlaps of relations: of the two boxes of each, or of the boxes around both, if subject and object are the same.

Relations whose subjects or objects differ in class have nothing in common. So each is found by its own kind only,
although all relations of a name are one class.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from boxscore.overlaps.record import Measured, Overlap
from boxscore.protocols import parts
from boxscore.tables.model import Bools, Detections, Floats, Ints, Truth

WITHOUT = "Evaluate boxes instead (--protocol openimages-v2), or pass files with LabelName1, LabelName2, XMin1 etc."
_NEEDS = ("end_boxes", "end_labels")


def ends(table: Truth | Detections) -> Floats:
    """The boxes of subjects and objects of a table that has some."""
    assert table.end_boxes is not None  # `Overlap.columns` was asked before
    return table.end_boxes


def subjects(table: Truth | Detections) -> Floats:
    """The boxes of the subjects: where these do not meet, relations have nothing in common."""
    return np.ascontiguousarray(ends(table)[:, :4])


def around(table: Truth | Detections) -> Floats:
    """The boxes around subject and object.

    >>> from types import SimpleNamespace
    >>> around(SimpleNamespace(end_boxes=np.array([[0.0, 0, 2, 2, 1, 1, 5, 3]])))
    array([[0., 0., 5., 3.]])
    """
    boxes = ends(table)
    return np.concatenate([np.minimum(boxes[:, :2], boxes[:, 4:6]), np.maximum(boxes[:, 2:4], boxes[:, 6:8])], axis=1)


def single_iou(a: Floats, b: Floats) -> Floats:
    """IoU pair by pair as TensorFlow takes it: coordinates, sides and areas in single precision, the rest in double.

    >>> single_iou(np.array([[0.0, 0, 2, 2]]), np.array([[0.0, 1, 2, 3]]))
    array([0.33333333])
    """
    own, other = a.astype(np.float32), b.astype(np.float32)
    sides = np.minimum(own[:, 2:], other[:, 2:]) - np.maximum(own[:, :2], other[:, :2])
    width, height = np.maximum(sides.astype(np.float64), 0.0).T
    both = width * height
    union = (_area(own) + _area(other)).astype(np.float64) - both
    return np.where(both > 0, both / np.where(both > 0, union, 1.0), 0.0)


def _area(boxes: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    area: npt.NDArray[np.float32] = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    return area


def measure_both(
    detections: Detections, truth: Truth, detection: Ints, object_: Ints, _: parts.Overlap, threads: int
) -> Measured:
    """The lesser IoU of subjects and objects."""
    own, other = ends(detections)[detection], ends(truth)[object_]
    lesser = np.minimum(single_iou(own[:, :4], other[:, :4]), single_iou(own[:, 4:], other[:, 4:]))
    return Measured(np.where(_same_ends(detections, truth, detection, object_), lesser, 0.0))


def measure_around(
    detections: Detections, truth: Truth, detection: Ints, object_: Ints, _: parts.Overlap, threads: int
) -> Measured:
    """The IoU of the boxes around both."""
    overlap = single_iou(around(detections)[detection], around(truth)[object_])
    return Measured(np.where(_same_ends(detections, truth, detection, object_), overlap, 0.0))


def _same_ends(detections: Detections, truth: Truth, detection: Ints, object_: Ints) -> Bools:
    """Whether subject and object of pairs are of the same classes."""
    assert detections.end_labels is not None
    assert truth.end_labels is not None
    same: Bools = (detections.end_labels[detection] == truth.end_labels[object_]).all(axis=1)
    return same


RELATION = Overlap("relation", measure_both, needs=_NEEDS, direct=True, bounds=subjects, instead=WITHOUT)
PHRASE = Overlap("phrase", measure_around, needs=_NEEDS, direct=True, bounds=around, instead=WITHOUT)
