"""Lines of DOTA's label files: four corners, a class and whether the object is difficult."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from boxscore.errors import InputError
from boxscore.formats.io.invalid import Invalid
from boxscore.formats.io.text_lines import as_number

CORNERS = tuple(f"{axis}{k}" for k in range(1, 5) for axis in "xy")
_EXPECTED = f"{' '.join(f'<{name}>' for name in CORNERS)} <class> <difficult>"
_HEAD = re.compile(r"(imagesource|gsd|acquisition dates)\s*:", re.IGNORECASE)


class Labelled(NamedTuple):
    """An object: x y of its corners, its class, and whether it is difficult."""

    line: int
    quad: list[float]
    name: str
    difficult: bool


def labelled(text: str, file: str, invalid: Invalid) -> Iterator[Labelled]:
    """The objects of a label file; lines on the source of the image and its resolution may come first."""
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or _HEAD.match(line.strip()):
            continue
        row = None
        with invalid:
            row = _row(f"{file}:{number}", words)
        if row is not None:
            yield Labelled(number, *row)


def holds(name: str) -> bool:
    """Whether a line can hold a class of that name, so that it comes back as it is."""
    plain = " ".join(name.split()) == name == name.encode("utf-8", "ignore").decode()
    return plain and bool(name) and (" " not in name or as_number(name.split()[0]) is None)


def _row(where: str, words: Sequence[str]) -> tuple[list[float], str, bool]:
    """Corners, class and flag; a class of several words ends before the flag, which must be there then."""
    numbers = [as_number(word) for word in words[:8]]
    quad = [number for number in numbers if number is not None]
    if len(quad) < 8 or len(words) < 9 or (as_number(words[8]) is not None and len(words) != 10):
        raise _wrong(where, words)
    for name, value, word in zip(CORNERS, quad, words, strict=False):
        if not math.isfinite(value):
            raise InputError(where, f"{name} is '{word}'", "a finite number")
    if len(words) == 9:
        return quad, words[8], False
    difficult = as_number(words[-1])
    if difficult is None or difficult != math.floor(difficult):
        raise InputError(where, f"difficult is '{words[-1]}'", "0 or 1, the last value of a line")
    return quad, " ".join(words[8:-1]), difficult > 0  # later versions also have 2


def _wrong(where: str, words: Sequence[str]) -> InputError:
    """What is wrong with a line that does not begin with exactly eight numbers and a class."""
    leading = next((i for i, word in enumerate(words) if as_number(word) is None), len(words))
    hint = ""
    if leading == len(words):
        found = f"{leading} number{'s' * (leading != 1)} and no class"
    elif leading == 0 and len(words) in (6, 10):
        found = f"'{words[0]}' is not a number"
        hint = "An image, a score and coordinates are a detection; were truth and detections swapped?"
    elif leading < 8 and any(as_number(word) is not None for word in words[leading + 1 : 8]):
        found = f"'{words[leading]}' is not a number"
    else:
        found = f"{leading} number{'s' * (leading != 1)} before the class"
    return InputError(where, found, _EXPECTED, hint)
