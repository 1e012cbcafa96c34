"""Average precision and average recall: means over thresholds, recall levels and classes."""

from __future__ import annotations

import numpy as np

from boxscore.evaluation.curves import Curves, recall_levels
from boxscore.metrics.expression import Expression
from boxscore.metrics.numbers import NotEvaluated, Numbers, mean_of_defined
from boxscore.metrics.registry import AVERAGED, metric
from boxscore.protocols.parts import Curve
from boxscore.tables.model import Floats


@metric("AP", "mAP", keys=AVERAGED)
def average_precision(numbers: Numbers, e: Expression) -> float:
    """Mean of the interpolated precision over thresholds, recall levels and classes that have objects."""
    if e.label is not None:
        return float(class_precision(numbers, e)[numbers.label(e)])
    thresholds = numbers.thresholds(e, every=True)
    if numbers.protocol.averaging == "pooled":
        return pooled_precision(numbers, e)
    drawn, i = numbers.curves(numbers.part(e), drawn=True)
    chosen = numbers.present(drawn, i) & numbers.members(e)
    if numbers.protocol.empty_class == "zero-if-undetected" and (chosen != numbers.members(e)).any():
        missing = numbers.tally.classes.name[int(np.argmax(chosen != numbers.members(e)))]
        raise NotEvaluated(f"class {missing} has detections but no objects: the official code divides by zero")
    cells = _cells(drawn, i, numbers.protocol)
    if numbers.protocol.averaging == "cells" and cells is not None:
        cells = cells[thresholds[0] : thresholds[-1] + 1]  # thresholds are one or all
        return _mean(cells if chosen.all() else cells[:, :, chosen])
    values = np.where(chosen, _over_levels(drawn, i, numbers.protocol)[thresholds], np.nan)
    return mean_of_defined(values[:, numbers.members(e)], numbers.protocol.averaging)


def pooled_precision(numbers: Numbers, e: Expression) -> float:
    """The AP of one ranking of the detections of all classes, averaged over thresholds."""
    thresholds, pool = numbers.thresholds(e, every=True), numbers.pooled(e)
    return _mean(_over_levels(pool, 0, numbers.protocol)[thresholds][:, pool.objects[0] > 0])


@metric("medianAP", keys=AVERAGED)
def median_precision(numbers: Numbers, e: Expression) -> float:
    """The median over the APs of the classes that have objects."""
    values = class_precision(numbers, e)[numbers.members(e)]
    defined = np.sort(values[~np.isnan(values)])
    if not len(defined):
        return float("nan")
    # What np.median computes; its first call imports the masked arrays, which takes longer than a small evaluation.
    return float((defined[(len(defined) - 1) // 2] + defined[len(defined) // 2]) / 2)


def class_precision(numbers: Numbers, e: Expression) -> Floats:
    """The AP of every class, nan for those without objects."""
    drawn, i = numbers.curves(numbers.part(e), drawn=True)
    thresholds = numbers.thresholds(e, every=True)
    cells = _cells(drawn, i, numbers.protocol)
    if numbers.protocol.averaging in ("cells", "pooled") and cells is not None:
        # Summed class by class over (threshold, level), the way official codes slice their array.
        cells = cells[thresholds[0] : thresholds[-1] + 1]
        values = np.ascontiguousarray(cells.reshape(cells.shape[0] * cells.shape[1], cells.shape[2]).T).mean(axis=1)
    else:
        values = np.ascontiguousarray(_over_levels(drawn, i, numbers.protocol)[thresholds].T).mean(axis=1)
    return np.where(numbers.present(drawn, i), values, np.nan)


@metric("AR", keys=AVERAGED)
def average_recall(numbers: Numbers, e: Expression) -> float:
    """Mean over thresholds and classes of the recall that is reached in the end."""
    if e.label is not None:
        return float(class_recall(numbers, e)[numbers.label(e)])
    thresholds = numbers.thresholds(e, every=True)
    if numbers.protocol.averaging == "pooled":
        return _mean(_recall(pool := numbers.pooled(e), 0)[thresholds][:, pool.objects[0] > 0])
    made, i = numbers.curves(numbers.part(e), drawn=False)
    return _mean(_recall(made, i)[thresholds][:, numbers.present(made, i) & numbers.members(e)])


def class_recall(numbers: Numbers, e: Expression) -> Floats:
    """The average recall of every class, nan for those without objects."""
    made, i = numbers.curves(numbers.part(e), drawn=False)
    recall = _recall(made, i)[numbers.thresholds(e, every=True)]
    return np.where(numbers.present(made, i), np.ascontiguousarray(recall.T).mean(axis=1), np.nan)


def _recall(made: Curves, i: int) -> Floats:
    recall: Floats = made.found[i] / np.where(made.objects[i] > 0, made.objects[i], 1)
    return recall


def _cells(drawn: Curves, i: int, protocol: Curve) -> Floats | None:
    """The precision of every (threshold, level, class); None where levels do not all count the same."""
    return None if drawn.precision is None or protocol.level_sum == "trapezoid" else drawn.precision[i]


def _over_levels(drawn: Curves, i: int, protocol: Curve) -> Floats:
    """The AP of every (threshold, class): levels averaged in the order that the protocol names, or all points."""
    if drawn.precision is None:
        assert drawn.all_points is not None
        area: Floats = drawn.all_points[i]
        return area
    precision = drawn.precision[i]
    n = precision.shape[1]
    if protocol.level_sum == "mean":
        mean: Floats = np.ascontiguousarray(np.moveaxis(precision, 1, 2)).mean(axis=2)
        return mean
    if protocol.level_sum == "trapezoid":
        rows = np.ascontiguousarray(np.moveaxis(precision, 1, 2))
        # As np.trapezoid adds up; earlier versions of NumPy have it by another name.
        under: Floats = (np.diff(recall_levels(protocol)) * (rows[..., 1:] + rows[..., :-1]) / 2.0).sum(axis=-1)
        return under
    total = np.zeros((precision.shape[0], precision.shape[2]))
    for level in range(n) if protocol.level_sum == "parts" else reversed(range(n)):
        total += precision[:, level] / n if protocol.level_sum == "parts" else precision[:, level]
    return total if protocol.level_sum == "parts" else total / n


def _mean(values: Floats) -> float:
    """The mean in numpy's order of one long row; nan of nothing."""
    return float(values.ravel().mean()) if values.size else float("nan")
