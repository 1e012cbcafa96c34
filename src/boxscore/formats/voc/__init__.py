"""PASCAL VOC: annotations in XML, and files of results."""

from __future__ import annotations

from boxscore.formats.record import (
    CLASS,
    FROM_LISTS,
    IMAGE,
    PICTURE,
    PIXELS,
    POSSIBLE,
    TEXT,
    TRUTH,
    XML,
    Format,
    Sign,
)  # fmt: skip
from boxscore.protocols.voc import CLASSES

VOC_XML = Format(
    name="voc-xml", title="VOC XML", looks="voc-xml (a folder of XML files)", home=__name__, listed=60,
    kind=XML, per=IMAGE, folder=None, truth="xml:read_truth", detections="xml:read_detections",
    write_truth="xml_write:write_truth", write_detections="xml_write:write_detections",
    boxes=PIXELS, look="xml_signs:look", benchmark=CLASSES,
    options=("image_labels", *FROM_LISTS), after="image_labels:with_image_labels",
    signs=(Sign(named=(".xml",), sides=TRUTH, level=POSSIBLE),),
    keeps=(
        "empty_images", "extensions", "folders", "sizes", "track", "attributes", "polygon", "oriented", "difficult",
        "truncated", "occluded", "generated", "last_bits", "corner_bits",
    ),
)  # fmt: skip
VOC_MASKS = Format(
    name="voc-masks", title="VOC segmentations", looks="voc-masks (a folder SegmentationObject of PNG files)",
    home=__name__, listed=70, kind=PICTURE, per=IMAGE, folder=True, splits=True,
    signs=(Sign(folder="SegmentationObject"),), lacks="pictures in SegmentationObject",
    truth="masks:read_truth", boxes=PIXELS, options=FROM_LISTS,
)  # fmt: skip
VOC_RESULTS = Format(
    name="voc-results", title="VOC results",
    looks="voc-results (a folder with a text file per class, comp4_det_test_cat.txt)",
    home=__name__, listed=80, kind=TEXT, per=CLASS, folder=True, before="yolo", look="results_signs:LOOK",
    detections="results:read_detections", write_detections="results_write:write_detections", boxes=PIXELS,
    keeps=("folders", "unused_classes", "last_bits", "corner_bits"),
)  # fmt: skip
FORMATS = (VOC_XML, VOC_MASKS, VOC_RESULTS)
