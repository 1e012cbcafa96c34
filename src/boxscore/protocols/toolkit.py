"""The toolkit of Padilla et al. 2021 (and its predecessor, whose VOC part is the same), as it behaves."""

from __future__ import annotations

from dataclasses import replace

from boxscore.protocols.coco import COCO
from boxscore.protocols.values import Area, Deviation
from boxscore.protocols.voc import VOC2012

_SIZES = Deviation(
    "TOOL001", "inclusive pixels on continuous boxes",
    "Boxes given as x, y, width, height become x + width as the right edge and then get one pixel more, so every such "
    "box grows by a pixel.", "overlap",
)  # fmt: skip
_DIFFICULT = Deviation(
    "TOOL002", "difficult objects count",
    "There is no notion of difficult or crowd objects; all are ordinary.", "difficult",
)  # fmt: skip

TOOLKIT_VOC = replace(
    VOC2012,
    name="toolkit-voc",
    about="the 2021 toolkit's PASCAL VOC metric, all points",
    source="review_object_detection_metrics, pascal_voc_evaluator.py; Object-Detection-Metrics, pascalvoc.py",
    overlap="inclusive-touching",
    difficult="ordinary",
    unknown_images="counted",
    recall_levels=0,
    averaging="classes-in-turn",
    deviations=(*VOC2012.deviations, _SIZES, _DIFFICULT),
)

TOOLKIT_VOC11 = replace(
    TOOLKIT_VOC,
    name="toolkit-voc11",
    about="the 2021 toolkit's PASCAL VOC metric, 11 points",
    recall_levels=11,
    level_sum="descending",
)

TOOLKIT_COCO = replace(
    COCO,
    name="toolkit-coco",
    about="the 2021 toolkit's COCO metrics: box areas, no crowds",
    source="review_object_detection_metrics, coco_evaluator.py",
    box_area="corners",
    equal_scores="first-image",
    headline_max=0,
    areas=(*(Area(a.name, a.low, float("inf") if a.high == 1e10 else a.high) for a in COCO.areas),),
    size_from="box",
    crowd="ordinary",
    id_zero="ordinary",
    repeated_ids="ordinary",
    unknown_images="counted",
    precision_epsilon=0.0,
    averaging="classes",
    deviations=(
        Deviation(
            "TOOL003", "sizes come from the box",
            "Small, medium and large are decided by the area of the box, not by the annotation's `area`.", "size_from",
        ),
        _DIFFICULT,
        *(d for d in COCO.deviations if d.field in ("area_ends", "recall_grid", "iou")),
    ),
)  # fmt: skip
