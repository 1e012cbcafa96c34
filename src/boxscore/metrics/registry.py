"""The registry of metrics: a metric is a function under the name that users type."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from boxscore.errors import UnknownName, UsageError
from boxscore.metrics.expression import Expression
from boxscore.metrics.numbers import Numbers

Metric = Callable[[Numbers, Expression], float]
REGISTRY: dict[str, Metric] = {}
USED: dict[str, tuple[str, ...]] = {}  # the keys that each metric looks at
BETTER: dict[str, str] = {}  # which of two values is the better one: HIGHER, LOWER or NEITHER
NOT_SHARES: set[str] = set()  # metrics that make no sense in percent: counts, ranks and scores

HIGHER, LOWER, NEITHER = "higher", "lower", "neither"

RANGE = ("area", "max", "class", "frequency")  # which boxes and classes
AVERAGED = ("iou", *RANGE)
COUNTED = (*AVERAGED, "score")


def metric(*names: str, keys: tuple[str, ...], better: str = HIGHER, share: bool = True) -> Callable[[Metric], Metric]:
    """Registers a function under one or several names, with the keys that it looks at.

    `better` says which of two values is the better one, `share` whether the value makes sense in percent.
    """

    def register(function: Metric) -> Metric:
        for name in names:
            REGISTRY[name], USED[name], BETTER[name] = function, keys, better
        if not share:
            NOT_SHARES.update(names)
        return function

    return register


def check(expression: Expression) -> None:
    """Raises where no metric has the name, or where the metric does not look at a key."""
    name = expression.name
    if name not in REGISTRY:
        raise UnknownName("metric", name, REGISTRY)
    for key in expression.given:
        if key not in USED[name]:
            allowed = f"its keys are {', '.join(USED[name])}" if USED[name] else "it has no keys"
            raise UsageError(f"metric '{expression}': {name} does not use {key} ({allowed})")


@np.errstate(over="ignore", invalid="ignore")  # areas may be infinite
def evaluate(numbers: Numbers, expression: Expression) -> float:
    """The value of an expression; nan where it is undefined."""
    check(expression)
    return REGISTRY[expression.name](numbers, expression)
