"""Boxes to corners, defined."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

XYXY, XYWH, CXCYWH = range(3)  # forms of boxes


def to_corners(
    boxes: npt.NDArray[Any], form: int, corners: npt.NDArray[Any], area: npt.NDArray[Any], threads: int = 1
) -> None:
    """Corners x0 y0 x1 y1, and areas: width times height as far as the form gives them."""
    for i, (a, b, c, d) in enumerate(boxes.tolist()):
        if form == XYXY:
            corners[i], area[i] = (a, b, c, d), (c - a) * (d - b)
        elif form == XYWH:
            corners[i], area[i] = (a, b, a + c, b + d), c * d
        else:
            corners[i], area[i] = (a - c / 2, b - d / 2, a + c / 2, b + d / 2), c * d


def count_flat(corners: npt.NDArray[Any], threads: int = 1) -> int:
    """How many boxes have a right or bottom edge that is not beyond the left or top one."""
    return sum(x1 <= x0 or y1 <= y0 for x0, y0, x1, y1 in corners.tolist())
