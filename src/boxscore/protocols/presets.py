"""How popular tools evaluate, as far as the records can say it; what they cannot say stands in the deviations.

Unlike the official protocols these are not bit-equal to anything; they tell why a tool shows another number.
"""

from __future__ import annotations

from dataclasses import replace

from boxscore.protocols.coco import COCO, COCO_FIXED
from boxscore.protocols.values import Deviation

_COCO_IDS = ("id_zero", "repeated_ids")

ULTRALYTICS = replace(
    COCO_FIXED,
    name="ultralytics",
    about="Ultralytics YOLO validation, approximately: score floor 0.001, the 300 best of each image",
    source="ultralytics, DetectionValidator with its defaults (conf=0.001, max_det=300), utils/metrics.py",
    box_area="corners",
    claim="any",
    score_floor=0.001,
    max_detections=(300,),
    max_per="image",
    size_from="box",
    crowd="ignored",
    recall_grid="float",
    averaging="classes",
    deviations=(
        Deviation(
            "ULTRA001", "approximate: precision is interpolated in steps here",
            "The tool draws straight lines between the points of the envelope and takes the area under them by the "
            "trapezoid rule at 101 recalls; this record takes the step of the envelope at 101 levels.", "recall_levels",
        ),
        Deviation(
            "ULTRA002", "approximate: crowds are ignored here",
            "The tool's labels have no crowd objects: its converter leaves them out, so what lies on them is false. "
            "This record ignores detections that overlap a crowd object enough.", "crowd",
        ),
        Deviation(
            "ULTRA003", "no second choice",
            "Each detection looks at its best object only, and an object goes to the surest of those that chose it.",
            "claim",
        ),
        Deviation(
            "ULTRA004", "approximate: single precision",
            "Boxes, thresholds and overlaps are single precision in the tool, and 1e-7 is added to the union.",
            "overlap",
        ),
    ),
)  # fmt: skip

TORCHMETRICS = replace(
    COCO,
    name="torchmetrics",
    about="torchmetrics MeanAveragePrecision: COCO rules, annotation ids of its own",
    source="torchmetrics, detection/mean_ap.py with its defaults (backend pycocotools, iou_type bbox)",
    id_zero="ordinary",
    repeated_ids="ordinary",
    deviations=(
        Deviation(
            "TORCH001", "approximate: single precision",
            "Boxes and scores are single precision in the tool, so that overlaps close to a threshold may fall on its "
            "other side and scores may tie.", "overlap",
        ),
        Deviation(
            "TORCH002", "sizes come from the box unless given",
            "Without `area` in the targets (the usual case) small, medium and large are decided by the boxes; this "
            "record takes the annotation's area where there is one. AP over all sizes is the same.", "size_from",
        ),
        *(d for d in COCO.deviations if d.field not in _COCO_IDS),
    ),
)  # fmt: skip

FIFTYONE = replace(
    COCO_FIXED,
    name="fiftyone",
    about="FiftyOne evaluate_detections(method='coco', compute_mAP=True): COCO without its quirks, nearly",
    source="fiftyone, utils/eval/coco.py with its defaults (100 predictions of each image and class)",
    max_detections=(100,),
    size_from="box",
    ignore_flag="ordinary",
    recall_grid="float",
    averaging="classes",
    deviations=(
        Deviation(
            "FIFTY001", "approximate: true positives come first among equal scores",
            "The tool ranks all true positives before all false ones and sorts by confidence after that; its number "
            "is the upper one that --tie-bounds shows.", "equal_scores",
        ),
        Deviation(
            "FIFTY002", "approximate: relative coordinates",
            "Boxes are shares of the image in the tool, so that overlaps differ in their last bits.", "overlap",
        ),
        Deviation(
            "FIFTY003", "there are no sizes",
            "The tool reports no small, medium and large; this record decides them by the boxes.", "size_from",
        ),
    ),
)  # fmt: skip

DETECTRON2 = replace(
    COCO,
    name="detectron2",
    about="Detectron2 COCOEvaluator behind its default models: score floor 0.05, the 100 best of each image",
    source="detectron2, COCOEvaluator; MODEL.ROI_HEADS.SCORE_THRESH_TEST=0.05, TEST.DETECTIONS_PER_IMAGE=100",
    score_floor=0.05,
    max_per="image",
    deviations=(
        Deviation(
            "DET2001", "approximate: both cuts are the model's",
            "The floor and the 100 best of an image over all classes are applied by the model before anything is "
            "evaluated, with the thresholds of its configuration; the evaluator itself is pycocotools.", "score_floor",
        ),
        Deviation(
            "DET2002", "approximate: AR1 and AR10 hold for images",
            "After the cut the tool counts the 1 and 10 best of each image and class; this record of each image.",
            "max_per",
        ),
        *COCO.deviations,
    ),
)  # fmt: skip
