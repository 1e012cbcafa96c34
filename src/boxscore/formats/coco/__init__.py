"""COCO and LVIS."""

from __future__ import annotations

from boxscore.formats.record import BOTH, DETECTIONS, FILE, FLAGS, JSON, LIKELY, POSSIBLE, Boxes, Format, Sign

COCO = Format(
    name="coco", title="COCO", looks="COCO (a JSON file)", home=__name__, listed=10,
    kind=JSON, per=FILE,
    truth="read:truth_of", detections="read:results_of",
    write_truth="write:write_truth", write_detections="write:write_detections",
    boxes=Boxes("xywh", "absolute", "x y width height in pixels", stated=True),
    signs=(
        Sign(("images[].dets",), DETECTIONS),
        Sign(("annotations[].bbox", "annotations[].score"), BOTH),
        Sign(("images[].id", "annotations")),
        Sign(("annotations[].image_id", "annotations[].bbox")),
        Sign(("images[].id",), level=LIKELY),
        Sign(("images", "annotations")),
        Sign(("annotations", "categories"), level=LIKELY),
        Sign(("[].image_id", "[].score"), DETECTIONS),
        Sign(("[].image_id", "[].bbox"), BOTH, LIKELY),
        Sign(named=(".json", ".json.gz"), sides=BOTH, level=POSSIBLE),
    ),
    lacks="`images` and `annotations`, or a list of records with `image_id` and `score`",
    tables=("coco", "lvis", "coco-results"), numbered=("coco-results",),
    tells=("classes", "truth_classes", "image_size"),
    glance="glance:is_coco", fallback="glance:maybe_coco", values="glance:in_memory",
    keeps=(
        "empty_images", "extensions", "folders", "sizes", "image_ids", "frames", "class_ids", "unused_classes",
        "frequency", "object_ids", "areas", "track", "attributes", "polygon", "rle", "keypoints", *FLAGS,
        "outside", "negative", "pieces", "last_bits",
    ),
)  # fmt: skip
FORMATS = (COCO,)
