"""Metrics: `parse` an expression, `evaluate` it on `Numbers`; importing the families fills the registry."""

from __future__ import annotations

from boxscore.metrics import average, counts, localisation
from boxscore.metrics.expression import Expression, parse
from boxscore.metrics.numbers import NotEvaluated, Numbers
from boxscore.metrics.registry import REGISTRY, evaluate

__all__ = [
    "REGISTRY",
    "Expression",
    "NotEvaluated",
    "Numbers",
    "average",
    "counts",
    "evaluate",
    "localisation",
    "parse",
]
