"""The overlap of pairs of boxes, measured as a protocol measures it."""

from __future__ import annotations

import numpy as np

from boxscore.evaluation.cuts import cuts, least_passing
from boxscore.evaluation.kernel_inputs import ABSORBS, REUSABLE, limits, roles
from boxscore.evaluation.maskless import pair_overlaps
from boxscore.protocols import Protocol
from boxscore.tables.model import Bools, Detections, Floats, Ints, Truth


class Overlaps:
    """Measures pairs of a detection and an object, given by their rows, as the matching does.

    Any two rows can be measured, whatever their classes and images.
    """

    def __init__(self, truth: Truth, detections: Detections, protocol: Protocol):
        self._protocol, self._truth, self._detections = protocol, truth, detections
        self._limit = limits(truth, protocol)
        self._alone = (roles(truth, protocol) & (REUSABLE | ABSORBS)) != 0

    def __call__(self, detection: Ints, object_: Ints) -> Floats:
        """The overlap of each pair, for regions over the detection alone; 0 where they do not meet."""
        return pair_overlaps(self._detections, self._truth, detection, object_, self._protocol, self._alone)

    def enough(self, overlap: Floats, object_: Ints) -> Bools:
        """Whether overlaps pass the protocol's first threshold, lowered where the protocol lowers it."""
        threshold = cuts(self._protocol).thresholds[0]
        limit = None if self._limit is None else least_passing(self._limit, self._protocol)[object_]
        passed: Bools = overlap >= (threshold if limit is None else np.fmin(threshold, limit))
        return passed
