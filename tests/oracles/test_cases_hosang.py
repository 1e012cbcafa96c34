"""The reference cases of Hosang et al.: average recall of proposals, by class and for all classes as one."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boxscore import Result, evaluate, protocols
from boxscore.metrics import Expression
from boxscore.metrics.proposals import fitting

NAMES = {"AR.Hosang": "ar_closed_form", "AR.Hosang.grid": "ar_grid"}


@pytest.fixture(scope="module", params=(11, 12, 13))
def case(data: Path, request: pytest.FixtureRequest) -> dict[str, Any]:
    path = data / "reference" / "cases" / "hosang_ar" / f"hosang_ar_{request.param}.json"
    made: dict[str, Any] = json.loads(path.read_text())
    return made


def scored(case: dict[str, Any], classes: str) -> Result:
    """By inclusive pixels, which is all that these cases take from a protocol."""
    images = case["input"]["images"]
    sides = [
        {
            "image": [i["id"] for i in images for _ in i[side]],
            "labels": [row["class"] for i in images for row in i[side]],
            "boxes": [row["bbox"] for i in images for row in i[side]],
        }
        for side in ("ground_truth", "proposals")
    ]
    sides[0]["images"] = [i["id"] for i in images]
    sides[1]["scores"] = [row["score"] for i in images for row in i["proposals"]]
    rules = replace(protocols.get("voc2012"), name="proposals", classes=classes)
    return evaluate(*sides, box="xyxy", classes=case["input"]["classes"], protocol=rules)


def check(result: Result, keys: str, row: dict[str, Any]) -> None:
    for name, field in NAMES.items():
        # The original adds up overlaps in the order of images, and the grid point by point.
        assert result[f"{name}[{keys}]" if keys else name] == pytest.approx(row[field], abs=1e-12, rel=0), (name, keys)


def test_classes_and_their_mean(case: dict[str, Any]) -> None:
    result = scored(case, "each")
    for name, row in case["expected"]["per_class"].items():
        check(result, f"class={name}", row)
    check(result, "", case["expected"]["mean_over_classes"])


def test_all_classes_as_one_and_the_best_of_each_image(case: dict[str, Any]) -> None:
    result = scored(case, "agnostic")
    for name, row in case["expected"]["agnostic"].items():
        check(result, "" if name == "all" else f"max={name.removeprefix('top_')}", row)


def test_overlaps(case: dict[str, Any]) -> None:
    numbers = scored(case, "agnostic").numbers
    assert numbers is not None
    _, overlap, objects = fitting(numbers, Expression("AR.Hosang"))
    expected = np.array(case["expected"]["agnostic"]["all"]["best_overlap"])
    assert objects.tolist() == [len(expected)]
    np.testing.assert_array_equal(np.sort(overlap), np.sort(expected[expected >= 0.5]))
