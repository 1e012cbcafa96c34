"""Variants from text: the values that `--set FIELD=VALUE` takes."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from boxscore.errors import UnknownName, UsageError
from boxscore.protocols.record import Protocol
from boxscore.protocols.values import Area, as_text


def variant(protocol: Protocol, **texts: str) -> Protocol:
    """The protocol with fields set from text; its name says what was changed.

    >>> from boxscore import protocols
    >>> variant(protocols.get("coco"), iou="0.5:0.7:0.1", max_detections="1,10,300").iou
    (0.5, 0.6, 0.7)
    """
    if not isinstance(protocol, Protocol):
        raise UsageError(f"variant: protocol={protocol!r}; expected a Protocol")
    known = {f.name: f for f in fields(Protocol) if "meaning" in f.metadata and f.compare}
    values: dict[str, Any] = {}
    for name, text in texts.items():
        if name not in known:
            raise UnknownName("protocol field", name, known)
        if not isinstance(text, str):
            raise UsageError(f"{name}={text!r}; expected text such as {as_text(getattr(protocol, name))!r}")
        try:
            values[name] = _PARSERS.get(name, _PLAIN[type(getattr(protocol, name))])(text)
        except ValueError:
            raise UsageError(f"{name}={text}; expected {_EXPECTED.get(name, 'a number')}") from None
    if not values:
        return protocol
    if "areas" in values and all(area.name != "all" for area in values["areas"]):
        values["areas"] = (protocol.areas[0], *values["areas"])  # the headline keeps its range
    changed = ",".join(f"{k}={texts[k] or as_text(value)}" for k, value in values.items())
    return replace(protocol, name=f"{protocol.name}[{changed}]", **values)


def from_signature(name: str, full: str) -> Protocol:
    """The protocol behind a full signature; what is said about it comes from the registered one it is a variant of.

    >>> from boxscore import protocols
    >>> coco = protocols.get("coco")
    >>> from_signature("coco", coco.signature_full()) == coco
    True
    """
    known = {f.name: f for f in fields(Protocol) if "meaning" in f.metadata and f.compare}
    values: dict[str, Any] = {}
    for rule in full.split("|"):
        field, colon, text = rule.partition(":")
        if not colon or field not in known:
            raise UsageError(f"signature of '{name}': '{rule}' is no rule of this version")
        try:
            values[field] = _PARSERS.get(field, _PLAIN[type(known[field].default)])(text)
        except ValueError:
            raise UsageError(f"signature of '{name}': {rule}; expected {_EXPECTED.get(field, 'a number')}") from None
    made = Protocol(name, **values)
    if made.signature_full() != full:
        raise UsageError(f"signature of '{name}': not a complete one of this version")
    return made


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
    return () if text in ("", "none") else tuple(sorted({int(part) for part in text.split(",")}))


def _areas(text: str) -> tuple[Area, ...]:
    """`tiny:0-256,rest:256-`."""
    ranges = []
    for part in text.split(","):
        form = _RANGE.fullmatch(part)
        if not form:
            raise ValueError
        ranges.append(Area(form["name"], float(form["low"] or 0), float(form["high"] or "inf")))
    return tuple(ranges)


_NUMBER = r"-?(?:inf|[0-9]+(?:\.[0-9]*)?(?:e[+-]?[0-9]+)?)"
_RANGE = re.compile(f"(?P<name>[^:]+):(?P<low>{_NUMBER})?-(?P<high>{_NUMBER})?")


def _yes(text: str) -> bool:
    if text.lower() not in ("yes", "no", "true", "false"):
        raise ValueError
    return text.lower() in ("yes", "true")


def _bounds(text: str) -> tuple[float, float]:
    low, high = (_number(part) for part in text.split(","))
    return low, high


_PARSERS: dict[str, Callable[[str], Any]] = {
    "iou": _thresholds,
    "max_detections": _caps,
    "areas": _areas,
    "recall_bounds": _bounds,
}
_PLAIN: dict[type, Callable[[str], Any]] = {str: str, int: int, float: _number, bool: _yes, tuple: str}
_EXPECTED = {
    "iou": "0.3, a list 0.5,0.75 or a range 0.5:0.95:0.05",
    "max_detections": "whole numbers such as 1,10,300, or none",
    "areas": "ranges such as tiny:0-256,rest:256-",
    "recall_bounds": "two recalls such as 0.2,0.7",
    "ignored_last": "yes or no",
    "recall_levels": "a whole number",
    "headline_max": "a whole number",
}
