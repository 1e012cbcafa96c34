"""Overlaps and size ranges that cannot be had from these tables, or from these rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from boxscore import evaluate, protocols
from small_coco import RESULTS, TRUTH

SQUARE = {"segmentation": [[1, 1, 6, 1, 6, 6]]}
SIZED = [{**image, "width": 10, "height": 10} for image in TRUTH["images"]]
BOXES = "Evaluate boxes instead (--protocol coco), or leave these rows out of the file"
MASKS = "Evaluate boxes instead (--protocol coco), or pass files whose records have masks or polygons."
RANGES = "coco[area_unit=image]"
SIZES = (
    "expected the size of every image with objects (area_unit=image)\n"
    "  Pass --images FOLDER, --sizes FILE or --image-size WIDTH,HEIGHT (images=, sizes=, image_size= in Python)."
)


def masked(objects: int, found: int, protocol: str = "coco-segm") -> Any:
    """The first few objects and detections have a mask."""
    rows = [{**row, **(SQUARE if i < objects else {})} for i, row in enumerate(TRUTH["annotations"])]
    results = [{**row, **(SQUARE if i < found else {})} for i, row in enumerate(RESULTS)]
    return evaluate({**TRUTH, "images": SIZED, "annotations": rows}, results, protocol=protocol)


def ranged(images: Any) -> Any:
    """Sizes relative to images of which not all are known."""
    rows = [{**row, "image_id": 1 + k % 2} for k, row in enumerate(TRUTH["annotations"])]
    return evaluate({**TRUTH, "images": images, "annotations": rows}, RESULTS, protocol=RANGES)


CASES: list[tuple[str, Callable[..., Any]]] = [
    (f"truth: no masks; expected masks, for overlap=mask\n  {MASKS}", lambda: masked(0, 2)),
    (f"detections: no masks; expected masks, for overlap=boundary\n  {MASKS}", lambda: masked(5, 0, "coco-boundary")),
    (
        "truth: 2 of 5 objects without a mask (id 4 in image a.jpg, id 5 in image a.jpg); expected masks or polygons, "
        f"which overlap=mask needs\n  {BOXES}; --set maskless_objects=dropped leaves such objects out, --set "
        "maskless_objects=boxes compares them by their boxes and ignores the detections that match them.",
        lambda: masked(3, 2),
    ),
    (
        "detections: 1 of 2 detections without a mask (row 2 in image a.jpg); expected masks or polygons, which "
        f"overlap=mask needs\n  {BOXES}.",
        lambda: masked(5, 1),
    ),
    (
        "iou_margin=10 with overlap=mask; expected an overlap of boxes",
        lambda: masked(5, 2, "coco-segm[iou_margin=10]"),
    ),
    (
        "boundary_width=2.0; expected a fraction of the image diagonal, above 0 and below 1",
        lambda: protocols.get("coco-boundary[boundary_width=2]"),
    ),
    (f"truth: 2 images have no width and height; {SIZES}", lambda: ranged(TRUTH["images"])),
    (f"truth: 1 image has no width and height; {SIZES}", lambda: ranged([SIZED[0], TRUTH["images"][1]])),
]
