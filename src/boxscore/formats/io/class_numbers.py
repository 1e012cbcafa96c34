"""Category ids of a results list beside a YOLO ground truth: counted from 0, from 1, or COCO's with gaps.

Ultralytics writes ids from 1 into predictions.json (COCO's own for COCO), where labels count from 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from boxscore.diagnostics.findings import Finding, finding
from boxscore.formats.io.iou import iou, sizes_by_row
from boxscore.tables.common_images import same_images
from boxscore.tables.model import Detections, Floats, Indices, Truth

# COCO numbers 80 classes from 1 to 90; these ids were never used.
COCO_IDS = tuple(i for i in range(1, 91) if i not in (12, 26, 29, 30, 45, 66, 68, 69, 71, 83))
_IMAGES = 300  # that are looked at where several ways of counting are possible
_SURE = 10  # boxes on objects of their class, and times as many as any other way of counting has


def counted(detections: Detections, truth: Truth) -> tuple[Detections, list[Finding]]:
    """Detections whose category ids are the truth's class numbers, and how they were counted before.

    The truth is of a format that counts from 0, the detections of one that has ids without names. They stay as
    they are where no way of counting is clear.
    """
    n, ids = len(truth.classes), detections.classes.id
    if truth.classes.id != tuple(range(n)):
        return detections, []
    used = [int(ids[k]) for k in np.unique(detections.label[detections.label >= 0]).tolist() if isinstance(ids[k], int)]
    ways: dict[str, Mapping[int, int]] = {"from 0": {k: k for k in range(n)}, "from 1": {k + 1: k for k in range(n)}}
    if n == len(COCO_IDS):
        ways["as in COCO"] = {key: k for k, key in enumerate(COCO_IDS)}
    possible = {name: way for name, way in ways.items() if used and {*used} <= {*way}}
    name = _chosen(detections, truth, possible)
    if name in ("", "from 0"):
        return detections, []
    way = possible[name]
    low, high = min(used), max(used)
    text = f"category ids are counted {name}: {low} is {truth.classes.name[way[low]]}"
    text += f", {high} is {truth.classes.name[way[high]]}" if high > low else ""
    made = replace(detections, classes=truth.classes, label=_labels(detections, way)[detections.label])
    return made, [finding("CLS006", len(detections), f"{detections.source}: {text}")]


def _labels(detections: Detections, way: Mapping[int, int]) -> Indices:
    """The class number of each class of the detections, and at the end that of none."""
    ids = detections.classes.id
    return np.array([*(way.get(key, -1) if isinstance(key, int) else -1 for key in ids), -1], np.int32)


def _chosen(detections: Detections, truth: Truth, possible: Mapping[str, Mapping[int, int]]) -> str:
    """The only way of counting that is possible, or the one under which boxes lie on objects of their class."""
    if len(possible) < 2:
        return next(iter(possible), "")
    pairs = _pairs(detections, truth)
    if pairs is None:
        return ""
    theirs, ours = pairs
    hits = {name: int((_labels(detections, way)[theirs] == ours).sum()) for name, way in possible.items()}
    best, second = sorted(hits, key=hits.__getitem__, reverse=True)[:2]
    return best if hits[best] >= _SURE and hits[best] > _SURE * hits[second] else ""


def _pairs(detections: Detections, truth: Truth) -> tuple[Indices, Indices] | None:
    """The classes of detections that lie on objects (IoU 0.5 or more), and of those objects; None without sizes."""
    corners: Floats | None = truth.corners
    if truth.relative:
        sizes = sizes_by_row(truth)
        corners = None if sizes is None else truth.corners * np.tile(sizes, 2)
    if corners is None or detections.relative:
        return None
    image = np.append(same_images(truth.images, detections.images), -1)[detections.image]
    theirs, ours = list[Indices](), list[Indices]()
    for k in np.unique(image[image >= 0])[:_IMAGES].tolist():
        rows, objects = np.flatnonzero(image == k), np.flatnonzero(truth.image == k)
        if len(objects):
            overlap = iou(detections.corners[rows], np.nan_to_num(corners[objects]))
            good = overlap.max(axis=1) >= 0.5
            theirs.append(detections.label[rows[good]])
            ours.append(truth.label[objects[overlap[good].argmax(axis=1)]])
    return (np.concatenate(theirs), np.concatenate(ours)) if theirs else None
