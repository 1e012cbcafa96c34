"""Conversions between the ways of writing a box."""

from __future__ import annotations

import numpy as np

from boxscore import _core
from boxscore.errors import UsageError
from boxscore.tables.model import Floats, empty, thread_count

FORMS = ("xyxy", "xywh", "cxcywh")  # as the kernel numbers them


def to_corners(boxes: Floats, form: str, *, in_place: bool = False, threads: int = 0) -> tuple[Floats, Floats]:
    """Corners x0 y0 x1 y1 and areas of boxes given as xywh, xyxy or cxcywh.

    Areas are width times height as far as the form gives them: COCO's overlap is bit-exact only so. `in_place` writes
    the corners over the boxes.

    >>> to_corners(np.array([[10.0, 20.0, 5.0, 4.0]]), "xywh")
    (array([[10., 20., 15., 24.]]), array([20.]))
    """
    if form not in FORMS:
        raise UsageError(f"box={form!r}; expected xywh, xyxy or cxcywh")
    corners, area = boxes if in_place else empty(boxes.shape), empty(len(boxes))
    _core.to_corners(boxes, FORMS.index(form), corners, area, thread_count(threads))
    return corners, area


def count_flat(corners: Floats, threads: int = 0) -> int:
    """How many boxes have no extent: a right or bottom edge that is not beyond the left or top one.

    >>> count_flat(np.array([[0.0, 0.0, 1.0, 1.0], [5.0, 5.0, 4.0, 9.0]]))
    1
    """
    return _core.count_flat(corners, thread_count(threads))


def scaled(boxes: Floats, sizes: Floats) -> Floats:
    """Normalized boxes as pixels; `sizes` are width and height, one row for all or one per box.

    >>> scaled(np.array([[0.5, 0.5, 0.1, 0.2]]), np.array([[200.0, 100.0]]))
    array([[100.,  50.,  20.,  20.]])
    """
    return np.ascontiguousarray(boxes * np.tile(sizes, 2))
