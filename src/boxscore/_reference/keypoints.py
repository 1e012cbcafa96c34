"""Object keypoint similarity of pairs: exponents of the points that count, and means."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def keypoint_exponents(
    d_points: Array, o_points: Array, o_unlabelled: Array, o_around: Array, o_area: Array, o_variance: Array,
    variances: Array, detection: Array, object: Array, first: Array, exponent: Array, threads: int = 1,
) -> None:  # fmt: skip
    """Minus the squared distance of each labelled point, in units of twice its variance and the object's area.

    An object without labelled points is as near as the edges of its doubled box, for every point.
    """
    for p, (d, o) in enumerate(zip(detection.tolist(), object.tolist(), strict=True)):
        place, end = int(first[p]), int(first[p + 1])
        for k in range(o_points.shape[1]):
            if place == end or (not o_unlabelled[o] and not o_points[o, k, 2] > 0):
                continue
            x, y = float(d_points[d, k, 0]), float(d_points[d, k, 1])
            if o_unlabelled[o]:
                x0, y0, x1, y1 = o_around[o].tolist()
                dx, dy = _beyond(x0, x, x1), _beyond(y0, y, y1)
            else:
                dx, dy = x - float(o_points[o, k, 0]), y - float(o_points[o, k, 1])
            scaled = (dx * dx + dy * dy) / float(variances[o_variance[o] + k]) / float(o_area[o]) / 2
            exponent[place] = -scaled
            place += 1


def keypoints_near(
    d_points: Array, o_points: Array, o_unlabelled: Array, o_around: Array, o_area: Array, o_variance: Array,
    variances: Array, detection: Array, object: Array, first: Array, floor: float, near: Array, threads: int = 1,
) -> None:  # fmt: skip
    """Whether the similarity of each pair can reach the floor.

    Points whose exponent is at least -4 add up to 1 each, all others less than exp(-4) < 0.0184. Where areas are not
    above 0, exponents are not below, and nothing is known.
    """
    exponent = np.empty(int(first[-1]))
    rows = (d_points, o_points, o_unlabelled, o_around, o_area, o_variance, variances)
    keypoint_exponents(*rows, detection, object, first, exponent)
    for p in range(len(near)):
        own = exponent[first[p] : first[p + 1]]
        close = int(np.count_nonzero(~(own < -4)))
        near[p] = not o_area[object[p]] > 0 or close + 0.0184 * (len(own) - close) >= floor * len(own)


def keypoint_means(first: Array, values: Array, mean: Array, threads: int = 1) -> None:
    """The mean of the values of each pair, added up as NumPy does; 0 where there are none."""
    for p in range(len(mean)):
        own = np.ascontiguousarray(values[first[p] : first[p + 1]])
        mean[p] = np.sum(own) / len(own) if len(own) else 0.0


def point_counts(points: Array, count: Array, threads: int = 1) -> None:
    """How many points of each row are not nan."""
    for r, row in enumerate(points):
        count[r] = sum(x == x for x in row[:, 0].tolist())


def count_far_points(points: Array, image: Array, width: Array, height: Array, labelled_only: bool) -> int:
    """How many points (labelled ones) lie more than the width or height of their image outside of it."""
    far = 0
    for row, i in zip(points.tolist(), image.tolist(), strict=True):
        if i >= 0:
            w, h = float(width[i]), float(height[i])
            seen = [(x, y) for x, y, v in row if v > 0 or not labelled_only]
            far += sum(x < -w or x > 2 * w or y < -h or y > 2 * h for x, y in seen)
    return far


def _beyond(low: float, value: float, high: float) -> float:
    return max(0.0, low - value) + max(0.0, value - high)
