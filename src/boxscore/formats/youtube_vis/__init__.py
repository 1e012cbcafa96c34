"""YouTube-VIS: tracks of masks or boxes through videos, a list with an entry per frame."""

from __future__ import annotations

from boxscore.formats.record import DETECTIONS, FILE, JSON, SIDES, Format, Sign

YOUTUBE_VIS = Format(
    name="youtube-vis", title="YouTube-VIS", looks="youtube-vis (a JSON file with masks or boxes per frame of a video)",
    home=__name__, listed=175, kind=JSON, per=FILE, before="coco",
    truth="read:read_truth", detections="read:read_detections",
    write_truth="write:write_truth", write_detections="write:write_detections", boxes=SIDES,
    signs=(
        Sign(("annotations[].segmentations",)),
        Sign(("annotations[].bboxes",)),
        Sign(("videos[].file_names",)),  # the list of videos may be longer than what is looked at
        Sign(("[].video_id", "[].segmentations"), DETECTIONS),
        Sign(("[].video_id", "[].bboxes"), DETECTIONS),
    ),
    lacks="`videos` and annotations with `segmentations` or `bboxes`",
    keeps=(
        "empty_images", "extensions", "folders", "sizes", "frames", "class_ids", "unused_classes", "track", "areas",
        "polygon", "rle", "pieces", "crowd", "last_bits",
    ),
)  # fmt: skip
FORMATS = (YOUTUBE_VIS,)
