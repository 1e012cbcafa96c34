"""The similarity of keypoints (OKS): how near the points of a detection are to those of an object, for its size."""

from __future__ import annotations

import numpy as np

from boxscore import _core
from boxscore.overlaps.record import Measured, Overlap
from boxscore.overlaps.sigmas import first_sigma, resolved_sigmas
from boxscore.protocols import parts
from boxscore.tables.keypoints import labelled_counts, point_counts
from boxscore.tables.model import Detections, Floats, Ints, Truth, thread_count

WITHOUT = "Evaluate boxes instead (--protocol coco), or pass files whose records have keypoints."
_BLOCK = 1 << 16  # exponents at a time: 512 kB, which stay in the cache


def measure(
    detections: Detections, truth: Truth, detection: Ints, object_: Ints, rules: parts.Overlap, threads: int,
    floor: float = 0.0,
) -> Measured:  # fmt: skip
    """The similarity of pairs; 0 for rows with different numbers of points, or of points that are too far apart.

    A pair far below the floor costs no exponentials: how many of its points are near bounds its similarity.
    """
    own, other = detections.keypoints, truth.keypoints
    assert own is not None
    assert other is not None
    made, threads = np.zeros(len(detection)), thread_count(threads)
    sigmas = rules.sigmas or resolved_sigmas(truth, ())
    if not sigmas or not len(detection):  # no object has points
        return Measured(made)
    points, labelled, theirs = point_counts(other), labelled_counts(other), point_counts(own)
    counted = np.where(labelled > 0, labelled, points)
    objects = {
        "o_points": other,
        "o_unlabelled": (labelled == 0).view(np.uint8),
        "o_around": doubled_boxes(truth),
        "o_area": np.where(np.isnan(truth.area), truth.box_area, truth.area) + np.spacing(1),
        "o_variance": first_sigma(truth, sigmas),
        "variances": (np.array(sigmas) * 2) ** 2,
    }
    count = points[0] if len(points) else 0
    alike = bool((points == count).all() and (theirs == count).all())
    step = max(1, _BLOCK // other.shape[1])
    room = np.empty(min(step, len(detection)) * other.shape[1])
    for begin in range(0, len(detection), step):
        d, o = (np.ascontiguousarray(rows[begin : begin + step], np.int64) for rows in (detection, object_))
        counts = counted[o] if alike else np.where(points[o] == theirs[d], counted[o], 0)
        pairs = {**objects, "detection": d, "object": o, "first": _offsets(counts)}
        if floor > 0:
            near = np.empty(len(d), np.bool_)
            _core.keypoints_near(own, **pairs, floor=floor, near=near.view(np.uint8), threads=threads)
            pairs["first"] = _offsets(np.where(near, counts, 0))
        first = pairs["first"]
        exponent = room[: first[-1]]
        _core.keypoint_exponents(own, **pairs, exponent=exponent, threads=threads)
        with np.errstate(over="ignore"):  # of objects with negative areas
            np.exp(exponent, out=exponent)
        _core.keypoint_means(first, exponent, made[begin : begin + step], threads=threads)
    return Measured(made)


def _offsets(counts: Ints) -> Ints:
    return np.append(np.int64(0), np.cumsum(counts))


def doubled_boxes(truth: Truth) -> Floats:
    """Corners of the boxes with each side added at both of its ends, from the sides that the source states.

    >>> from boxscore.tables.model import Classes, Images
    >>> box = dict(corners=np.array([[10.0, 20, 14, 26]]), box_area=np.array([24.0]), position=np.zeros(1, np.int64))
    >>> row = dict(image=np.zeros(1, np.int32), label=np.zeros(1, np.int32))
    >>> more = dict(area=np.full(1, np.nan), flags=np.zeros(1, np.uint16))
    >>> doubled_boxes(Truth(Images(["a"]), Classes(("c",), (1,)), **row, **box, **more))
    array([[ 6., 14., 18., 32.]])
    """
    start, end = truth.corners[:, :2], truth.corners[:, 2:]
    sides = end - start
    if truth.sides is not None:
        sides = np.where(start + truth.sides == end, truth.sides, sides)
    return np.ascontiguousarray(np.concatenate([start - sides, start + sides * 2], axis=1))


KEYPOINTS = Overlap(
    "keypoints", measure, measure_above=measure, needs=("keypoints",), fields=("sigmas",), direct=True, bounds=None,
    in_pixels=True, called="OKS", instead=WITHOUT,
)  # fmt: skip
