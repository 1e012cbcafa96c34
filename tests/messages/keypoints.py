"""Keypoints that do not fit, and polygons that are none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from boxscore import evaluate
from boxscore.formats.io.writing import write
from boxscore.joining.read import ReadOptions, read_truth
from small_coco import RESULTS, TRUTH

POINTS = [[[1, 1, 2], [2, 2, 2]]]


def posed(points: Any) -> dict[str, Any]:
    return {"image": ["a"], "boxes": [[0, 0, 5, 5]], "labels": ["p"], "keypoints": points}


def compared(ours: Any, theirs: Any) -> Any:
    return evaluate(posed(ours), {**posed(theirs), "scores": [0.5]}, protocol="coco-keypoints", box="xyxy")


def written(*counts: int) -> Any:
    """Objects with so many points, as YOLO would have to hold them."""
    rows = [
        {"id": k, "image_id": 1, "category_id": 1, "bbox": [1, 1, 9, 9], "keypoints": [1, 1, 2] * n}
        for k, n in enumerate(counts, 1)
    ]
    truth = {**TRUTH, "images": [{"id": 1, "width": 10, "height": 10}], "annotations": rows}
    return write(read_truth(truth, ReadOptions(shapes=True))[0], "out", "yolo")


def drawn(polygon: list[float]) -> Any:
    rows = [{**row, "segmentation": [polygon]} for row in TRUTH["annotations"]]
    found = [{**row, "segmentation": [[0, 0, 5, 0, 5, 5]]} for row in RESULTS]
    return evaluate({**TRUTH, "annotations": rows}, found, protocol="coco-segm")


CASES: list[tuple[str, Callable[..., Any]]] = [
    (
        "truth: keypoints: an array of shape (1, 3); expected rows, points, and 2 or 3 values",
        lambda: compared([[1, 1, 2]], POINTS),
    ),
    ("truth: keypoints: 2 rows; expected one per box (1)", lambda: compared(POINTS * 2, POINTS)),
    (
        "truth: keypoints: an array of shape (1, 2, 1); expected (boxes, points, 2 or 3): x, y and perhaps visibility",
        lambda: compared([[[1], [2]]], POINTS),
    ),
    (
        "detections: detection 1 (image a): 3 keypoints; expected 2 keypoints of 'p', as the truth has",
        lambda: compared(POINTS, [[[1, 1, 2]] * 3]),
    ),
    (
        "truth: rows with 2 and 3 keypoints; expected the same number in all rows\n"
        "  Write boxes alone (--write-rows box).",
        lambda: written(2, 3),
    ),
    (
        "truth: 5 polygons of one or two points (in a.jpg); expected polygons of at least three points\n"
        "  Or evaluate boxes: --protocol coco.",
        lambda: drawn([0, 0, 5, 5]),
    ),
]
