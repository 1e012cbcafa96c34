"""The reference cases of the log-average miss rate: the toolbox of Piotr Dollár."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from boxscore import evaluate
from boxscore.metrics import parse
from boxscore.metrics.miss_rate import RATES, class_miss_rates
from boxscore.protocols import Protocol

CALTECH = Protocol(
    name="caltech", iou=(0.5, 0.75), ignore_flag="region", equal_overlaps="last", equal_scores="image"
)  # fmt: skip


@pytest.mark.parametrize("seed", [11, 12, 13])
def test_toolbox(data: Path, seed: int) -> None:
    case = json.loads((data / "reference" / "cases" / "lamr" / f"lamr_{seed}.json").read_text())
    images, expected = case["input"]["images"], case["expected"]
    truth, found = (
        {
            "image": [i["id"] for i in images for _ in i[side]],
            "labels": ["person" for i in images for _ in i[side]],
            "boxes": [row["bbox"] for i in images for row in i[side]],
            column: [row[column.removesuffix("s")] for i in images for row in i[side]],
        }
        for side, column in (("ground_truth", "ignore"), ("detections", "scores"))
    )
    truth["images"] = [i["id"] for i in images]
    result = evaluate(truth, found, box="xywh", protocol=CALTECH)
    assert RATES.tolist() == expected["fppi_reference"]
    for iou in CALTECH.iou:
        row = expected[f"iou_{iou}"]
        assert result[f"LAMR[iou={iou}]"] == row["log_average_miss_rate"]
        assert (result[f"TP[iou={iou}]"], result[f"FP[iou={iou}]"]) == (row["tp"], row["fp"])
        assert result[f"TP[iou={iou}]"] + result[f"FN[iou={iou}]"] == row["n_positive"]
        assert result.numbers is not None
        missed = class_miss_rates(result.numbers, parse(f"LAMR[iou={iou}]"), RATES, reached=False)
        # 1 - (1 - x) is x but for the last bit
        np.testing.assert_allclose(1 - missed[0], row["detection_rate_at_fppi"], rtol=0, atol=1e-12)
