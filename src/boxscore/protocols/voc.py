"""PASCAL VOC: the development kits of 2007 and of 2010 to 2012."""

from __future__ import annotations

from dataclasses import replace

from boxscore.protocols.record import Protocol
from boxscore.protocols.values import Deviation

NO_SECOND_CHOICE = Deviation(
    "VOC001", "no second choice",
    "A detection looks at its best object only; if an earlier detection has taken it, the detection is false even "
    "though another object would do.", "claim",
)  # fmt: skip
NOT_EXCEEDED = Deviation(
    "VOC002", "the threshold is reached, not exceeded",
    "The text of the kit says that the overlap must exceed 50 %; the code accepts exactly 0.5.", "compare",
)  # fmt: skip
_BOTH = (NO_SECOND_CHOICE, NOT_EXCEEDED)

CLASSES = (
    "aeroplane", "bicycle", "bird", "boat", "bottle", "bus", "car", "cat", "chair", "cow", "diningtable", "dog",
    "horse", "motorbike", "person", "pottedplant", "sheep", "sofa", "train", "tvmonitor",
)  # fmt: skip

VOC2007 = Protocol(
    name="voc2007",
    about="PASCAL VOC 2007: inclusive pixels, difficult objects ignored, 11-point AP",
    source="VOCdevkit 2007, VOCevaldet.m",
    overlap="inclusive",
    claim="any",
    ignored_last=False,
    equal_overlaps="first",
    compare=">=",
    iou=(0.5,),
    equal_scores="position",
    outside="ignored",
    difficult="ignored",
    unknown_images="dropped",
    recall_levels=11,
    recall_grid="float",
    level_sum="parts",
    averaging="classes",
    summary="voc",
    deviations=(
        *_BOTH,
        Deviation(
            "VOC003", "three of the eleven levels sit one last bit too high",
            "The levels 0.3, 0.6 and 0.7 are stored slightly too large, so a recall of exactly 3/10, 6/10 or 7/10 "
            "misses its own level; `voc11-exact` compares integers.", "recall_grid",
        ),
    ),
)  # fmt: skip

VOC2012 = replace(
    VOC2007,
    name="voc2012",
    about="PASCAL VOC 2010 to 2012: as voc2007, with the area under all points",
    source="VOCdevkit 2012, VOCevaldet.m and VOCap.m",
    recall_levels=0,
    deviations=_BOTH,
)

VOC11_EXACT = replace(
    VOC2007,
    name="voc11-exact",
    about="voc2007 with recall levels compared exactly",
    source="voc2007; differs where a recall equals a level exactly",
    recall_grid="exact",
    level_sum="mean",
    deviations=_BOTH,
)
