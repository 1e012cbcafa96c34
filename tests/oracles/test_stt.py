"""Tube AP equals the 2021 toolkit's; the readings by confidence equal independent implementations."""

from __future__ import annotations

import json
import math
import tarfile
from pathlib import Path
from typing import Any

import pytest

import boxscore as bs

CLOSE = {"rel": 0, "abs": 1e-12}  # sums over frames are added up in another order than the toolkit's
READINGS = {"stt-ap-ranked": "score_ranked_best_free", "stt-ap-ranked-any": "score_ranked_best_any"}


def evaluated(folder: Path, truth: Any, found: Any, protocol: str) -> bs.Result:
    (folder / "truth.json").write_text(json.dumps(truth))
    (folder / "found.json").write_text(json.dumps(found))
    return bs.evaluate(folder / "truth.json", folder / "found.json", protocol=protocol)


def by_class(result: bs.Result) -> dict[str, float]:
    return {name: result[f"AP[class={name}]"] for name in result.tally.classes.name}


@pytest.mark.parametrize("seed", [11, 12, 13])
def test_cases(data: Path, tmp_path: Path, seed: int) -> None:
    case = json.loads((data / f"reference/cases/stt_ap/stt_ap_{seed}.json").read_text())
    given, expected = case["input"], case["expected"]
    for iou in (0.3, 0.5, 0.75):
        own = expected[f"iou_{iou}"]
        for levels, form in ((0, "ap_all_points"), (11, "ap_11")):
            how = f"[iou={iou},recall_levels={levels},recall_grid=float]"
            result = evaluated(tmp_path, given["annotations"], given["predictions"], f"stt-ap-toolkit{how}")
            assert by_class(result) == pytest.approx(own["toolkit"][form], **CLOSE)
            assert result["mSTT-AP"] == pytest.approx(own["toolkit"][f"mean_{form}"], **CLOSE)
            for protocol, name in READINGS.items():
                result = evaluated(tmp_path, given["annotations"], given["predictions"], protocol + how)
                assert by_class(result) == pytest.approx({k: v[form] for k, v in own[name].items()}, **CLOSE)


def test_confidences(data: Path, tmp_path: Path) -> None:
    for seed in (11, 12, 13):
        case = json.loads((data / f"reference/cases/stt_ap/stt_ap_{seed}.json").read_text())
        given, expected = case["input"], case["expected"]
        result = evaluated(tmp_path, given["annotations"], given["predictions"], "stt-ap-ranked[iou=0.001]")
        tracks = result.numbers.prepared.detections
        score = dict(zip(tracks.track.tolist(), tracks.score.tolist(), strict=True))
        listed = {p["id"]: s for p, s in zip(given["predictions"], expected["tube_confidence"], strict=True)}
        assert score == pytest.approx(listed, **CLOSE)


def test_small_cases(data: Path, tmp_path: Path) -> None:
    cases = json.loads((data / "reference/tube_cases.json").read_text())
    answers = json.loads((data / "reference/toolkit_2021.json").read_text())[
        "synthetic tube cases (inputs in tube_cases.json)"
    ]
    for name, case in cases.items():
        protocol, answer = f"stt-ap-toolkit[iou={case['thr']}]", answers[name]
        result = evaluated(tmp_path, case["annotations"], case["predictions"], protocol)
        if "exception" in answer:  # the toolkit's code stops
            assert math.isnan(result["mSTT-AP"]), name
            assert "the official code stops there" in result.reasons["mSTT-AP"]
            continue
        for label, own in answer["per_class"].items():
            value = result[f"AP[class={label}]"]
            assert math.isnan(value) if own["AP"] is None else value == pytest.approx(own["AP"], **CLOSE), (name, label)
        if answer["mAP"] is None:
            assert math.isnan(result["mSTT-AP"]), name
            assert "dog has detections but no objects" in result.reasons["mSTT-AP"]
        else:
            assert result["mSTT-AP"] == pytest.approx(answer["mAP"], **CLOSE), name


def test_the_toolkits_example(data: Path, tmp_path: Path) -> None:
    with tarfile.open(data / "data/padilla_review/tests_data.tar.gz") as packed:
        for name in ("example_anno.json", "example_preds.json"):
            member = packed.extractfile(f"tests/tube/{name}")
            assert member is not None
            (tmp_path / name).write_bytes(member.read())
    for iou in (0.5, 0.9):
        for protocol in ("stt-ap", "stt-ap-toolkit", "stt-ap-ranked", "stt-ap-ranked-any"):
            result = bs.evaluate(
                tmp_path / "example_anno.json", tmp_path / "example_preds.json", protocol=f"{protocol}[iou={iou}]"
            )
            assert result["mSTT-AP"] == 1.0
            assert by_class(result) == {"cat": 1.0, "dog": 1.0}
