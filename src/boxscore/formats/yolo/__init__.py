"""YOLO."""

from __future__ import annotations

from boxscore.formats.record import IMAGE, TEXT, Boxes, Format

YOLO = Format(
    name="yolo", title="YOLO", looks="yolo (a folder with a text file per image, boxes relative to its size)",
    home=__name__, listed=30, kind=TEXT, per=IMAGE, folder=True, splits=True, open=("confidence",), before="text",
    look="signs:LOOK", sheets=(".yaml", ".yml"), from_zero=True,
    truth="read:read_truth", detections="read:read_detections",
    write_truth="write:write_truth", write_detections="write:write_detections", edit="read:edited",
    boxes=Boxes("cxcywh", "relative", "normalized centre, width, height"),
    keeps=("empty_images", "folders", "unused_classes", "polygon", "oriented", "keypoints"),
)  # fmt: skip
FORMATS = (YOLO,)
