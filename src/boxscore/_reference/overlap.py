"""Overlap and size of boxes, defined."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

Array = npt.NDArray[Any]

IGNORED = 1  # nothing to find; a detection matched to it is ignored
REUSABLE = 2  # takes any number of detections; overlap is the share of the detection's own area (a crowd)
VOID = 4  # can be taken, but the detection that takes it counts as unmatched
ABSORBS = 8  # looked at last, by detections that have found nothing; overlap as for REUSABLE


def overlap_of(
    a: Array, areas_a: Array | None, row_a: int, b: Array, areas_b: Array | None, row_b: int, role: int, pixel: float,
    touching: bool,
) -> float:  # fmt: skip
    """Intersection over union of a detection and an object, or over the detection alone; 0 where they do not meet.

    Areas are in columns, or those of the corners.
    """
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if touching and (width < 0 or height < 0):
        return 0.0
    if width + pixel <= 0 or height + pixel <= 0:
        return 0.0
    both = (width + pixel) * (height + pixel)
    area = area_of(areas_a, a, row_a, pixel)
    return float(both / (area if role & (REUSABLE | ABSORBS) else area + area_of(areas_b, b, row_b, pixel) - both))


def size_of(column: Array | None, corners: Array, row: int) -> float:
    """What is compared with the size ranges: from the column, or the area of the corners."""
    return area_of(column, corners[row], row, 0.0)


def area_of(column: Array | None, box: Array, row: int, pixel: float) -> float:
    """From the column, or from the corners."""
    return float((box[2] - box[0] + pixel) * (box[3] - box[1] + pixel)) if column is None else float(column[row])
