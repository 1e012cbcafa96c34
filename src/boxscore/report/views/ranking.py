"""The detections of a class by falling score with running counts: the tables of the papers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from boxscore import overlaps
from boxscore.analysis.operating_point import class_names, image_keys
from boxscore.evaluation.curves import curve, ranking
from boxscore.evaluation.result import Result
from boxscore.metrics import Expression
from boxscore.metrics.average import class_precision
from boxscore.report.views.common import class_index, numbers_of, percent_iou, set_names, shown_names, threshold_index
from boxscore.report.words import printable
from boxscore.tables.model import Bools, Floats, Ints

ROWS = 24


@dataclass(frozen=True, eq=False)
class RankingTable:
    """The first detections of one set; columns of equal length."""

    name: str
    image: tuple[str, ...]
    score: Floats
    true: Bools
    true_positives: Ints | Floats  # running
    false_positives: Ints | Floats
    precision: Floats
    recall: Floats
    left: int  # detections that are not shown
    ap: float


@dataclass(frozen=True, eq=False)
class RankingView:
    """A table for each detection set."""

    title: str
    number: str
    objects: float
    tables: tuple[RankingTable, ...]


def view(
    results: Sequence[Result], label: str | None = None, iou: float | None = None, rows: int = ROWS
) -> RankingView:
    """The ranking of one class; without a name that of the class with the most objects."""
    first = numbers_of(results[0])
    threshold = first.protocol.iou[threshold_index(first, iou)]
    k = class_index(first, label)
    if k is None:
        k = int(np.argmax(first.tally.to_find[:, 0]))
    name = shown_names(first)[k]
    exact = class_names(first.tally.classes)[k]
    made = [_table(r, exact, title, threshold, rows) for r, title in zip(results, set_names(results), strict=True)]
    objects = int(first.tally.to_find[k, 0])
    iou_words = f"{overlaps.get(first.protocol).called} {threshold:.4g}"
    words = f"{name}, {iou_words}, {objects:,} object{'' if objects == 1 else 's'}"
    return RankingView(words, f"AP{percent_iou(threshold)}", objects, tuple(made))


def _table(result: Result, label: str, name: str, iou: float, rows: int) -> RankingTable:
    numbers = numbers_of(result)
    k, t, part = class_index(numbers, label) or 0, threshold_index(numbers, iou), numbers.part(Expression("AP"))
    made, order = curve(numbers.tally, k, t, part), ranking(numbers.tally, k, t, part)
    keys = image_keys(numbers)
    hits = np.diff(made.true_positives, prepend=0) > 0
    return RankingTable(
        name,
        tuple(printable(keys[i]) for i in numbers.tally.image[order[:rows]].tolist()),
        made.score[:rows],
        hits[:rows],
        made.true_positives[:rows],
        made.false_positives[:rows],
        made.precision[:rows],
        made.recall[:rows],
        max(len(order) - rows, 0),
        float(class_precision(numbers, Expression("AP", iou))[k]),
    )
