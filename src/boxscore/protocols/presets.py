"""How popular tools evaluate, as far as the records can say it; what they cannot say stands in the deviations.

`ultralytics` is equal to its tool. The others are not bit-equal to anything; they tell why a tool shows another number.
"""

from __future__ import annotations

import math
from dataclasses import replace

from boxscore.protocols.coco import COCO, COCO_FIXED
from boxscore.protocols.values import Area, Deviation

_COCO_IDS = ("id_zero", "repeated_ids")

ULTRALYTICS = replace(
    COCO_FIXED,
    name="ultralytics",
    about="Ultralytics YOLO validation: single precision, 101 levels by the trapezoid rule, P and R at the best F1",
    source="ultralytics 8.4.190, DetectionValidator with its defaults (conf=0.001, max_det=300), utils/metrics.py",
    overlap="single",
    box_area="corners",
    equal_overlaps="first",
    iou_ceiling=1.0,
    equal_scores="image",
    score_floor=0.0010000000474974513,  # 0.001 in single precision
    max_detections=(300,),
    max_per="image",
    areas=(Area("all", -math.inf, math.inf),),
    size_from="box",
    crowd="dropped",
    ignore_flag="ordinary",
    flat_objects="sides",
    recall_grid="above",
    level_sum="trapezoid",
    averaging="class-by-class",
    summary="ultralytics",
    deviations=(
        Deviation(
            "ULTRA001", "a perfect detector scores 0.995",
            "Precision is taken at 101 recalls, each from the first detection that exceeds it, so that it is 0 at a "
            "recall of 1; the trapezoid rule makes half a step of that.", "recall_grid",
        ),
        Deviation(
            "ULTRA002", "crowds are left out",
            "The tool's labels have no crowd objects: its converter leaves them out, so detections on them are false.",
            "crowd",
        ),
        Deviation(
            "ULTRA003", "older versions match and end otherwise",
            "Before 8.4.176 each detection looks at its best object only, and an object goes to the surest of those "
            "that chose it (--set claim=any). Before 8.4.37 precision also falls in a straight line from the last "
            "detection to 0 at a recall of 1, which no rule here says: those versions show a higher AP.", "claim",
        ),
        Deviation(
            "ULTRA004", "boxes on the resized image",
            "The tool compares boxes on the image as the model sees it, in single precision; here they are compared "
            "as given, in the same arithmetic. An IoU within 1e-6 of a threshold may fall on its other side.",
            "overlap",
        ),
        Deviation(
            "ULTRA005", "equal scores have no order",
            "The tool's sort is not stable, and its images stand by aspect ratio; here equal scores are ranked by "
            "image and position. --tie-bounds shows what that can change.", "equal_scores",
        ),
        Deviation(
            "ULTRA006", "scores are rounded when they are written",
            "The tool's own files have scores of 5 or 6 digits: one just above 0.001 becomes 0.001 and is left out "
            "here (--set score_floor=0 keeps it).", "score_floor",
        ),
        Deviation(
            "ULTRA007", "the limit follows the objects",
            "Where an image has more than 300 objects, the tool raises max_det to their number; here it stays "
            "(--max-detections).", "max_detections",
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
            "Boxes are normalized in the tool, so that overlaps differ in their last bits.", "overlap",
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
