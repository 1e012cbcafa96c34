"""Average delay equals the stored numbers of its authors' code: thresholds, every delay, means, size split."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boxscore as bs
from boxscore.metrics.delay import Delays, delays
from video_cases import video_tables

CLOSE = {"rel": 0, "abs": 1e-12}  # means over tracks are added up in another order
SEEDS = (11, 12, 13)


def case(data: Path, seed: int) -> tuple[bs.Result, Delays, dict[str, Any]]:
    stored = json.loads((data / f"reference/cases/average_delay/average_delay_{seed}.json").read_text())
    given = stored["input"]
    name = {v["id"]: v["name"] for v in given["videos"]}
    truth, found = video_tables(
        [((name[o["video"]], o["frame"]), o["class"], o["track_id"], o["bbox"]) for o in given["ground_truth"]],
        [((name[d["video"]], d["frame"]), d["class"], d["score"], d["bbox"]) for d in given["detections"]],
        [(v["name"], f) for v in given["videos"] for f in range(v["n_frames"])],
        given["classes"],
    )
    result = bs.evaluate(truth, found, protocol="average-delay")
    assert result.numbers is not None
    return result, delays(result.numbers), stored["expected"]


@pytest.mark.parametrize("seed", SEEDS)
def test_reported_numbers(data: Path, seed: int) -> None:
    result, _, expected = case(data, seed)
    by_size = {f"AD.{size}": value for size, value in expected["average_delay_by_size"].items()}
    stored = {"AD": expected["average_delay"], **by_size, "mAP": expected["mAP"]}
    assert list(result.metrics) == ["AD", "AD.small", "AD.medium", "AD.large", "mAP"]
    assert result.metrics == pytest.approx(stored, nan_ok=True, **CLOSE)


@pytest.mark.parametrize("seed", SEEDS)
def test_thresholds_delays_and_sizes(data: Path, seed: int) -> None:
    result, made, expected = case(data, seed)
    assert made.ratios.tolist() == expected["false_positive_ratios"]
    # The code says 0 where the ratio is never exceeded; every detection counts then.
    assert np.maximum(made.scores, 0).tolist() == expected["score_thresholds"]
    keys = [f"{video}-{track}" for video, track in zip(made.video, made.track.tolist(), strict=True)]
    for i, stored in enumerate(expected["delays_per_threshold"]):
        own = {key.removeprefix("video-track:"): value for key, value in stored.items()}
        assert dict(zip(keys, made.delay[i].tolist(), strict=True)) == own
    assert dict(zip(keys, made.size.tolist(), strict=True)) == pytest.approx(expected["track_size"], **CLOSE)
    assert made.mean(result.protocol.delay_limit).tolist() == pytest.approx(expected["mean_clipped_delay"], **CLOSE)
