"""Boxes to corners, defined."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

XYXY, XYWH, CXCYWH = range(3)  # forms of boxes


def to_corners(boxes: Array, form: int, corners: Array, area: Array, threads: int = 1) -> None:
    """Corners x0 y0 x1 y1, and areas: width times height as far as the form gives them."""
    for i, (a, b, c, d) in enumerate(boxes.tolist()):
        if form == XYXY:
            corners[i], area[i] = (a, b, c, d), (c - a) * (d - b)
        elif form == XYWH:
            corners[i], area[i] = (a, b, a + c, b + d), c * d
        else:
            corners[i], area[i] = (a - c / 2, b - d / 2, a + c / 2, b + d / 2), c * d


def count_flat(corners: Array, threads: int = 1) -> int:
    """How many boxes have a right or bottom edge that is not beyond the left or top one."""
    return sum(x1 <= x0 or y1 <= y0 for x0, y0, x1, y1 in corners.tolist())


def box_areas(corners: Array, pixel: float, area: Array, threads: int = 1) -> None:
    """Areas of boxes, `pixel` more on each side."""
    for i, (x0, y0, x1, y1) in enumerate(corners.tolist()):
        area[i] = (x1 - x0 + pixel) * (y1 - y0 + pixel)


def margin_overlaps(corners: Array, pixel: float, margin: float, overlap: Array, threads: int = 1) -> None:
    """The overlap of each box with one that is larger by a margin on each axis; infinite for a box without area."""
    for i, (x0, y0, x1, y1) in enumerate(corners.tolist()):
        width, height = x1 - x0 + pixel, y1 - y0 + pixel
        around = (width + margin) * (height + margin)
        overlap[i] = share if around and (share := width * height / around) > 0 else np.inf
