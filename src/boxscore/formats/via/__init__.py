"""VGG Image Annotator."""

from __future__ import annotations

from boxscore.formats.record import BOTH, CSV, FILE, FLAGS, JSON, SIDES, Format, Sign

_KEEPS = (
    "empty_images", "extensions", "folders", "sizes", "attributes", "polygon", "other_shapes", *FLAGS, "outside",
    "last_bits",
)  # fmt: skip
VIA_JSON = Format(
    name="via-json", title="VIA JSON", looks="via-json (a JSON file with regions, of VGG Image Annotator)",
    home=__name__, listed=130, kind=JSON, per=FILE,
    truth="json:read_truth", detections="json:read_detections",
    write_truth="write:write_json", write_detections="write:write_json", boxes=SIDES, keeps=_KEEPS,
    signs=(
        Sign(("*.regions[].region_attributes.score", "*.filename"), BOTH),
        Sign(("_via_img_metadata",)),
        Sign(("*.regions", "*.filename")),
    ),
    lacks="records with `filename` and `regions`",
)  # fmt: skip
VIA_CSV = Format(
    name="via-csv", title="VIA CSV", looks="via-csv (a CSV file with region_shape_attributes, of VGG Image Annotator)",
    home=__name__, listed=140, kind=CSV, per=FILE,
    truth="csv:read_truth", detections="csv:read_detections",
    write_truth="write:write_csv", write_detections="write:write_csv", boxes=SIDES, keeps=_KEEPS,
    signs=(Sign(columns=("region_shape_attributes",)),), columns=("filename", "region_shape_attributes"),
)  # fmt: skip
FORMATS = (VIA_JSON, VIA_CSV)
