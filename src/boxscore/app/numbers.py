"""From results to what pages show of them: numbers, tables of classes, curves, counts by score."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from boxscore import overlaps
from boxscore.analysis.operating_point import OperatingPoint, class_names
from boxscore.analysis.verdicts import verdicts
from boxscore.app.form import LETTERS
from boxscore.app.wire import encoded
from boxscore.app.work import Evaluated
from boxscore.evaluation.result import Result
from boxscore.metrics import Expression, Numbers
from boxscore.report.views.common import interpolation_of, thinned, threshold_index
from boxscore.report.views.pr import class_curve, mean_curve, ranked_points
from boxscore.report.words import merged
from boxscore.tables.model import Floats

STEPS = 512  # scores at which counts are told at once
Column = tuple[str, Evaluated, Result]  # letter, model, its result


def overview(columns: Sequence[Column]) -> dict[str, Any]:
    """The numbers of all models by one protocol, with ledger and findings."""
    protocol = columns[0][2].protocol
    return {
        "protocol": {
            "name": protocol.name, "about": protocol.about, "source": protocol.source,
            "signature": protocol.signature(), "iou": list(protocol.iou), "overlap": overlaps.get(protocol).called,
            "limits": list(protocol.max_detections), "recall_levels": protocol.recall_levels,
        },
        "metrics": merged([list(result.metrics) for _, _, result in columns]),
        "models": [_numbers(*column) for column in columns],
    }  # fmt: skip


def _numbers(letter: str, model: Evaluated, result: Result) -> dict[str, Any]:
    point = result.point
    return {
        "letter": letter, "name": model.name, "headline": result.headline, "metrics": result.metrics,
        "reasons": result.reasons, "ledger": result.ledger.to_dict(),
        "findings": [asdict(finding) for finding in result.ledger.findings], "diagnoses": list(model.diagnoses),
        "best": None if point is None or math.isnan(point.score) else {"score": point.score, "iou": point.iou},
        "why_no_best": "" if point is None else point.reason,
    }  # fmt: skip


def classes(columns: Sequence[Column]) -> dict[str, Any]:
    """The table of classes: objects once, metrics and detections of every model."""
    own = [dict(zip(names(result), result.per_class, strict=True)) for _, _, result in columns]
    listed = merged([list(rows) for rows in own])
    metrics = merged([list(row.metrics) for rows in own for row in list(rows.values())[:1]])
    objects = [next(rows[name].objects for rows in own if name in rows) for name in listed]
    models = [
        {
            "letter": letter,
            "detections": [rows[name].detections if name in rows else 0 for name in listed],
            "metrics": {
                metric: [rows[name].metrics[metric] if name in rows else math.nan for name in listed]
                for metric in metrics
            },
        }
        for (letter, _, _), rows in zip(columns, own, strict=True)
    ]
    return {"names": listed, "objects": objects, "metrics": metrics, "models": models}


def point(made: OperatingPoint) -> dict[str, Any]:
    """The exact counts and rates at a score, over all classes and of each."""
    return {
        "score": made.score, "iou": made.iou, "tp": made.true_positives, "fp": made.false_positives,
        "fn": made.false_negatives, "precision": made.precision, "recall": made.recall, "f1": made.f1,
        "classes": {name: list(one) for name, one in made.per_class.items()},
    }  # fmt: skip


def steps(result: Result, iou: float | None) -> bytes:
    """True and false positives of each class from each of many scores on, and a histogram of the scores."""
    numbers = _of(result)
    tally, e = numbers.tally, Expression("TP", iou)
    marks = verdicts(tally, numbers.part(e), numbers.thresholds(e, every=False)[0])
    at = chosen_steps(tally.score)
    place = np.searchsorted(at, tally.score, side="right") - 1
    columns = {"score": at, "objects": tally.to_find[:, numbers.part(e).area].astype(np.float64)}
    for name, mask in (("tp", marks.true), ("fp", marks.false)):
        cells = np.zeros((len(tally.classes), len(at)), np.int32)
        np.add.at(cells, (tally.label[mask], place[mask]), 1)
        columns[name] = np.ascontiguousarray(cells[:, ::-1].cumsum(axis=1, dtype=np.int32)[:, ::-1]).ravel()
    return encoded(columns, names=names(result), plain=numbers.protocol.greedy_by == "score")


def chosen_steps(score: Floats) -> Floats:
    """At most `STEPS` scores, ascending: the lowest, round values where scores are from 0 to 1, and quantiles.

    >>> chosen_steps(np.array([0.5, 2.0])).tolist()
    [0.5, 2.0]
    """
    if not len(score):
        return np.array([0.0])
    low, high = float(score.min()), float(score.max())
    round_values = np.arange(101) / 100 if low >= 0 and high <= 1 else np.zeros(0)
    inside = round_values[(round_values > low) & (round_values <= high)]
    quantiles = np.quantile(score, np.linspace(0, 1, STEPS - len(inside)), method="lower")
    return np.unique(np.concatenate([[low], inside, quantiles]))[:STEPS]


def class_curves(columns: Sequence[Column], label: str, iou: float | None) -> bytes:
    """Precision against recall of one class, point by point with scores, of every model that has it."""
    arrays: dict[str, Any] = {}
    about = []
    for letter, _, result in columns:
        numbers, known = _of(result), names(result)
        if label not in known:
            continue
        k = known.index(label)
        ranked = ranked_points(numbers, k, iou)
        keep = thinned(ranked.recall, ranked.precision) if len(ranked.recall) else np.zeros(0, np.int64)
        for name in ("recall", "precision", "score"):
            arrays[f"{letter}.{name}"] = np.asarray(getattr(ranked, name), np.float64)[keep]
        drawn = class_curve(numbers, k, iou, interpolation_of(result, None), label)
        about.append({"letter": letter, "ap": drawn.ap, "objects": drawn.objects, "detections": drawn.detections,
                      "reason": drawn.reason})  # fmt: skip
    return encoded(arrays, models=about, iou=_iou(columns[0][2], iou))


def mean_curves(columns: Sequence[Column], iou: float | None) -> bytes:
    """The mean of the interpolated curves over classes, of every model."""
    arrays: dict[str, Any] = {}
    about = []
    for letter, _, result in columns:
        made = mean_curve(_of(result), _iou(result, iou), interpolation_of(result, None), letter)
        arrays[f"{letter}.recall"] = np.asarray(made.level, np.float64)
        arrays[f"{letter}.precision"] = np.asarray(made.level_precision, np.float64)
        about.append({"letter": letter, "ap": made.ap, "reason": made.reason})
    return encoded(arrays, models=about, iou=_iou(columns[0][2], iou))


def names(result: Result) -> list[str]:
    """The classes of a result, each with a name of its own."""
    return class_names(_of(result).tally.classes)


def _iou(result: Result, iou: float | None) -> float:
    numbers = _of(result)
    return numbers.protocol.iou[threshold_index(numbers, iou)]


def _of(result: Result) -> Numbers:
    assert result.numbers is not None
    return result.numbers


def letters(count: int) -> str:
    """The letters of so many models."""
    return LETTERS[:count]
