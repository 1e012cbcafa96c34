"""Precision against recall: single classes with their interpolation, all classes, several detectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from boxscore import overlaps
from boxscore.errors import UsageError
from boxscore.evaluation.curves import Curve, curve, recall_levels
from boxscore.evaluation.result import Result
from boxscore.metrics import Expression, Numbers, evaluate
from boxscore.metrics.average import class_precision
from boxscore.report.views.common import (
    RAW,
    class_index,
    interpolation_of,
    numbers_of,
    percent_iou,
    set_names,
    shown_names,
    thinned,
    threshold_index,
    with_interpolation,
)
from boxscore.tables.model import Floats

LEVELS = 1001  # where a mean over classes is drawn that is averaged over all points


@dataclass(frozen=True, eq=False)
class PrCurve:
    """One curve: as ranked, as interpolated, and its AP; nothing is drawn of what is undefined.

    Interpolated by levels: precisions at recall levels. By all points: the envelope in steps, `level` being where each
    step ends.
    """

    name: str
    recall: Floats
    precision: Floats
    level: Floats
    level_precision: Floats
    ap: float  # nan without objects
    objects: float
    detections: int
    reason: str = ""  # why there is nothing to draw

    @property
    def areas(self) -> list[tuple[float, float, float]]:
        """The rectangles under the envelope: from which recall to which, and how high."""
        starts = np.concatenate([[0.0], self.level])[: len(self.level)]
        return list(zip(starts.tolist(), self.level.tolist(), self.level_precision.tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class PrView:
    """Curves in one pair of axes."""

    kind: str  # "class": one class of one set; "classes": classes of one set; "sets": one curve for each set
    title: str
    number: str  # what the numbers beside the curves are: AP50
    interpolation: str  # 11, 101, all, raw, or another number of levels
    iou: float
    curves: tuple[PrCurve, ...]
    mean: PrCurve | None = None  # of the classes
    notes: tuple[str, ...] = ()


def view(
    results: Sequence[Result],
    label: str | None = None,
    iou: float | None = None,
    interpolation: str | int | None = None,
) -> PrView:
    """The curve of a class, of all classes of a result, or one for each of several results."""
    how = interpolation_of(results[0], interpolation)
    first = numbers_of(results[0])
    threshold = first.protocol.iou[threshold_index(first, iou)]
    words = {"all": "all points", RAW: ""}.get(how, f"{how} points")
    about = ", ".join(filter(None, [f"{overlaps.get(first.protocol).called} {threshold:.4g}", words]))
    number, names = f"AP{percent_iou(threshold)}", set_names(results)
    if len(results) > 1:
        one = [class_index(numbers_of(r), label) for r in results]
        if how == RAW and any(k is None for k in one):
            raise UsageError(
                "raw curves of several classes have no mean; choose one class, or interpolation 11, 101 or all"
            )
        made = [
            mean_curve(numbers_of(r), threshold, how, name)
            if k is None
            else class_curve(numbers_of(r), k, threshold, how, name)
            for r, k, name in zip(results, one, names, strict=True)
        ]
        what = "mean over classes" if one[0] is None else shown_names(first)[one[0]]
        return PrView("sets", f"{what}, {about}", number, how, threshold, tuple(made))
    k = class_index(first, label)
    if k is not None:
        made = [class_curve(first, k, threshold, how, shown_names(first)[k])]
        return PrView("class", made[0].name, number, how, threshold, tuple(made), None, (about,))
    classes = class_curves(first, threshold, how)
    drawn = sorted((c for c in classes if not c.reason or c.ap == 0), key=lambda c: -c.ap)
    left = len(classes) - len(drawn)
    notes = (f"{left:,} without objects",) if left else ()
    mean = mean_curve(first, threshold, how, "mean")
    return PrView("classes", f"{len(drawn):,} classes, {about}", number, how, threshold, tuple(drawn), mean, notes)


def class_curves(numbers: Numbers, iou: float | None, interpolation: str) -> list[PrCurve]:
    """The curves of all classes, in their order."""
    names = shown_names(numbers)
    averaged = with_interpolation(numbers, interpolation)  # once for all
    return [class_curve(numbers, k, iou, interpolation, name, averaged) for k, name in enumerate(names)]


def ranked_points(numbers: Numbers, k: int, iou: float | None) -> Curve:
    """The ranking of one class (its number) at a threshold, point by point."""
    return curve(numbers.tally, k, threshold_index(numbers, iou), numbers.part(Expression("AP")))


def class_curve(
    numbers: Numbers, k: int, iou: float | None, interpolation: str, name: str, averaged: Numbers | None = None
) -> PrCurve:
    """The curve of one class (its number) at a threshold."""
    t, part = threshold_index(numbers, iou), numbers.part(Expression("AP"))
    averaged = averaged or with_interpolation(numbers, interpolation)
    ranked = ranked_points(numbers, k, iou)
    ap = float(class_precision(averaged, Expression("AP", numbers.protocol.iou[t]))[k])
    n = len(ranked.score)
    if not ranked.objects or not n:
        why = "no objects" if not ranked.objects else "no detections"
        none = np.zeros(0)
        return PrCurve(name, none, none, none, none, ap, ranked.objects, n, why)
    if averaged.protocol.recall_levels:
        drawn, i = averaged.curves(part, drawn=True)
        assert drawn.precision is not None
        level, height = recall_levels(averaged.protocol), drawn.precision[i, t, :, k].copy()
    else:
        level, height = envelope(ranked.recall, ranked.precision, numbers.protocol.recall_bounds)
    keep = thinned(ranked.recall, ranked.precision)
    return PrCurve(name, ranked.recall[keep], ranked.precision[keep], level, height, ap, ranked.objects, n)


def envelope(recall: Floats, precision: Floats, bounds: tuple[float, float] = (0.0, 1.0)) -> tuple[Floats, Floats]:
    """The highest precision from each recall on, in steps: where each ends, and its height.

    >>> [part.tolist() for part in envelope(np.array([0.2, 0.2, 0.6]), np.array([1.0, 0.5, 0.75]))]
    [[0.2, 0.6], [1.0, 0.75]]
    """
    inside = (recall >= bounds[0]) & (recall <= bounds[1])
    recall, precision = recall[inside], precision[inside]
    height = np.maximum.accumulate(precision[::-1])[::-1]
    first = np.flatnonzero((np.diff(recall, prepend=0.0) > 0) & (recall > 0))
    recall, height = recall[first], height[first]
    last = np.flatnonzero(np.diff(height, append=-1.0) != 0)
    return recall[last], height[last]


def mean_curve(numbers: Numbers, iou: float | None, interpolation: str, name: str) -> PrCurve:
    """The mean of the interpolated curves over the classes that have objects, and their mean AP."""
    averaged = with_interpolation(numbers, interpolation)
    t, part = threshold_index(numbers, iou), numbers.part(Expression("AP"))
    e = Expression("AP", numbers.protocol.iou[t])
    ap = evaluate(averaged, e)
    if averaged.protocol.averaging == "pooled":  # one ranking instead of a mean
        drawn, i = averaged.pooled(e), 0
        present = drawn.objects[0] > 0
    else:
        drawn, i = averaged.curves(part, drawn=True)
        present = averaged.present(drawn, i)
    found = int((drawn.true_positives[i, t] + drawn.false_positives[i, t])[present].sum())
    objects = float(drawn.objects[i][present].sum())
    none = np.zeros(0)
    if not objects or not found:
        return PrCurve(name, none, none, none, none, ap, objects, found, "no detections" if objects else "no objects")
    if drawn.precision is not None:
        level, height = recall_levels(averaged.protocol), drawn.precision[i, t][:, present].mean(axis=1)
    else:
        level, height = np.linspace(0, 1, LEVELS), np.zeros(LEVELS)
        for k in np.flatnonzero(present).tolist():
            ranked = curve(numbers.tally, k, t, part)
            ends, values = envelope(ranked.recall, ranked.precision, numbers.protocol.recall_bounds)
            height += np.append(values, 0.0)[np.searchsorted(ends, level)]
        height /= max(int(present.sum()), 1)
    return PrCurve(name, none, none, level, height, ap, objects, found)
