"""Track AP: COCO's AP with tracks for boxes and their tube IoU, as TAO and YouTube-VIS are evaluated."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from boxscore.protocols.coco import COCO
from boxscore.protocols.values import Area, Deviation

_EPS = float(np.finfo(np.float64).eps)
_ALL = Area("all", -np.inf, np.inf)


def _sizes(small: float, large: float) -> tuple[Area, ...]:
    return Area("small", 0.0, small**2), Area("medium", small**2, large**2), Area("large", large**2, 1e10)


_DEVIATIONS = (
    Deviation(
        "TRACK001", "three thresholds cannot be reached exactly",
        "Thresholds are numpy.arange(0.5, 0.96, 0.05): the last is 0.9500000000000004, and a tube IoU of exactly 0.85, "
        "0.9 or 0.95 misses its own, although 2.2e-16 less than a threshold passes it.", "iou",
    ),
    Deviation(
        "TRACK002", "the track with id 0 takes nothing",
        "Objects are taken by ids above 0, so what the track with id 0 finds is found by another track as well: both "
        "are true positives, and recall may exceed 1.", "track_zero",
    ),
    Deviation(
        "TRACK003", "length and size ranges share their ends",
        "Both ends belong to a range: an area of exactly the limit, or a track of 3 or 10 frames in TAO, is in two "
        "ranges.", "area_ends",
    ),
    *(d for d in COCO.deviations if d.field in ("precision_epsilon", "recall_grid")),
    Deviation(
        "TRACK004", "a perfect copy can stop the official code",
        "Where rounding makes the intersection of two tubes exceed their union, as of a copy with fractional "
        "coordinates, the code raises an exception; here their tube IoU is what it is, 1 or a last bit more.",
        "overlap",
    ),
)  # fmt: skip

TAO = replace(
    COCO,
    name="tao",
    about="TAO track AP: tubes of boxes, classes judged only where verified, ranges of area and length",
    source="TrackEval 12c8791, TrackMAP on TAO",
    overlap="tube",
    iou=tuple(np.arange(0.5, 0.96, 0.05).tolist()),
    iou_slack=_EPS,
    areas=(
        _ALL,
        *_sizes(32, 96),
        Area("short", 0.0, 3.0, "length"),
        Area("middle", 3.0, 10.0, "length"),
        Area("long", 10.0, 1e5, "length"),
    ),
    size_from="box",
    max_detections=(),
    headline_max=0,
    max_per_frame=300,
    track_class="first",
    track_zero="id",
    crowd="ordinary",
    id_zero="ordinary",
    repeated_ids="ordinary",
    unknown_images="undefined",
    unverified="dropped",
    not_exhaustive="ignored",
    merged_classes="merged",
    recall_bounds=(0.0, math.inf),
    averaging="classes",
    summary="tracks",
    deviations=(
        *_DEVIATIONS,
        Deviation(
            "TAO001", "detections on frames that are not listed",
            "The code stops at the first of them; here the numbers are undefined, with this reason.", "unknown_images",
        ),
        Deviation(
            "TAO002", "the class of a track is that of its first detection",
            "Detections of a frame are kept together, frames in the order in which the file first has them; the class "
            "that a track has there first is its class, whatever comes later.", "track_class",
        ),
    ),
)  # fmt: skip

YOUTUBE_VIS = replace(
    TAO,
    name="youtube-vis",
    about="YouTube-VIS track AP: tubes of masks, three ranges of mean area",
    source="TrackEval 12c8791, TrackMAP on YouTube-VIS",
    overlap="tube-mask",
    areas=(_ALL, *_sizes(128, 256)),
    size_from="annotation",
    max_per_frame=0,
    track_class="refused",
    track_zero="first",
    crowd="ignored",
    unknown_images="dropped",
    unverified="counted",
    not_exhaustive="counted",
    merged_classes="apart",
    deviations=(
        *_DEVIATIONS,
        Deviation(
            "YTVIS001", "tracks are numbered from 0",
            "Results have no track ids: they are numbered from 0 on, video after video by name, so that the first "
            "track of the first video with results is the one that takes nothing.", "track_zero",
        ),
        Deviation(
            "YTVIS002", "frames without pixels do not count for the size",
            "The size of a track is the mean over its areas that are not 0, of objects as the annotation states them.",
            "size_from",
        ),
    ),
)  # fmt: skip
