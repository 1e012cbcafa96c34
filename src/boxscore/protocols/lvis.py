"""LVIS boxes: federated labels, 300 detections per image, and the AP-Fixed and AP-Pool of Dave et al. 2021."""

from __future__ import annotations

from dataclasses import replace

from boxscore.protocols.coco import COCO
from boxscore.protocols.values import Deviation

LVIS = replace(
    COCO,
    name="lvis",
    about="LVIS box metrics: classes judged only where verified, 300 detections per image",
    source="lvis 0.5.3, LVISEval with iou_type='bbox'",
    max_detections=(300,),
    max_per="image",
    headline_max=0,
    crowd="ordinary",
    ignore_flag="ignored",
    flat_objects="size",
    flat_detections="size",
    unverified="dropped",
    not_exhaustive="ignored",
    summary="lvis",
    deviations=(
        Deviation(
            "LVIS001", "boxes of area 0 vanish",
            "Objects and detections whose area is not above 0 are left out: such an object is not missed, such a "
            "detection not false.", "flat_objects",
        ),
        *(d for d in COCO.deviations if d.field not in ("headline_max", "ignore_flag")),
    ),
)  # fmt: skip

LVIS_FIXED = replace(
    LVIS,
    name="lvis-fixed",
    about="LVIS AP-Fixed: the 10,000 best detections of each class instead of 300 per image",
    source="Dave et al. 2021, Evaluating Large-Vocabulary Object Detectors",
    max_detections=(10000,),
    max_per="class",
)

LVIS_POOL = replace(
    LVIS_FIXED,
    name="lvis-pool",
    about="LVIS AP-Pool: AP-Fixed with the detections of all classes in one ranking",
    averaging="pooled",
    empty_class="pooled",
)
