"""Results to report on, made from arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import boxscore as bs
from boxscore import Result, overlaps


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
        if overlaps.needed([bs.protocols.get(protocol)]):
            for side in (truth, found):
                side |= _shapes(side["boxes"])
            more["image_size"] = (200, 200)
        return bs.evaluate(truth, found, box="xywh", classes=names, protocol=protocol, **more)

    return make


def _shapes(boxes: list[list[float]]) -> dict[str, Any]:
    """The boxes as masks, or oriented boxes, as both have four corners; with 17 points along a diagonal."""
    corners = [[x, y, x + w, y, x + w, y + h, x, y + h] for x, y, w, h in boxes]
    points = [[[x + w * k / 16, y + h * k / 16, 2] for k in range(17)] for x, y, w, h in boxes]
    return {"masks": corners, "keypoints": points}


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
