"""XML files by their root and the elements that follow it: the functions of the XML formats are asked in turn."""

from __future__ import annotations

import re
from collections.abc import Callable

from boxscore.formats.content import Xml
from boxscore.formats.record import XML, Known, Seen
from boxscore.formats.registry import asked

_ROOT = re.compile(r"<([A-Za-z_][\w.\-]*)")
_NO_ELEMENT = re.compile(r"<!--.*?-->|<\?.*?\?>|<!DOCTYPE[^\[>]*(\[.*?\])?[^>]*>", re.DOTALL)


def xml(text: str, rest: Callable[[], bytes] = bytes) -> Xml:
    """The elements of an XML text; `rest` gives all of it where the beginning is not enough."""
    names = _ROOT.findall(_NO_ELEMENT.sub("", text))
    return Xml(text, names[0] if names else "", frozenset(names[1:]), rest)


def signs(found: Xml, everything: bool = False) -> list[Seen]:
    """The format of an XML text."""
    for record in asked(XML, everything):
        if record.look and (seen := record.function(record.look)(found)) is not None:
            return [seen]
    return []


def why_not(record: Known, found: Xml) -> str:
    """Why a file is not of a format."""
    why = record.function(record.why_not)(found) if record.why_not else ""
    return why or (f"its root is <{found.root}>" if found.root else "it has no element")
