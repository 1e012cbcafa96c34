"""Lines of text files, each by its form: how many words, which of them are numbers, and in what range."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

LINES = 20_000  # that are looked at in all
SHARES, NAMED, PIXELS, SEVEN, GROUPS = "shares", "named", "pixels", "seven", "groups"
DOTA, DOTA_RESULTS = "dota", "dota-results"
_FIVE = re.compile(r"-?[\d.]+(,-?[\d.]+){4}")
_PATH = re.compile(r".*\.(jpe?g|png|bmp|tiff?|webp)", re.IGNORECASE)
_HEAD = re.compile(r"(imagesource|gsd|acquisition dates)\s*:", re.IGNORECASE)
_ITEM = re.compile(r"item\s*\{")


class Line(NamedTuple):
    """A line by its form; `name` is the class or image before `values`."""

    form: str
    name: str
    values: tuple[float, ...]
    number: int


class File(NamedTuple):
    """A text file: the form that most of its lines have, and the lines."""

    path: str
    form: str
    lines: tuple[Line, ...]
    first: str  # its first line


def file_of(path: str, text: str, complete: bool = True) -> File:
    """The lines of a text by their forms; the last one does not count where the text goes on."""
    listed = text.splitlines()
    if not complete and len(listed) > 1:
        listed.pop()
    kept = [(number, line.strip()) for number, line in enumerate(listed[:LINES], 1) if line.strip()]
    first = kept[0][1] if kept else ""
    if not kept:
        return File(path, "empty", (), "")
    if _ITEM.match(first):
        return File(path, "label-map", (), first)
    if _is_wider_face([line for _, line in kept[:3]]):
        return File(path, "wider-face", (), first)
    lines = tuple(_line(number, line) for number, line in kept if not line.startswith("#") and not _HEAD.match(line))
    if not lines:
        return File(path, DOTA if _HEAD.match(first) else "list", (), first)
    return File(path, Counter(line.form for line in lines).most_common(1)[0][0], lines, first)


def _line(number: int, line: str) -> Line:
    words = line.split()
    if len(words) > 1 and all(_FIVE.fullmatch(word) for word in words[1:]):
        return Line("keras-yolo3", words[0], (), number)
    commas = line.count(",") >= 4 or line.count(";") >= 4
    if commas and (len(words) == 1 or all(word.endswith((",", ";")) for word in words[:-1])):
        return _commas(number, [word.strip() for word in re.split("[,;]", line)])
    if len(words) < 5:
        broken = len(words) > 2 and all(_number(word) is not None for word in words[-2:])
        return Line("other" if broken else "list", line, (), number)
    values = [_number(word) for word in words]
    numbers = tuple(value for value in values if value is not None)
    if len(numbers) == len(values):
        return Line(_of_numbers(numbers), words[0], numbers[1:], number)
    return _with_name(number, words, values)


def _of_numbers(numbers: tuple[float, ...]) -> str:
    n = len(numbers)
    if numbers[0] == int(numbers[0]) and numbers[0] >= 0 and _are_shares(numbers[1:]):
        return SHARES
    if n in (5, 6):
        return PIXELS
    if n % 5 == 0 and all(value == int(value) for value in numbers[::5]):
        return GROUPS
    return SEVEN if n == 7 else "numbers"


def _are_shares(values: tuple[float, ...]) -> bool:
    """Whether values are relative: all near 0 to 1, but for a track number at the end and the visibility of joints."""
    if len(values) in (6, 10) and values[-1] == int(values[-1]) and values[-1] > 1:
        values = values[:-1]
    joints = len(values) >= 9
    return all(-0.01 <= value <= 1.01 or (joints and i >= 4 and value == 2) for i, value in enumerate(values))


def _commas(number: int, words: list[str]) -> Line:
    values = [_number(word) for word in words if word]
    numbers = tuple(value for value in values if value is not None)
    if len(numbers) < len(values):
        return Line("other", words[0], (), number)
    whole = all(value == int(value) for value in numbers[:2])
    if len(numbers) == 15:
        return Line("kitti", words[0], numbers, number)
    if len(numbers) == 8 and numbers[4] in (0, 1):
        return Line("visdrone", words[0], numbers, number)
    return Line("mot" if whole and 6 <= len(numbers) <= 10 else "other", words[0], numbers, number)


def _with_name(number: int, words: list[str], values: list[float | None]) -> Line:
    n = len(words)
    missing = [i for i, value in enumerate(values) if value is None]
    numbers = tuple(value for value in values if value is not None)
    if missing == [0] and n in (15, 16):
        return Line("kitti", words[0], numbers, number)
    if missing == [2] and n in (17, 18):
        return Line("kitti", words[2], numbers, number)
    if missing and missing[0] == 8 and missing[-1] >= n - 2:
        return Line(DOTA, " ".join(words[8 : missing[-1] + 1]), numbers, number)
    if missing == [0] and n == 10:
        return Line(DOTA_RESULTS, words[0], numbers, number)
    if missing == [5] and n == 6:
        return Line("mots", words[0], numbers, number)
    if words[-1] == "difficult":
        words, values = words[:-1], values[:-1]
        missing = [i for i, value in enumerate(values) if value is None]
    tail = len(values) - 1 - missing[-1] if missing else len(values)
    if tail == 6:
        tail = 5  # the class ends with a number
    if tail in (4, 5):
        return Line(NAMED, " ".join(words[:-tail]), tuple(v for v in values[-tail:] if v is not None), number)
    return Line("other", words[0], (), number)


def _is_wider_face(lines: list[str]) -> bool:
    """A path, a count, and then rows of ten numbers (five in predictions)."""
    if len(lines) < 3 or len(lines[1].split()) != 1 or not lines[1].strip().isdecimal():
        return False
    row = lines[2].split()
    numeric = all(_number(word) is not None for word in row)
    return (
        (_PATH.fullmatch(lines[0]) is not None or "/" in lines[0] or "_" in lines[0])
        and numeric
        and len(row) in (5, 10)
    )


def _number(word: str) -> float | None:
    try:
        value = float(word.rstrip(","))
    except ValueError:
        return None
    return value if abs(value) < 1e15 and "_" not in word else None
