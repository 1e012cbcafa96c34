"""The protocol `ultralytics` beside what the package computes on generated scenes (see record_ultralytics.py)."""

from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boxscore as bs
from boxscore import Result
from ultralytics_scenes import SEEDS, Picture, scene, single, tied

RECORDED = json.loads(Path(__file__).with_name("ultralytics.json").read_text())
CLASSES = list("abcde")
NAMES = {"AP": "AP", "AP50": "AP50", "AP75": "AP75", "P": "F1smooth.precision", "R": "F1smooth.recall"}
OF_CLASSES = ("F1smooth.precision", "F1smooth.recall", "AP50", "AP")


def evaluated(pictures: list[Picture], protocol: str = "ultralytics", **more: Any) -> Result:
    truth = [{"boxes": [b for b, _ in p.objects], "labels": [k for _, k in p.objects]} for p in pictures]
    found = [
        {
            "boxes": [b for b, _, _ in p.detections],
            "labels": [k for _, k, _ in p.detections],
            "scores": [single(s) for _, _, s in p.detections],  # the tool's are single precision
        }
        for p in pictures
    ]
    return bs.evaluate(truth, found, box="xyxy", protocol=protocol, classes=CLASSES, **more)


def test_the_recording_is_of_the_version_that_the_protocol_names() -> None:
    assert f"ultralytics {RECORDED['versions']['ultralytics']}," in bs.protocols.get("ultralytics").source
    assert [int(seed) for seed in RECORDED["scenes"]] == list(SEEDS)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_number_is_equal(seed: int) -> None:
    """Difference 0, in the means, of each class, and in every AP of a class at a threshold (by their digest)."""
    recorded, result = RECORDED["scenes"][str(seed)], evaluated(scene(seed))
    if not recorded["classes"]:  # nothing to find: 0 in the tool, undefined here
        assert all(math.isnan(result.metrics[name]) for name in NAMES.values())
        assert all(recorded[name] == 0 for name in NAMES)
        return
    assert {name: result.metrics[ours] for name, ours in NAMES.items()} == {name: recorded[name] for name in NAMES}
    rows = {c.id: [c.metrics[name] for name in OF_CLASSES] for c in result.per_class if c.objects}
    assert rows == {int(k): values for k, values in recorded["classes"].items()}
    every = [[result[f"AP[iou={iou},class={CLASSES[k]}]"] for iou in result.protocol.iou] for k in sorted(rows)]
    assert hashlib.sha256(np.array(every, "<f8").tobytes()).hexdigest()[:16] == recorded["all"]


@pytest.mark.parametrize("seed", [seed for seed in SEEDS if tied(scene(seed))])
def test_the_order_of_equal_scores_is_bounded(seed: int) -> None:
    """With its own sort, which is not stable, the tool's AP50 of a class stays within the bounds that are shown."""
    result, recorded = evaluated(scene(seed)), RECORDED["scenes"][str(seed)]["unsorted"]
    for k, values in recorded.items():
        for name, value in zip(("AP50", "AP"), values, strict=True):
            low, high = result.tie_bounds(f"{name}[class={CLASSES[int(k)]}]")
            assert low - 1e-12 <= value <= high + 1e-12  # a mean over thresholds is rounded


TOLD_APART = (
    *("overlap=box", "equal_overlaps=last", "claim=any", "greedy_by=overlap", "compare=>", "matched_first=last"),
    *("equal_scores=later-image", "score_floor=0", "score_floor=0.001", "max_detections=none", "max_per=cell"),
    *("recall_grid=float", "recall_grid=exact", "level_sum=mean", "averaging=classes", "empty_class=zero"),
)


@pytest.mark.parametrize("rule", TOLD_APART)
def test_the_scenes_tell_rules_apart(rule: str) -> None:
    """With another value of a rule some scene differs."""
    for seed in SEEDS[:140]:
        made, recorded = evaluated(scene(seed), f"ultralytics[{rule}]").metrics, RECORDED["scenes"][str(seed)]
        if recorded["classes"] and any(made[n] != recorded[n] for n in ("AP", "AP50", "AP75")):
            return
    pytest.fail(f"no scene differs with {rule}")
