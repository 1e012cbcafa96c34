"""Counts at a score, and precision, recall and F from them, over all classes or one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from boxscore.metrics.expression import Expression
from boxscore.metrics.numbers import Numbers
from boxscore.metrics.registry import metric
from boxscore.model import Ints


class Counts(NamedTuple):
    """True positives, false positives and missed objects of each class."""

    true_positives: Ints
    false_positives: Ints
    false_negatives: Ints


def counts(numbers: Numbers, e: Expression) -> Counts:
    """What the detections with at least the score of the expression amount to, class by class."""
    tally, part, threshold = numbers.tally, numbers.part(e), numbers.thresholds(e, every=False)[0]
    if e.score is None:
        made, i = numbers.curves(part, drawn=False)
        found, false = made.true_positives[i, threshold], made.false_positives[i, threshold]
    else:
        bit = tally.hits.dtype.type(1 << threshold)
        kept = (tally.score >= e.score) & (tally.rank < part.cap)
        hit = kept & ((tally.hits[:, part.area] & bit) != 0)
        wrong = kept & ~hit & ((tally.ignored[:, part.area] & bit) == 0)
        found, false = (np.bincount(tally.label[m], minlength=len(tally.classes)) for m in (hit, wrong))
    return Counts(found, false, tally.to_find[:, part.area] - found)


def _sum(numbers: Numbers, e: Expression) -> tuple[int, int, int]:
    made, label = counts(numbers, e), numbers.label(e)
    if label is not None:
        return int(made[0][label]), int(made[1][label]), int(made[2][label])
    return int(made[0].sum()), int(made[1].sum()), int(made[2].sum())


@metric("TP")
def true_positives(numbers: Numbers, e: Expression) -> float:
    """Detections that found their object."""
    return _sum(numbers, e)[0]


@metric("FP")
def false_positives(numbers: Numbers, e: Expression) -> float:
    """Detections that found none."""
    return _sum(numbers, e)[1]


@metric("FN")
def false_negatives(numbers: Numbers, e: Expression) -> float:
    """Objects that no detection found."""
    return _sum(numbers, e)[2]


@metric("precision")
def precision(numbers: Numbers, e: Expression) -> float:
    """Share of the detections that are true; nan without detections."""
    tp, fp, _ = _sum(numbers, e)
    return tp / (tp + fp) if tp + fp else float("nan")


@metric("recall")
def recall(numbers: Numbers, e: Expression) -> float:
    """Share of the objects that are found; nan without objects."""
    tp, _, fn = _sum(numbers, e)
    return tp / (tp + fn) if tp + fn else float("nan")


@metric("F", "F1")
def f_score(numbers: Numbers, e: Expression) -> float:
    """F-beta of precision and recall, beta 1 unless given; nan where there is nothing to count."""
    tp, fp, fn = _sum(numbers, e)
    square = (e.beta if e.beta is not None and e.name == "F" else 1.0) ** 2
    whole = (1 + square) * tp + square * fn + fp
    return (1 + square) * tp / whole if whole else float("nan")
