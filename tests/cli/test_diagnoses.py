"""Diagnoses of the doctor are findings of every output, and nothing silences them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]


@pytest.fixture
def swapped(folder: Path) -> Path:
    """Forty images of one object each; the detections have x and y swapped."""
    images = [{"id": i, "file_name": f"{i}.jpg", "width": 640, "height": 480} for i in range(1, 41)]
    boxes = [[30.0 + 11 * i, 40.0 + 3 * i, 60.0 + i, 30.0 + i] for i in range(1, 41)]
    truth = {
        "images": images,
        "annotations": [
            {"id": i, "image_id": i, "category_id": 1, "bbox": box, "area": box[2] * box[3], "iscrowd": 0}
            for i, box in enumerate(boxes, 1)
        ],
        "categories": [{"id": 1, "name": "cat"}],
    }
    found = [
        {"image_id": i, "category_id": 1, "bbox": [y, x, h, w], "score": 1 - i / 100}
        for i, (x, y, w, h) in enumerate(boxes, 1)
    ]
    (folder / "t.json").write_text(json.dumps(truth))
    (folder / "d.json").write_text(json.dumps(found))
    return folder


def test_json_has_them_even_when_quiet(boxscore: Command, swapped: Path) -> None:
    done = boxscore("eval", "t.json", "d.json", "--format", "json", "-q")
    assert done.code == 0
    assert done.err == ""
    findings = json.loads(done.out)["results"][0]["findings"]
    (found,) = [f for f in findings if f["code"] == "BOX101"]
    assert found["severity"] == "error"
    assert found["count"] == 40
    assert "boxscore doctor t.json d.json" in found["text"]


@pytest.mark.parametrize("form", ["table", "md"])
def test_reports_have_them_even_when_quiet(boxscore: Command, swapped: Path, form: str) -> None:
    done = boxscore("eval", "t.json", "d.json", "--format", form, "-q")
    assert "BOX101" in done.out
    assert done.err == ""


def test_csv_has_no_place_for_them(boxscore: Command, swapped: Path) -> None:
    done = boxscore("eval", "t.json", "d.json", "--format", "csv", "-q")
    assert "error       BOX101: " in done.err


def test_every_result_of_the_detection_set_has_them(boxscore: Command, swapped: Path) -> None:
    done = boxscore("eval", "t.json", "d.json", "--protocol", "coco", "--protocol", "voc2012", "--format", "json", "-q")
    for result in json.loads(done.out)["results"]:
        assert "BOX101" in [f["code"] for f in result["findings"]]


def test_strict_sees_them(boxscore: Command, swapped: Path) -> None:
    done = boxscore("eval", "t.json", "d.json", "-q", "--strict")
    assert done.code == 4
    assert "warnings under --strict: BOX101" in done.err


@pytest.mark.parametrize("command", [("inspect", "t.json"), ("threshold", "t.json", "d.json")])
def test_quiet_never_silences_findings(boxscore: Command, swapped: Path, command: tuple[str, ...]) -> None:
    truth = json.loads((swapped / "t.json").read_text())
    truth["categories"].append({"id": 2, "name": "cat"})  # CLS002
    (swapped / "t.json").write_text(json.dumps(truth))
    loud, silent = boxscore(*command), boxscore(*command, "-q")
    told = [line for line in loud.err.splitlines() if line.startswith(("warning ", "note "))]
    assert told
    assert silent.err.splitlines() == told
