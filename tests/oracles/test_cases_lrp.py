"""The reference cases of LRP-Error, and its numbers on the hundred images of the COCO API: every one, difference 0."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from boxscore import evaluate

NAMES = {"oLRP": "oLRP", "Loc": "oLRP.Loc", "FP": "oLRP.FP", "FN": "oLRP.FN", "threshold": "oLRP.score"}


def same(value: float, expected: float | None) -> bool:
    """Equal, where undefined is null in the file."""
    return math.isnan(value) if expected is None else value == expected


@pytest.mark.parametrize(("kind", "protocol"), [("bbox", "coco"), ("segm", "coco-segm")])
@pytest.mark.parametrize("seed", [11, 12, 13])
def test_every_class_and_size(data: Path, seed: int, tmp_path: Path, kind: str, protocol: str) -> None:
    case = json.loads((data / "reference" / "cases" / "lrp" / f"lrp_{seed}_{kind}.json").read_text())
    paths = tmp_path / "truth.json", tmp_path / "results.json"
    for side, path in zip(("ground_truth", "results"), paths, strict=True):
        path.write_text(json.dumps(case["input"][side]))
    result, expected = evaluate(*paths, protocol=protocol), case["expected"]
    names = {str(c["id"]): c["name"] for c in case["input"]["ground_truth"]["categories"]}
    for key, by_size in expected["per_class"].items():
        for area, row in by_size.items():
            for field, value in row.items():
                text = f"{NAMES[field]}[area={area},class={names[key]}]"
                assert same(result[text], value), text
    for area, row in expected["mean"].items():
        for field, value in row.items():
            assert same(result[f"{NAMES[field]}[area={area}]"], value), (area, field)
    for field, value in expected["stats_reported"].items():
        assert same(result[NAMES[field]], value), field


def test_a_hundred_images(data: Path) -> None:
    stored: dict[str, Any] = json.loads((data / "reference" / "coco100.json").read_text())
    result = evaluate(data / stored["data"]["gt"], data / stored["data"]["bbox"], protocol="coco")
    for field, name in (("oLRP", "oLRP"), ("oLRP_loc", "oLRP.Loc"), ("oLRP_fp", "oLRP.FP"), ("oLRP_fn", "oLRP.FN")):
        assert result[name] == stored["lrp_bbox"][field], name
    best = stored["best_f1_micro_iou50"]
    for name, field in (("", "f1"), (".score", "score"), (".precision", "precision"), (".recall", "recall")):
        assert result[f"F1max{name}"] == best[field], field
    assert result["TP"] + result["FN"] == best["n_gt"]
    assert result["TP"] + result["FP"] == best["n_det"]


def test_masks_of_a_hundred_images(data: Path) -> None:
    stored: dict[str, Any] = json.loads((data / "reference" / "coco100.json").read_text())
    result = evaluate(data / stored["data"]["gt"], data / stored["data"]["segm"], protocol="coco-segm")
    for field, name in (("oLRP", "oLRP"), ("oLRP_loc", "oLRP.Loc"), ("oLRP_fp", "oLRP.FP"), ("oLRP_fn", "oLRP.FN")):
        assert result[name] == stored["lrp_segm"][field], name
