"""TFRecords of the TensorFlow Object Detection API."""

from __future__ import annotations

from boxscore.formats.record import BOTH, PARTS, POSSIBLE, RECORD, TRUTH, Boxes, Format, Sign

TFRECORD = Format(
    name="tfrecord", title="TFRecord", looks="tfrecord (a TFRecord file, or a folder of its shards)",
    home=__name__, listed=200, kind=RECORD, per=PARTS, folder=None,
    truth="read:read_truth", detections="read:read_detections",
    write_truth="write:write_truth", write_detections="write:write_detections",
    boxes=Boxes("xyxy", "relative", "normalized corners"), options=("label_map",),
    signs=(
        Sign(sides=BOTH, reason="the length of its first record and the checksum of that agree"),
        Sign(named=(".record", ".tfrecord", ".tfrecords"), sides=TRUTH, level=POSSIBLE),
    ),
    keeps=(
        "empty_images", "extensions", "folders", "sizes", "class_ids", "areas", "positive", "negative", "rle",
        "crowd", "difficult", "group_of", "occluded", "truncated", "depiction",
    ),
)  # fmt: skip
FORMATS = (TFRECORD,)
