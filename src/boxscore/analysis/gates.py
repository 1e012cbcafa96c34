"""Gates: what a number must be for a pipeline to go on, such as `AP>=0.3`."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from boxscore.errors import UsageError

_FORM = re.compile(r"\s*(?P<metric>[^<>]+?)\s*(?P<sign>>=|<=|>|<)\s*(?P<bound>[^\s<>=]+)\s*")


@dataclass(frozen=True)
class Gate:
    """A metric and the bound that it must keep.

    >>> gate("AP[iou=0.5,class=cat] >= 0.3")
    Gate(metric='AP[iou=0.5,class=cat]', sign='>=', bound=0.3)
    """

    metric: str
    sign: str
    bound: float

    def __str__(self) -> str:
        return f"{self.metric}{self.sign}{repr(self.bound).removesuffix('.0')}"

    def holds(self, value: float) -> bool:
        """Whether a value keeps the bound; one that is undefined never does.

        >>> gate("AP>0.5").holds(0.5), gate("AP>=0.5").holds(0.5), gate("FP<3").holds(float("nan"))
        (False, True, False)
        """
        kept = {">=": value >= self.bound, ">": value > self.bound, "<=": value <= self.bound, "<": value < self.bound}
        return kept[self.sign]


@dataclass(frozen=True)
class Outcome:
    """A gate, the value that a result has for it, and why there is none (nan)."""

    gate: Gate
    value: float
    reason: str = ""

    @property
    def met(self) -> bool:
        """Whether the gate lets the result pass."""
        return self.gate.holds(self.value)

    def __str__(self) -> str:
        """What it is, and by how much it is met or not.

        >>> print(Outcome(gate("AP>=0.3"), 0.28))
        AP>=0.3 not met: AP is 0.28, 0.02 too low
        >>> print(Outcome(gate("AP>=0.3"), 0.31))
        AP>=0.3 met: AP is 0.31
        """
        gate, value = self.gate, self.value
        if math.isnan(value):
            return f"{gate} not met: {gate.metric} is n/a ({self.reason or 'undefined'})"
        if self.met:
            return f"{gate} met: {gate.metric} is {value:.6g}"
        gap = abs(gate.bound - value)
        by = f"{gap:.4g} too {'low' if gate.sign[0] == '>' else 'high'}" if gap else f"{gate.sign} excludes the bound"
        return f"{gate} not met: {gate.metric} is {value:.6g}, {by}"


def gate(text: str) -> Gate:
    """The gate that a text stands for."""
    form = _FORM.fullmatch(text)
    try:
        bound = float(form["bound"]) if form else math.nan
    except ValueError:
        bound = math.nan
    if form is None or not math.isfinite(bound):
        raise UsageError(f"--require {text}; expected METRIC>=NUMBER (or >, <=, <) such as AP>=0.3")
    return Gate(form["metric"], form["sign"], bound)
