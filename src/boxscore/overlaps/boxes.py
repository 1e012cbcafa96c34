"""Overlaps of boxes: what two boxes share, in NumPy; the kernel does the same as it goes, bit by bit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore import _core
from boxscore.overlaps.record import BoxRule, Measure, Measured, Overlap
from boxscore.protocols import parts
from boxscore.tables.model import Bools, Detections, Floats, Ints, Truth, empty

PLAIN = BoxRule()
Columns = Sequence[npt.NDArray[Any]] | npt.NDArray[Any]  # four columns, or an array (4, n): x0, y0, x1, y1


def shared_area(a: Columns, b: Columns, rule: BoxRule = PLAIN) -> Floats:
    """The area that boxes share, pair by pair; 0 where they do not meet.

    >>> shared_area(np.array([[0.0], [0], [2], [2]]), np.array([[1.0], [0], [3], [2]]))
    array([2.])
    """
    width = np.minimum(a[2], b[2]) - np.maximum(a[0], b[0])
    height = np.minimum(a[3], b[3]) - np.maximum(a[1], b[1])
    meet = (width + rule.pixel > 0) & (height + rule.pixel > 0)
    if rule.touching:
        meet &= (width >= 0) & (height >= 0)
    return np.where(meet, (width + rule.pixel) * (height + rule.pixel), 0.0)


def corner_areas(table: Truth | Detections, pixel: float) -> Floats:
    """Width times height of the corners, with so much added to each side."""
    area: Floats = empty(len(table))
    _core.box_areas(np.ascontiguousarray(table.corners), pixel, area, threads=1)
    return area


class _Single(Overlap):
    """Single precision at every step, with 1e-7 added to what is divided by."""

    def of_pairs(self, measured: Measured, own: Floats, other: Floats, alone: Bools) -> Floats:
        with np.errstate(all="ignore"):  # corners beyond single precision overlap nothing
            both, a, b = (values.astype(np.float32) for values in (measured.shared, own, other))
            whole = np.where(alone, a, a + b - both) + np.float32(1e-7)
            return np.where(both > 0, both / whole, np.float32(0)).astype(np.float64)

    def as_compared(self, thresholds: Floats) -> Floats:
        return thresholds.astype(np.float32).astype(np.float64)


def _single_area(corners: Columns) -> Floats:
    area: Floats = ((corners[2] - corners[0]) * (corners[3] - corners[1])).astype(np.float64)
    return area


def _single_shared(
    detections: Detections, truth: Truth, detection: Ints, object_: Ints, _: parts.Overlap, __: int
) -> Measured:
    with np.errstate(all="ignore"):
        a, b = (c.T.astype(np.float32) for c in (detections.corners[detection], truth.corners[object_]))
        return Measured(shared_area(a, b).astype(np.float64))


def _single_areas(table: Truth | Detections, _: parts.Overlap) -> Floats:
    with np.errstate(all="ignore"):
        return _single_area(table.corners.T.astype(np.float32))


def _of_rule(rule: BoxRule) -> Measure:
    def measure(
        detections: Detections, truth: Truth, detection: Ints, object_: Ints, _: parts.Overlap, __: int
    ) -> Measured:
        return Measured(shared_area(detections.corners[detection].T, truth.corners[object_].T, rule))

    return measure


def _boxes(name: str, rule: BoxRule, source: bool = False, in_pixels: bool = True) -> Overlap:
    def areas(table: Truth | Detections, rules: parts.Overlap) -> Floats:
        return table.box_area if made.of_source(rules) else corner_areas(table, rule.pixel)

    made = Overlap(
        name, _of_rule(rule), areas, needs=("corners", "box_area"), in_kernel=rule, areas_of_source=source,
        in_pixels=in_pixels,
    )  # fmt: skip
    return made


BOX = _boxes("box", BoxRule(), source=True, in_pixels=False)
INCLUSIVE = _boxes("inclusive", BoxRule(pixel=1.0))
INCLUSIVE_TOUCHING = _boxes("inclusive-touching", BoxRule(pixel=1.0, touching=True))
SINGLE = _Single(
    "single", _single_shared, _single_areas, needs=("corners",), in_kernel=BoxRule(single=True), in_pixels=True
)
