"""XML files by their root and the elements that follow it."""

from __future__ import annotations

import re
from collections.abc import Callable

from boxscore.formats.record import BOTH, LIKELY, SURE, TRUTH, Seen

_ROOT = re.compile(r"<([A-Za-z_][\w.\-]*)")
_NO_ELEMENT = re.compile(r"<!--.*?-->|<\?.*?\?>|<!DOCTYPE[^\[>]*(\[.*?\])?[^>]*>", re.DOTALL)
_VOC = ("object", "size", "filename", "folder", "source", "segmented", "bndbox")


def signs(text: str, rest: Callable[[], bytes] = bytes) -> list[Seen]:
    """The format of an XML text; `rest` gives all of it where the beginning is not enough."""
    names = _ROOT.findall(_NO_ELEMENT.sub("", text))
    root, inside = (names[0], set(names[1:])) if names else ("", set[str]())
    if root == "annotations":
        return [_cvat(text, inside, rest)]
    if root == "annotation":
        if "imagesize" in inside or ({"polygon", "pt"} <= inside and "bndbox" not in inside):
            return [Seen("labelme-xml", SURE, "its root is <annotation>, with <imagesize> or <pt>", TRUTH)]
        known = [name for name in _VOC if name in inside]
        also = f", with <{known[0]}>" if known else ""
        sides = BOTH if inside & {"score", "confidence"} else TRUTH
        return [Seen("voc-xml", SURE if known else LIKELY, f"its root is <annotation>{also}", sides)]
    if root == "boost_serialization" or "tracklets" in inside:
        return [Seen("kitti-raw", SURE, f"its root is <{root}>", TRUTH)]
    return []


def why_not(name: str, text: str) -> str:
    """Why a file is not of a format."""
    names = _ROOT.findall(_NO_ELEMENT.sub("", text))
    root = f"its root is <{names[0]}>" if names else "it has no element"
    if names and names[0] == "annotations" and name.startswith("cvat"):
        return "it has tracks and no images" if name == "cvat" else "it has images and no tracks"
    return root


def _cvat(text: str, inside: set[str], rest: Callable[[], bytes]) -> Seen:
    if not inside & {"image", "track"}:  # long lists of labels come first
        content = rest()
        inside = {name for name in ("image", "track") if f"<{name} ".encode() in content}
    if "image" in inside:
        return Seen("cvat", SURE, "its root is <annotations>, with <image>", TRUTH)
    if "track" in inside:
        return Seen("cvat-video", SURE, "its root is <annotations>, with <track>", TRUTH)
    video = "<mode>interpolation</mode>" in text
    mode = "interpolation" if video else "annotation"
    return Seen("cvat-video" if video else "cvat", LIKELY, f"its root is <annotations>, of mode {mode}", TRUTH)
