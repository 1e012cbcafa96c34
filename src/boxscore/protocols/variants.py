"""Variants from text: the values that `--set FIELD=VALUE` takes."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from boxscore.errors import UnknownName, UsageError
from boxscore.protocols.record import Area, Protocol


def variant(protocol: Protocol, **texts: str) -> Protocol:
    """The protocol with fields set from text; its name says what was changed.

    >>> from boxscore import protocols
    >>> variant(protocols.get("coco"), iou="0.5:0.7:0.1", max_detections="1,10,300").iou
    (0.5, 0.6, 0.7)
    """
    known = {f.name: f for f in fields(Protocol) if "meaning" in f.metadata and f.compare}
    values: dict[str, Any] = {}
    for name, text in texts.items():
        if name not in known:
            raise UnknownName("protocol field", name, known)
        try:
            values[name] = _PARSERS.get(name, _PLAIN[type(getattr(protocol, name))])(text)
        except ValueError:
            raise UsageError(f"{name}={text}; expected {_EXPECTED.get(name, 'a number')}") from None
    if not values:
        return protocol
    if "areas" in values and all(area.name != "all" for area in values["areas"]):
        values["areas"] = (protocol.areas[0], *values["areas"])  # the headline keeps its range
    changed = ",".join(f"{k}={texts[k]}" for k in values)
    return replace(protocol, name=f"{protocol.name}[{changed}]", **values)


def _thresholds(text: str) -> tuple[float, ...]:
    """`0.3`, `0.5,0.75` or `0.5:0.95:0.05` (both ends belong to it)."""
    if ":" not in text:
        return tuple(_number(part) for part in text.split(","))
    low, high, step = (_number(part) for part in text.split(":"))
    if step <= 0 or high < low:
        raise ValueError
    return tuple(round(low + i * step, 12) for i in range(math.floor((high - low) / step + 1e-9) + 1))


def _number(text: str) -> float:
    value = float(text)
    if math.isnan(value):
        raise ValueError
    return value


def _caps(text: str) -> tuple[int, ...]:
    return () if text == "none" else tuple(sorted({int(part) for part in text.split(",")}))


def _areas(text: str) -> tuple[Area, ...]:
    """`tiny:0-256,rest:256-`."""
    ranges = []
    for part in text.split(","):
        name, _, span = part.partition(":")
        low, dash, high = span.partition("-")
        if not name or not dash:
            raise ValueError
        ranges.append(Area(name, _number(low or "0"), _number(high) if high else math.inf))
    return tuple(ranges)


def _yes(text: str) -> bool:
    if text.lower() not in ("yes", "no", "true", "false"):
        raise ValueError
    return text.lower() in ("yes", "true")


_PARSERS: dict[str, Callable[[str], Any]] = {"iou": _thresholds, "max_detections": _caps, "areas": _areas}
_PLAIN: dict[type, Callable[[str], Any]] = {str: str, int: int, float: _number, bool: _yes, tuple: str}
_EXPECTED = {
    "iou": "0.3, a list 0.5,0.75 or a range 0.5:0.95:0.05",
    "max_detections": "whole numbers such as 1,10,300, or none",
    "areas": "ranges such as tiny:0-256,rest:256-",
    "ignored_last": "yes or no",
    "recall_levels": "a whole number",
    "headline_max": "a whole number",
}
