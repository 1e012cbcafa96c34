"""How files of MOTChallenge are recognised: frame, id, box and more, between commas."""

from __future__ import annotations

from boxscore.formats.content import LineForm, TextLook, Values, Words


def _framed(line: Words) -> tuple[str, Values] | None:
    """Frame and id are whole numbers."""
    numbers = line.numbers
    whole = len(numbers) >= 6 and all(value == int(value) for value in numbers[:2])
    return (line.words[0], numbers) if whole else None


LOOK = TextLook(
    forms=(LineForm("mot", range(6, 11), commas=True, read=_framed),),
    why_not="not every line is a frame, an id, a box and up to 4 numbers, between commas",
    fitting=("mot",),
)
