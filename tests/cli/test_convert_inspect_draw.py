"""Looking at files and writing them anew, from the command line; with wrong input, too."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import boxscore as bs

Command = Callable[..., Any]


def test_convert_lists_losses_and_comes_back(boxscore: Command, folder: Path) -> None:
    done = boxscore("convert", "truth.json", "voc", "--to", "voc-xml")
    assert (done.code, done.out) == (0, "")
    assert "dropped     flag 'crowd' (1)" in done.err
    assert done.err.index("dropped") < done.err.index("written     voc (voc-xml): 3 images, 4 objects")
    assert sorted(path.name for path in (folder / "voc").iterdir()) == ["a.xml", "b.xml", "c.xml"]
    before, after = bs.read_truth(folder / "truth.json")[0], bs.read_truth(folder / "voc")[0]
    assert after.corners.tolist() == before.corners.tolist()
    again = boxscore("convert", "voc", "again.json", "--to", "coco", "--quiet")
    assert (again.code, again.err) == (0, "")
    assert len(json.loads((folder / "again.json").read_text())["annotations"]) == 4


def test_convert_detections(boxscore: Command, folder: Path) -> None:
    done = boxscore(
        "convert", "found.json", "found.csv", "--to", "tf-csv", "--side", "detections", "--truth", "truth.json"
    )
    assert done.code == 0
    lines = (folder / "found.csv").read_text().splitlines()
    assert lines[0] == "filename,width,height,class,xmin,ymin,xmax,ymax,confidence"
    assert lines[1] == "a.jpg,,,cat,10,10,60,60,0.9"
    direct, through = (bs.evaluate(folder / "truth.json", folder / name) for name in ("found.json", "found.csv"))
    assert direct["AP"] == through["AP"]


def test_convert_never_replaces_unasked(boxscore: Command, folder: Path) -> None:
    (folder / "out.json").write_text("mine")
    done = boxscore("convert", "truth.json", "out.json", "--to", "coco")
    assert done.code == 2
    assert done.err == "boxscore: out.json: already exists; expected a new path, or --overwrite\n"
    assert (folder / "out.json").read_text() == "mine"
    assert boxscore("convert", "truth.json", "out.json", "--to", "coco", "--overwrite").code == 0
    assert "annotations" in (folder / "out.json").read_text()
    same = boxscore("convert", "truth.json", "truth.json", "--to", "coco", "--overwrite")
    assert same.err == "boxscore: truth.json: this is an input; expected another path\n"


def test_convert_writes_nothing_if_anything_would_be_lost(boxscore: Command, folder: Path) -> None:
    done = boxscore("convert", "truth.json", "voc", "--to", "voc-xml", "--strict")
    assert done.code == 4
    assert done.err.endswith("boxscore: voc-xml cannot hold everything; nothing was written (--strict)\n")
    assert not (folder / "voc").exists()


def test_a_failed_writer_leaves_nothing(boxscore: Command, folder: Path) -> None:
    done = boxscore("convert", "truth.json", "labels", "--to", "yolo")
    assert done.code == 3  # no image sizes
    assert "image" in done.err
    assert sorted(path.name for path in folder.iterdir()) == ["found.json", "truth.json"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["convert", "truth.json", "x"], 2, "missing option '--to'"),
        (
            ["convert", "truth.json", "x", "--to", "cocoo"],
            2,
            "--to: unknown ground-truth format 'cocoo'; did you mean 'coco'?",
        ),
        (["convert", "truth.json", "x", "--to", "voc-results"], 2, "--to: unknown ground-truth format 'voc-results'"),
        (["convert", "truth.json", "no/x", "--to", "coco"], 3, "no: no such folder; expected a folder to write into"),
        (
            ["convert", "truth.json", "x", "--to", "coco", "--truth", "y"],
            2,
            "--truth applies only with --side detections",
        ),
        (["convert", "nothing", "x", "--to", "coco"], 3, "nothing: no such file"),
        (["inspect", "nothing"], 3, "nothing: no such file"),
        (["inspect", "truth.json", "--side", "both"], 2, "unknown side 'both' (known: truth, detections)"),
        (["inspect", "truth.json", "--format", "csv"], 2, "unknown format 'csv' (known: table, json, md)"),
        (["draw", "truth.json"], 2, "--images is missing; expected the folder with the images"),
        (["draw", "truth.json", "--images", "."], 2, "-o is missing; expected the folder to write the drawings to"),
        (["draw", "truth.json", "--images", ".", "-o", "."], 2, "-o .: already exists; expected a new folder"),
        (["draw", "truth.json", "--images", "no", "-o", "x"], 3, "no: no such file"),
        (["draw", "truth.json", "--images", ".", "-o", "x", "--limit", "-1"], 2, "--limit -1; expected a whole number"),
        (["draw", "truth.json", "--images", ".", "-o", "x"], 3, ".: no images (it holds found.json, truth.json)"),
    ],
)
def test_wrong_input(boxscore: Command, folder: Path, arguments: list[str], code: int, message: str) -> None:
    done = boxscore(*arguments)
    assert (done.code, done.out) == (code, "")
    assert message in done.err
    assert sorted(path.name for path in folder.iterdir()) == ["found.json", "truth.json"]


def test_inspect(boxscore: Command, folder: Path) -> None:
    done = boxscore("inspect", "truth.json", "found.json")
    assert done.code == 0
    for text in ("images", "1 without objects", "flag 'crowd'", "Quantiles", "only in the truth", "█"):
        assert text in done.out
    data = json.loads(boxscore("inspect", "truth.json", "found.json", "--format", "json").out)
    assert [one["boxes"] for one in data["contents"]] == [4, 3]
    assert data["images"] == {"truth": 3, "detections": 2, "matched": 2, "only_truth": 1, "only_detections": 0}
    assert boxscore("inspect", "found.json", "--side", "detections", "--format", "md").out.count("| --- |") == 0
    assert boxscore("inspect", "truth.json", "-o", "page.md").code == 0
    assert (folder / "page.md").read_text().startswith("- truth: truth.json (coco)")


def test_draw(boxscore: Command, folder: Path) -> None:
    (folder / "images").mkdir()
    for name in ("a", "b"):
        Image.new("RGB", (300, 250), "white").save(folder / "images" / f"{name}.jpg")
    done = boxscore("draw", "truth.json", "found.json", "--images", "images", "-o", "drawn")
    assert done.code == 0
    assert "score       from 0.8 on, where F1 is best (--score changes it)" in done.err
    assert "coco        2 true, 0 false, 1 missed at IoU 0.5" in done.err
    assert "note        not in images: c.jpg" in done.err
    assert sorted(path.name for path in (folder / "drawn").iterdir()) == ["a.jpg", "b.jpg"]
    with Image.open(folder / "drawn" / "a.jpg") as drawn:
        assert drawn.height > 250  # the legend
    other = folder / "other"
    other.mkdir()
    (folder / "images" / "a.jpg").rename(other / "z.jpg")
    none = boxscore("draw", "truth.json", "--images", "other", "-o", "nothing")
    assert none.code == 3
    assert "other: none of the images of the ground truth (a.jpg, b.jpg, c.jpg); expected at least one" in none.err
    assert not (folder / "nothing").exists()
    (other / "z.jpg").rename(folder / "images" / "a.jpg")
    assert boxscore("draw", "truth.json", "--images", "images", "-o", "alone", "--limit", "1", "-q").err == ""
    assert [path.name for path in (folder / "alone").iterdir()] == ["a.jpg"]
