"""Counts at a score, and precision, recall and F from them, over all classes or one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from boxscore.evaluation.curves import to_find, weighted
from boxscore.metrics.expression import Expression
from boxscore.metrics.numbers import Numbers
from boxscore.metrics.registry import COUNTED, LOWER, metric
from boxscore.tables.model import Floats, Ints


class Counts(NamedTuple):
    """True positives, false positives and missed objects of each class, by weight where objects have one."""

    true_positives: Ints | Floats
    false_positives: Ints
    false_negatives: Ints | Floats


def counts(numbers: Numbers, e: Expression) -> Counts:
    """What the detections with at least the score of the expression amount to, class by class."""
    numbers = numbers.from_score(e.score)
    tally, part, threshold = numbers.tally, numbers.part(e), numbers.thresholds(e, every=False)[0]
    found: Ints | Floats
    if e.score is None:
        made, i = numbers.curves(part, drawn=False)
        found, false = made.found[i, threshold], made.false_positives[i, threshold]
    else:
        bit = tally.hits.dtype.type(1 << threshold)
        kept = (tally.score >= e.score) & (tally.rank < part.cap)
        hit = kept & ((tally.hits[:, part.area] & bit) != 0)
        wrong = kept & ~hit & ((tally.ignored[:, part.area] & bit) == 0)
        found, false = (np.bincount(tally.label[m], minlength=len(tally.classes)) for m in (hit, wrong))
        if weighted(tally) and tally.credits is not None:
            credited = hit & ((tally.credits[:, part.area] & bit) != 0)
            extra = np.bincount(tally.label[credited], minlength=len(tally.classes))
            found = (found - extra) + tally.protocol.absorbed_weight * extra
    return Counts(found, false, to_find(tally)[:, part.area] - found)


def _sum(numbers: Numbers, e: Expression) -> tuple[float, int, float]:
    made, chosen = counts(numbers, e), numbers.members(e)
    return made[0][chosen].sum().item(), made[1][chosen].sum().item(), made[2][chosen].sum().item()


@metric("TP", keys=COUNTED, share=False)
def true_positives(numbers: Numbers, e: Expression) -> float:
    """Detections that found their object."""
    return _sum(numbers, e)[0]


@metric("FP", keys=COUNTED, better=LOWER, share=False)
def false_positives(numbers: Numbers, e: Expression) -> float:
    """Detections that found none."""
    return _sum(numbers, e)[1]


@metric("FN", keys=COUNTED, better=LOWER, share=False)
def false_negatives(numbers: Numbers, e: Expression) -> float:
    """Objects that no detection found."""
    return _sum(numbers, e)[2]


@metric("precision", keys=COUNTED)
def precision(numbers: Numbers, e: Expression) -> float:
    """Share of the detections that are true; nan without detections."""
    tp, fp, _ = _sum(numbers, e)
    return tp / (tp + fp) if tp + fp else float("nan")


@metric("recall", keys=COUNTED)
def recall(numbers: Numbers, e: Expression) -> float:
    """Share of the objects that are found; nan without objects."""
    tp, _, fn = _sum(numbers, e)
    return tp / (tp + fn) if tp + fn else float("nan")


@metric("F", keys=(*COUNTED, "beta"))
@metric("F1", keys=COUNTED)
def f_score(numbers: Numbers, e: Expression) -> float:
    """F-beta of precision and recall, beta 1 unless given; nan where there is nothing to count."""
    tp, fp, fn = _sum(numbers, e)
    square = (1.0 if e.beta is None else e.beta) ** 2
    whole = (1 + square) * tp + square * fn + fp
    return (1 + square) * tp / whole if whole else float("nan")
