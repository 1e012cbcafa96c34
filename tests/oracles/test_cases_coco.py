"""The reference cases of COCO: every stored number of the official codes, and the digests of their arrays."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boxscore import Detections, Result, Truth, evaluate, protocols
from boxscore.joining.align import align
from boxscore.joining.read import read_detections, read_truth
from boxscore.tables.model import Classes, select
from digests import digest

FAMILIES = {"coco_bbox": "coco", "coco_segm": "coco-segm", "boundary": "coco-boundary"}
CASES = [(family, seed) for family in FAMILIES for seed in (11, 12, 13)]
STATS = {
    "AP": "AP", "AP50": "AP50", "AP75": "AP75", "AP_small": "APs", "AP_medium": "APm", "AP_large": "APl",
    "AR_1": "AR1", "AR_10": "AR10", "AR_100": "AR100", "AR_small": "ARs", "AR_medium": "ARm", "AR_large": "ARl",
}  # fmt: skip


@pytest.fixture(scope="module", params=CASES, ids=str)
def case(data: Path, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A case, and its input as two files."""
    family, seed = request.param
    path = data / "reference" / "cases" / family / f"{family}_{seed}.json"
    made: dict[str, Any] = json.loads(path.read_text())
    made["protocol"] = FAMILIES[family]
    folder = tmp_path_factory.mktemp("case")
    made["paths"] = (folder / "truth.json", folder / "results.json")
    for side, file in zip(("ground_truth", "results"), made["paths"], strict=True):
        file.write_text(json.dumps(made["input"][side]))
    return made


def official(values: dict[str, float]) -> dict[str, float]:
    return {name: -1.0 if np.isnan(v) else v for name, v in values.items()}


def stored(case: dict[str, Any], name: str) -> dict[str, float]:
    return {STATS[k]: v for k, v in case["expected"][name].items()}


def test_twelve_numbers_and_classes(case: dict[str, Any]) -> None:
    result = evaluate(*case["paths"], protocol=case["protocol"])
    assert official(result.metrics) == stored(case, "stats")
    made = {str(c.id): official(c.metrics) for c in result.per_class}
    expected = {
        k: {"AR100" if m == "AR" else m: v for m, v in row.items()} for k, row in case["expected"]["per_class"].items()
    }
    assert made == expected


def test_arrays(case: dict[str, Any], arrays_of: Callable[[Result], dict[str, np.ndarray]]) -> None:
    arrays = arrays_of(evaluate(*case["paths"], protocol=case["protocol"]))
    np.testing.assert_array_equal(arrays["recall"], np.array(case["expected"]["recall"]))
    for name in ("precision", "scores"):
        made, expected = digest(arrays[name]), case["expected"][f"{name}_digest"]
        for key in ("sum", "sum_sq", "weighted_sum"):
            # The sums of the file were made by another order of addition; the hash below compares entry by entry.
            assert made.pop(key) == pytest.approx(expected.pop(key), rel=1e-12)
        assert made == expected


def agnostic(truth: Truth, detections: Detections) -> tuple[Truth, Detections]:
    """All classes as one. With useCats=0 pycocotools takes the rows of an image class by class, by ascending id."""
    one = Classes(("object",), (1,))

    def merged(table: Any) -> Any:
        rows = np.argsort(table.label, kind="stable")
        ordered = select(table, rows[table.label[rows] >= 0])
        n = len(ordered)
        return replace(ordered, classes=one, label=np.zeros(n, np.int32), position=np.arange(n, dtype=np.int64))

    return merged(truth), merged(detections)


def test_all_classes_as_one(case: dict[str, Any]) -> None:
    if "stats_class_agnostic" not in case["expected"]:
        assert case["protocol"] != "coco"
        return
    truth, _ = read_truth(case["paths"][0])
    aligned = align(truth, read_detections(case["paths"][1], truth=truth)[0])
    result = evaluate(*agnostic(aligned.truth, aligned.detections), protocol="coco")
    assert official(result.metrics) == stored(case, "stats_class_agnostic")


def test_without_the_defect_of_id_zero(case: dict[str, Any]) -> None:
    if "stats_id_shifted" not in case["expected"]:
        assert all(a["id"] for a in case["input"]["ground_truth"]["annotations"])
        return
    fixed = replace(protocols.get(case["protocol"]), name="without COCO001", id_zero="ordinary")
    assert official(evaluate(*case["paths"], protocol=fixed).metrics) == stored(case, "stats_id_shifted")
