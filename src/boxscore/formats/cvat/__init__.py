"""CVAT for images and for video."""

from __future__ import annotations

from boxscore.formats.record import FILE, FLAGS, PIXELS, SHAPES, XML, Format

CVAT = Format(
    name="cvat", title="CVAT for images", looks="cvat (an XML file of CVAT with images)",
    home=__name__, listed=180, kind=XML, per=FILE, look="signs:look", why_not="signs:not_images",
    truth="read:read_truth", detections="read:read_detections",
    write_truth="write:write_truth", write_detections="write:write_detections", boxes=PIXELS,
    keeps=(
        "empty_images", "extensions", "folders", "sizes", "unused_classes", "positive", "attributes", *FLAGS, *SHAPES,
        "last_bits", "corner_bits",
    ),
)  # fmt: skip
CVAT_VIDEO = Format(
    name="cvat-video", title="CVAT for video", looks="cvat-video (an XML file of CVAT with tracks)",
    home=__name__, listed=190, kind=XML, per=FILE, why_not="signs:not_video",
    truth="video:read_truth", detections="video:read_detections",
    write_truth="video_write:write_truth", write_detections="video_write:write_detections", boxes=PIXELS,
    keeps=(
        "empty_images", "sizes", "frames", "unused_classes", "track", "attributes", *FLAGS, *SHAPES, "last_bits",
        "corner_bits",
    ),
)  # fmt: skip
FORMATS = (CVAT, CVAT_VIDEO)
