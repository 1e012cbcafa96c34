"""Whether boxes can be right by themselves: in their images, of sensible sizes, as large as their stated area says.

A repair is only believed if it leaves boxes sound, and ground truth that is sound is never rewritten.
"""

from __future__ import annotations

import numpy as np

from boxscore.diagnostics.diagnoses import Tables
from boxscore.tables.model import Bools, Detections, Floats, Truth

MARGIN = 0.02  # of the image's side: annotators overshoot by so much
INSIDE = 0.75  # of a box: networks overshoot more, but most of their boxes is in the image
ODD = 0.02  # share of odd boxes that a sound side may have
SPAN = (
    0.35  # boxes of whole data sets reach farther than this share of their images; normalized ones and percent do not
)
SPAN_ROWS = 8  # boxes that it takes to say so
LARGER = 1.1  # a mask is never larger than its box; so much is left to rounding, with a pixel added to each side
SMALLER = 50.0  # times: so much smaller than its box hardly any mask is
USUAL = 6.0  # times: so much smaller than their boxes are no masks of a whole data set in the median


def odd_boxes(corners: Floats, sizes: Floats | None, side: str, area: Floats | None = None) -> Bools:
    """Which boxes of a side cannot be right: inside out, beyond the image, or not of the stated area.

    `sizes` are width and height of the image of each box (nan where unknown). Where all boxes together keep to the
    top left corner of their images, or are much larger than their areas, all are odd.
    """
    low, high = corners[:, :2], corners[:, 2:]
    odd: Bools = np.any(high <= low, axis=1) | ~np.isfinite(corners).all(axis=1)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        if sizes is None:
            odd |= _beyond(corners, np.full((len(corners), 2), np.inf), side)
        else:
            odd |= _beyond(corners, sizes, side)
            reach = np.nanquantile((high / sizes).max(axis=1), 0.95) if len(corners) >= SPAN_ROWS else np.nan
            if reach < SPAN:
                odd[:] = True
        if area is not None:
            sides = np.maximum(high - low, 0)
            stated = np.isfinite(area) & (area > 0)
            odd |= stated & (area > LARGER * (sides + 1).prod(axis=1))
            odd |= stated & (sides.prod(axis=1) > SMALLER * area)
            if stated.sum() >= SPAN_ROWS and np.median((sides.prod(axis=1) / area)[stated]) > USUAL:
                odd[:] = True
    return odd


def _beyond(corners: Floats, sizes: Floats, side: str) -> Bools:
    """Which boxes leave their images by more than a side usually does; none where sizes are not known."""
    low, high = corners[:, :2], corners[:, 2:]
    if side == "truth":
        margin = np.where(np.isfinite(sizes), MARGIN * sizes, 2.0)  # pixels
        return np.asarray(((low < -margin) | (high > sizes + margin)).any(axis=1), np.bool_)
    within = np.clip(np.minimum(high, sizes) - np.maximum(low, 0), 0, None).prod(axis=1)
    return np.asarray(within < INSIDE * np.clip(high - low, 0, None).prod(axis=1), np.bool_)


def image_sizes(tables: Tables, table: Truth | Detections) -> Floats | None:
    """Width and height of the image of each row, nan where unknown; None where none is known."""
    if table.relative:
        return np.ones((len(table), 2))
    images = tables.truth.images
    if images.width is None or images.height is None or not np.isfinite(images.width).any():
        return None
    known = (table.image >= 0) & (table.image < len(images))
    place = np.where(known, table.image, len(images))
    return np.stack([np.append(side, np.nan)[place] for side in (images.width, images.height)], axis=1)


def share_odd(tables: Tables, side: str, rows: Bools | None = None) -> float:
    """The share of odd boxes among some rows of a side."""
    table = tables.truth if side == "truth" else tables.detections
    assert table is not None
    some = np.ones(len(table), np.bool_) if rows is None else rows
    if not some.any():
        return 0.0
    sizes = image_sizes(tables, table)
    area = table.area[some] if isinstance(table, Truth) and not table.relative else None
    return float(odd_boxes(table.corners[some], None if sizes is None else sizes[some], side, area).mean())


def believable(side: str, now: float, then: float) -> bool:
    """Whether a reading of a side may be offered, by its shares of odd boxes as read and read so.

    It must not make boxes odd. Ground truth must have been odd as well, and be sound then: else nothing but the wish
    to agree with the detections speaks for it.
    """
    if then > max(now, ODD):
        return False
    return side == "detections" or now > ODD >= then
