"""Precision, recall and F1 against the score threshold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from boxscore import overlaps
from boxscore.analysis.thresholds import score_ranking
from boxscore.evaluation.result import Result
from boxscore.metrics import Expression
from boxscore.report.views.common import class_index, numbers_of, set_names, shown_names, thinned, threshold_index
from boxscore.tables.model import Floats


@dataclass(frozen=True, eq=False)
class ScoreCurve:
    """The rates of one detection set, with the detections from each score on."""

    name: str
    score: Floats  # ascending
    precision: Floats
    recall: Floats  # nan without objects
    f1: Floats
    best_score: float  # nan where there is none
    best_f1: float
    reason: str = ""


@dataclass(frozen=True, eq=False)
class ScoreView:
    """All three rates of one set, or the F1 of several."""

    title: str
    iou: float
    curves: tuple[ScoreCurve, ...]


def view(results: Sequence[Result], label: str | None = None, iou: float | None = None) -> ScoreView:
    """The rates over all classes, or of one class."""
    first = numbers_of(results[0])
    threshold = first.protocol.iou[threshold_index(first, iou)]
    k = class_index(first, label)
    what = "all classes" if k is None else shown_names(first)[k]
    made = [_curve(r, name, label, threshold) for r, name in zip(results, set_names(results), strict=True)]
    return ScoreView(f"{what}, {overlaps.get(first.protocol).called} {threshold:.4g}", threshold, tuple(made))


def _curve(result: Result, name: str, label: str | None, iou: float) -> ScoreCurve:
    numbers = numbers_of(result)
    ranked = score_ranking(numbers, Expression("TP", iou), class_index(numbers, label))
    score, precision, f1 = ranked.score[::-1], ranked.precision[::-1], ranked.f1[::-1]
    with np.errstate(invalid="ignore"):
        recall = ranked.worth[::-1] / ranked.aim if ranked.aim else np.full(len(score), np.nan)
    if not len(score) or not ranked.aim:
        return ScoreCurve(name, score, precision, recall, f1, math.nan, math.nan,
                          "no objects" if len(score) or not ranked.aim else "no detections")  # fmt: skip
    best = len(score) - 1 - int(np.argmax(ranked.f1))  # of equally good ones the highest score, as `threshold` has it
    keep = np.union1d(thinned(score, precision, recall, f1), [best])
    return ScoreCurve(name, score[keep], precision[keep], recall[keep], f1[keep], float(score[best]), float(f1[best]))
