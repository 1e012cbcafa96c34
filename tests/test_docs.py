"""The examples of the guides run."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

GUIDES = sorted((Path(__file__).parent.parent / "docs").glob("*.md"))


def test_there_are_guides() -> None:
    assert GUIDES


@pytest.mark.parametrize("path", GUIDES, ids=lambda path: path.name)
def test_the_examples_of_a_guide(path: Path) -> None:
    done = doctest.testfile(str(path), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert done.attempted
    assert not done.failed
