"""Real files with masks: equal to pycocotools run live, to its stored numbers, and to what was logged for them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from boxscore import Result, evaluate

LOGGED = "detectron2_logged_ap"
SETS = {
    "val2014-100": (
        "cocoapi_val2014_100/instances_val2014_100.json",
        "cocoapi_val2014_100/instances_val2014_fakesegm100_results.json",
    ),
    "tumours": (
        f"{LOGGED}/BT_MaskRCNN/valid__annotations.coco.json",
        f"{LOGGED}/BT_MaskRCNN/coco_eval_coco_instances_results.json",
    ),
    "elevator": (
        f"{LOGGED}/Elevator_masks/output_mixed_test_coco_format.json",
        f"{LOGGED}/Elevator_masks/output_coco_instances_results.json",
    ),
}


def scored(data: Path, name: str, protocol: str = "coco-segm") -> Result:
    truth, results = SETS[name]
    return evaluate(data / "data" / truth, data / "data" / results, protocol=protocol)


@pytest.mark.parametrize(("key", "protocol"), [("coco_segm", "coco-segm"), ("boundary_segm", "coco-boundary")])
def test_stored_numbers(data: Path, key: str, protocol: str) -> None:
    stored = json.loads((data / "reference" / "coco100.json").read_text())[key]
    assert list(scored(data, "val2014-100", protocol).metrics.values()) == stored


@pytest.mark.parametrize("name", SETS)
def test_live_pycocotools(data: Path, pycocotools: Any, name: str) -> None:
    truth, results = (json.loads((data / "data" / path).read_text()) for path in SETS[name])
    official = pycocotools(truth, results, "segm")
    result = scored(data, name)
    official.check(result)
    official.check_arrays(result)


def test_logged_scores(data: Path) -> None:
    """detectron2 logs percent: the number times 100, every digit of it."""
    assert scored(data, "tumours")["AP"] * 100 == 46.85001766486616
    assert round(scored(data, "elevator")["AP"] * 100, 4) == 78.3251


def test_masks_and_boxes_together_are_both_alone(data: Path) -> None:
    from boxscore import evaluate_many

    paths = [data / "data" / path for path in SETS["elevator"]]
    together = evaluate_many(*paths, ["coco", "coco-segm", "coco-boundary", "voc-segm"])
    for result in together:
        alone = evaluate(*paths, protocol=result.protocol)
        assert list(result.metrics.items()) == list(alone.metrics.items())
