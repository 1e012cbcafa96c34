"""Conversions between the ways of writing a box."""

from __future__ import annotations

import numpy as np

from boxscore.errors import UsageError
from boxscore.model import Floats


def to_corners(boxes: Floats, form: str) -> tuple[Floats, Floats]:
    """Corners x0 y0 x1 y1 and areas of boxes given as xywh, xyxy or cxcywh.

    Areas are width times height as far as the form gives them: COCO's overlap is bit-exact only so.

    >>> to_corners(np.array([[10.0, 20.0, 5.0, 4.0]]), "xywh")
    (array([[10., 20., 15., 24.]]), array([20.]))
    """
    if form == "xyxy":
        sides = boxes[:, 2:] - boxes[:, :2]
        return boxes, sides[:, 0] * sides[:, 1]
    if form not in ("xywh", "cxcywh"):
        raise UsageError(f"box={form!r}; expected xywh, xyxy or cxcywh")
    corners = boxes.copy()
    if form == "cxcywh":
        corners[:, :2] -= boxes[:, 2:] / 2
        corners[:, 2:] = boxes[:, :2] + boxes[:, 2:] / 2
    else:
        corners[:, 2:] += boxes[:, :2]
    return corners, boxes[:, 2] * boxes[:, 3]


def scaled(boxes: Floats, sizes: Floats) -> Floats:
    """Boxes relative to the image size as pixels; `sizes` are width and height, one row for all or one per box.

    >>> scaled(np.array([[0.5, 0.5, 0.1, 0.2]]), np.array([[200.0, 100.0]]))
    array([[100.,  50.,  20.,  20.]])
    """
    return np.ascontiguousarray(boxes * np.tile(sizes, 2))
