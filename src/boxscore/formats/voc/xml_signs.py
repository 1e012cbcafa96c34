"""How annotations of PASCAL VOC are recognised: their root is <annotation>."""

from __future__ import annotations

from boxscore.formats.content import Xml
from boxscore.formats.record import BOTH, LIKELY, SURE, TRUTH, Seen

_ELEMENTS = ("object", "size", "filename", "folder", "source", "segmented", "bndbox")


def look(xml: Xml) -> Seen | None:
    """Whether a file is one; those of detections have scores."""
    if xml.root != "annotation":
        return None
    known = [name for name in _ELEMENTS if name in xml.inside]
    also = f", with <{known[0]}>" if known else ""
    sides = BOTH if xml.inside & {"score", "confidence"} else TRUTH
    return Seen("voc-xml", SURE if known else LIKELY, f"its root is <annotation>{also}", sides)
