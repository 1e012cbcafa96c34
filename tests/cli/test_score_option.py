"""`--score` rules everywhere: extra rows, the table of classes, the operating point."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import boxscore as bs
from boxscore.errors import UsageError

Command = Callable[..., Any]


def test_the_given_score_reaches_classes_and_operating_point(as_json: Command) -> None:
    (result,) = as_json("--score", "0.85")
    assert result["operating_point"] == {"score": 0.85, "iou": 0.5, "rule": "given"}
    cat, dog = (c["metrics"] for c in result["classes"])
    assert (cat["P"], cat["R"]) == (1.0, 0.5)  # 0.9 hits, 0.4 is below
    assert (dog["P"], dog["R"], dog["F1"]) == (None, 0.0, 0.0)  # 0.8 is below
    assert result["metrics"]["TP[score=0.85]"] == 1


def test_the_table_says_whose_score_it_is(evaluated: Command) -> None:
    assert "P, R, F1 at score >= 0.85, as given, at IoU 0.5\n" in evaluated("--score", "0.85").out
    assert "P, R, F1 at score >= 0.8, the best F1 over all classes at IoU 0.5\n" in evaluated().out


@pytest.mark.parametrize("score", ["1.5", "-0.1", "90"])
def test_a_score_that_no_detection_can_have_is_refused(evaluated: Command, score: str) -> None:
    done = evaluated(f"--score={score}")
    assert done.code == 2
    assert done.out == ""
    assert (
        f"boxscore: score {score}: the detections have scores between 0.4 and 0.9; expected a score from 0 to 1"
        in done.err
    )
    assert evaluated("--metric", f"precision[score={score}]").code == 2


def test_scores_of_another_scale_have_other_thresholds(boxscore: Command, folder: Path) -> None:
    found = json.loads((folder / "found.json").read_text())
    (folder / "percent.json").write_text(json.dumps([{**row, "score": 100 * row["score"]} for row in found]))
    done = boxscore("eval", "truth.json", "percent.json", "--score", "85", "--format", "json")
    assert json.loads(done.out)["results"][0]["operating_point"]["score"] == 85


def test_a_best_score_at_the_end_of_the_file_is_told(boxscore: Command, folder: Path) -> None:
    found = json.loads((folder / "found.json").read_text())
    (folder / "few.json").write_text(json.dumps(found[:2]))  # both are hits
    done = boxscore("eval", "truth.json", "few.json")
    assert "The best F1 is at the lowest score in the file: the file's own cut-off decides it" in done.out
    (result,) = json.loads(boxscore("eval", "truth.json", "few.json", "--format", "json").out)["results"]
    assert result["operating_point"] == {"score": 0.8, "iou": 0.5, "rule": "best F1", "cut_off": True}
    assert len(result["notes"]) == 1
    assert "cut-off" not in boxscore("eval", "truth.json", "found.json").out


def test_in_python() -> None:
    truth = [{"boxes": [[0, 0, 10, 10], [20, 0, 30, 10]], "labels": [1, 1]}]
    found = [{"boxes": [[0, 0, 10, 10], [20, 0, 30, 10]], "labels": [1, 1], "scores": [0.9, 0.5]}]
    result = bs.evaluate(truth, found, box="xyxy", score=0.7)
    assert result.point is not None
    assert (result.point.score, result.point.rates) == (0.7, ((1.0, 0.5, 2 / 3),))
    assert result.best is not None
    assert (result.best.score, result.best.rule) == (0.5, "best F1")
    back = bs.Result.from_dict(result.to_dict())
    assert back.point == result.point
    assert back.best is None
    assert back.to_dict() == result.to_dict()
    assert result.at(1.5).true_positives == 0
    with pytest.raises(UsageError, match="expected a score from 0 to 1"):
        bs.evaluate(truth, found, box="xyxy", score=1.5)
