"""VoTT."""

from __future__ import annotations

from boxscore.formats.record import CSV, FILE, JSON, PARTS, PIXELS, SIDES, Format, Sign
from boxscore.formats.words import SCORE_COLUMNS

_COLUMNS = ("image", "xmin", "ymin", "xmax", "ymax", "label")
VOTT_JSON = Format(
    name="vott-json", title="VoTT JSON", looks="vott-json (a JSON export of VoTT, or a folder of its assets)",
    home=__name__, listed=150, kind=JSON, per=PARTS, folder=None, parts=("-asset.json", ".vott"),
    truth="json:read_truth", write_truth="write:write_json", boxes=SIDES,
    signs=(Sign(("assets", "tags")), Sign(("asset", "regions")), Sign(("frames", "inputTags"))),
    lacks="`assets` and `tags`",
    keeps=("empty_images", "extensions", "folders", "sizes", "unused_classes", "polygon", "last_bits"),
)  # fmt: skip
VOTT_CSV = Format(
    name="vott-csv", title="VoTT CSV", looks="vott-csv (a CSV file with image, xmin, ymin, xmax, ymax, label)",
    home=__name__, listed=160, kind=CSV, per=FILE, before="tf-csv",
    truth="csv:read_truth", detections="csv:read_detections",
    write_truth="write:write_csv", write_detections="write:write_csv", boxes=PIXELS,
    signs=(Sign(columns=_COLUMNS, scores=SCORE_COLUMNS, only=True),), columns=_COLUMNS,
    keeps=("extensions", "folders", "last_bits", "corner_bits"),
)  # fmt: skip
FORMATS = (VOTT_JSON, VOTT_CSV)
