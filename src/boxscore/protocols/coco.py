"""COCO boxes: as pycocotools computes them, and repaired."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from boxscore.protocols.record import Protocol
from boxscore.protocols.values import Area, Deviation

DEVIATIONS = (
    Deviation(
        "COCO001", "annotation id 0 never matches",
        "Matched ids are kept in arrays that start with zeros, so an object with id 0 reads as unmatched: a perfect "
        "detection of it is a false positive and the object a miss.", "id_zero",
    ),
    Deviation(
        "COCO002", "repeated annotation ids",
        "Annotations are looked up by id, so of several with one id only the last exists, once for each of them.",
        "repeated_ids",
    ),
    Deviation(
        "COCO003", "the headline insists on 100 detections",
        "AP is looked up at a cap of 100 whatever caps are evaluated; with other caps it does not exist (-1).",
        "headline_max",
    ),
    Deviation(
        "COCO004", "size ranges include both ends",
        "An area of exactly 1024 is small and medium at once, one of 9216 medium and large.", "area_ends",
    ),
    Deviation(
        "COCO005", "objects above 10^10 square pixels are ignored",
        "The ranges 'all' and 'large' end at 1e5 squared.", "areas",
    ),
    Deviation(
        "COCO006", "the ignore flag is overwritten",
        "The field `ignore` of an annotation is replaced by `iscrowd` before anything reads it.", "ignore_flag",
    ),
    Deviation(
        "COCO007", "a perfect detector scores 0.9999999999999998",
        "2.2e-16 is added to the denominator of the precision.", "precision_epsilon",
    ),
    Deviation(
        "COCO008", "ten recall levels sit one last bit too high",
        "Recall is compared with numpy.linspace(0, 1, 101); a recall of exactly 0.35, 0.41, 0.47, 0.57, 0.69, 0.7, "
        "0.82, 0.83, 0.94 or 0.95 misses its own level.", "recall_grid",
    ),
    Deviation(
        "COCO009", "the threshold 0.9 is 0.8999999999999999",
        "Thresholds come from numpy.linspace(0.5, 0.95, 10).", "iou",
    ),
)  # fmt: skip

_SMALL, _LARGE = 32.0**2, 96.0**2

COCO = Protocol(
    name="coco",
    about="COCO box metrics, bit-equal to pycocotools with its quirks",
    source="pycocotools 2.0.11, COCOeval with iouType='bbox'",
    overlap="box",
    box_area="source",
    claim="free",
    ignored_last=True,
    equal_overlaps="last",
    compare=">=",
    iou=tuple(np.linspace(0.5, 0.95, 10).tolist()),
    iou_ceiling=1 - 1e-10,
    equal_scores="image",
    max_detections=(1, 10, 100),
    headline_max=100,
    areas=(
        Area("all", 0.0, 1e10),
        Area("small", 0.0, _SMALL),
        Area("medium", _SMALL, _LARGE),
        Area("large", _LARGE, 1e10),
    ),
    area_ends="closed",
    size_from="annotation",
    outside="ignored",
    crowd="region",
    difficult="ordinary",
    ignore_flag="ordinary",
    id_zero="void",
    repeated_ids="last",
    unknown_images="dropped",
    recall_levels=101,
    recall_grid="float",
    precision_epsilon=float(np.spacing(1)),
    level_sum="mean",
    averaging="cells",
    empty_class="undefined",
    summary="coco",
    deviations=DEVIATIONS,
)

COCO_FIXED = replace(
    COCO,
    name="coco-fixed",
    about="COCO box metrics with the defects of pycocotools repaired",
    source="the COCO evaluation page; differs from `coco` where that deviates from it",
    iou=tuple(round(0.5 + 0.05 * i, 2) for i in range(10)),
    headline_max=0,
    areas=(
        Area("all", 0.0, float("inf")),
        Area("small", 0.0, _SMALL),
        Area("medium", _SMALL, _LARGE),
        Area("large", _LARGE, float("inf")),
    ),
    area_ends="half-open",
    ignore_flag="ignored",
    id_zero="ordinary",
    repeated_ids="ordinary",
    recall_grid="exact",
    precision_epsilon=0.0,
    deviations=(),
)
