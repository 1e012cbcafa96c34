"""What may be required of a score threshold: a rule, checked, and its words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from boxscore.errors import UsageError


@dataclass(frozen=True)
class Requirement:
    """A rule by which a threshold is chosen.

    >>> str(requirement(precision=0.95)), str(requirement(cost={"fp": 1, "fn": 5}))
    ('precision >= 0.95, with the highest recall', 'the lowest cost, with fp=1 and fn=5')
    """

    name: str  # precision, recall, f1, cost, fp_per_image
    value: float = math.nan  # what is to be reached
    fp: float = math.nan  # what a false positive costs
    fn: float = math.nan  # what a missed object costs

    def __str__(self) -> str:
        return _WORDS[self.name].format(value=f"{self.value:g}", fp=f"{self.fp:g}", fn=f"{self.fn:g}")

    @property
    def short(self) -> str:
        """The same in as few words as a row of a table has room for.

        >>> requirement(precision=0.95).short, requirement(fp_per_image=0.1).short
        ('precision >= 0.95', 'FP per image <= 0.1')
        """
        return _SHORT[self.name].format(value=f"{self.value:g}", fp=f"{self.fp:g}", fn=f"{self.fn:g}")


_SHORT = {
    "precision": "precision >= {value}",
    "recall": "recall >= {value}",
    "f1": "best F1",
    "cost": "cost fp={fp},fn={fn}",
    "fp_per_image": "FP per image <= {value}",
}
_WORDS = {
    "precision": "precision >= {value}, with the highest recall",
    "recall": "recall >= {value}, at the highest score",
    "f1": "the highest F1",
    "cost": "the lowest cost, with fp={fp} and fn={fn}",
    "fp_per_image": "at most {value} false positives per image, at the lowest score",
}


def requirement(
    *,
    precision: float | None = None,
    recall: float | None = None,
    f1: str | None = None,
    cost: Mapping[str, float] | None = None,
    fp_per_image: float | None = None,
) -> Requirement:
    """The rule that is asked for; exactly one can be."""
    asked = {"precision": precision, "recall": recall, "f1": f1, "cost": cost, "fp_per_image": fp_per_image}
    given = [name for name, value in asked.items() if value is not None]
    if len(given) != 1:
        found = f"{' and '.join(given)} cannot be combined" if given else "no requirement"
        raise UsageError(f"{found}; expected one of {', '.join(asked)}")
    if f1 is not None:
        if f1 != "max":
            raise UsageError(f'f1={f1!r}; expected "max"')
        return Requirement("f1")
    if cost is not None:
        return _cost(cost)
    (name,) = given
    value = _number(name, asked[name])
    if value < 0 or (name != "fp_per_image" and value > 1):
        raise UsageError(
            f"{name}={value:g}; expected {'0 or more' if name == 'fp_per_image' else 'a value from 0 to 1'}"
        )
    return Requirement(name, value)


def _cost(cost: Mapping[str, float]) -> Requirement:
    expected = "the costs of a false positive and a missed object, such as {'fp': 1, 'fn': 5}"
    if not isinstance(cost, Mapping) or set(cost) != {"fp", "fn"}:
        raise UsageError(f"cost={cost!r}; expected {expected}")
    fp, fn = (_number(f"cost of {name}", cost[name]) for name in ("fp", "fn"))
    if min(fp, fn) < 0:
        raise UsageError(f"cost fp={fp:g}, fn={fn:g}; expected costs of 0 or more")
    return Requirement("cost", fp=fp, fn=fn)


def _number(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise UsageError(f"{name}={value!r}; expected a number")
    return float(value)
