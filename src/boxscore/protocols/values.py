"""Values that protocol records are made of, and their text."""

from __future__ import annotations

import math
from typing import Any, NamedTuple


class Area(NamedTuple):
    """A named range of object sizes in square pixels, or of another quantity of rows."""

    name: str
    low: float
    high: float
    of: str = ""  # the quantity, a value of `size_from`; empty for that of the protocol


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


def as_text(value: Any) -> str:
    """A field's value in the form that the command line takes."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Area):
        quantity = f"{value.of}:" if value.of else ""
        return f"{value.name}:{quantity}{value.low:.17g}-{'' if value.high == math.inf else f'{value.high:.17g}'}"
    if isinstance(value, tuple):
        return ",".join(as_text(v) for v in value) if value else "none"
    return repr(value) if isinstance(value, float) else str(value)
