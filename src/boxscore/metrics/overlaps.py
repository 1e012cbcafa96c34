"""How well true positives fit their objects: means of IoU and of its relatives."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from boxscore.errors import SizesUnknown
from boxscore.metrics.expression import Expression
from boxscore.metrics.numbers import Numbers
from boxscore.metrics.registry import COUNTED, metric
from boxscore.overlaps.boxes import shared_area
from boxscore.tables.model import Floats


class Fit(NamedTuple):
    """True positives: the corners of detection and object, (n, 4) each, and their overlap as the protocol has it."""

    detection: Floats
    object: Floats
    overlap: Floats


def true_pairs(numbers: Numbers, e: Expression) -> Fit:
    """The true positives of an expression. What groups of objects absorb is left out: it fits no object."""
    numbers = numbers.from_score(e.score)
    made, part, members = numbers.pairs(e), numbers.part(e), numbers.members(e)
    assert made.object is not None
    assert made.overlap is not None
    hit = ((made.hits[:, 0] & 1) != 0) & (made.rank < part.cap)
    if made.credits is not None:
        hit &= (made.credits[:, 0] & 1) == 0
    if e.score is not None:
        hit &= made.score >= e.score
    if not members.all():
        hit &= np.repeat(members, np.diff(made.first))
    prepared = numbers.prepared
    return Fit(
        prepared.detections.corners[made.row[hit]],
        prepared.truth.corners[made.object[hit, 0, 0]],
        made.overlap[hit, 0, 0],
    )


def _pixel_pairs(numbers: Numbers, e: Expression) -> Fit:
    """The true positives where distances can be measured: shares of a width and of a height are not the same unit."""
    if numbers.prepared.truth.relative:
        raise SizesUnknown
    return true_pairs(numbers, e)


def iou(a: Floats, b: Floats) -> Floats:
    """Intersection over union of boxes in continuous coordinates, row by row; of degenerate boxes 1 if equal.

    >>> iou(np.array([[0.0, 0, 2, 2]]), np.array([[1.0, 0, 3, 2]]))
    array([0.33333333])
    """
    both = shared_area(a.T, b.T)
    union = _area(a) + _area(b) - both
    same: Floats = (a == b).all(axis=1).astype(np.float64)
    return np.where(union > 0, both / np.where(union > 0, union, 1.0), same)


def giou(a: Floats, b: Floats) -> Floats:
    """IoU less the share of the box around both that neither covers (Rezatofighi et al.).

    >>> giou(np.array([[0.0, 0, 1, 1]]), np.array([[1.0, 1, 2, 2]]))
    array([-0.5])
    """
    union, around = _area(a) + _area(b) - shared_area(a.T, b.T), _area(_around(a, b))
    return iou(a, b) - _share(np.maximum(around - union, 0.0), around)


def diou(a: Floats, b: Floats) -> Floats:
    """IoU less the squared distance of centres in squared diagonals of the box around both (Zheng et al.).

    >>> diou(np.array([[0.0, 0, 1, 1]]), np.array([[1.0, 1, 2, 2]]))
    array([-0.25])
    """
    apart, around = (a[:, :2] + a[:, 2:] - b[:, :2] - b[:, 2:]) / 2, _around(a, b)
    return iou(a, b) - _share((apart**2).sum(axis=1), ((around[:, 2:] - around[:, :2]) ** 2).sum(axis=1))


def ciou(a: Floats, b: Floats) -> Floats:
    """DIoU less a penalty for another aspect ratio (Zheng et al.).

    >>> ciou(np.array([[0.0, 0, 1, 1]]), np.array([[1.0, 1, 2, 2]]))
    array([-0.25])
    """
    angles = [np.arctan2(box[:, 2] - box[:, 0], box[:, 3] - box[:, 1]) for box in (a, b)]
    aspect = 4 / np.pi**2 * (angles[0] - angles[1]) ** 2
    return diou(a, b) - aspect * _share(aspect, 1 - iou(a, b) + aspect)


def _area(corners: Floats) -> Floats:
    sides = corners[:, 2:] - corners[:, :2]
    area: Floats = sides[:, 0] * sides[:, 1]
    return area


def _around(a: Floats, b: Floats) -> Floats:
    return np.concatenate([np.minimum(a[:, :2], b[:, :2]), np.maximum(a[:, 2:], b[:, 2:])], axis=1)


def _share(part: Floats, whole: Floats) -> Floats:
    """part / whole; 0 where there is no whole."""
    return np.where(whole > 0, part / np.where(whole > 0, whole, 1.0), 0.0)


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else float("nan")


@metric("meanIoU", keys=COUNTED)
def mean_iou(numbers: Numbers, e: Expression) -> float:
    """Mean overlap of the true positives with their objects, measured as the protocol does."""
    return _mean(true_pairs(numbers, e).overlap)


@metric("meanGIoU", keys=COUNTED)
def mean_giou(numbers: Numbers, e: Expression) -> float:
    """Mean generalised IoU of the true positives with their objects, in continuous coordinates."""
    fit = true_pairs(numbers, e)
    return _mean(giou(fit.detection, fit.object))


@metric("meanDIoU", keys=COUNTED)
def mean_diou(numbers: Numbers, e: Expression) -> float:
    """Mean distance IoU of the true positives with their objects, in continuous coordinates."""
    fit = _pixel_pairs(numbers, e)
    return _mean(diou(fit.detection, fit.object))


@metric("meanCIoU", keys=COUNTED)
def mean_ciou(numbers: Numbers, e: Expression) -> float:
    """Mean complete IoU of the true positives with their objects, in continuous coordinates."""
    fit = _pixel_pairs(numbers, e)
    return _mean(ciou(fit.detection, fit.object))
