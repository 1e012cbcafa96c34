"""The reference cases of the PASCAL VOC kit and of the 2021 toolkit: every stored AP and count."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from boxscore import Result, evaluate, protocols

SEEDS = (11, 12, 13)
IOUS = (0.3, 0.5, 0.75)


def load(data: Path, family: str, seed: int) -> dict[str, Any]:
    path = data / "reference" / "cases" / family / f"{family}_{seed}.json"
    made: dict[str, Any] = json.loads(path.read_text())
    return made


def same(value: float, expected: float | None) -> bool:
    """Equal, where undefined is null in the file."""
    return math.isnan(value) if expected is None else value == expected


def close(value: float, expected: float | None) -> bool:
    return math.isnan(value) if expected is None else value == pytest.approx(expected, abs=1e-12, rel=0)


def voc(case: dict[str, Any], protocol: str) -> Result:
    listed = case["input"]["classes"]
    objects = [(i["name"], o) for i in case["input"]["images"] for o in i["objects"] if o["class"] in listed]
    found = case["input"]["detections"]
    truth = {
        "images": [i["name"] for i in case["input"]["images"]],
        "image": [name for name, _ in objects],
        "labels": [o["class"] for _, o in objects],
        "boxes": [o["bbox"] for _, o in objects],
        "difficult": [o["difficult"] for _, o in objects],
    }
    return evaluate(
        truth, columns(found), box="xyxy", classes=listed, protocol=replace(protocols.get(protocol), iou=IOUS[1:])
    )


def columns(found: list[dict[str, Any]]) -> dict[str, Any]:
    names = {"image": "image", "labels": "class", "boxes": "bbox", "scores": "score"}
    return {column: [d[key] for d in found] for column, key in names.items()}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("protocol", "field"), [("voc2007", "ap_11"), ("voc2012", "ap_all_points"), ("voc11-exact", "ap_11_exact_grid")]
)
def test_voc_kit(data: Path, seed: int, protocol: str, field: str) -> None:
    case = load(data, "voc", seed)
    result = voc(case, protocol)
    for iou in IOUS[1:]:
        expected = case["expected"][f"iou_{iou}"]
        for name in case["input"]["classes"]:
            row = expected[name]
            keys = f"iou={iou},class={name}"
            if protocol == "voc11-exact":  # not the kit's: a brute force that adds the levels in another order
                assert close(result[f"AP[{keys}]"], row[field]), (name, iou)
            else:
                assert same(result[f"AP[{keys}]"], row[field]), (name, iou)
            assert (result[f"TP[{keys}]"], result[f"FP[{keys}]"]) == (row["tp"], row["fp"])
            assert result[f"TP[{keys}]"] + result[f"FN[{keys}]"] == row["n_positive"]
        if field in expected["_mean"]:
            assert same(result[f"mAP[iou={iou}]"], expected["_mean"][field])


def toolkit(case: dict[str, Any], order: Iterable[str], protocol: Any) -> Result:
    """The last bit of a mean depends on the order of classes; `order` is that of the toolkit."""
    classes = list(dict.fromkeys([*order, *(d["class"] for d in case["input"]["detections"])]))
    truth = {
        "images": case["input"]["images"],
        "image": [o["image"] for o in case["input"]["ground_truth"]],
        "labels": [o["class"] for o in case["input"]["ground_truth"]],
        "boxes": [o["bbox"] for o in case["input"]["ground_truth"]],
    }
    return evaluate(truth, columns(case["input"]["detections"]), box="xywh", classes=classes, protocol=protocol)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("protocol", "field"), [("toolkit-voc", "ap_all_points"), ("toolkit-voc11", "ap_11")])
def test_toolkit_voc(data: Path, seed: int, protocol: str, field: str) -> None:
    case = load(data, "toolkit_voc", seed)
    result = toolkit(case, case["expected"]["iou_0.5"]["per_class"], replace(protocols.get(protocol), iou=IOUS))
    for iou in IOUS:
        expected = case["expected"][f"iou_{iou}"]
        assert same(result[f"mAP[iou={iou}]"], expected[f"mean_{field}"])
        assert {c.name for c in result.per_class if c.objects} == set(expected["per_class"])
        for name, row in expected["per_class"].items():
            keys = f"iou={iou},class={name}"
            assert same(result[f"AP[{keys}]"], row[field]), (name, iou)
            assert (result[f"TP[{keys}]"], result[f"FP[{keys}]"]) == (row["tp"], row["fp"])
            assert result[f"TP[{keys}]"] + result[f"FN[{keys}]"] == row["n_positive"]


@pytest.mark.parametrize("seed", SEEDS)
def test_toolkit_coco(data: Path, seed: int) -> None:
    case = load(data, "toolkit_coco", seed)
    result = toolkit(case, case["expected"]["per_class"]["iou_0.5"], "toolkit-coco")
    for name, value in case["expected"]["summary"].items():
        short = name.replace("small", "s").replace("medium", "m").replace("large", "l")
        assert same(result[short], value), name
    for iou in IOUS[1:]:
        for name, row in case["expected"]["per_class"][f"iou_{iou}"].items():
            keys = f"iou={iou},class={name}"
            assert same(result[f"AP[{keys}]"], row["ap"]), (name, iou)
            if row["n_positive"] is None:  # only detections have this class
                continue
            assert (result[f"TP[{keys}]"], result[f"FP[{keys}]"]) == (row["tp"], row["fp"])
            assert result[f"TP[{keys}]"] + result[f"FN[{keys}]"] == row["n_positive"]
