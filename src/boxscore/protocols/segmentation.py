"""Instance segmentation: the protocols for boxes, with masks instead."""

from __future__ import annotations

from dataclasses import replace

from boxscore.protocols.coco import COCO
from boxscore.protocols.lvis import LVIS
from boxscore.protocols.values import Deviation
from boxscore.protocols.voc import VOC2012

_SIZES = Deviation(
    "SEGM001", "sizes of detections come from the box where results have one",
    "If the first record of the results has a `bbox`, the size of every detection is that of its box, otherwise that "
    "of its mask: the same masks with and without boxes differ in the numbers for small, medium and large.",
    "size_from",
)  # fmt: skip
_EMPTY_RUNS = Deviation(
    "SEGM002", "an empty run ends the comparison",
    "Two masks that come to a run of length 0 at the same pixel are compared no further, so that pixels after it do "
    "not count. Masks made by pycocotools have no such runs.", "overlap",
)  # fmt: skip

COCO_SEGM = replace(
    COCO,
    name="coco-segm",
    about="COCO mask metrics, exactly as pycocotools computes them",
    source="pycocotools 2.0.11, COCOeval with iouType='segm'",
    overlap="mask",
    deviations=(*COCO.deviations, _SIZES, _EMPTY_RUNS),
)

COCO_BOUNDARY = replace(
    COCO_SEGM,
    name="coco-boundary",
    about="Boundary AP: COCO mask metrics with the lesser of mask and boundary overlap",
    source="boundary-iou-api, COCOeval with iouType='boundary'",
    overlap="boundary",
)

LVIS_SEGM = replace(
    LVIS,
    name="lvis-segm",
    about="LVIS mask metrics: classes judged only where verified, 300 detections per image",
    source="lvis 0.5.3, LVISEval with iou_type='segm'",
    overlap="mask",
    deviations=(*LVIS.deviations, _SIZES, _EMPTY_RUNS),
)

VOC_SEGM = replace(
    VOC2012,
    name="voc-segm",
    about="voc2012 with masks instead of boxes (AP^r)",
    source="Hariharan et al. 2014, Simultaneous Detection and Segmentation; no official code, rules as in voc2012",
    overlap="mask",
)
