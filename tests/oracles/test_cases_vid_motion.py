"""AP by motion equals the stored numbers of the evaluator that introduced it."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import boxscore as bs
from boxscore.evaluation.tracked import motion
from boxscore.tables.model import Detections, Truth
from video_cases import video_tables

CLOSE = {"rel": 0, "abs": 1e-12}  # sums over frames, and over objects, are added up in another order
SEEDS = (11, 12, 13)
ROWS = {"all": "mAP", "slow": "mAP.slow", "medium": "mAP.medium", "fast": "mAP.fast"}


def case(data: Path, seed: int) -> tuple[Truth, Detections, dict[str, Any]]:
    stored = json.loads((data / f"reference/cases/vid_motion/vid_motion_{seed}.json").read_text())
    given = stored["input"]
    frames = [(v["name"], f) for v in given["videos"] for f in range(v["n_frames"])]
    of = {v["first_image_id"] + f: (v["name"], f) for v in given["videos"] for f in range(v["n_frames"])}
    truth, found = video_tables(
        [(of[o["image_id"]], o["class"], o["track_id"], o["bbox"]) for o in given["ground_truth"]],
        [(of[d["image_id"]], d["class"], d["score"], d["bbox"]) for d in given["detections"]],
        frames,
        given["classes"],
    )
    return truth, found, stored["expected"]


@pytest.mark.parametrize("seed", SEEDS)
def test_motion(data: Path, seed: int) -> None:
    truth, _, expected = case(data, seed)
    assert motion(truth).tolist() == pytest.approx(expected["motion_iou"], **CLOSE)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_range(data: Path, seed: int) -> None:
    truth, found, expected = case(data, seed)
    result = bs.evaluate(truth, found, protocol="imagenet-vid-motion")
    assert list(result.metrics) == list(ROWS.values())
    for number, (name, row) in enumerate(ROWS.items()):
        own = expected[name]
        assert result[row] == pytest.approx(own["mean_ap"], **CLOSE), name
        made = {c.name: c.metrics[row] for c in result.per_class}
        stored = {label: math.nan if ap is None else ap for label, ap in own["ap"].items()}
        assert made == pytest.approx(stored, nan_ok=True, **CLOSE), name
        assert result.tally.to_find[:, number].sum() == own["n_gt"]
