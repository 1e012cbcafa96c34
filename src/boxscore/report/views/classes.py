"""A number for each class: AP as bars, of one detection set or several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from boxscore.evaluation.result import Result
from boxscore.metrics import Expression, evaluate
from boxscore.metrics.average import class_precision
from boxscore.report.views.common import numbers_of, percent_iou, set_names, shown_names
from boxscore.report.words import merged
from boxscore.tables.model import Floats


@dataclass(frozen=True, eq=False)
class ClassesView:
    """Classes by falling value of the first set; undefined ones last."""

    number: str  # AP, AP50
    names: tuple[str, ...]  # of the classes
    sets: tuple[str, ...]
    values: Floats  # (sets, classes), nan where undefined
    means: tuple[float, ...]  # what the protocol reports over all classes


def view(results: Sequence[Result], iou: float | None = None) -> ClassesView:
    """The AP of each class, over all thresholds of the protocol or at one."""
    columns, means = [], []
    for r in results:
        numbers = numbers_of(r)
        e = Expression("AP", iou)
        columns.append(dict(zip(shown_names(numbers), class_precision(numbers, e).tolist(), strict=True)))
        means.append(evaluate(numbers, e))
    names = merged([list(column) for column in columns])
    values = np.array([[column.get(name, np.nan) for name in names] for column in columns]).reshape(len(results), -1)
    order = np.lexsort((np.arange(len(names)), -values[0], np.isnan(values[0])))
    thresholds = numbers_of(results[0]).protocol.iou
    single = iou if iou is not None else thresholds[0] if len(thresholds) == 1 else None
    number = "AP" if single is None else f"AP{percent_iou(single)}"
    return ClassesView(number, tuple(names[k] for k in order), set_names(results), values[:, order], tuple(means))
