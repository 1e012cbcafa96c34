"""Lines of DOTA's label files: four corners, a class and whether the object is difficult."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from boxscore.errors import InputError
from boxscore.formats.io.invalid import Invalid
from boxscore.formats.words import as_number
from boxscore.tables.model import Floats, Indices

CORNERS = tuple(f"{axis}{k}" for k in range(1, 5) for axis in "xy")
_EXPECTED = f"{' '.join(f'<{name}>' for name in CORNERS)} <class> <difficult>"
_FLAGS = ("0", "1", "2")  # the last is in later versions
_HEAD = re.compile(r"(imagesource|gsd|acquisition dates)\s*:", re.IGNORECASE)


class Labelled(NamedTuple):
    """The objects of label files: x y of four corners, class, whether it is difficult, file and line of each."""

    quad: Floats  # (n, 8)
    name: Sequence[str]
    difficult: Sequence[bool]
    file: Indices
    line: Sequence[int]


def labelled(texts: Sequence[str], files: Sequence[str], invalid: Invalid) -> Labelled:
    """The objects of label files; lines on the source of an image and its resolution may come first."""
    rows, file, line = list[list[str]](), list[int](), list[int]()
    for k, text in enumerate(texts):
        for number, written in enumerate(text.splitlines(), 1):
            words = written.split()
            if words and not (":" in written and _HEAD.match(written.strip())):
                rows.append(words)
                file.append(k)
                line.append(number)
    made = _usual(rows)
    if made is not None:
        return Labelled(*made, np.array(file, np.int32), line)
    return _careful(rows, file, line, files, invalid)


def _usual(rows: Sequence[Sequence[str]]) -> tuple[Floats, list[str], list[bool]] | None:
    """Corners, classes and flags where every row is written as it mostly is; else None."""
    if any(len(words) != 10 or words[9] not in _FLAGS for words in rows):
        return None
    corners = [word for words in rows for word in words[:8]]
    try:
        values = np.fromiter(map(float, corners), np.float64, len(corners))
    except ValueError:
        return None
    if not np.isfinite(values).all() or any("_" in word for word in corners):
        return None
    return values.reshape(-1, 8), [words[8] for words in rows], [words[9] != "0" for words in rows]


def _careful(
    rows: Sequence[Sequence[str]], file: Sequence[int], line: Sequence[int], files: Sequence[str], invalid: Invalid
) -> Labelled:
    """The rows one by one, with an error for the first that cannot be used, unless these are left out."""
    made, kept = list[tuple[list[float], str, bool]](), list[int]()
    for i, words in enumerate(rows):
        with invalid:
            made.append(_row(f"{files[file[i]]}:{line[i]}", words))
            kept.append(i)
    quads, names, difficult = zip(*made, strict=True) if made else ((), (), ())
    where = np.array([file[i] for i in kept], np.int32), [line[i] for i in kept]
    return Labelled(np.array(quads, np.float64).reshape(-1, 8), names, difficult, *where)


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
    return quad, " ".join(words[8:-1]), difficult > 0


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
