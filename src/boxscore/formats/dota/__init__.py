"""DOTA: oriented boxes as four corners, label files by image and result files by class."""

from __future__ import annotations

from boxscore.formats.record import IMAGE, TEXT, Boxes, Format

DOTA = Format(
    name="dota", title="DOTA",
    looks="dota (a folder of text files with oriented boxes, labelTxt/P1.txt or Task1_cat.txt)",
    home=__name__, listed=90, kind=TEXT, per=IMAGE, folder=True, before="yolo", look="signs:LOOK",
    truth="labels:read_truth", detections="results:read_detections",
    write_truth="write:write_truth", write_detections="write:write_detections",
    boxes=Boxes("xyxy", "absolute", "x y of four corners in pixels"),
    keeps=("empty_images", "folders", "oriented", "difficult", "last_bits", "corner_bits"),
)  # fmt: skip
FORMATS = (DOTA,)
