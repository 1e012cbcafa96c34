"""Spatio-temporal tubes: the JSON of the 2021 toolkit."""

from __future__ import annotations

from boxscore.formats.record import DETECTIONS, FILE, JSON, SIDES, Format, Sign

STT = Format(
    name="stt", title="STT", looks="stt (a JSON file with tracks of boxes through videos)",
    home=__name__, listed=170, kind=JSON, per=FILE, before="coco",
    truth="read:read_truth", detections="read:read_detections",
    write_truth="write:write_truth", write_detections="write:write_detections", boxes=SIDES,
    signs=(Sign(("videos", "annotations[].track")), Sign(("[].track[].frame", "[].video_id"), DETECTIONS)),
    lacks="`videos` and annotations with a `track`",
    keeps=(
        "empty_images", "extensions", "folders", "sizes", "frames", "class_ids", "unused_classes", "track",
        "occluded", "outside", "last_bits",
    ),
)  # fmt: skip
FORMATS = (STT,)
