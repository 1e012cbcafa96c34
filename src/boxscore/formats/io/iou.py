"""Overlaps of a few boxes, to see which of several readings of them fits; metrics are made by the kernels."""

from __future__ import annotations

import numpy as np

from boxscore.tables.model import Floats, Truth


def iou(one: Floats, other: Floats) -> Floats:
    """IoU of each box of one list with each of another, from corners, (n, m); 0 where neither has an area.

    >>> iou(np.array([[0.0, 0, 2, 2]]), np.array([[0.0, 0, 2, 1], [5, 5, 6, 6]])).tolist()
    [[0.5, 0.0]]
    """
    low = np.maximum(one[:, None, :2], other[None, :, :2])
    high = np.minimum(one[:, None, 2:], other[None, :, 2:])
    both = np.clip(high - low, 0, None).prod(axis=2)
    first, second = (np.clip(c[:, 2:] - c[:, :2], 0, None).prod(axis=1) for c in (one, other))
    whole = first[:, None] + second[None] - both
    shares: Floats = np.divide(both, whole, out=np.zeros_like(both), where=whole > 0)
    return shares


def normalized(truth: Truth) -> Floats | None:
    """The corners of objects as shares of their images; None where no size is known.

    Objects of images whose size is unknown become boxes of zero width and height, which overlap nothing.
    """
    if truth.relative:
        return truth.corners
    sizes = sizes_by_row(truth)
    if sizes is None:
        return None
    with np.errstate(divide="ignore", invalid="ignore"):
        shares: Floats = truth.corners / np.tile(sizes, 2)
    shares[~np.isfinite(shares).all(axis=1)] = 0.0
    return shares


def sizes_by_row(truth: Truth) -> Floats | None:
    """Width and height of the image of each object; None where no image has any."""
    images = truth.images
    if images.width is None or images.height is None:
        return None
    sizes: Floats = np.append(np.stack([images.width, images.height], axis=1), [[np.nan, np.nan]], axis=0)[truth.image]
    return sizes
