"""Videos: the tube AP of Padilla et al. 2021, in the four ways in which it is read, and the average delay."""

from __future__ import annotations

import math
from dataclasses import replace

from boxscore.protocols.record import Protocol
from boxscore.protocols.values import Area, Deviation
from boxscore.protocols.voc import VOC2012

STT_AP = Protocol(
    name="stt-ap",
    about="tube AP of the 2021 paper: each object takes the tube that overlaps it most",
    source="Padilla et al. 2021, section 6 (STT-AP)",
    overlap="tube",
    greedy_by="object",
    ignored_last=False,
    iou=(0.5,),
    unknown_images="counted",
    recall_levels=0,
    level_sum="parts",
    averaging="classes",
    summary="stt",
)

STT_AP_TOOLKIT = replace(
    STT_AP,
    name="stt-ap-toolkit",
    about="tube AP as the 2021 toolkit computes it: pairs by descending overlap, mean over all listed classes",
    source="review_object_detection_metrics, tube_evaluator.py",
    greedy_by="overlap",
    unknown_images="undefined",
    recall_grid="float",
    averaging="classes-in-turn",
    empty_class="zero-if-undetected",
    deviations=(
        Deviation(
            "STT001", "tubes are matched by overlap alone",
            "The paper lets every object take its best tube; the code takes pairs by descending overlap, one to one, "
            "so an object whose best tube is taken gets another one.", "greedy_by",
        ),
        Deviation(
            "STT002", "classes without objects",
            "The mean runs over all listed classes: one without objects and tubes counts as 0, and one without objects "
            "but with tubes makes the mean undefined.", "empty_class",
        ),
        Deviation(
            "STT003", "tubes in videos that are not listed",
            "The code stops at the first of them; here the numbers are undefined, with this reason.", "unknown_images",
        ),
    ),
)  # fmt: skip

STT_AP_RANKED = replace(
    STT_AP,
    name="stt-ap-ranked",
    about="tube AP with tubes matched by descending confidence, each to the best object that is still free",
    source="the matching of detections in images (COCO), on tubes",
    greedy_by="score",
)

STT_AP_RANKED_ANY = replace(
    STT_AP_RANKED,
    name="stt-ap-ranked-any",
    about="tube AP with tubes matched by descending confidence, each to its best object, free or not",
    source="the matching of detections in images (PASCAL VOC), on tubes",
    claim="any",
)

AVERAGE_DELAY = replace(
    VOC2012,
    name="average-delay",
    about="average delay: how many frames pass before an object in a video is found",
    source="Mao et al. 2019, VMetrics (delay.py)",
    size_from="track-side",
    areas=(
        Area("all", -math.inf, math.inf), Area("small", -math.inf, 40.0), Area("medium", 40.0, 100.0),
        Area("large", 100.0, math.inf),
    ),
    last_frame="skipped",
    summary="delay",
    deviations=(
        Deviation(
            "DELAY001", "the last frame of a video is never looked at",
            "The code counts frames up to the last one without it: tracks end before it, and one that is only there "
            "does not exist.", "last_frame",
        ),
        Deviation(
            "DELAY002", "two overlaps",
            "False positives are counted with the last pixel inside of boxes and overlaps from 0.5 on; what finds a "
            "track must overlap it by more than 0.5 in continuous coordinates, and several detections may find one.",
            "overlap",
        ),
    ),
)  # fmt: skip
