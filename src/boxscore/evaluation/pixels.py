"""What cannot be known of boxes that are shares of images whose sizes nobody knows."""

from __future__ import annotations

import numpy as np

from boxscore import overlaps
from boxscore.evaluation.prepare import Prepared
from boxscore.evaluation.sizes import MEASURES, sizes
from boxscore.protocols import Area, Protocol
from boxscore.tables.model import Detections, Truth

LARGEST = 1e10  # square pixels; COCO's range "all" ends here, and no image is larger


def unknown_ranges(prepared: Prepared) -> int:
    """The size ranges whose numbers cannot be known, a bit each.

    Boxes in shares of their images have the same IoU as in pixels. They have neither a last pixel that belongs to the
    box nor a size.
    """
    protocol, truth, detections = prepared.protocol, prepared.truth, prepared.detections
    if truth.relative and needs_pixels(protocol):
        return (1 << len(protocol.areas)) - 1
    bounded = sum(1 << i for i, area in enumerate(protocol.areas) if _bounded(area, protocol))
    if not bounded or not (_unsized(truth, protocol) or _unsized(detections, protocol)):
        return 0
    return bounded


def needs_pixels(protocol: Protocol) -> bool:
    """Whether it takes pixels to decide which boxes match."""
    return overlaps.get(protocol).in_pixels or protocol.iou_margin > 0


def _bounded(area: Area, protocol: Protocol) -> bool:
    """Whether a size, which may be unknown, can lie outside of a range."""
    if MEASURES[area.of or protocol.size_from].counts:
        return False
    return area.low > 0 or area.high < (1.0 if protocol.area_unit == "image" else LARGEST)


def _unsized(table: Truth | Detections, protocol: Protocol) -> bool:
    """Whether a row that takes part has no size in the protocol's unit."""
    if protocol.area_unit == "image":
        part = (table.image >= 0) & (table.label >= 0)
        return bool(np.isnan(sizes(table, protocol)[part]).any())
    if isinstance(table, Detections) and table.unscaled:
        return protocol.unknown_images == "counted"
    return table.relative and len(table) > 0
