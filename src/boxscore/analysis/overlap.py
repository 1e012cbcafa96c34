"""The overlap of pairs of boxes, measured as a protocol measures it."""

from __future__ import annotations

import numpy as np

from boxscore.model import Bools, Detections, Floats, Ints, Truth
from boxscore.protocols import Protocol
from boxscore.seen import ABSORBS, REUSABLE, box_area, limits, roles


class Overlaps:
    """Measures pairs of a detection and an object, given by their rows, as the matching does.

    Any two rows can be measured, whatever their classes and images.
    """

    def __init__(self, truth: Truth, detections: Detections, protocol: Protocol):
        self._protocol, self._truth, self._detections = protocol, truth, detections
        self._object_area, self._detection_area = box_area(truth, protocol), box_area(detections, protocol)
        self._limit = limits(truth, protocol)
        self._share = (roles(truth, protocol) & (REUSABLE | ABSORBS)) != 0

    def __call__(self, detection: Ints, object_: Ints) -> Floats:
        """Intersection over union of each pair, or over the detection alone for regions; 0 where they do not meet."""
        a, b = self._detections.corners[detection].T, self._truth.corners[object_].T
        pixel = 0.0 if self._protocol.overlap == "box" else 1.0
        width = np.minimum(a[2], b[2]) - np.maximum(a[0], b[0])
        height = np.minimum(a[3], b[3]) - np.maximum(a[1], b[1])
        meet = (width + pixel > 0) & (height + pixel > 0)
        if self._protocol.overlap == "inclusive-touching":
            meet &= (width >= 0) & (height >= 0)
        both = (width + pixel) * (height + pixel)
        own = self._detection_area[detection]
        whole = np.where(self._share[object_], own, own + self._object_area[object_] - both)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(meet, both / whole, 0.0)

    def enough(self, overlap: Floats, object_: Ints) -> Bools:
        """Whether overlaps pass the protocol's first threshold, lowered where the protocol lowers it."""
        threshold = np.float64(min(self._protocol.iou[0], self._protocol.iou_ceiling))
        asked = threshold if self._limit is None else np.fmin(threshold, self._limit[object_])
        passed: Bools = overlap > asked if self._protocol.compare == ">" else overlap >= asked
        return passed
