"""What a user should know of the input, as readers and evaluations find it."""

from __future__ import annotations

from dataclasses import dataclass

from boxscore.diagnostics.registry import lookup

_ONE = {"objects": "object", "detections": "detection", "images": "image", "categories": "category"}
_GRAMMAR = {"s": ("", "s"), "es": ("", "es"), "are": ("is", "are"), "have": ("has", "have"), "were": ("was", "were")}


@dataclass(frozen=True)
class Finding:
    """Something about the input that a user should know; `code` is stable."""

    code: str
    severity: str  # "note", "warning"; of the doctor's also "error"
    count: int
    text: str


def finding(code: str, count: int, detail: str = "") -> Finding:
    """A finding of the given kind.

    >>> finding("BOX001", 1, "objects").text
    '1 object has a width or height of zero or less'
    """
    kind, one = lookup(code), count == 1
    assert kind.says, f"{code} is worded by the doctor"
    words = {place: forms[0 if one else 1] for place, forms in _GRAMMAR.items()}
    text = kind.says.format(count=f"{count:,}", detail=_ONE.get(detail, detail) if one else detail, **words)
    return Finding(kind.code, kind.severity, count, text)
