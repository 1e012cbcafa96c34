"""Gaps between two protocols that cannot be explained."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import boxscore as bs

TRUTH = {"image": [1, 1], "boxes": [[0, 0, 10, 10], [50, 0, 60, 10]], "labels": ["cat", "cat"]}
FOUND = {"image": [1], "boxes": [[0, 0, 10, 8]], "labels": ["cat"], "scores": [0.9]}


def explained(from_: Any, to: Any, **columns: Any) -> Any:
    return bs.explain({**TRUTH, **columns}, FOUND, from_, to, box="xyxy")


CASES: list[tuple[str, Callable[..., Any]]] = [
    (
        "AP of coco and top1_error of imagenet-loc measure different things (AP and LocError); expected protocols "
        "whose first metric is the same",
        lambda: explained("coco", "imagenet-loc"),
    ),
    (
        "AP of coco is undefined (no objects), so there is no gap to explain",
        lambda: explained("coco", "voc2012", crowd=[1, 1]),
    ),
    (
        "AP of coco[max_detections=1,10,300] is undefined (a limit of 100 is not among max_detections (1, 10, 300); "
        "`coco-fixed` takes the largest), so there is no gap to explain",
        lambda: explained("coco[max_detections=1,10,300]", "coco"),
    ),
    (
        "no object is left to find with only difficult changed, so the gap cannot be explained rule by rule",
        lambda: explained("voc2012[crowd=ignored,difficult=ordinary]", "voc2012", crowd=[1, 0], difficult=[0, 1]),
    ),
    ("explain: to=5; expected the name of a protocol or a Protocol", lambda: explained("coco", 5)),
]
