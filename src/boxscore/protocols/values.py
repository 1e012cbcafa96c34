"""Values that protocol records are made of, their text, and what they must keep to."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

from boxscore.errors import UsageError
from boxscore.tables.arguments import NUMBER, WHOLE, Kind, a


class Area(NamedTuple):
    """A named range of object sizes in square pixels."""

    name: str
    low: float
    high: float


class Deviation(NamedTuple):
    """A rule of an official evaluator that its own documentation does not have, or denies."""

    code: str
    title: str
    text: str
    field: str  # the protocol field that says it

    @property
    def approximation(self) -> str:
        """In what a protocol does not do what its source does; "" where it does."""
        mark = "approximate: "
        return self.title.removeprefix(mark) if self.title.startswith(mark) else ""


_TYPES: dict[type, Kind] = {
    str: a("text", str),
    bool: Kind(lambda value: value in (True, False), "True or False"),
    int: WHOLE,
    float: NUMBER,
    Area: a("an Area", Area),
    Deviation: a("a Deviation", Deviation),
}
_PARTS: dict[str, type] = {
    "iou": float,
    "max_detections": int,
    "areas": Area,
    "recall_bounds": float,
    "deviations": Deviation,
}


def of_type(name: str, default: Any, value: Any) -> Any:
    """A value of a field in the type of its default; UsageError where it is of another kind.

    >>> of_type("iou", (0.5,), [1, 0.75])
    (1.0, 0.75)
    """
    if name in _PARTS:
        if isinstance(value, (str, Area)) or not isinstance(value, Iterable):
            raise UsageError(f"{name}={value!r}; expected a tuple, each {_TYPES[_PARTS[name]].expected}")
        return tuple(_of_type(name, _PARTS[name], part) for part in value)
    return _of_type(name, type(default), value)


def _of_type(name: str, type_: type, value: Any) -> Any:
    if not _TYPES[type_].fits(value):
        raise UsageError(f"{name}={value!r}; expected {_TYPES[type_].expected}")
    return value if type_ in (str, Area, Deviation) else type_(value)


def check(p: Any) -> None:
    """Raises UsageError where the numbers of a protocol make no sense."""
    if not 1 <= len(p.iou) <= 64:
        raise UsageError(f"iou has {len(p.iou)} thresholds; expected 1 to 64")
    if not all(0 < t <= 1 for t in p.iou):
        raise UsageError(f"iou={as_text(p.iou)}; expected thresholds above 0 and up to 1")
    if len(set(p.iou)) < len(p.iou):
        raise UsageError(f"iou={as_text(p.iou)}; expected different thresholds")
    if any(m < 1 for m in p.max_detections) or list(p.max_detections) != sorted(set(p.max_detections)):
        raise UsageError(f"max_detections={as_text(p.max_detections)}; expected whole numbers from 1, ascending")
    if not 1 <= len(p.areas) <= 64 or len({a.name for a in p.areas}) != len(p.areas):
        raise UsageError(f"areas={as_text(p.areas)}; expected 1 to 64 ranges with different names")
    if any(not a.name or set(a.name) & set(",:|=[]") for a in p.areas):
        raise UsageError(f"areas={as_text(p.areas)}; expected names without any of , : | = [ ]")
    if any(not a.low <= a.high for a in p.areas):
        raise UsageError(f"areas={as_text(p.areas)}; expected ranges from low to high")
    low, high = p.recall_bounds if len(p.recall_bounds) == 2 else (math.nan, math.nan)
    if not 0 <= low <= high <= 1:
        raise UsageError(f"recall_bounds={as_text(p.recall_bounds)}; expected two recalls, the lower one first")
    if not (math.isfinite(p.iou_margin) and p.iou_margin >= 0):
        raise UsageError(f"iou_margin={p.iou_margin}; expected pixels, 0 or more")
    if not 0 <= p.absorbed_weight <= 1:
        raise UsageError(f"absorbed_weight={p.absorbed_weight}; expected a weight from 0 to 1")
    if p.recall_levels < 0 or p.recall_levels == 1:
        raise UsageError(f"recall_levels={p.recall_levels}; expected 0 (all points) or at least 2")


def as_text(value: Any) -> str:
    """A field's value in the form that the command line takes."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Area):
        return f"{value.name}:{value.low:.17g}-{'' if value.high == math.inf else f'{value.high:.17g}'}"
    if isinstance(value, tuple):
        return ",".join(as_text(v) for v in value) if value else "none"
    return repr(value) if isinstance(value, float) else str(value)
