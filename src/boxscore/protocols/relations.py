"""Visual relationships of Open Images: TensorFlow's two evaluators, and the score that the challenge makes of them."""

from __future__ import annotations

import math
from dataclasses import replace

from boxscore.protocols.tensorflow import TF_VOC
from boxscore.protocols.values import Deviation
from boxscore.protocols.voc import NO_SECOND_CHOICE, NOT_EXCEEDED

_CODE = "tensorflow/models, research/object_detection/utils/vrd_evaluation.py"

_TIES = Deviation(
    "VRD001", "equal scores have no order",
    "The sorts of the original are not stable, so tied relations may change places from machine to machine; this is "
    "their stable form, ascending and then reversed, for each triple, each image and the whole.", "equal_scores",
)  # fmt: skip
_VERIFIED = Deviation(
    "VRD002", "a verified class that is in no relation makes relations false",
    "Whether image-level labels say that a class is there is not looked at: a relation with a class that is verified "
    "to be in the image, but in none of its relations, is a false positive like one with a class that is not there.",
    "unverified",
)  # fmt: skip
_SINGLE = Deviation(
    "VRD003", "boxes are single precision",
    "Coordinates and areas are rounded to single precision, so that an IoU within 1e-7 of the threshold may fall on "
    "its other side.", "overlap",
)  # fmt: skip
_POOLED = Deviation(
    "VRD004", "weightedAP is one ranking",
    "It is the AP of all relations in one ranking, where those without objects are false; elsewhere wmAP is the mean "
    "of the APs by number of objects.", "empty_class",
)  # fmt: skip

OPENIMAGES_VRD_RELATION = replace(
    TF_VOC,
    name="openimages-vrd-relation",
    about="Open Images relationships: both boxes must overlap, AP per relation",
    source=f"{_CODE}, VRDRelationDetectionEvaluator",
    overlap="relation",
    equal_scores="later-image-triple",
    score_floor=-math.inf,
    max_detections=(),
    difficult="ordinary",
    flat_detections="counted",
    unknown_images="dropped",
    unverified="dropped",
    averaging="classes",
    empty_class="pooled",
    summary="relations",
    deviations=(NO_SECOND_CHOICE, NOT_EXCEEDED, _TIES, _VERIFIED, _SINGLE, _POOLED),
)

OPENIMAGES_VRD_PHRASE = replace(
    OPENIMAGES_VRD_RELATION,
    name="openimages-vrd-phrase",
    about="Open Images relationships: the boxes around subject and object must overlap, AP per relation",
    source=f"{_CODE}, VRDPhraseDetectionEvaluator",
    overlap="phrase",
)

OPENIMAGES_VRD = replace(
    OPENIMAGES_VRD_RELATION,
    name="openimages-vrd",
    about="Open Images relationships: the challenge's score of relations and phrases",
    source=f"{_CODE}; the weights of the score are those of the winners' code, the challenge does not print them",
    summary="relations-score",
)
