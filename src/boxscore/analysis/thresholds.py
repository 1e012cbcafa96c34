"""The score threshold that meets a requirement, over all classes or class by class."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from boxscore.analysis.decimals import shortest
from boxscore.analysis.operating_point import class_names, operating_point
from boxscore.analysis.requirements import Requirement
from boxscore.analysis.score_rules import RULES, Ranking
from boxscore.analysis.verdicts import verdicts
from boxscore.evaluation.curves import to_find, weighted
from boxscore.metrics import UNAVAILABLE, Expression, NotEvaluated, Numbers
from boxscore.tables.model import Floats, Ints


class Threshold(NamedTuple):
    """A score threshold and what the detections from it on amount to.

    The score is inf where no detection at all is best. Where the requirement cannot be met it is nan, there are no
    counts, and `reason` says what can be reached. `short` is the number with the fewest decimals that lets the same
    detections pass. `cut_off` says that the score is the lowest of the file, so that a lower one might do better.
    """

    score: float
    precision: float = math.nan
    recall: float = math.nan
    f1: float = math.nan
    true_positives: int | None = None
    false_positives: int | None = None
    false_negatives: int | None = None
    reason: str = ""
    short: float = math.nan
    cut_off: bool = False


@dataclass(frozen=True)
class Thresholds:
    """The threshold common to all classes, and one for each class if asked for."""

    requirement: Requirement
    iou: float
    area: str
    max_detections: int | None  # None for no cap
    signature: str
    common: Threshold
    per_class: dict[str, Threshold] = field(default_factory=dict)

    @property
    def score(self) -> float:
        """The common threshold."""
        return self.common.score

    def __repr__(self) -> str:
        from boxscore.report.thresholds import as_text

        return as_text(self)


MET_FROM_ABOVE = ("recall",)  # requirements whose threshold is the highest that does: a lower one is never better
BEST, GIVEN = "best F1", "given"  # how the score of a reported point was chosen


@dataclass(frozen=True)
class ReportedPoint:
    """The score at which tables show precision, recall and F1, and what each class has there; nan where undefined."""

    score: float
    iou: float
    rates: tuple[tuple[float, float, float], ...] = field(repr=False)  # precision, recall, F1 of each class, in order
    reason: str = ""  # why there is no such score
    rule: str = BEST
    cut_off: bool = False  # whether the best score is the lowest one there is: a lower one might be better still


def thresholds(
    numbers: Numbers, required: Requirement, e: Expression, images: int, per_class: bool = False
) -> Thresholds:
    """The thresholds that meet a requirement, at the expression's IoU, size range and cap; `images` is how many."""
    part, threshold = numbers.part(e), numbers.thresholds(e, every=False)[0]
    every = required.name == "fp_per_image"
    common, *classes = _rankings(numbers, e, images, every, per_class)
    protocol = numbers.protocol
    return Thresholds(
        required,
        protocol.iou[threshold],
        protocol.areas[part.area].name,
        e.cap or max(protocol.max_detections, default=None),
        protocol.signature(),
        _chosen(common, required),
        {
            name: _chosen(ranking, required)
            for name, ranking in zip(class_names(numbers.tally.classes) if per_class else (), classes, strict=True)
        },
    )


def reported_point(numbers: Numbers, score: float | None = None) -> ReportedPoint:
    """The given score, or that of the best F1 over all classes, at the first IoU threshold."""
    iou, n = numbers.protocol.iou[0], len(numbers.tally.classes)
    rule = BEST if score is None else GIVEN
    try:
        if score is not None:
            numbers.part(Expression("F1"))
            return ReportedPoint(score, iou, _class_rates(numbers, score), rule=rule)
        (common,) = _rankings(numbers, Expression("F1"), 0, every=False, per_class=False)
    except UNAVAILABLE as reason:
        return ReportedPoint(math.nan if score is None else score, iou, ((math.nan,) * 3,) * n, str(reason), rule)
    best = _chosen(common, Requirement("f1"))
    at = math.inf if math.isnan(best.score) else best.score  # without a threshold nothing is detected
    lowest = not math.isinf(at) and at == numbers.tally.score.min()
    return ReportedPoint(best.score, iou, _class_rates(numbers, at), best.reason, cut_off=bool(lowest))


