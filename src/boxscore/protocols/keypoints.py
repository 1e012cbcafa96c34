"""Keypoints: COCO's protocol for boxes with the nearness of points instead."""

from __future__ import annotations

from dataclasses import replace

from boxscore.protocols.coco import COCO
from boxscore.protocols.values import Deviation

_DEVIATIONS = (
    Deviation(
        "OKS001", "objects without labelled keypoints are found by their box",
        "An object of which no keypoint is labelled is ignored, and so is any detection whose points lie within its "
        "box doubled about its centre, or so near to that that they would pass as near keypoints.", "no_keypoints",
    ),
    Deviation(
        "OKS002", "num_keypoints is believed",
        "Whether an object is ignored depends on `num_keypoints` of its annotation, which points are compared on their "
        "visibility. Where the two disagree, objects with labelled points are ignored, or others counted.",
        "no_keypoints",
    ),
    Deviation(
        "OKS003", "sizes of detections come from the box where results have one",
        "If the first record of the results has a `bbox`, the size of every detection is that of its box, otherwise "
        "that of the box around all of its points: the same points with and without boxes differ in the numbers for "
        "medium and large.", "size_from",
    ),
    Deviation(
        "OKS004", "every number insists on 20 detections",
        "All ten numbers are looked up at a cap of 20 whatever caps are evaluated; with other caps they do not exist "
        "(-1).", "headline_max",
    ),
    Deviation(
        "OKS005", "TensorFlow names recalls after caps",
        "coco_keypoint_metrics of TensorFlow are these numbers for one class at a time, but it publishes AR, AR50 and "
        "AR75 as Recall/AR@1, AR@10 and AR@100; all three are of 20 detections.", "summary",
    ),
)  # fmt: skip
_OTHERS = ("COCO003",)  # about the boxes' cap of 100

COCO_KEYPOINTS = replace(
    COCO,
    name="coco-keypoints",
    about="COCO keypoint metrics (OKS), exactly as pycocotools computes them",
    source="pycocotools 2.0.11, COCOeval with iouType='keypoints'",
    overlap="keypoints",
    no_keypoints="ignored",
    max_detections=(20,),
    headline_max=20,
    areas=tuple(area for area in COCO.areas if area.name != "small"),
    summary="keypoints",
    deviations=(*(d for d in COCO.deviations if d.code not in _OTHERS), *_DEVIATIONS),
)
