"""Metrics: `parse` an expression, `evaluate` it on `Numbers`; importing the families fills the registry."""

from __future__ import annotations

from boxscore.metrics import (
    average,
    best_f,
    counts,
    delay,
    localisation,
    lrp,
    miss_rate,
    overlaps,
    proposals,
    relations,
    smooth_f,
)
from boxscore.metrics.expression import Expression, parse
from boxscore.metrics.numbers import UNAVAILABLE, NotEvaluated, Numbers
from boxscore.metrics.registry import BETTER, HIGHER, NEITHER, NOT_SHARES, REGISTRY, USED, check, evaluate

__all__ = [
    "BETTER",
    "HIGHER",
    "NEITHER",
    "NOT_SHARES",
    "REGISTRY",
    "UNAVAILABLE",
    "USED",
    "Expression",
    "NotEvaluated",
    "Numbers",
    "average",
    "best_f",
    "check",
    "counts",
    "delay",
    "evaluate",
    "localisation",
    "lrp",
    "miss_rate",
    "overlaps",
    "parse",
    "proposals",
    "relations",
    "smooth_f",
]