def _class_rates(numbers: Numbers, score: float) -> tuple[tuple[float, float, float], ...]:
    point = operating_point(numbers, Expression("F1", score=score))
    return tuple((c.precision, c.recall, c.f1) for c in point.per_class.values())


def _rankings(numbers: Numbers, e: Expression, images: int, every: bool, per_class: bool) -> list[Ranking]:
    """The ranking of all classes together, then that of each class."""
    protocol, tally, part = numbers.steady().protocol, numbers.tally, numbers.part(e)
    if protocol.claim == "shared":
        raise NotEvaluated(
            "several detections may match one object, so verdicts alone do not tell how many objects are found"
        )
    marks = verdicts(tally, part, numbers.thresholds(e, every=False)[0])
    by_weight = weighted(tally) and marks.credited is not None
    objects, aims = tally.to_find[:, part.area], to_find(tally)[:, part.area]

    def ranking(these: slice, classes: slice) -> Ranking:
        score = tally.score[these]
        true, false = np.sort(score[marks.true[these]]), np.sort(score[marks.false[these]])
        # The best threshold is always the score of a true positive, or the highest of all: a false positive alone
        # lowers precision and raises cost. Only limits on false positives allow more.
        at = np.unique(np.concatenate([true, false if every else false[-1:]]))[::-1]
        found = _from(true, at)
        worth: Ints | Floats = found
        if by_weight and marks.credited is not None:
            credited = _from(np.sort(score[marks.credited[these]]), at)
            worth = (found - credited) + protocol.absorbed_weight * credited
        aim = aims[classes].sum().item()
        n, of_all = int(objects[classes].sum()), np.unique(score)
        return Ranking(at, found, _from(false, at), worth, n, aim, images, of_all)

    made = [ranking(slice(None), slice(None))]
    if per_class:
        made += [ranking(slice(a, b), slice(k, k + 1)) for k, (a, b) in enumerate(pairwise(tally.first.tolist()))]
    return made


def _from(ascending: Floats, at: Floats) -> Ints:
    """How many of some scores are at least so high."""
    return len(ascending) - np.searchsorted(ascending, at, "left")


def _chosen(ranking: Ranking, required: Requirement) -> Threshold:
    """The threshold of a ranking that meets the requirement."""
    if required.name == "cost":  # no detection at all is a choice, too
        ranking = ranking._replace(
            score=np.append(math.inf, ranking.score),
            true=np.append(0, ranking.true),
            false=np.append(0, ranking.false),
            worth=np.append(0, ranking.worth),
        )
    elif not len(ranking.score):
        return Threshold(math.nan, reason="no detections")
    elif not ranking.objects and required.name != "fp_per_image":
        return Threshold(math.nan, reason="no objects")
    i = RULES[required.name](ranking, required)
    if isinstance(i, str):
        return Threshold(math.nan, reason=i)
    score, lowest, missed = float(ranking.score[i]), ranking.every[:1], ranking.objects - int(ranking.true[i])
    return Threshold(
        score,
        float(ranking.precision[i]),
        float(ranking.worth[i] / ranking.aim) if ranking.aim else math.nan,
        float(ranking.f1[i]),
        int(ranking.true[i]),
        int(ranking.false[i]),
        missed,
        "no detection at all costs least" if math.isinf(score) and required.name == "cost" else "",
        shortest(score, _next_below(ranking.every, score)),
        required.name not in MET_FROM_ABOVE and missed > 0 and bool((lowest == score).all()),
    )


def _next_below(scores: Floats, score: float) -> float:
    """The highest of ascending scores that is lower; -inf without one."""
    place = int(np.searchsorted(scores, score, "left"))
    return float(scores[place - 1]) if place else -math.inf


def score_ranking(numbers: Numbers, e: Expression, label: int | None = None) -> Ranking:
    """The counts at every score that occurs, over all classes or of one (its number)."""
    made = _rankings(numbers, e, 0, every=True, per_class=label is not None)
    return made[0] if label is None else made[1 + label]
