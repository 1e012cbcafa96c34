"""What the input can have that a user should know of: stable codes, texts, and how to mend it."""

from __future__ import annotations

from boxscore.diagnostics.boxes import BOXES
from boxscore.diagnostics.finding import Finding
from boxscore.diagnostics.kind import Kind
from boxscore.diagnostics.names import NAMES
from boxscore.diagnostics.rules import RULES

KINDS: dict[str, Kind] = {**BOXES, **NAMES, **RULES}


_ONE = {"objects": "object", "detections": "detection", "images": "image", "categories": "category"}
_GRAMMAR = {"s": ("", "s"), "es": ("", "es"), "are": ("is", "are"), "have": ("has", "have"), "were": ("was", "were")}


def finding(code: str, count: int, detail: str = "") -> Finding:
    """A finding of the given kind.

    >>> finding("BOX001", 1, "objects").text
    '1 object has a width or height of zero or less'
    """
    kind, one = KINDS[code], count == 1
    words = {place: forms[0 if one else 1] for place, forms in _GRAMMAR.items()}
    text = kind.text.format(count=f"{count:,}", detail=_ONE.get(detail, detail) if one else detail, **words)
    return Finding(code, kind.severity, count, text)
