"""The examples of the guides run."""

from __future__ import annotations

import doctest
import inspect
import re
import runpy
from pathlib import Path

import pytest

from boxscore.report.figures.plots import FUNCTIONS

GUIDES = sorted((Path(__file__).parent.parent / "docs").glob("*.md"))


def test_there_are_guides() -> None:
    assert GUIDES


def test_the_page_of_formats_is_what_the_records_say() -> None:
    folder = Path(__file__).parent.parent / "docs"
    made = runpy.run_path(str(folder / "formats.py"))["page"]()
    assert (folder / "formats.md").read_text(encoding="utf-8") == made, "run: python docs/formats.py"


def test_the_page_of_figures_is_what_its_script_says() -> None:
    folder = Path(__file__).parent.parent / "docs"
    script = runpy.run_path(str(folder / "figures.py"))
    figures = script["shown"]()
    assert (folder / "figures.md").read_text(encoding="utf-8") == script["page"](figures), "run: python docs/figures.py"
    pictures = {path.stem for path in (folder / "figures").iterdir()}
    assert pictures == {figure.file for figure in figures}
    for name, function in FUNCTIONS.items():  # every docstring names pictures that are there
        named = re.findall(r"(\w+)\.png", inspect.getdoc(function) or "")
        assert named, name
        assert set(named) <= pictures


def test_the_transcripts_are_what_the_commands_print() -> None:
    folder = Path(__file__).parent.parent / "docs"
    script = runpy.run_path(str(folder / "transcripts.py"))
    assert len(script["SESSIONS"]) + 1 >= 10
    made = script["page"]()
    assert (folder / "transcripts.md").read_text(encoding="utf-8") == made, "run: python docs/transcripts.py"
    shown = re.findall(r"```console\n(.*?)```", made, re.DOTALL)
    assert len(shown) == len(script["SESSIONS"])
    assert max(len(line) for text in shown for line in text.split("\n")) <= script["COLUMNS"]
    assert "this is a bug in boxscore" not in made


@pytest.mark.parametrize("path", GUIDES, ids=lambda path: path.name)
def test_the_examples_of_a_guide(path: Path) -> None:
    done = doctest.testfile(str(path), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert done.attempted
    assert not done.failed
