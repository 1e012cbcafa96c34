"""The overlap of pairs of boxes, measured as a protocol measures it."""

from __future__ import annotations

import numpy as np

from boxscore.evaluation.cuts import cuts, least_passing
from boxscore.evaluation.kernel_inputs import ABSORBS, REUSABLE, box_area, limits, roles
from boxscore.protocols import Protocol
from boxscore.tables.model import Bools, Detections, Floats, Ints, Truth


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
        if self._protocol.overlap == "single":
            return _single(a, b, self._share[object_])
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
        threshold = cuts(self._protocol).thresholds[0]
        limit = None if self._limit is None else least_passing(self._limit, self._protocol)[object_]
        passed: Bools = overlap >= (threshold if limit is None else np.fmin(threshold, limit))
        return passed


def _single(a: Floats, b: Floats, alone: Bools) -> Floats:
    """Overlaps in single precision, as `_reference.overlap.single_overlap` defines them."""
    with np.errstate(all="ignore"):
        c, d = a.astype(np.float32), b.astype(np.float32)
        width, height = np.minimum(c[2], d[2]) - np.maximum(c[0], d[0]), np.minimum(c[3], d[3]) - np.maximum(c[1], d[1])
        both = width * height
        own, other = ((box[2] - box[0]) * (box[3] - box[1]) for box in (c, d))
        whole = np.where(alone, own, own + other - both) + np.float32(1e-7)
        return np.where((width > 0) & (height > 0), both / whole, 0).astype(np.float64)
