"""Recall against the IoU threshold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from boxscore.errors import UsageError
from boxscore.evaluation.prepare import matched
from boxscore.evaluation.result import Result
from boxscore.evaluation.tally import Tally
from boxscore.metrics import Expression, Numbers, evaluate
from boxscore.metrics.average import class_recall
from boxscore.report.views.common import class_index, numbers_of, set_names, shown_names
from boxscore.tables.model import Floats

STEPS = tuple(round(0.5 + 0.05 * k, 2) for k in range(10))  # where a protocol has a single threshold


@dataclass(frozen=True, eq=False)
class RecallCurve:
    """The recall of one detection set at each threshold, and its mean."""

    name: str
    recall: Floats  # nan without objects
    average: float


@dataclass(frozen=True, eq=False)
class RecallView:
    """Recalls over the same thresholds."""

    title: str
    iou: Floats
    curves: tuple[RecallCurve, ...]
    reason: str = ""


def view(results: Sequence[Result], label: str | None = None) -> RecallView:
    """The recall at each of the protocol's thresholds, or at 0.5, 0.55 … 0.95 where it has a single one."""
    several = [_several(numbers_of(r)) for r in results]
    iou = several[0].protocol.iou
    if any(n.protocol.iou != iou for n in several):
        raise UsageError("these results have different IoU thresholds; expected the same for all")
    k = class_index(several[0], label)
    what = "mean over classes" if k is None else shown_names(several[0])[k]
    made = [_curve(n, class_index(n, label), name) for n, name in zip(several, set_names(results), strict=True)]
    reason = "no objects" if all(np.isnan(c.recall).all() for c in made) else ""
    return RecallView(what, np.array(iou), tuple(made), reason)


def _curve(numbers: Numbers, k: int | None, name: str) -> RecallCurve:
    steps = [Expression("AR", t) for t in numbers.protocol.iou]
    if k is None:
        recall = [evaluate(numbers, e) for e in steps]
        return RecallCurve(name, np.array(recall), evaluate(numbers, Expression("AR")))
    recall = [float(class_recall(numbers, e)[k]) for e in steps]
    return RecallCurve(name, np.array(recall), float(class_recall(numbers, Expression("AR"))[k]))


def _several(numbers: Numbers) -> Numbers:
    """The same boxes at several thresholds."""
    if len(numbers.protocol.iou) > 1:
        return numbers
    prepared = replace(numbers.prepared, protocol=replace(numbers.protocol, iou=STEPS))
    tally = Tally.of(matched(prepared, threads=numbers.threads), prepared.truth, prepared.protocol)
    return Numbers(tally, threads=numbers.threads, prepared=prepared)
