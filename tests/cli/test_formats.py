"""`boxscore formats`: which format a path has, why, and what to do."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from boxscore.formats.registry import formats
from boxscore.report.formats import readable

Command = Callable[..., Any]


def lines(folder: Path, name: str, content: str) -> str:
    (folder / name).mkdir()
    (folder / name / "a.txt").write_text(content)
    return name


def test_without_a_path_all_formats_are_listed(boxscore: Command) -> None:
    done = boxscore("formats")
    assert (done.code, done.err) == (0, "")
    for form in formats():
        assert re.search(f"^{form.name} +{'read' if form.truth else '-'}", done.out, re.M)
    listed = json.loads(boxscore("formats", "--format", "json").out)
    assert [row["name"] for row in listed["formats"]] == [form.name for form in formats()]
    assert [row["read"] for row in listed["formats"] if row["name"] == "voc-results"] == [["detections"]]
    assert {"mots", "wider-face"} <= {row["name"] for row in listed["not_read"]}


def test_a_file_with_its_command(boxscore: Command) -> None:
    done = boxscore("formats", "truth.json")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("truth.json: JSON with the keys `images`, `annotations`, `categories`\n\n1  coco  ")
    assert "\n   boxscore eval truth.json DETECTIONS --truth-format coco\n" in done.out
    assert "\n   labelme: it lacks `shapes` and `imagePath`\n" in done.out
    assert "\n   voc-xml, cvat, cvat-video: no XML\n" in done.out


def test_a_file_that_can_only_be_the_other_side(boxscore: Command) -> None:
    assert boxscore("formats", "found.json", "--side", "detections").code == 0
    done = boxscore("formats", "found.json", "--side", "truth")
    assert done.code == 3
    assert "\ncoco cannot be read as truth.\n" in done.out


def test_what_is_open_stands_in_the_command(boxscore: Command, folder: Path) -> None:
    done = boxscore("formats", lines(folder, "t", "cat 10 20 30 40\ncat 1 2 30 40\n"))
    assert done.code == 0
    assert "   boxscore eval t DETECTIONS --truth-format text [--box xywh or --box xyxy]\n" in done.out
    assert (
        "\nOpen\n   xywh or xyxy: the content does not tell; state --box xywh or --box xyxy\n   - 100 % of 2 boxes"
        in done.out
    )
    done = boxscore("formats", lines(folder, "d", "cat 0.5 100 20 30 40\ncat 0.4 1 2 30 40\n"))
    assert "   boxscore eval TRUTH d --detections-format text --box xywh\n" in done.out


def test_the_command_that_is_told_runs(boxscore: Command, folder: Path) -> None:
    """What the command says of each side, put together, evaluates."""
    truth, found = lines(folder, "t", "cat 100 20 30 40\n"), lines(folder, "d", "cat 0.5 100 20 30 40\n")
    said = [re.search(r"boxscore eval (.*)", boxscore("formats", path).out) for path in (truth, found)]
    options = [word for one in said if one for word in one.group(1).split()[2:]]
    assert boxscore("eval", truth, found, *options).code == 0


def test_what_is_not_read_is_refused_with_advice(boxscore: Command, folder: Path) -> None:
    (folder / "gt.txt").write_text("0 1001 1 375 1242 UdW31S;5L4\n")
    done = boxscore("formats", "gt.txt")
    assert (done.code, done.err) == (3, "")
    assert "This is MOTS, which is not read. Convert it to COCO JSON" in done.out


def test_nothing_fits(boxscore: Command, folder: Path) -> None:
    (folder / "x").write_text('{"loss": 1}')
    done = boxscore("formats", "x")
    assert (done.code, done.err) == (3, "")
    assert done.out.startswith("x: JSON with the keys `loss`\n\nNo format fits.\n")
    assert boxscore("formats", "no such").code == 3


def test_one_file_of_a_folder(boxscore: Command, folder: Path) -> None:
    lines(folder, "t", "cat 10 20 30 40\n")
    assert "this is one file of text; give the folder that holds it" in boxscore("formats", "t/a.txt").out


def test_json(boxscore: Command) -> None:
    made = json.loads(boxscore("formats", "truth.json", "--format", "json").out)
    assert (made["schema"], made["path"]) == ("boxscore/formats/1", "truth.json")
    assert made["candidates"][0]["name"] == "coco"
    assert made["candidates"][0]["readable"] == ["truth"]
    assert {"name": "stt", "why": "it lacks `videos` and annotations with a `track`"} in made["refused"]


@pytest.mark.parametrize(("option", "value"), [("--side", "left"), ("--format", "xml")])
def test_unknown_words(boxscore: Command, option: str, value: str) -> None:
    done = boxscore("formats", "truth.json", option, value)
    assert done.code == 2
    assert f"'{value}'" in done.err


def test_readable_sides_are_those_of_the_registry() -> None:
    from boxscore.formats.content import Candidate

    assert readable(Candidate("voc-xml", "sure", (), (), ("truth",))) == ["truth"]
    assert readable(Candidate("mots", "sure", (), ())) == []
