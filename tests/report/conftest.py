"""Results to report on, made from arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import boxscore as bs
from boxscore import Result, overlaps
from boxscore.tables.box_forms import to_corners
from boxscore.tables.model import Classes, Detections, Flag, Images, Truth
from boxscore.tables.shapes import Shape, Shapes, ShapesMaker


@pytest.fixture
def result() -> Callable[..., Result]:
    """A result of any protocol: a cat found, one missed, a crowd of dogs, a horse that is not there."""

    def make(protocol: Any = "coco", names: tuple[str, str, str] = ("cat", "dog", "horse"), **more: Any) -> Result:
        truth = {
            "image": [1, 2, 2],
            "images": [1, 2, 3],
            "labels": [0, 0, 1],
            "boxes": [[0, 0, 100, 100], [0, 0, 50, 50], [10, 10, 40, 40]],
            "crowd": [0, 0, 1],
        }
        found = {
            "image": [1, 2, 1],
            "labels": [0, 0, 2],
            "boxes": [[0, 0, 90, 100], [70, 70, 20, 20], [0, 0, 30, 40]],
            "scores": [0.9, 0.5, 0.1],
        }
        needed = overlaps.needed([bs.protocols.get(protocol)])
        if {"tubes", "end_boxes"} & {*needed}:
            return bs.evaluate(*_tables(truth, found, names, "tubes" in needed), protocol=protocol, **more)
        if needed:
            for side in (truth, found):
                side |= _shapes(side["boxes"])
            more["image_size"] = (200, 200)
        return bs.evaluate(truth, found, box="xywh", classes=names, protocol=protocol, **more)

    return make


def _tables(truth: Any, found: Any, names: tuple[str, ...], tracks: bool) -> tuple[Truth, Detections]:
    """The boxes, and their masks, as tracks of one frame in a video, or as relations of each box with itself."""
    videos = {"video": ["a.mp4", "b.mp4", "c.mp4"], "frame": np.zeros(3, np.int64)}
    images = Images(
        ["1", "2", "3"], np.arange(1, 4), np.full(3, 200.0), np.full(3, 200.0), **(videos if tracks else {})
    )
    classes = Classes(names, names)

    def columns(side: Any) -> dict[str, Any]:
        corners, area = to_corners(np.array(side["boxes"], np.float64), "xywh")
        label, rows = np.array(side["labels"], np.int32), np.arange(len(corners))
        ends = {"end_boxes": np.hstack([corners] * 2), "end_labels": np.stack([label] * 2, 1), "end_classes": classes}
        return {
            "images": images, "classes": classes, "image": np.array(side["image"], np.int32) - 1, "label": label,
            "corners": corners, "box_area": area, "position": rows, "format": "arrays",
            **({"track": rows, "shapes": _polygons(side["boxes"])} if tracks else ends),
        }  # fmt: skip

    flags = np.array(truth["crowd"], np.uint16) * int(Flag.CROWD)
    return (
        Truth(**columns(truth), source="truth", area=np.full(len(flags), np.nan), flags=flags.astype(np.uint16)),
        Detections(**columns(found), source="detections", score=np.array(found["scores"])),
    )


def _shapes(boxes: list[list[float]]) -> dict[str, Any]:
    """The boxes as masks, or oriented boxes, as both have four corners; with 17 points along a diagonal."""
    corners = [[x, y, x + w, y, x + w, y + h, x, y + h] for x, y, w, h in boxes]
    points = [[[x + w * k / 16, y + h * k / 16, 2] for k in range(17)] for x, y, w, h in boxes]
    return {"masks": corners, "keypoints": points}


def _polygons(boxes: list[list[float]]) -> Shapes | None:
    """The boxes as masks of a table."""
    made = ShapesMaker()
    for row, corners in enumerate(_shapes(boxes)["masks"]):
        made.add(row, Shape.POLYGON, corners)
    return made.shapes(len(boxes))


@pytest.fixture
def many() -> Callable[..., Result]:
    """A result with so many classes; class k has k objects of which one is found, every tenth has none."""

    def make(classes: int, protocol: str = "voc2012") -> Result:
        rows = [(k, i) for k in range(classes) for i in range(0 if k % 10 == 9 else k + 1)]
        truth = {
            "image": [i for _, i in rows],
            "images": list(range(classes)),
            "labels": [k for k, _ in rows],
            "boxes": [[0, 0, 10, 10]] * len(rows),
        }
        kept = [k for k in range(classes) if k % 10 != 9]
        found = {
            "image": [0] * len(kept),
            "labels": kept,
            "boxes": [[0, 0, 10, 10]] * len(kept),
            "scores": [0.5] * len(kept),
        }
        names = [f"class {k}" for k in range(classes)]
        return bs.evaluate(truth, found, box="xywh", classes=names, protocol=protocol)

    return make
