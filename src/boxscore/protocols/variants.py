"""Variants from text: the values that `--set FIELD=VALUE` takes."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, TypeVar

from boxscore.errors import UnknownName, UsageError
from boxscore.protocols.parts import Ranges
from boxscore.protocols.record import Protocol
from boxscore.protocols.rules import Rules, rule_fields
from boxscore.protocols.values import as_text

Kind = TypeVar("Kind", bound=Rules)


def variant(protocol: Kind, **texts: str) -> Kind:
    """The protocol, of any kind, with fields set from text; its name says what was changed.

    >>> from boxscore import protocols
    >>> variant(protocols.get("coco"), iou="0.5:0.7:0.1", max_detections="1,10,300").iou
    (0.5, 0.6, 0.7)
    """
    if not isinstance(protocol, Rules):
        raise UsageError(f"variant: protocol={protocol!r}; expected a Protocol")
    known = {f.name: f for f in rule_fields(type(protocol))}
    values: dict[str, Any] = {}
    for name, text in texts.items():
        if name not in known:
            raise UnknownName("protocol field", name, known)
        if not isinstance(text, str):
            raise UsageError(f"{name}={text!r}; expected text such as {as_text(getattr(protocol, name))!r}")
        form = known[name].metadata["form"]
        try:
            values[name] = form.parse(text)
        except ValueError:
            raise UsageError(f"{name}={text}; expected {form.expected}") from None
    if not values:
        return protocol
    if isinstance(protocol, Ranges) and "areas" in values and all(area.name != "all" for area in values["areas"]):
        values["areas"] = (protocol.areas[0], *values["areas"])  # the headline keeps its range
    changed = ",".join(f"{k}={texts[k] or as_text(value)}" for k, value in values.items())
    return replace(protocol, name=f"{protocol.name}[{changed}]", **values)


def from_signature(name: str, full: str) -> Protocol:
    """The protocol behind a full signature, with its name or its short signature.

    It may lack rules that came later and are neutral: the digest of the short one tells. With the name alone, it
    must have all.

    >>> from boxscore import protocols
    >>> coco = protocols.get("coco")
    >>> from_signature("coco", coco.signature_full()) == coco
    True
    """
    name, digest = name.rsplit("#", 1) if re.search("#[0-9a-f]{8}$", name) else (name, "")
    known = {f.name: f for f in rule_fields(Protocol)}
    values: dict[str, Any] = {}
    for rule in full.split("|"):
        field, colon, text = rule.partition(":")
        if not colon or field not in known:
            raise UsageError(f"signature of '{name}': '{rule}' is not a rule of this version")
        form = known[field].metadata["form"]
        try:
            values[field] = form.parse(text)
        except ValueError:
            raise UsageError(f"signature of '{name}': {rule}; expected {form.expected}") from None
    made = Protocol(name, **values)
    if made.digest() != digest and {*made.signature_full().split("|")} != {*full.split("|")}:
        raise UsageError(f"signature of '{name}': does not state all rules of this version")
    return made
