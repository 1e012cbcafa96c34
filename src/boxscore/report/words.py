"""How single things are written: numbers, names, widths."""

from __future__ import annotations

import math
import unicodedata


def number(value: float) -> str:
    """Four decimals, counts with thousands separators, n/a for what is undefined.

    >>> number(0.50458), number(12345), number(float("nan"))
    ('0.5046', '12,345', 'n/a')
    """
    if isinstance(value, int):
        return f"{value:,}"
    return "n/a" if math.isnan(value) else f"{value:.4f}"


def printable(text: str) -> str:
    r"""Text without line breaks and control characters, which could break a table or a terminal.

    >>> printable("a\nb")
    'a\\nb'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def elided(text: str, limit: int = 32) -> str:
    """At most so many characters; what is missing is missing in the middle."""
    if len(text) <= limit:
        return text
    half = (limit - 3) // 2
    return f"{text[: limit - 3 - half]}...{text[-half:]}"


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
    lines, line = [], ""
    for word in text.split(" "):
        if line and width(line) + 1 + width(word) > cells:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
        while width(line) > cells:
            cut = next(i for i in range(len(line), 0, -1) if width(line[:i]) <= cells or i == 1)
            lines.append(line[:cut])
            line = line[cut:]
    return [*lines, line] if line or not lines else lines
