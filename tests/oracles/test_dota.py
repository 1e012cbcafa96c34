"""The DOTA development kit: stored cases of Task 1, from arrays of records and from its own files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boxscore import evaluate, protocols
from boxscore.protocols import variant

SEEDS = (11, 12, 13)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("protocol", "key"), [("dota", "ap_11"), ("dota-all", "ap_all_points")])
@pytest.mark.parametrize("iou", ["0.5", "0.75"])
def test_stored_cases(data: Path, seed: int, protocol: str, key: str, iou: str) -> None:
    folder = data / "reference" / "cases" / "obb"
    expected: dict[str, Any] = json.loads((folder / f"obb_{seed}.json").read_text())["expected"][f"iou_{iou}"]
    native = folder / f"obb_{seed}_dota"
    result = evaluate(native / "labelTxt", native / "results", protocol=variant(protocols.get(protocol), iou=iou))
    # The kit's own overlap is the last bits off, and it divides sums in another order.
    assert result["mAP"] == pytest.approx(expected["_mean"][key], abs=1e-12)
    for row in result.per_class:
        assert row.metrics["AP"] == pytest.approx(expected[row.name][key], abs=1e-12)
        assert row.objects == expected[row.name]["n_positive"]
        assert len(result.curve(row.name).recall) == expected[row.name]["tp"] + expected[row.name]["fp"]
    assert not np.isnan(result["mAP"])
