"""The TensorFlow Object Detection API: its PASCAL VOC, COCO and Open Images evaluators."""

from __future__ import annotations

from dataclasses import replace

from boxscore.protocols.coco import COCO
from boxscore.protocols.record import Protocol
from boxscore.protocols.values import Deviation
from boxscore.protocols.voc import NO_SECOND_CHOICE, NOT_EXCEEDED

_CODE = "tensorflow/models, research/object_detection"

_FLAT = Deviation(
    "TF001", "boxes of zero width or height vanish",
    "Detections whose width or height is not above 0 are left out without a word; they are no false positives.",
    "flat_detections",
)  # fmt: skip
_CREDIT = Deviation(
    "TF002", "a group is credited only to positive scores",
    "A group box counts as found only if the best detection in it has a score above 0; with logits it may never be.",
    "absorbed_floor",
)  # fmt: skip
_AREA = Deviation(
    "TF003", "sizes come from the box",
    "The area of an object is that of its box, where COCO itself takes the annotation's `area`; small, medium and "
    "large differ from official COCO numbers.", "size_from",
)  # fmt: skip
_TIES = Deviation(
    "TF004", "equal scores have no order",
    "The sort of the original is not stable, so tied detections may change places from machine to machine; this is "
    "its stable form, ascending and then reversed.", "equal_scores",
)  # fmt: skip

_MASKLESS = Deviation(
    "TF006", "objects without a mask are compared by their boxes",
    "They are not to be found. A detection that has found nothing else and whose box overlaps such an object enough is "
    "left out, but only the first one: further ones are false.", "maskless_objects",
)  # fmt: skip
_SINGLE = Deviation(
    "TF007", "overlaps of masks are single precision",
    "IoU and IoA of masks are rounded to single precision, so that overlaps that differ by less than 1e-7 are equal.",
    "overlap",
)  # fmt: skip
_WEIGHT = Deviation(
    "TF008", "the weight of groups is not that of the command line",
    "The configuration's name ignores groups that have a mask, the Open Images command line counts each once "
    "(--set absorbed_weight=1). Released groups have no masks, where both give the same numbers.", "absorbed_weight",
)  # fmt: skip
_MASK_SIZES = Deviation(
    "TF009", "sizes come from the boxes of objects and the masks of detections",
    "The area of an object is that of its box, that of a detection its mask, where COCO itself takes the annotation's "
    "`area`; small, medium and large differ from official COCO numbers.", "size_from",
)  # fmt: skip

TF_VOC = Protocol(
    name="tf-voc",
    about="TensorFlow's PASCAL VOC metric: no +1, classes without objects skipped",
    source=f"{_CODE}/utils/object_detection_evaluation.py, pascal_voc_detection_metrics",
    box_area="corners",
    claim="any",
    ignored_last=False,
    matched_first="last",
    equal_scores="later-image",
    score_floor=-10.0,
    max_detections=(10000,),
    outside="ignored",
    difficult="ignored",
    flat_detections="sides",
    unknown_images="counted",
    recall_grid="float",
    averaging="classes-with-zeros",
    deviations=(NO_SECOND_CHOICE, NOT_EXCEEDED, _FLAT, _TIES),
)

TF_WEIGHTED_VOC = replace(
    TF_VOC,
    name="tf-weighted-voc",
    about="tf-voc with the detections of all classes in one ranking",
    source=f"{_CODE}/utils/object_detection_evaluation.py, weighted_pascal_voc_detection_metrics",
    averaging="pooled",
)

TF_PRECISION_AT_RECALL = replace(
    TF_VOC,
    name="tf-precision-at-recall",
    about="tf-voc over a part of the curve; set recall_bounds, and unverified=dropped to skip unlabelled classes",
    source=f"{_CODE}/utils/object_detection_evaluation.py, precision_at_recall_detection_metrics",
    deviations=(
        *TF_VOC.deviations,
        Deviation(
            "TF005", "the part of the curve is not normalized",
            "The first point within the bounds also fills everything below it, and nothing is divided by the width "
            "of the bounds: of a curve with AP 0.9 the part from 0.6 to 0.8 may give 0.56.", "recall_bounds",
        ),
    ),
)  # fmt: skip

TF_COCO = replace(
    COCO,
    name="tf-coco",
    about="TensorFlow's COCO box metrics: sizes from boxes, annotation ids of its own",
    source=f"{_CODE}/metrics/coco_evaluation.py, coco_detection_metrics",
    size_from="box",
    id_zero="ordinary",
    repeated_ids="ordinary",
    deviations=(_AREA, *(d for d in COCO.deviations if d.field not in ("id_zero", "repeated_ids"))),
)

OPENIMAGES_V2 = replace(
    TF_VOC,
    name="openimages-v2",
    about="Open Images V2: groups absorb detections and are not to be found",
    source=f"{_CODE}/utils/object_detection_evaluation.py, oid_V2_detection_metrics",
    difficult="ordinary",
    group_of="absorbs",
)

OPENIMAGES_CHALLENGE = replace(
    OPENIMAGES_V2,
    name="openimages-challenge",
    about="Open Images challenge: groups count once, unverified classes are left out, objects count for parents too",
    source=f"{_CODE}/metrics/oid_challenge_evaluation.py, oid_challenge_detection_metrics",
    absorbed_weight=1.0,
    absorbed_floor=0.0,
    unknown_images="dropped",
    unverified="dropped",
    hierarchy="truth",
    deviations=(*OPENIMAGES_V2.deviations, _CREDIT),
)

TF_COCO_SEGM = replace(
    TF_COCO,
    name="tf-coco-segm",
    about="TensorFlow's COCO mask metrics: sizes from the boxes of objects and the masks of detections",
    source=f"{_CODE}/metrics/coco_evaluation.py, coco_mask_metrics",
    overlap="mask",
    size_from="box-mask",
    deviations=(_MASK_SIZES, *(d for d in TF_COCO.deviations if d.field != "size_from")),
)

TF_VOC_SEGM = replace(
    TF_VOC,
    name="tf-voc-segm",
    about="tf-voc with masks; objects without a mask are not to be found",
    source=f"{_CODE}/utils/object_detection_evaluation.py, pascal_voc_instance_segmentation_metrics",
    overlap="mask-single",
    maskless_objects="boxes",
    deviations=(*TF_VOC.deviations, _MASKLESS, _SINGLE),
)

TF_WEIGHTED_VOC_SEGM = replace(
    TF_VOC_SEGM,
    name="tf-weighted-voc-segm",
    about="tf-voc-segm with the detections of all classes in one ranking",
    source=f"{_CODE}/utils/object_detection_evaluation.py, weighted_pascal_voc_instance_segmentation_metrics",
    averaging="pooled",
)

OPENIMAGES_CHALLENGE_SEGM = replace(
    OPENIMAGES_CHALLENGE,
    name="openimages-challenge-segm",
    about="Open Images challenge with masks: groups are ignored, and so are objects without a mask",
    source=f"{_CODE}/utils/object_detection_evaluation.py, oid_challenge_segmentation_metrics",
    overlap="mask-single",
    maskless_objects="boxes",
    absorbed_weight=0.0,
    deviations=(*OPENIMAGES_CHALLENGE.deviations, _MASKLESS, _SINGLE, _WEIGHT),
)
