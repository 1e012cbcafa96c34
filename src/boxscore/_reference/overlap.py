"""Overlap and size of boxes, defined."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

IGNORED = 1  # nothing to find; a detection matched to it is ignored
REUSABLE = 2  # takes any number of detections; overlap is the share of the detection's own area (a crowd)
VOID = 4  # can be taken, but the detection that takes it counts as unmatched
ABSORBS = 8  # looked at last, by detections that have found nothing; overlap as for REUSABLE
LAST = 16  # looked at even later, nothing to find; ignores the first detection that takes it, or all if it is IGNORED


def overlap_of(
    a: Array, area_a: float, b: Array, area_b: float, pixel: float, touching: bool, share_of_a: bool
) -> float:
    """Intersection over union of two boxes, or over the area of the first one alone; 0 where they do not meet."""
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if touching and (width < 0 or height < 0):
        return 0.0
    if width + pixel <= 0 or height + pixel <= 0:
        return 0.0
    with np.errstate(all="ignore"):  # areas may be infinite
        both = np.float64((width + pixel) * (height + pixel))
        return float(both / (area_a if share_of_a else area_a + area_b - both))


def single_overlap(a: Array, b: Array, share_of_a: bool) -> float:
    """The overlap of two boxes in single precision at every step, 1e-7 added to what is divided by."""
    with np.errstate(all="ignore"):  # corners beyond single precision overlap nothing
        a, b = a.astype(np.float32), b.astype(np.float32)
        width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
        if not (width > 0 and height > 0):
            return 0.0
        both = width * height
        area_a, area_b = (a[2] - a[0]) * (a[3] - a[1]), (b[2] - b[0]) * (b[3] - b[1])
        overlap = float(both / ((area_a if share_of_a else area_a + area_b - both) + np.float32(1e-7)))
        return 0.0 if np.isnan(overlap) else overlap


class Measured(NamedTuple):
    """What pairs have in common, or their overlap, measured before; pairs that are not listed share nothing."""

    first: Array  # (detections + 1) where the objects of each detection begin
    object: Array
    shared: Array
    overlaps: Array | None  # of pairs whose object is no region
    direct: bool

    def overlap(self, d: int, o: int, own: float, other: float, share_of_own: bool) -> float:
        """Of a detection and an object with these areas."""
        found = [k for k in range(self.first[d], self.first[d + 1]) if self.object[k] == o]
        both = float(self.shared[found[0]]) if found else 0.0
        if self.direct or not both > 0:
            return both
        if self.overlaps is not None and not share_of_own:
            return float(self.overlaps[found[0]])
        with np.errstate(all="ignore"):
            return float(np.float64(both) / (own if share_of_own else own + other - both))


def measured(
    first: Array | None, object_: Array | None, shared: Array | None, overlap: Array | None, direct: bool
) -> Measured | None:
    """Pairs that were measured before, if there are any."""
    if first is None or object_ is None or shared is None:
        return None
    return Measured(first, object_, shared, overlap, direct)


class Pairs(NamedTuple):
    """Columns of detections and objects from which overlaps are made; areas are in columns or those of the corners."""

    d_corners: Array
    d_area: Array | None
    o_corners: Array
    o_area: Array | None
    o_role: Array
    pixel: float
    touching: bool
    single: bool
    measured: Measured | None = None

    def overlap(self, d: int, o: int) -> float:
        """Of a detection and an object."""
        alone = bool(self.o_role[o] & (REUSABLE | ABSORBS))
        if self.measured is not None:
            own, other = (
                area_of(column, corners[row], row, 0.0)
                for column, corners, row in ((self.d_area, self.d_corners, d), (self.o_area, self.o_corners, o))
            )
            return self.measured.overlap(d, o, own, other, alone)
        if self.single:
            return single_overlap(self.d_corners[d], self.o_corners[o], alone)
        return overlap_of(
            self.d_corners[d], area_of(self.d_area, self.d_corners[d], d, self.pixel),
            self.o_corners[o], area_of(self.o_area, self.o_corners[o], o, self.pixel),
            self.pixel, self.touching, alone,
        )  # fmt: skip


def size_of(column: Array | None, corners: Array, row: int) -> float:
    """What is compared with the size ranges: from the column, or the area of the corners."""
    return area_of(column, corners[row], row, 0.0)


def area_of(column: Array | None, box: Array, row: int, pixel: float) -> float:
    """From the column, or from the corners."""
    with np.errstate(over="ignore"):
        return float((box[2] - box[0] + pixel) * (box[3] - box[1] + pixel)) if column is None else float(column[row])
