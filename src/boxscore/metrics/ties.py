"""What the order of equal scores can change: true positives first or last among them, the matching being fixed."""

from __future__ import annotations

import math

import numpy as np

from boxscore import metrics
from boxscore.errors import UsageError
from boxscore.evaluation.curves import Curves, Slice, curves
from boxscore.metrics import Expression, NotEvaluated, Numbers

BOUNDED = ("AP", "mAP", "medianAP")  # numbers that can only rise when true positives move up


class Ordered(Numbers):
    """Numbers whose true positives stand first or last among equal scores, at each threshold for itself."""

    def __init__(self, numbers: Numbers, equals: str) -> None:
        self.tally, self.protocol, self.threads = numbers.tally, numbers.protocol, numbers.threads
        self._prepared, self._equals = numbers._prepared, equals
        self._curves: dict[tuple[Slice, bool], tuple[Curves, int]] = {}

    def curves(self, part: Slice, drawn: bool) -> tuple[Curves, int]:
        """The curves that hold a slice, and its number in them."""
        if (part, True) not in self._curves:
            self._keep(curves(self.tally, [part], equals=self._equals, threads=self.threads))
        return self._curves[part, True]

    def pooled(self, e: Expression) -> Curves:
        """The curve of one slice with all classes of the expression ranked together."""
        keep = self.members(e) & (self.present(*self.curves(self.part(e), drawn=False)) | self._pools_empty())
        groups = [np.flatnonzero(keep).tolist()]
        return curves(self.tally, [self.part(e)], groups=groups, equals=self._equals, threads=self.threads)


def bounds(numbers: Numbers, e: Expression) -> tuple[float, float]:
    """The lowest and highest value of an AP whatever the order of equal scores; nan where it is undefined."""
    if e.name not in BOUNDED:
        raise UsageError(f"tie bounds of {e} are not defined; expected one of {', '.join(BOUNDED)}")
    try:
        low, high = (metrics.evaluate(Ordered(numbers, equals), e) for equals in ("last", "first"))
    except NotEvaluated:
        return math.nan, math.nan
    return low, high


__all__ = ["BOUNDED", "Ordered", "bounds"]
