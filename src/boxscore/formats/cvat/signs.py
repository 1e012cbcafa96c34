"""How CVAT's XML is recognised: its root is <annotations>, with images or with tracks."""

from __future__ import annotations

from boxscore.formats.content import Xml
from boxscore.formats.record import LIKELY, SURE, TRUTH, Seen


def look(xml: Xml) -> Seen | None:
    """Which of the two formats a file has."""
    if xml.root != "annotations":
        return None
    inside = xml.inside & {"image", "track"}
    if not inside:  # long lists of labels come first
        content = xml.rest()
        inside = frozenset(name for name in ("image", "track") if f"<{name} ".encode() in content)
    if "image" in inside:
        return Seen("cvat", SURE, "its root is <annotations>, with <image>", TRUTH)
    if "track" in inside:
        return Seen("cvat-video", SURE, "its root is <annotations>, with <track>", TRUTH)
    video = "<mode>interpolation</mode>" in xml.text
    mode = "interpolation" if video else "annotation"
    return Seen("cvat-video" if video else "cvat", LIKELY, f"its root is <annotations>, of mode {mode}", TRUTH)


def not_images(xml: Xml) -> str:
    """Why a file is not of images, where it is CVAT's."""
    return "it has tracks and no images" if xml.root == "annotations" else ""


def not_video(xml: Xml) -> str:
    """Why a file is not of a video, where it is CVAT's."""
    return "it has images and no tracks" if xml.root == "annotations" else ""
