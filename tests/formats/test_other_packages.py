"""A format that another package brings by an entry point works in every command as the own ones do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "other_package"
TRUTH = {"tiny": [["a.jpg", "cat", 10, 10, 50, 50], ["b.jpg", "dog", 20, 20, 40, 40]]}
FOUND = {"tiny": [["a.jpg", "cat", 10, 10, 50, 50, 0.9], ["b.jpg", "dog", 20, 20, 40, 40, 0.8]]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "t.json").write_text(json.dumps(TRUTH))
    (tmp_path / "d.json").write_text(json.dumps(FOUND))
    return tmp_path


def run(folder: Path, *words: str) -> str:
    """What a command prints in a process that can import the package."""
    paths = os.pathsep.join(filter(None, (str(PACKAGE), os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        [sys.executable, "-m", "boxscore", *words],
        cwd=folder, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_evaluated_by_content_alone(folder: Path) -> None:
    result = json.loads(run(folder, "eval", "t.json", "d.json", "--format", "json"))["results"][0]
    assert (result["truth"]["format"], result["detections"]["format"]) == ("tiny", "tiny")
    assert result["metrics"]["AR100"] == 1.0


def test_it_can_be_stated(folder: Path) -> None:
    words = "--truth-format", "tiny", "--detections-format", "tiny", "--format", "json"
    assert json.loads(run(folder, "eval", "t.json", "d.json", *words))["results"][0]["metrics"]["AR100"] == 1.0


def test_it_is_converted_both_ways(folder: Path) -> None:
    run(folder, "convert", "t.json", "c.json", "--to", "coco")
    run(folder, "convert", "c.json", "again.json", "--to", "tiny")
    assert json.loads((folder / "again.json").read_text()) == TRUTH


def test_it_is_listed_recognised_and_inspected(folder: Path) -> None:
    assert "tiny " in run(folder, "formats")
    assert "1  tiny          sure      it has `tiny`" in run(folder, "formats", "t.json")
    assert "tiny" in run(folder, "inspect", "t.json")


def test_the_doctor_reads_it(folder: Path) -> None:
    assert "tiny" in run(folder, "doctor", "t.json", "d.json")
