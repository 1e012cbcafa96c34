"""Keypoints and their sigmas that do not fit, and polygons that are none."""

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


def armed(protocol: str = "coco-keypoints", sigmas: list[float] | None = None, tips: int = 0) -> Any:
    """Arms with two keypoints, of these sigmas, and tips with so many."""
    first, *rest = TRUTH["annotations"][:2]
    arm = {"id": 1, "name": "arm", **({} if sigmas is None else {"sigmas": sigmas})}
    tip = {"id": 2, "name": "tip", "sigmas": [1.0] * tips}
    poses = [{**first, "keypoints": [1, 1, 2] * 2}]
    poses += [{**row, "category_id": 2, "keypoints": [1, 1, 2] * tips} for row in rest[: 1 if tips else 0]]
    found = [{"image_id": 1, "category_id": p["category_id"], "keypoints": p["keypoints"], "score": 0.5} for p in poses]
    return evaluate({**TRUTH, "categories": [arm, tip], "annotations": poses}, found, protocol=protocol)


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
        "detections: detection 1 (image a): 3 keypoints; expected 2 keypoints for 'p', as in the ground truth",
        lambda: compared(POINTS, [[[1, 1, 2]] * 3]),
    ),
    (
        "truth: 'arm' has 2 keypoints and no sigmas; expected a sigma for each of the 2 keypoints of 'arm'\n"
        "  Pass 2 values: --set sigmas=0.05,… (variant(protocol, sigmas=…) in Python), or add `sigmas` to the "
        "category.",
        lambda: armed(),
    ),
    (
        "truth: 1 sigma for 'arm', whose objects have 2 keypoints; expected a sigma for each of the 2 keypoints of "
        "'arm'",
        lambda: armed(sigmas=[0.1]),
    ),
    ("truth: the sigma 0 for 'arm'; expected numbers above 0", lambda: armed(sigmas=[0.1, 0])),
    (
        "sigmas has 1 value; expected 2, one for each keypoint of 'arm'",
        lambda: armed("coco-keypoints[sigmas=0.1]"),
    ),
    (
        "sigmas has 2 values; expected 5, those of arm, tip in this order (2, 3 keypoints)",
        lambda: armed("coco-keypoints[sigmas=0.1,0.1]", tips=3),
    ),
    (
        "5 sigmas for classes with 2, 3 keypoints that are evaluated as one; expected classes evaluated one by one "
        "(classes=each)",
        lambda: armed("coco-keypoints[classes=agnostic]", [0.1, 0.1], tips=3),
    ),
    ("sigmas=0.1,0.0; expected numbers above 0", lambda: armed("coco-keypoints[sigmas=0.1,0]")),
    (
        "truth: rows with 2 and 3 keypoints; expected the same number in all rows\n"
        "  Write boxes alone (--write-rows box).",
        lambda: written(2, 3),
    ),
    (
        "truth: 5 polygons with fewer than three points (in a.jpg); expected at least three points per polygon\n"
        "  Or evaluate boxes instead: --protocol coco.",
        lambda: drawn([0, 0, 5, 5]),
    ),
]
