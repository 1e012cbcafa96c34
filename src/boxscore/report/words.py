"""How single things are written: numbers, names, widths."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from typing import TypeVar

from boxscore.errors import elided, printable, readable
from boxscore.tables.strings import labels

__all__ = [
    "beginning",
    "elided",
    "fill",
    "labels",
    "many",
    "merged",
    "number",
    "printable",
    "readable",
    "safe_cell",
    "width",
    "wrapped",
]

Name = TypeVar("Name")
_FORMULAS = (
    "=",
    "+",
    "-",
    "@",
    "\t",
    "\r",
    "\n",
    "\x1b",
    "\uff1d",
    "\uff0b",
    "\uff0d",
    "\uff20",
)  # the last: full-width


def number(value: float) -> str:
    """Four decimals, counts with thousands separators, n/a for what is undefined.

    >>> number(0.50458), number(12345), number(float("nan"))
    ('0.5046', '12,345', 'n/a')
    """
    if isinstance(value, int):
        return f"{value:,}"
    return "n/a" if math.isnan(value) else f"{value:.4f}"


def many(count: int, what: str) -> str:
    """So many of something.

    >>> many(1, "image"), many(1200, "object")
    ('1 image', '1,200 objects')
    """
    return f"{count:,} {what}{'s' * (count != 1)}"


def safe_cell(text: str) -> str:
    """Text for a CSV cell; what a spreadsheet would take for a formula gets an apostrophe, as OWASP advises.

    >>> safe_cell("=1+1"), safe_cell("cat")
    ("'=1+1", 'cat')
    """
    return f"'{text}" if text.startswith(_FORMULAS) else text


def width(text: str) -> int:
    """How many cells of a terminal a text takes.

    >>> width("cat"), width("猫")
    (3, 2)
    """
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def fill(text: str, cells: int, right: bool = False) -> str:
    """Text padded with blanks to a width."""
    blanks = " " * max(0, cells - width(text))
    return blanks + text if right else text + blanks


def wrapped(text: str, cells: int) -> list[str]:
    """Text in lines of at most so many cells; words that are too long are cut.

    >>> wrapped("one two three", 7)
    ['one two', 'three']
    """
    lines, line, used = [], "", 0
    for word in text.split(" "):
        size = width(word)
        if line and used + 1 + size > cells:
            lines.append(line)
            line, used = word, size
        else:
            line, used = (f"{line} {word}", used + 1 + size) if line else (word, size)
        if used > cells:
            *whole, line = _cut(line, cells)
            lines += whole
            used = width(line)
    return [*lines, line] if line or not lines else lines


def beginning(text: str, cells: int) -> str:
    """As much of a sentence as a line has room for: up to the end of a part of it if one is in the second half.

    >>> beginning("COCO rules: ids of its own, and so on", 30), beginning("COCO", 30), beginning("one two three", 9)
    ('COCO rules: ids of its own', 'COCO', 'one...')
    """
    cells = max(cells, 8)
    if width(text) <= cells:
        return text
    start = wrapped(text, cells)[0]
    end = max((start + " ").rfind(mark) for mark in (", ", "; ", ": ", " ("))
    if end > cells // 2:
        return start[:end]
    return f"{wrapped(text, cells - 3)[0]}..."


def _cut(text: str, cells: int) -> list[str]:
    """Text in pieces of at most so many cells, at least a character each."""
    pieces, begin, used = list[str](), 0, 0
    for i, character in enumerate(text):
        size = width(character)
        if used + size > cells and i > begin:
            pieces.append(text[begin:i])
            begin, used = i, 0
        used += size
    return [*pieces, text[begin:]]


def merged(lists: Sequence[Sequence[Name]]) -> list[Name]:
    """The names of several lists in an order that is that of each of them, as far as they agree.

    >>> merged([["AP", "AR100", "ARs"], ["mAP"], ["AP", "AR300", "ARs"]])
    ['AP', 'AR100', 'AR300', 'ARs', 'mAP']
    """
    names: list[Name] = []
    for new in lists:
        for i, name in enumerate(new):
            if name not in names:
                follower = next((names.index(later) for later in new[i + 1 :] if later in names), len(names))
                names.insert(follower, name)
    return names
