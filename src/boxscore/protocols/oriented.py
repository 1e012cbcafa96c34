"""Oriented boxes: the DOTA development kit, and COCO's rules."""

from __future__ import annotations

from dataclasses import replace

from boxscore.protocols.coco import COCO
from boxscore.protocols.values import Deviation
from boxscore.protocols.voc import NO_SECOND_CHOICE, VOC2007

_TIES = Deviation(
    "DOTA001", "equal scores have no order",
    "The kit's sort is not stable; here detections with equal scores stay in the order of their file.", "equal_scores",
)  # fmt: skip
_ELEVEN = next(d for d in VOC2007.deviations if d.field == "recall_grid")

DOTA = replace(
    VOC2007,
    name="dota",
    about="DOTA Task 1, oriented boxes: VOC rules, the overlap above 0.5, 11-point AP",
    source="DOTA_devkit, dota_evaluation_task1.py with use_07_metric=True",
    overlap="rotated",
    compare=">",
    deviations=(NO_SECOND_CHOICE, _ELEVEN, _TIES),
)

DOTA_ALL = replace(
    DOTA,
    name="dota-all",
    about="DOTA Task 1, oriented boxes, with the area under all points",
    source="DOTA_devkit, dota_evaluation_task1.py with use_07_metric=False",
    recall_levels=0,
    deviations=(NO_SECOND_CHOICE, _TIES),
)

COCO_OBB = replace(
    COCO,
    name="coco-obb",
    about="COCO metrics of oriented boxes: pycocotools' rules, the overlap of quadrilaterals",
    source="pycocotools 2.0.11, COCOeval, whose boxes are plain ones",
    overlap="rotated",
    size_from="rotated",
)
