"""LabelMe."""

from __future__ import annotations

from boxscore.formats.record import BOTH, FLAGS, IMAGE, JSON, LIKELY, PIXELS, Format, Sign

LABELME = Format(
    name="labelme", title="LabelMe", looks="labelme (JSON files with shapes, one per image)",
    home=__name__, listed=120, kind=JSON, per=IMAGE, folder=None,
    truth="read:read_truth", detections="read:read_detections",
    write_truth="write:write_truth", write_detections="write:write_detections", boxes=PIXELS,
    signs=(
        Sign(("shapes[].score", "imagePath"), BOTH),
        Sign(("shapes", "imagePath")),
        Sign(("shapes", "imageHeight")),
        Sign(("shapes[].points", "shapes[].label"), level=LIKELY),
    ),
    lacks="`shapes` and `imagePath`",
    keeps=(
        "empty_images", "extensions", "folders", "sizes", "attributes", "polygon", "pieces", "rle", "oriented",
        "other_shapes", *FLAGS, "outside", "last_bits", "corner_bits",
    ),
)  # fmt: skip
FORMATS = (LABELME,)
