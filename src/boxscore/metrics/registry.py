"""The registry of metrics: a metric is a function under the name that users type."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from boxscore.errors import UnknownName
from boxscore.metrics.expression import Expression
from boxscore.metrics.numbers import Numbers

Metric = Callable[[Numbers, Expression], float]
REGISTRY: dict[str, Metric] = {}


def metric(*names: str) -> Callable[[Metric], Metric]:
    """Registers a function under one or several names."""

    def register(function: Metric) -> Metric:
        for name in names:
            REGISTRY[name] = function
        return function

    return register


@np.errstate(over="ignore", invalid="ignore")  # areas may be infinite
def evaluate(numbers: Numbers, expression: Expression) -> float:
    """The value of an expression; nan where it is undefined."""
    if expression.name not in REGISTRY:
        raise UnknownName("metric", expression.name, REGISTRY)
    return REGISTRY[expression.name](numbers, expression)
