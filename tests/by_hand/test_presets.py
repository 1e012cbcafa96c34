"""How tools evaluate by default: each preset says in what it is approximate, and does what it says."""

from __future__ import annotations

from typing import Any

import pytest

import boxscore as bs
from boxscore import protocols, rules

PRESETS = ("ultralytics", "torchmetrics", "fiftyone", "detectron2")


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_says_in_what_it_is_approximate(name: str) -> None:
    protocol = protocols.get(name)
    assert any(d.title.startswith("approximate: ") for d in protocol.deviations)
    for d in protocol.deviations:
        assert rules.find(d.code)[0].text == d.text
        assert hasattr(protocol, d.field)


def test_presets_differ_from_all_others() -> None:
    digests = [p.digest() for p in protocols.REGISTRY.values()]
    assert all(digests.count(protocols.get(name).digest()) == 1 for name in PRESETS)


def scored(name: str, boxes: list[list[float]], scores: list[float], truth: list[list[float]], **more: Any) -> float:
    objects = {"image": [1] * len(truth), "boxes": truth, "labels": ["cat"] * len(truth), **more}
    found = {"image": [1] * len(boxes), "boxes": boxes, "labels": ["cat"] * len(boxes), "scores": scores}
    return bs.evaluate(objects, found, box="xyxy", protocol=name)["AP50"]


A, B = [0.0, 0.0, 10.0, 10.0], [100.0, 0.0, 110.0, 10.0]


@pytest.mark.parametrize(
    ("name", "counted"), [("ultralytics", 2), ("torchmetrics", 2), ("fiftyone", 2), ("detectron2", 1)]
)
def test_score_floors(name: str, counted: int) -> None:
    """Of two perfect detections one has a score of 0.01: below the floor of Detectron2 only."""
    levels = {1: 51 / 101, 2: 1.0}
    assert scored(name, [A, B], [0.9, 0.01], [A, B]) == pytest.approx(levels[counted], abs=1e-12)
    assert scored(name, [A, B], [0.9, 0.001], [A, B]) == pytest.approx(
        levels[1 if name in ("ultralytics", "detectron2") else 2], abs=1e-12
    )


def test_ultralytics_has_no_second_choice() -> None:
    """The second detection prefers the first object, which is taken; COCO gives it the other one."""
    near = [3.0, 0.0, 13.0, 10.0]
    found = [A, [1.0, 0.0, 11.0, 10.0]]
    assert scored("ultralytics", found, [0.9, 0.8], [A, near]) == pytest.approx(51 / 101, abs=1e-12)
    assert scored("fiftyone", found, [0.9, 0.8], [A, near]) == pytest.approx(1.0, abs=1e-12)


def test_torchmetrics_numbers_annotations_itself() -> None:
    assert scored("coco", [A], [0.9], [A], id=[0]) == 0.0
    assert scored("torchmetrics", [A], [0.9], [A], id=[0]) == pytest.approx(1.0, abs=1e-12)
