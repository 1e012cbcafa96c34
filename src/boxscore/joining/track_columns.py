"""Columns of tracks, made of those of their boxes: `begin` says where the boxes of each track begin and end."""

from __future__ import annotations

import numpy as np

from boxscore.tables.model import Detections, Floats, ImageLabels, Indices, Ints, Truth
from boxscore.tables.tubes import MaskTubes


def around(corners: Floats, begin: Ints) -> Floats:
    """The smallest box around the boxes of each track."""
    if not len(corners):
        return corners
    low = np.minimum.reduceat(corners[:, :2], begin[:-1], axis=0)
    return np.concatenate([low, np.maximum.reduceat(corners[:, 2:], begin[:-1], axis=0)], axis=1)


def sums(values: Floats, begin: Ints) -> Floats:
    """The sum over the boxes of each track."""
    return np.add.reduceat(values, begin[:-1]) if len(values) else values


def mean_areas(areas: Floats, begin: Ints, nonzero: bool = False) -> Floats:
    """The mean over the boxes of each track, added up one after the other; `nonzero` of those that are not 0.

    Areas that are nan are left out: nan where a track has no other, 0 where it has none but 0.

    >>> mean_areas(np.array([2.0, 0, 4, np.nan, 0]), np.array([0, 3, 4, 5]), nonzero=True).tolist()
    [3.0, nan, 0.0]
    """
    n = len(begin) - 1
    track = np.repeat(np.arange(n), np.diff(begin))
    known = ~np.isnan(areas)
    counted = known & (areas != 0) if nonzero else known
    total = np.bincount(track[counted], areas[counted], minlength=n)
    count = np.bincount(track[counted], minlength=n)
    none = np.where(np.bincount(track[known], minlength=n) > 0, 0.0, np.nan)
    return np.where(count > 0, total / np.maximum(count, 1), none)


def known_areas(table: Truth | Detections, order: Ints) -> Floats | None:
    """The areas of boxes in the given order: as the source states them, else of the mask; None where none is known."""
    masks = table.masks
    if isinstance(table, Detections):  # what a source states of them is the area of the mask as well
        area = table.area if masks is None else masks.area
        return None if area is None else area[order]
    stated = ~np.isnan(table.area)
    if masks is None:
        return table.area[order] if stated.any() else None
    return np.where(stated, table.area, masks.area)[order]


def mask_tubes(table: Truth | Detections, order: Ints, begin: Ints) -> MaskTubes | None:
    """The masks of each track; None where boxes have none."""
    if table.masks is None:
        return None
    masks = table.masks.take(order)
    return MaskTubes(masks, sums(masks.area, begin), around(masks.box, begin))


def video_labels(truth: Truth, video_of: Indices) -> ImageLabels | None:
    """What is said of whole frames, as said of their videos."""
    labels = truth.labels
    if labels is None:
        return None
    rows = np.stack([video_of[labels.image], labels.label, labels.mark.astype(np.int32)], axis=1)
    rows = np.unique(rows, axis=0)
    image, label, mark = np.ascontiguousarray(rows.T, np.int32)
    return ImageLabels(image, label, mark.astype(np.uint8))
