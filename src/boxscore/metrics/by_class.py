"""Metrics of all classes at once, for the tables of classes."""

from __future__ import annotations

from collections.abc import Callable

from boxscore.metrics.average import class_precision, class_recall
from boxscore.metrics.expression import Expression
from boxscore.metrics.numbers import Numbers
from boxscore.metrics.relations import class_phrase_precision
from boxscore.metrics.smooth_f import class_smooth_precision, class_smooth_recall
from boxscore.tables.model import Floats

BY_CLASS: dict[str, Callable[[Numbers, Expression], Floats]] = {
    "AP": class_precision,
    "AR": class_recall,
    "phraseAP": class_phrase_precision,
    "F1smooth.precision": class_smooth_precision,
    "F1smooth.recall": class_smooth_recall,
}
