"""ImageNet: detection, detection in videos, localisation, as the development kits compute them."""

from __future__ import annotations

import math
from dataclasses import replace

from boxscore.protocols.record import Protocol
from boxscore.protocols.values import Area, Deviation

IMAGENET_DET = Protocol(
    name="imagenet-det",
    about="ImageNet detection: lower thresholds for small objects, all points, mean and median",
    source="ILSVRC development kit, eval_detection.m",
    overlap="inclusive",
    claim="free",
    iou_margin=10.0,
    equal_scores="image",
    blacklist="ignored",
    recall_grid="float",
    level_sum="parts",
    averaging="classes-in-turn",
    summary="imagenet",
)

IMAGENET_VID = replace(
    IMAGENET_DET,
    name="imagenet-vid",
    about="ImageNet detection in videos: imagenet-det frame by frame",
    source="ILSVRC development kit, eval_vid_detection.m",
    deviations=(
        Deviation(
            "INET001", "interpolated boxes count",
            "The kit's text says that generated (interpolated) boxes are not evaluated; its code evaluates all frames.",
            "blacklist",
        ),
    ),
)  # fmt: skip

IMAGENET_VID_MOTION = replace(
    IMAGENET_DET,
    name="imagenet-vid-motion",
    about="ImageNet detection in videos, by how fast objects move: slow, medium, fast",
    source="Flow-Guided Feature Aggregation, imagenet_vid_eval_motion.py",
    ignored_last=False,
    size_from="motion",
    areas=(
        Area("all", -math.inf, math.inf), Area("slow", 0.9, 1.0), Area("medium", 0.7, 0.9), Area("fast", 0.0, 0.7),
    ),
    area_ends="closed",
    outside="nearest",
    summary="motion",
    deviations=(
        Deviation(
            "INET003", "an object can be in two ranges",
            "The ranges are closed: a motion of exactly 0.7 or 0.9 counts in both of its neighbours.", "area_ends",
        ),
        Deviation(
            "INET004", "false positives count in part",
            "An unmatched detection that is as near to objects in the range as to others counts as the share of the "
            "frame's objects that are outside of the range, where the share inside would be expected.", "outside",
        ),
    ),
)  # fmt: skip

IMAGENET_LOC = Protocol(
    name="imagenet-loc",
    about="ImageNet localisation: the error of the best 1 and 5 guesses per image",
    source="ILSVRC development kit, eval_clsloc.m",
    overlap="inclusive",
    claim="shared",
    equal_scores="image",
    max_detections=(1, 5),
    max_per="image",
    unlabelled_objects="dropped",
    blacklist="ignored",
    summary="localisation",
    deviations=(
        Deviation(
            "INET002", "the blacklist spares only the localisation",
            "Blacklisted images are left out of the localisation error but not of the class error.", "blacklist",
        ),
    ),
)  # fmt: skip
