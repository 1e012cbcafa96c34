"""The text of a metric: `Name[key=value,…]`, the same in Python, on the command line and in tables."""

from __future__ import annotations

import re
from dataclasses import dataclass

from boxscore.errors import UnknownName, UsageError

NUMBERS = ("iou", "score", "beta")
KEYS = ("iou", "area", "max", "score", "class", "beta", "frequency")
_FORM = re.compile(r"(?P<name>[A-Za-z][A-Za-z0-9.@-]*)(\[(?P<keys>.*)\])?")


@dataclass(frozen=True)
class Expression:
    """A metric's name and what narrows it down.

    >>> parse("AP[iou=0.5,area=small]")
    Expression(name='AP', iou=0.5, area='small', cap=None, score=None, label=None, beta=None, frequency=None)
    """

    name: str
    iou: float | None = None
    area: str | None = None
    cap: int | None = None
    score: float | None = None
    label: str | None = None
    beta: float | None = None
    frequency: str | None = None

    def __str__(self) -> str:
        keys = ",".join(f"{key}={value}" for key, value in self.given.items())
        return f"{self.name}[{keys}]" if keys else self.name

    @property
    def given(self) -> dict[str, float | int | str]:
        """What narrows it down, as people write it."""
        values = (self.iou, self.area, self.cap, self.score, self.label, self.beta, self.frequency)
        return {key: value for key, value in zip(KEYS, values, strict=True) if value is not None}


def parse(text: str) -> Expression:
    """The expression that a text stands for.

    >>> str(parse("recall[ score=0.5, class=traffic light ]"))
    'recall[score=0.5,class=traffic light]'
    """
    form = _FORM.fullmatch(text.strip())
    if not form:
        raise UsageError(f"metric '{text}'; expected Name or Name[key=value,…] such as AP[iou=0.5,area=small]")
    values: dict[str, float | int | str] = {}
    for part in (form["keys"] or "").split(",") if form["keys"] else ():
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not value:
            raise UsageError(f"metric '{text}': '{part.strip()}'; expected key=value")
        if key not in KEYS:
            raise UnknownName("metric key", key, KEYS)
        try:
            values[{"max": "cap", "class": "label"}.get(key, key)] = (
                float(value) if key in NUMBERS else int(value) if key == "max" else value
            )
        except ValueError:
            raise UsageError(f"metric '{text}': {key}={value}; expected a number") from None
    return Expression(form["name"], **values)  # type: ignore[arg-type]
