"""Localisation-recall-precision error (Oksuz et al.): at a score, and at the best one of each class."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from boxscore.evaluation.curves import ranking, to_find, worth
from boxscore.metrics.expression import Expression
from boxscore.metrics.numbers import Numbers, mean_of_defined
from boxscore.metrics.registry import COUNTED, LOWER, NEITHER, metric
from boxscore.tables.model import Floats, Ints


class Lrp(NamedTuple):
    """The error and its parts, an array by class each; nan for classes without objects.

    Parts about detections are nan too where no detection is true. `localisation` is the mean of 1 - IoU, not divided
    by 1 - tau.
    """

    error: Floats
    localisation: Floats
    false_positives: Floats  # 1 - precision
    false_negatives: Floats  # 1 - recall
    score: Floats  # of the last detection that is taken


def class_lrp(numbers: Numbers, e: Expression) -> Lrp:
    """The lowest error of every class over all prefixes of its ranking, equal scores split; of several the first."""
    numbers.steady()
    return _each_class(numbers, e, best=True)


def class_lrp_from(numbers: Numbers, e: Expression) -> Lrp:
    """The error of every class with all detections that have at least the score of the expression."""
    return _each_class(numbers.from_score(e.score), e, best=False)


def _each_class(numbers: Numbers, e: Expression, best: bool) -> Lrp:
    tally, part, threshold = numbers.tally, numbers.part(e), numbers.thresholds(e, every=False)[0]
    tau = min(numbers.protocol.iou[threshold], numbers.protocol.iou_ceiling)
    objects, paired = to_find(tally)[:, part.area], numbers.pairs(e).overlap
    assert paired is not None
    overlap, made = paired[:, 0, 0], np.full((5, len(objects)), np.nan)
    for k in np.flatnonzero((objects > 0) & numbers.members(e)):
        rows = ranking(tally, int(k), threshold, part)
        if e.score is not None:
            rows = rows[tally.score[rows] >= e.score]
        value = worth(tally, rows, threshold, part)
        made[:, k] = _of_ranking(tally.score[rows], value, overlap[rows], objects[k].item(), tau, best)
    return Lrp(*made)


def _of_ranking(
    score: Floats, value: Ints | Floats, overlap: Floats, objects: float, tau: float, best: bool
) -> tuple[float, ...]:
    """The fields of `Lrp` for a whole ranking or its best prefix; `value` is what each true positive is worth."""
    if not value.any():
        return 1.0, float("nan"), float("nan"), 1.0, float("nan")
    found, false = np.cumsum(value), np.cumsum(value == 0)
    missed = objects - found
    # In the arithmetic of the official code (cocoeval.py of LRP-Error), so that equal errors stay equal.
    far = found - np.cumsum(np.where(value > 0, overlap, 0.0) * value)
    error = (far / (1 - tau if tau < 1 else 1.0) + false + missed) / (found + false + missed)
    i = int(error.argmin()) if best else -1
    with np.errstate(invalid="ignore"):  # the first minimum may be a false positive, if all errors are 1
        return error[i], np.divide(far[i], found[i]), false[i] / (found[i] + false[i]), missed[i] / objects, score[i]


def _mean(numbers: Numbers, e: Expression, values: Floats) -> float:
    return mean_of_defined(values[numbers.members(e)])


@metric("LRP", keys=COUNTED, better=LOWER)
def lrp(numbers: Numbers, e: Expression) -> float:
    """Poor fit, false positives and missed objects as one error from 0 to 1, mean over classes that have objects."""
    return _mean(numbers, e, class_lrp_from(numbers, e).error)


@metric("oLRP", keys=COUNTED, better=LOWER)
def optimal_lrp(numbers: Numbers, e: Expression) -> float:
    """The lowest LRP error of each class over all scores, mean over classes that have objects."""
    return _mean(numbers, e, class_lrp(numbers, e).error)


@metric("oLRP.Loc", keys=COUNTED, better=LOWER)
def optimal_localisation(numbers: Numbers, e: Expression) -> float:
    """Mean of 1 - IoU of the true positives at the lowest LRP error, mean over classes that have any."""
    return _mean(numbers, e, class_lrp(numbers, e).localisation)


@metric("oLRP.FP", keys=COUNTED, better=LOWER)
def optimal_false_positives(numbers: Numbers, e: Expression) -> float:
    """Share of false positives at the lowest LRP error, mean over classes that have true ones."""
    return _mean(numbers, e, class_lrp(numbers, e).false_positives)


@metric("oLRP.FN", keys=COUNTED, better=LOWER)
def optimal_false_negatives(numbers: Numbers, e: Expression) -> float:
    """Share of missed objects at the lowest LRP error, mean over classes that have objects."""
    return _mean(numbers, e, class_lrp(numbers, e).false_negatives)


@metric("oLRP.score", keys=COUNTED, better=NEITHER, share=False)
def optimal_score(numbers: Numbers, e: Expression) -> float:
    """The score at the lowest LRP error, of one class or as the mean over classes that have true positives."""
    return _mean(numbers, e, class_lrp(numbers, e).score)
