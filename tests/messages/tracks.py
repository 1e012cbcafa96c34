"""Tracks that cannot be had from these tables, and tubes that official codes stop at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from boxscore import evaluate
from boxscore.tables.model import Classes, Detections, Images, Truth

FRAMES = Images(["v#1", "v#2"], video=["v", "v"], frame=np.array([1, 2]))
ELSEWHERE = Images(["v#1", "w#1"], video=["v", "w"], frame=np.array([1, 1]))
BOXES = "Evaluate frame by frame instead (--protocol coco), or pass files whose boxes have track ids."
SHARED = "Do two objects share a track id?"


def tables(
    image: list[int], track: list[int] | None, label: list[int] | None = None, images: Images = FRAMES,
    found_images: Images | None = None, found_label: int = 0,
) -> tuple[Truth, Detections]:  # fmt: skip
    """Objects with these columns, and two detections that are a track in two images."""

    def rows(n: int) -> dict[str, Any]:
        corners = np.tile([0.0, 0, 4, 4], (n, 1))
        return {"corners": corners, "box_area": np.full(n, 16.0), "position": np.arange(n)}

    n, classes = len(image), Classes(("cat", "dog"), (1, 2))
    truth = Truth(
        images, classes, np.array(image, np.int32), np.array(label or [0] * n, np.int32), **rows(n),
        track=None if track is None else np.array(track), area=np.full(n, np.nan), flags=np.zeros(n, np.uint16),
    )  # fmt: skip
    detections = Detections(
        found_images or images, classes, np.array([0, 1], np.int32), np.full(2, found_label, np.int32), **rows(2),
        track=np.array([3, 3]), score=np.array([0.5, 0.7]),
    )  # fmt: skip
    return truth, detections


def scored(*sides: Any, protocol: str = "stt-ap") -> Any:
    """Tracks evaluated."""
    return evaluate(*sides, protocol=protocol)


CASES: list[tuple[str, Callable[[], Any]]] = [
    (
        "truth: images that are not frames of videos; expected frames of videos with track ids, for overlap=tube\n"
        f"  {BOXES}",
        lambda: scored(*tables([0, 1], [1, 1], images=Images(["a", "b"]))),
    ),
    (f"truth: no track ids; expected track ids, for overlap=tube\n  {BOXES}", lambda: scored(*tables([0, 1], None))),
    (
        f"truth: track 1 of video 'v' has two boxes in frame 2; expected one box per frame of a track\n  {SHARED}",
        lambda: scored(*tables([1, 1], [1, 1])),
    ),
    (
        f"truth: track 1 of video 'v' has boxes of two classes, cat and dog; expected one class per track\n  {SHARED}",
        lambda: scored(*tables([0, 1], [1, 1], [0, 1])),
    ),
    (
        "class dog has detections but no objects: the official code divides by zero",
        lambda: scored(*tables([0, 1], [1, 1], found_label=1), protocol="stt-ap-toolkit")["AP"],
    ),
    (
        "1 detection on images that the ground truth does not list: the official code stops there",
        lambda: scored(*tables([0, 1], [1, 1], found_images=ELSEWHERE), protocol="stt-ap-toolkit")["AP"],
    ),
]
