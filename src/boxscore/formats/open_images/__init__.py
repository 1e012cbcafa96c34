"""Open Images."""

from __future__ import annotations

from boxscore.formats.record import BOTH, CSV, DETECTIONS, FILE, POSSIBLE, Boxes, Format, Sign
from boxscore.formats.words import SCORE_COLUMNS

OPEN_IMAGES = Format(
    name="open-images", title="Open Images", looks="open-images (a CSV file with ImageID and LabelName)",
    home=__name__, listed=40, kind=CSV, per=FILE, folder=None,
    truth="read:read_truth", detections="read:read_detections",
    write_truth="write:write_truth", write_detections="write:write_detections",
    boxes=Boxes("xyxy", "", "normalized corners"),
    options=("image_labels", "masks", "hierarchy", "label_map"),
    signs=(
        Sign(columns=("MaskPath",), scores=("score",), reason="its header has masks"),
        Sign(columns=("ImageID", "Mask"), scores=("score",), reason="its header has masks"),
        Sign(columns=("PredictionString",), sides=DETECTIONS),
        Sign(named=(".csv", ".csv.gz"), sides=BOTH, level=POSSIBLE),
    ),
    look="signs:look", columns=("ImageID", "LabelName", "XMin"),
    keeps=("extensions", "folders", "occluded", "truncated", "group_of", "depiction", "inside"),
)  # fmt: skip
VRD = Format(
    name="open-images-vrd", title="Open Images relationships",
    looks="open-images-vrd (a CSV file with ImageID, LabelName1, LabelName2, RelationshipLabel)",
    home=__name__, listed=41, kind=CSV, per=FILE, folder=None, before="open-images",
    truth="relations:read_truth", detections="relations:read_detections",
    write_truth="relations_write:write_truth", write_detections="relations_write:write_detections",
    boxes=Boxes("xyxy", "", "normalized corners of two boxes"),
    options=("image_labels", "label_map"),
    signs=(Sign(columns=("LabelName1",), scores=SCORE_COLUMNS),), columns=("ImageID", "LabelName1", "LabelName2"),
    keeps=("extensions", "folders", "relations"),
)  # fmt: skip
FORMATS = (OPEN_IMAGES, VRD)
