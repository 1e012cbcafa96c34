"""Datumaro JSON."""

from __future__ import annotations

from boxscore.formats.record import BOTH, FILE, FLAGS, JSON, SIDES, Format, Sign

DATUMARO = Format(
    name="datumaro", title="Datumaro JSON", looks="datumaro (a JSON file with items and categories, of Datumaro)",
    home=__name__, listed=230, kind=JSON, per=FILE,
    truth="read:read_truth", detections="read:read_detections",
    write_truth="write:write", write_detections="write:write", boxes=SIDES,
    signs=(Sign(("items", "categories"), BOTH),),  # one for both sides: files of a set may begin without a score
    lacks="`items` and `categories`",
    keeps=(
        "empty_images", "extensions", "folders", "sizes", "unused_classes", "attributes", "polygon", "pieces", "rle",
        "keypoints", "track", *FLAGS, "outside", "last_bits",
    ),
)  # fmt: skip
FORMATS = (DATUMARO,)
