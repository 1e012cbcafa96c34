"""One record of colours."""

from __future__ import annotations

import re
from pathlib import Path

import boxscore.report.colours as colours

SOURCES = Path(colours.__file__).parent


def test_colours_are_written_in_one_file():
    written = {
        str(path.relative_to(SOURCES)): found
        for path in SOURCES.rglob("*.py")
        if path.name != "colours.py" and (found := re.findall(r"""["'](#[0-9a-fA-F]{6})["']""", path.read_text()))
    }
    assert written == {}


def test_what_is_written_on_a_colour_is_read():
    for colour in (*colours.ON_IMAGES.values(), *colours.CLASSES):
        assert _contrast(colour, colours.ink_on(colour)) > 4.0, colour


def _contrast(*pair: str) -> float:
    low, high = sorted(colours._luminance([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) for colour in pair)
    return (high + 0.05) / (low + 0.05)
