"""Forms of field values: what a value must be, how it is written, how it is read from text."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from boxscore.errors import UsageError
from boxscore.protocols.values import Area, Deviation
from boxscore.tables.arguments import NUMBER, WHOLE, Kind, a


class Form(NamedTuple):
    """How the values of a field are made: from Python values (`kind`, `make`) and from text (`parse`)."""

    kind: Kind  # of the value, or of each part of a tuple
    make: Callable[[Any], Any]
    parse: Callable[[str], Any]  # raises ValueError
    expected: str  # what text it takes
    several: bool = False  # whether it is a tuple

    def of(self, name: str, value: Any) -> Any:
        """The value of a field in its one form; UsageError where it is of another kind.

        >>> THRESHOLDS.of("iou", [1, 0.75])
        (1.0, 0.75)
        """
        if not self.several:
            return self._one(name, value)
        if isinstance(value, (str, Area)) or not isinstance(value, Iterable):
            raise UsageError(f"{name}={value!r}; expected a tuple, each {self.kind.expected}")
        return tuple(self._one(name, part) for part in value)

    def _one(self, name: str, value: Any) -> Any:
        if not self.kind.fits(value):
            raise UsageError(f"{name}={value!r}; expected {self.kind.expected}")
        return self.make(value)


def _as_it_is(value: Any) -> Any:
    return value


def _number(text: str) -> float:
    value = float(text)
    if math.isnan(value):
        raise ValueError
    return value


def _yes(text: str) -> bool:
    if text.lower() not in ("yes", "no", "true", "false"):
        raise ValueError
    return text.lower() in ("yes", "true")


def _thresholds(text: str) -> tuple[float, ...]:
    """`0.3`, `0.5,0.75` or `0.5:0.95:0.05` (both ends belong to it)."""
    if ":" not in text:
        return tuple(_number(part) for part in text.split(","))
    low, high, step = (_number(part) for part in text.split(":"))
    if step <= 0 or high < low:
        raise ValueError
    return tuple(round(low + i * step, 12) for i in range(math.floor((high - low) / step + 1e-9) + 1))


def _limits(text: str) -> tuple[int, ...]:
    return () if text in ("", "none") else tuple(sorted({int(part) for part in text.split(",")}))


def _sigmas(text: str) -> tuple[float, ...]:
    return () if text in ("", "none") else tuple(_number(part) for part in text.split(","))


def _areas(text: str) -> tuple[Area, ...]:
    """`tiny:0-256,rest:256-`, or of another quantity than the protocol's `size_from`: `short:length:0-3`."""
    ranges = []
    for part in text.split(","):
        form = _RANGE.fullmatch(part)
        if not form:
            raise ValueError
        ranges.append(Area(form["name"], float(form["low"] or 0), float(form["high"] or "inf"), form["of"] or ""))
    return tuple(ranges)


_NUMBER = r"-?(?:inf|[0-9]+(?:\.[0-9]*)?(?:e[+-]?[0-9]+)?)"
_RANGE = re.compile(f"(?P<name>[^:]+):(?:(?P<of>[a-z][a-z-]*):)?(?P<low>{_NUMBER})?-(?P<high>{_NUMBER})?")


def _bounds(text: str) -> tuple[float, float]:
    low, high = (_number(part) for part in text.split(","))
    return low, high


_TRUTH = Kind(lambda value: value in (True, False), "True or False")

WORD = Form(a("text", str), _as_it_is, str, "text")
YES_OR_NO = Form(_TRUTH, bool, _yes, "yes or no")
COUNT = Form(WHOLE, int, int, "a whole number")
REAL = Form(NUMBER, lambda value: float(value) + 0.0, _number, "a number")  # -0.0 is 0.0
THRESHOLDS = Form(NUMBER, float, _thresholds, "0.3, a list 0.5,0.75 or a range 0.5:0.95:0.05", several=True)
LIMITS = Form(WHOLE, int, _limits, "whole numbers such as 1,10,300, or none", several=True)
SIGMAS = Form(NUMBER, float, _sigmas, "a number for each keypoint such as 0.026,0.025,0.025, or none", several=True)
RATIOS = Form(NUMBER, float, _sigmas, "numbers such as 0.1,0.2,0.4", several=True)
BOUNDS = Form(NUMBER, float, _bounds, "two recalls such as 0.2,0.7", several=True)
AREAS = Form(a("an Area", Area), _as_it_is, _areas, "ranges such as tiny:0-256,rest:256-", several=True)
DEVIATIONS = Form(a("a Deviation", Deviation), _as_it_is, str, "deviations", several=True)

PLAIN: dict[type, Form] = {str: WORD, bool: YES_OR_NO, int: COUNT, float: REAL}
