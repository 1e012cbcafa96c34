"""Options that say how text files are to be read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]


@pytest.fixture
def texts(folder: Path) -> Path:
    """The same two objects as absolute and as relative boxes, with names and with numbers for classes."""
    for name, line in (
        ("truth", "cat 100 100 100 50"),
        ("found", "cat 0.9 100 100 100 50"),
        ("corners", "cat 0.9 100 100 200 150"),
        ("relative", "cat 0.9 0.375 0.625 0.25 0.25"),
        ("numbers", "0 0.9 100 100 100 50"),
    ):
        (folder / name).mkdir()
        (folder / name / "a.txt").write_text(line + "\n")
    (folder / "names.txt").write_text("cat\ndog\n\n")
    return folder


@pytest.mark.parametrize(
    "arguments",
    [
        ("found", "--box", "xywh"),
        ("corners", "--truth-box", "xywh", "--detections-box", "xyxy"),
        ("corners", "--box", "xywh", "--detections-box", "xyxy"),
        ("numbers", "--box", "xywh", "--classes", "names.txt"),
        ("found", "--box", "xywh", "--coords", "absolute"),
        ("found", "--box", "xywh", "--truth-format", "text", "--detections-format", "text"),
        ("relative", "--truth-box", "xywh", "--image-size", "400,200"),
    ],
)
def test_the_box_is_found_however_it_is_written(boxscore: Command, texts: Path, arguments: tuple[str, ...]) -> None:
    done = boxscore("eval", "truth", *arguments, "--protocol", "voc2012", "--iou", "0.99", "--format", "json")
    assert done.code == 0, done.err
    (result,) = json.loads(done.out)["results"]
    assert result["metrics"]["mAP"] == 1
    assert result["classes"][0]["name"] == "cat"
    assert (result["truth"]["format"], result["detections"]["format"]) == ("text", "text")


def test_coco_truth_with_text_detections(boxscore: Command, folder: Path) -> None:
    truth = json.loads((folder / "truth.json").read_text())
    truth["images"] = [{"id": k, "file_name": name} for k, name in enumerate(("a", "b", "c"), 1)]
    (folder / "t.json").write_text(json.dumps(truth))
    (folder / "found").mkdir()
    (folder / "found" / "a.txt").write_text("cat 0.9 10 10 60 60\n")
    done = boxscore("eval", "t.json", "found", "--box", "xyxy", "--format", "json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["results"][0]["metrics"]["AR1"] == 0.25


def test_the_boxes_of_coco_files_can_be_overruled(boxscore: Command, folder: Path) -> None:
    found = json.loads((folder / "found.json").read_text())
    for record in found:
        x, y, w, h = record["bbox"]
        record["bbox"] = [x, y, x + w, y + h]
    (folder / "corners.json").write_text(json.dumps(found))
    numbers = [
        json.loads(boxscore("eval", "truth.json", *arguments, "--format", "json").out)["results"][0]["metrics"]
        for arguments in (("found.json",), ("corners.json", "--detections-box", "xyxy"))
    ]
    assert numbers[0] == numbers[1]
    assert "BOX004" in boxscore("eval", "truth.json", "found.json", "--box", "xyxy").out


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("cat\n\ndog\n", "names.txt:2: an empty line; expected a class name on each line"),
        ("cat\ndog\ncat\n", "names.txt:3: 'cat' stands on line 1 already; expected each class once"),
        ("\n", "names.txt: no class names; expected a class name on each line"),
    ],
)
def test_lists_of_classes_are_checked(boxscore: Command, texts: Path, content: str, message: str) -> None:
    (texts / "names.txt").write_text(content)
    done = boxscore("eval", "truth", "found", "--box", "xywh", "--classes", "names.txt")
    assert (done.code, done.err) == (3, f"boxscore: {message}\n")


def test_a_list_of_classes_that_is_no_text(boxscore: Command, texts: Path) -> None:
    (texts / "names.txt").write_bytes(b"cat\xff\n")
    done = boxscore("eval", "truth", "found", "--box", "xywh", "--classes", "names.txt")
    expected = "boxscore: names.txt: byte 3 is not UTF-8; expected a text file\n"
    assert (done.code, done.err) == (3, expected)


def test_what_coco_files_say_themselves_is_not_passed_over_in_silence(boxscore: Command, texts: Path) -> None:
    arguments = ("eval", "truth.json", "found.json", "--classes", "names.txt", "--image-size", "9,9")
    done = boxscore(*arguments)
    assert done.code == 0
    assert done.err.splitlines() == [
        "note        --classes is not used: COCO files say it themselves",
        "note        --image-size is not used: COCO files say it themselves",
    ]
    assert boxscore(*arguments, "-q").err == ""
