"""KITTI."""

from __future__ import annotations

from boxscore.formats.record import IMAGE, PIXELS, TEXT, Format

KITTI = Format(
    name="kitti", title="KITTI", looks="kitti (text files of KITTI: label_2 per image, label_02 per sequence, results)",
    home=__name__, listed=260, kind=TEXT, per=IMAGE, folder=None, before="dota", look="signs:LOOK",
    truth="read:read_truth", detections="read:read_detections",
    write_truth="write:write", write_detections="write:write", boxes=PIXELS,
    keeps=("empty_images", "folders", "frames", "track", "truncated", "occluded", "last_bits", "corner_bits"),
)  # fmt: skip
FORMATS = (KITTI,)
