"""The point that training tools report: where the mean F1 over classes, smoothed over a grid of scores, is highest."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from boxscore.evaluation.curves import Slice, curve
from boxscore.evaluation.tally import Tally
from boxscore.metrics.expression import Expression
from boxscore.metrics.numbers import Numbers, mean_of_defined
from boxscore.metrics.registry import AVERAGED, NEITHER, metric
from boxscore.tables.model import Floats, Ints

_GRID = 1000  # scores from 0 to 1
_WIDTH = 0.1  # of the moving mean, as a part of the grid
_TINY = 1e-16  # added to the denominator of F1


class _Point(NamedTuple):
    score: float
    precision: Floats  # by class; nan for those without objects
    recall: Floats
    f1: Floats


def _smoothed(values: Floats) -> Floats:
    """The moving mean over an odd number of neighbours; beyond the ends stand the first and the last value."""
    n = round(len(values) * _WIDTH * 2) // 2 + 1
    longer = np.concatenate([np.full(n // 2, values[0]), values, np.full(n // 2, values[-1])])
    return np.convolve(longer, np.ones(n) / n, mode="valid")


def _best(numbers: Numbers, e: Expression) -> _Point:
    tally, part, threshold = numbers.steady().tally, numbers.part(e), numbers.thresholds(e, every=False)[0]
    return numbers.once(("smooth F1", part, threshold), lambda: _point(tally, part, threshold))


def _point(tally: Tally, part: Slice, threshold: int) -> _Point:
    """Precision and recall of each class between its detections by straight lines, at the score of the highest F1."""
    there: Ints = np.flatnonzero(tally.to_find[:, part.area] > 0)
    grid = np.linspace(0, 1, _GRID)
    precision, recall = np.zeros((2, len(there), _GRID))
    for row, label in enumerate(there.tolist()):
        made = curve(tally, label, threshold, part)
        if len(made.score):  # above the highest score nothing is found, and nothing is wrong
            recall[row] = np.interp(-grid, -made.score, made.recall, left=0)
            precision[row] = np.interp(-grid, -made.score, made.precision, left=1)
    f1 = 2 * precision * recall / (precision + recall + _TINY)
    i = int(_smoothed(f1.mean(0)).argmax()) if len(there) else 0
    columns = np.full((3, len(tally.classes)), np.nan)
    columns[:, there] = precision[:, i], recall[:, i], f1[:, i]
    return _Point(float(grid[i]) if len(there) else float("nan"), *columns)


def class_smooth_precision(numbers: Numbers, e: Expression) -> Floats:
    """The precision of every class at F1smooth.score, nan for those without objects."""
    return _best(numbers, e).precision


def class_smooth_recall(numbers: Numbers, e: Expression) -> Floats:
    """The recall of every class at F1smooth.score, nan for those without objects."""
    return _best(numbers, e).recall


def _of(values: Floats, numbers: Numbers, e: Expression) -> float:
    return float(values[numbers.label(e)]) if e.label is not None else mean_of_defined(values[numbers.members(e)])


@metric("F1smooth", keys=AVERAGED)
def smooth_f1(numbers: Numbers, e: Expression) -> float:
    """Mean F1 over the classes that have objects where it is highest: at 1,000 scores, each with 50 neighbours."""
    return _of(_best(numbers, e).f1, numbers, e)


@metric("F1smooth.score", keys=("iou", "area", "max"), better=NEITHER, share=False)
def smooth_f1_score(numbers: Numbers, e: Expression) -> float:
    """The score from 0 to 1 at which the mean F1 over classes, as a moving mean, is highest; the lowest of several."""
    return _best(numbers, e).score


@metric("F1smooth.precision", keys=AVERAGED)
def smooth_f1_precision(numbers: Numbers, e: Expression) -> float:
    """Mean precision over the classes that have objects at F1smooth.score: what Ultralytics calls P."""
    return _of(class_smooth_precision(numbers, e), numbers, e)


@metric("F1smooth.recall", keys=AVERAGED)
def smooth_f1_recall(numbers: Numbers, e: Expression) -> float:
    """Mean recall over the classes that have objects at F1smooth.score: what Ultralytics calls R."""
    return _of(class_smooth_recall(numbers, e), numbers, e)
