"""XML files that are known by name and refused."""

from __future__ import annotations

from boxscore.formats.content import Xml
from boxscore.formats.record import SURE, TRUTH, Seen


def look_for_labelme(xml: Xml) -> Seen | None:
    """LabelMe of MIT, which shares its root with PASCAL VOC."""
    polygons = {"polygon", "pt"} <= xml.inside and "bndbox" not in xml.inside
    if xml.root != "annotation" or not ("imagesize" in xml.inside or polygons):
        return None
    return Seen("labelme-xml", SURE, "its root is <annotation>, with <imagesize> or <pt>", TRUTH)


def look_for_tracklets(xml: Xml) -> Seen | None:
    """Tracklets of KITTI's raw data."""
    if xml.root != "boost_serialization" and "tracklets" not in xml.inside:
        return None
    return Seen("kitti-raw", SURE, f"its root is <{xml.root}>", TRUTH)
