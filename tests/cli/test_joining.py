"""The options that tell how the two sides are joined."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

Command = Callable[..., Any]


@pytest.fixture
def other(folder: Path) -> Path:
    """found.json as text files: hyphens, other names, shares of images."""
    (folder / "found").mkdir()
    (folder / "found" / "a.txt").write_text("Cat 0.9 10 10 50 50\ndogs 0.8 100 100 90 100\n")
    (folder / "found" / "b.txt").write_text("Cat 0.4 60 60 30 30\n")
    return folder


def metrics(done: Any) -> dict[str, Any]:
    assert done.code == 0, done.err
    return {k: v for k, v in json.loads(done.out)["results"][0]["metrics"].items() if v is not None}


def test_nothing_fits_and_the_lines_that_would_help(boxscore: Command, other: Path) -> None:
    done = boxscore("eval", "truth.json", "found", "--box", "xywh", "-q")
    assert done.code == 3
    assert done.err == (
        "boxscore: found: none of its 2 classes is in the ground truth (classes here: Cat, dogs); expected classes of "
        "the ground truth: cat, dog\n  Some may mean the same; if they do, write these lines into a file for "
        "--map-classes:\n"
        "    Cat = cat\n"
    )


def test_a_class_map_makes_both_the_same(boxscore: Command, other: Path) -> None:
    Path("map.txt").write_text("Cat = cat\ndogs = dog\n")
    said = ("--box", "xywh", "--map-classes", "map.txt")
    assert metrics(boxscore("eval", "truth.json", "found", *said, "--format", "json")) == metrics(
        boxscore("eval", "truth.json", "found.json", "--format", "json")
    )
    shown = " ".join(boxscore("eval", "truth.json", "found", *said).out.split())
    assert "MAP001 3 detections were renamed by the class map (Cat = cat, dogs = dog)" in shown
    assert "IMG002 2 image names were joined with the truth's, compared without extensions" in shown


def test_the_four_numbers_are_always_there(boxscore: Command, folder: Path) -> None:
    lines = boxscore("eval", "truth.json", "found.json", "-q", "--ledger").out.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("Images in truth"))
    assert [line.split() for line in lines[start : start + 5]] == [
        ["Images", "in", "truth", "3"], ["Images", "in", "detections", "2"], ["in", "both", "2"],
        ["only", "in", "truth", "1"], ["only", "in", "detections", "0"],
    ]  # fmt: skip


def test_lists_of_classes_for_one_side(boxscore: Command, folder: Path) -> None:
    found = json.loads(Path("found.json").read_text())
    Path("shifted.json").write_text(json.dumps([{**r, "category_id": r["category_id"] - 1} for r in found]))
    Path("data.yaml").write_text("names: {0: cat, 1: dog}\n")
    as_is = boxscore("eval", "truth.json", "found.json", "--format", "json")
    done = boxscore("eval", "truth.json", "shifted.json", "--detections-classes", "data.yaml", "--format", "json")
    assert metrics(done) == metrics(as_is)
    Path("t").mkdir()
    Path("t/a.txt").write_text("0 1 1 5 5\n")
    Path("d").mkdir()
    Path("d/a.txt").write_text("1 0.5 1 1 5 5\n")
    said = ("--box", "xywh", "--truth-classes", "one.names", "--detections-classes", "other.names", "--format", "json")
    Path("one.names").write_text("cat\ndog\n")
    Path("other.names").write_text("dog\ncat\n")
    assert metrics(boxscore("eval", "t", "d", *said, "--protocol", "voc2012"))["mAP"] == 1


@pytest.mark.parametrize("said", [("--sizes", "sizes.csv"), ("--images", "images"), ("--image-size", "400,200")])
def test_sizes_for_relative_boxes(boxscore: Command, folder: Path, said: tuple[str, str]) -> None:
    Path("found").mkdir()
    Path("found/a.txt").write_text("cat 0.9 0.0875 0.175 0.125 0.25\ndog 0.8 0.3625 0.75 0.225 0.5\n")
    Path("found/b.txt").write_text("cat 0.4 0.1875 0.375 0.075 0.15\n")
    Path("sizes.csv").write_text("file_name,width,height\n" + "".join(f"{name}.jpg,400,200\n" for name in "abc"))
    Path("images").mkdir()
    for name in "abc":
        Image.new("L", (400, 200)).save(f"images/{name}.png")
    done = boxscore("eval", "truth.json", "found", "--format", "json", *said)
    assert metrics(done) == metrics(boxscore("eval", "truth.json", "found.json", "--format", "json"))


@pytest.mark.parametrize(
    ("said", "code", "message"),
    [
        (("--map-classes", "nosuch"), 3, "nosuch: no such file"),
        (("--map-classes", "truth.json"), 3, "truth.json: 'images' is [{'id': 1,"),
        (("--sizes", "found.json"), 3, "found.json: [0]: no file_name; expected a table of image sizes"),
        (("--sizes", "nosuch"), 3, "nosuch: no such file"),
        (("--images", "nosuch"), 3, "nosuch: no such file"),
        (("--images", "."), 3, ".: no images (it holds found.json, truth.json); expected a folder or an archive"),
        (("--truth-classes", "nosuch"), 3, "nosuch: no such file"),
        (("--detections-classes", "."), 3, ".: a folder; expected a file"),
        (("--confidence", "middle"), 2, "confidence='middle'; expected one of first, last"),
        (("--rows", "boxes"), 2, "rows='boxes'; expected one of box, polygon, oriented, pose"),
        (("--map-classes", ""), 2, "map_classes=''; expected the path of a file"),
        (("-o", "map.txt", "--map-classes", "map.txt"), 2, "-o map.txt: this is an input; expected another file"),
    ],
)
def test_wrong_input(evaluated: Command, folder: Path, said: tuple[str, ...], code: int, message: str) -> None:
    if "map.txt" in said:
        (folder / "map.txt").write_text("cat = dog\n")
    done = evaluated(*said, "-q")
    assert done.code == code
    assert done.err.startswith(f"boxscore: {message}"), done.err


def test_explain_has_the_same_options(boxscore: Command, other: Path) -> None:
    Path("map.txt").write_text("Cat = cat\ndogs = dog\n")
    said = ("--from", "coco-fixed", "--to", "voc2012", "--format", "json")
    one = boxscore("explain", "truth.json", "found", "--box", "xywh", "--map-classes", "map.txt", *said)
    other_ = boxscore("explain", "truth.json", "found.json", *said)
    assert one.code == other_.code == 0, one.err
    assert json.loads(one.out)["parts"] == json.loads(other_.out)["parts"]
