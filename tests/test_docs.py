"""The examples of the guides run."""

from __future__ import annotations

import doctest
import runpy
from pathlib import Path

import pytest

GUIDES = sorted((Path(__file__).parent.parent / "docs").glob("*.md"))


def test_there_are_guides() -> None:
    assert GUIDES


def test_the_page_of_formats_is_what_the_records_say() -> None:
    folder = Path(__file__).parent.parent / "docs"
    made = runpy.run_path(str(folder / "formats.py"))["page"]()
    assert (folder / "formats.md").read_text(encoding="utf-8") == made, "run: python docs/formats.py"


@pytest.mark.parametrize("path", GUIDES, ids=lambda path: path.name)
def test_the_examples_of_a_guide(path: Path) -> None:
    done = doctest.testfile(str(path), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert done.attempted
    assert not done.failed
