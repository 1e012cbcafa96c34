"""The pages for people who come from other tools: every command on them runs and does what the page says."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import boxscore as bs
from boxscore.demo import examples
from boxscore.formats.io.writing import Writing, write
from boxscore.tables.model import Classes

DOCS = Path(__file__).parents[2] / "docs"
FLAGS = """-gt --gtfolder -det --detfolder -t --threshold -gtformat -detformat -gtcoords -detcoords -imgsize -sp
--savepath -np --noplot -v --version -h --help"""
SIZE = (1000, 2000)  # of every image


def lines(page: str) -> list[str]:
    """The command lines of a page, each once; `boxscore app` waits for people, and has tests of its own."""
    text = (DOCS / page).read_text(encoding="utf-8")
    used = dict.fromkeys(a or b for a, b in re.findall(r"^ {4}(boxscore .*)$|`(boxscore [^`]*)`", text, re.M))
    return [line for line in used if line.split()[1] != "app"]


def of_size(table):
    """The same table, its images named and measured."""
    n = len(table.images)
    names = [f"{key}.png" for key in table.images.key]
    images = bs.Images(names, None, np.full(n, float(SIZE[0])), np.full(n, float(SIZE[1])))
    return replace(table, images=images)


@pytest.fixture
def persons(folder: Path) -> tuple[bs.Truth, bs.Detections]:
    """The 24 detections of the 2020 paper in the encodings of the pages."""
    example = examples()[1]
    truth, found = of_size(example.truth), of_size(example.detections)
    (folder / "images").mkdir()
    for name in truth.images.key:
        Image.new("L", SIZE).save(folder / "images" / name)
    (folder / "classes.txt").write_text("person\n")
    return truth, found


@pytest.fixture
def predecessor(folder, persons):
    truth, found = persons
    for name, box, coords in (("", "xywh", None), ("_xyrb", "xyxy", None), ("_rel", "cxcywh", "relative")):
        write(truth, folder / f"groundtruths{name}", "text", Writing(box=box, coords=coords))
        write(found, folder / f"detections{name}", "text", Writing(box=box, coords=coords))
    write(found, folder / "detections_b", "text", Writing(box="xywh"))


@pytest.fixture
def toolkit(folder, persons):
    truth, found = persons
    write(truth, folder / "truth", "text", Writing(box="xywh"))
    files = {"yolo": "", "cvat": ".xml", "open-images": ".csv", "voc-xml": "", "labelme": ""}
    for form, ending in files.items():
        name = form.replace("-", "_").removesuffix("_xml")
        write(truth, folder / f"truth_{name}{ending}", form)
    (folder / "truth.json").unlink()
    write(truth, folder / "truth.json", "coco")
    write(found, folder / "detections.json", "coco")
    for name, box, coords in (("", "xywh", None), ("_xyxy", "xyxy", None), ("_rel", "cxcywh", "relative")):
        write(found, folder / f"detections{name}", "text", Writing(box=box, coords=coords))
    write(found, folder / "detections_b", "text", Writing(box="xywh"))
    ids = replace(found, classes=Classes(("0",), (0,)))
    write(ids, folder / "detections_ids", "text", Writing(box="xywh"))


def run(boxscore, folder: Path, line: str) -> str:
    """Runs a command of a page; what it writes is there, what it prints comes back."""
    words = shlex.split(line)[1:]
    if "--show" in words:  # where no window can be opened
        words = [*words[: words.index("--show")], "-o", "shown.png"]
    done = boxscore(*words)
    assert done.code == 0, (line, done.err)
    if "-o" in words:
        target = folder / words[words.index("-o") + 1]
        assert target.exists(), line
        assert not target.is_dir() or any(target.iterdir())
    return done.out


@pytest.mark.usefixtures("predecessor")
def test_every_command_of_the_page_of_pascalvoc(boxscore, folder, monkeypatch):
    used = lines("from_pascalvoc.md")
    assert len(used) > 12
    for line in used:
        if "results" in line and (folder / "results").exists():
            (folder / "results").rename(folder / f"results_{used.index(line)}")
        out = run(boxscore, folder, line)
        if " eval " in line and "--iou 0.3" in line:
            assert "0.2457" in out, line  # as its README has it: 24.57 %
        elif " eval " in line:
            assert "toolkit-voc" in out
    text = next(folder.glob("results*/results.txt")).read_text()
    assert "AP: 24.57%" in text


@pytest.mark.usefixtures("predecessor")
def test_every_encoding_of_pascalvoc_gives_its_number(boxscore, folder):
    """The commands of the page with the threshold of the source: all read the same boxes."""
    read = [line for line in lines("from_pascalvoc.md") if " eval " in line and "--iou" not in line]
    assert len(read) >= 6
    for line in read:
        assert "0.2457" in run(boxscore, folder, f"{line} --iou 0.3"), line


PASCALVOC = (
    "-gt groundtruths -det detections",
    "--gtfolder groundtruths --detfolder detections --threshold 0.3 --noplot",
    "-gt groundtruths_xyrb -det detections -gtformat xyrb",
    "-gt groundtruths -det detections_xyrb -gtformat xywh -detformat xyrb",
    "-gt groundtruths_rel -det detections_rel -gtcoords rel -detcoords rel -imgsize 1000,2000",
    "-gt groundtruths_rel -det detections -gtcoords rel -detcoords abs -imgsize 1000,2000",
    "-gt groundtruths -det detections_rel -detcoords rel -imgsize 1000,2000 -gtformat xywh",
    "-t 0.3 -gt groundtruths",
)


@pytest.mark.usefixtures("predecessor")
@pytest.mark.parametrize("words", PASCALVOC)
@pytest.mark.parametrize("before", [[], ["eval"]])
def test_the_answer_to_the_options_of_pascalvoc_runs(boxscore, folder, before, words):
    """It is a usage error whose command gives the number of the README: 24.57 % at IoU 0.3."""
    done = boxscore(*before, *words.split())
    assert (done.code, done.out) == (2, "")
    _, line = done.err.splitlines()
    assert "0.2457" in run(boxscore, folder, line if "--iou" in line else f"{line} --iou 0.3"), line


def test_words_that_are_no_options_are_its_folders(boxscore):
    done = boxscore("eval", "a", "b", "-t", "0.5", "--score", "0.3")
    assert done.err.splitlines()[1].strip() == (
        "boxscore eval a b --protocol toolkit-voc --iou 0.5 --box xywh --score 0.3"
    )
    assert boxscore("-v").err.splitlines()[1].strip() == "boxscore --version"


@pytest.mark.usefixtures("toolkit")
def test_every_command_of_the_page_of_the_toolkit(boxscore, folder):
    used = lines("from_toolkit.md")
    assert len(used) > 25
    for line in used:
        out = run(boxscore, folder, line)
        if " eval " in line and "--protocol toolkit " in f"{line} " and "_rel" not in line and "-o" not in line:
            assert len(_metrics(out)) >= 9, line  # what is n/a for one reason is one line
            assert _metrics(out) == _metrics(run(boxscore, folder, _plain(line))), line


def _plain(line: str) -> str:
    """The same evaluation of the plainest encoding."""
    return f"boxscore eval truth detections {'detections_b ' if 'detections_b' in line else ''}--protocol toolkit"


def _metrics(out: str) -> list[list[str]]:
    """The rows of the summary: names and values; those that are n/a for one reason share a line."""
    rows = [re.fullmatch(r"(m?A[PR]\w*(?:, m?A[PR]\w*)*) +(\S.*)", line) for line in out.splitlines()]
    return [[name, *row[2].split()] for row in rows if row for name in row[1].split(", ")]


@pytest.mark.parametrize("page", ["from_pascalvoc.md", "from_toolkit.md"])
def test_every_flag_and_control_has_its_row(page):
    text = (DOCS / page).read_text(encoding="utf-8")
    flags = {
        "from_pascalvoc.md": re.findall(r"-[-a-z]+", FLAGS),
        "from_toolkit.md": [f"| {k} " for k in range(1, 13)],
    }[page]
    for flag in flags:
        assert flag in text
