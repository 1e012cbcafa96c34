"""The score threshold with the highest F: over all classes together, one for all classes, or one for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from boxscore.evaluation.curves import to_find, weighted
from boxscore.metrics.expression import Expression
from boxscore.metrics.numbers import Numbers, mean_of_defined
from boxscore.metrics.registry import COUNTED, NEITHER, metric
from boxscore.tables.model import Bools, Floats, Ints

T = TypeVar("T", float, Floats)
_Counted = Ints | Floats


@dataclass(frozen=True)
class BestF(Generic[T]):
    """A score threshold and what the detections with at least that score amount to: numbers, or an array by class.

    Where no detection is true, every threshold is as bad: the score is nan, and nothing is taken.
    """

    score: T
    f: T
    tp: T
    fp: T
    fn: T
    precision: T
    recall: T


def best_threshold(numbers: Numbers, e: Expression) -> BestF[float]:
    """The threshold with the highest F of the counts summed over the classes of an expression; the highest of several.

    Equal scores are never split. Beta is the expression's.
    """
    columns, chosen = _columns(numbers, e), numbers.members(e)
    rows = slice(None) if chosen.all() else chosen[numbers.tally.label]
    objects = float(_objects(numbers, e)[chosen].sum())
    return BestF(*_best(_scores(columns, rows), objects, _square(e), _weight(numbers)))


def class_thresholds(numbers: Numbers, e: Expression) -> BestF[Floats]:
    """The best threshold of every class for itself; nan for classes without objects."""
    columns, first, weight = _columns(numbers, e), numbers.tally.first, _weight(numbers)
    rows = [
        _best(_scores(columns, slice(first[k], first[k + 1])), float(objects), _square(e), weight)
        for k, objects in enumerate(_objects(numbers, e))
    ]
    return BestF(*np.array(rows, np.float64).reshape(-1, 7).T)


def common_threshold(numbers: Numbers, e: Expression) -> tuple[float, float]:
    """The threshold with the highest mean F over the classes that have objects, and that mean."""
    columns, first, objects = _columns(numbers, e), numbers.tally.first, _objects(numbers, e)
    square, weight = _square(e), _weight(numbers)
    there = np.flatnonzero((objects > 0) & numbers.members(e))
    if not len(there):
        return float("nan"), float("nan")
    scores = [_scores(columns, slice(first[k], first[k + 1])) for k in there]
    levels = [np.unique(np.concatenate(s))[::-1] for s in scores]
    if not any(len(s.hits) + len(s.credits) for s in scores):
        return float("nan"), 0.0

    def f(i: int, at: Floats) -> Floats:
        return _f(*_amounts(scores[i], at, weight), float(objects[there[i]]), square)

    # From one score to the next lower one the sum of all F changes by what the classes with that score change.
    changes = np.concatenate([np.diff(f(i, at), prepend=0.0) for i, at in enumerate(levels)])
    every = np.concatenate(levels)
    order = np.argsort(-every, kind="stable")
    every, sums = every[order], np.cumsum(changes[order])
    ends = np.append(every[1:] != every[:-1], True)
    every, sums = every[ends], sums[ends]
    # Such a running sum has rounding errors; what may be the highest is computed again without.
    near = every[sums >= sums.max() - len(order) * len(there) * np.finfo(np.float64).eps]
    total = np.zeros(len(near))
    for i in range(len(there)):
        total += f(i, near)
    best = int(total.argmax())
    return float(near[best]), float(total[best] / len(there))


class _Scores(NamedTuple):
    """The scores of some detections, ascending, by what they are."""

    hits: Floats
    credits: Floats  # hits with a weight of their own
    wrong: Floats


def _columns(numbers: Numbers, e: Expression) -> tuple[Floats, Bools, Bools, Bools]:
    """Of every detection the score, and whether it is an ordinary hit, a credited one, or wrong."""
    tally, part = numbers.steady().tally, numbers.part(e)
    bit = tally.hits.dtype.type(1 << numbers.thresholds(e, every=False)[0])
    kept: Bools = tally.rank < part.cap
    if e.score is not None:
        kept = kept & (tally.score >= e.score)
    hit = kept & ((tally.hits[:, part.area] & bit) != 0)
    wrong = kept & ~hit & ((tally.ignored[:, part.area] & bit) == 0)
    credit = np.zeros(len(hit), np.bool_)
    if weighted(tally) and tally.credits is not None:
        credit = hit & ((tally.credits[:, part.area] & bit) != 0)
        hit = hit & ~credit
    return tally.score, hit, credit, wrong


def _scores(columns: tuple[Floats, Bools, Bools, Bools], rows: slice | Bools) -> _Scores:
    score = columns[0][rows]
    return _Scores(*(np.sort(score[kind[rows]]) for kind in columns[1:]))


def _objects(numbers: Numbers, e: Expression) -> _Counted:
    return to_find(numbers.tally)[:, numbers.part(e).area]


def _weight(numbers: Numbers) -> float:
    return numbers.protocol.absorbed_weight if weighted(numbers.tally) else 1.0


def _square(e: Expression) -> float:
    return 1.0 if e.beta is None else e.beta**2


def _amounts(scores: _Scores, levels: Floats, weight: float) -> tuple[_Counted, Ints]:
    """How many true and false positives have at least each of some scores."""
    hits, credits, wrong = (len(s) - np.searchsorted(s, levels, side="left") for s in scores)
    return hits + weight * credits if len(scores.credits) else hits, wrong


def _f(tp: _Counted, fp: Ints, objects: float, square: float) -> Floats:
    whole = (1 + square) * tp + square * (objects - tp) + fp
    return np.where(whole > 0, (1 + square) * tp / np.where(whole > 0, whole, 1), 0.0)


def _best(scores: _Scores, objects: float, square: float, weight: float) -> tuple[float, ...]:
    """The fields of `BestF`. Only where a true positive is added can F rise."""
    nan = float("nan")
    if not objects:
        return (nan,) * 7
    levels = np.unique(np.concatenate(scores[:2]))[::-1]
    if not len(levels):
        return nan, 0.0, 0.0, 0.0, objects, nan, 0.0
    tp, fp = _amounts(scores, levels, weight)
    f = _f(tp, fp, objects, square)
    i = int(f.argmax())
    right, false = float(tp[i]), float(fp[i])
    missed = objects - right
    return float(levels[i]), float(f[i]), right, false, missed, right / (right + false), right / (right + missed)


@metric("Fmax", keys=(*COUNTED, "beta"))
@metric("F1max", keys=COUNTED)
def best_f(numbers: Numbers, e: Expression) -> float:
    """The highest F of any score threshold, from counts summed over classes; beta is 1 unless given to Fmax."""
    return best_threshold(numbers, e).f


@metric("Fmax.score", keys=(*COUNTED, "beta"), better=NEITHER, share=False)
@metric("F1max.score", keys=COUNTED, better=NEITHER, share=False)
def best_f_score(numbers: Numbers, e: Expression) -> float:
    """The score threshold with the highest F; of several the highest, nan where no detection is true."""
    return best_threshold(numbers, e).score


@metric("Fmax.precision", keys=(*COUNTED, "beta"))
@metric("F1max.precision", keys=COUNTED)
def best_f_precision(numbers: Numbers, e: Expression) -> float:
    """The precision at the score threshold with the highest F."""
    return best_threshold(numbers, e).precision


@metric("Fmax.recall", keys=(*COUNTED, "beta"))
@metric("F1max.recall", keys=COUNTED)
def best_f_recall(numbers: Numbers, e: Expression) -> float:
    """The recall at the score threshold with the highest F."""
    return best_threshold(numbers, e).recall


@metric("Fmax.macro", keys=(*COUNTED, "beta"))
@metric("F1max.macro", keys=COUNTED)
def best_macro_f(numbers: Numbers, e: Expression) -> float:
    """The highest mean of F over the classes that have objects, with one score threshold for all classes."""
    return common_threshold(numbers, e)[1]


@metric("Fmax.macro.score", keys=(*COUNTED, "beta"), better=NEITHER, share=False)
@metric("F1max.macro.score", keys=COUNTED, better=NEITHER, share=False)
def best_macro_f_score(numbers: Numbers, e: Expression) -> float:
    """The score threshold with the highest mean of F over the classes that have objects; of several the highest."""
    return common_threshold(numbers, e)[0]


@metric("Fmax.classes", keys=(*COUNTED, "beta"))
@metric("F1max.classes", keys=COUNTED)
def best_class_f(numbers: Numbers, e: Expression) -> float:
    """Mean over the classes that have objects of the highest F of each, with a score threshold of its own."""
    return mean_of_defined(class_thresholds(numbers, e).f[numbers.members(e)])
