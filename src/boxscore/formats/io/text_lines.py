"""Lines of text: a class and four or five numbers, or a message that says which line is not that."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from boxscore.errors import InputError
from boxscore.formats.io.files import Files, none_of
from boxscore.formats.io.invalid import Invalid
from boxscore.formats.io.label_files import Listing, stem_of
from boxscore.formats.io.number_rows import NumberRows, Row, read_rows
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.words import as_number

_EXPECTED = {4: "<class> <4 numbers>", 5: "<class> <confidence> <4 numbers>"}
_DIFFICULT = re.compile(r"(.*\S)[\s,;]+\"?difficult\"?\s*")
_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")
_SEPARATORS = re.compile(r"[\s,;]+")


def read_lines(folder: Files, n_numbers: int, how: ReadOptions) -> tuple[list[str], NumberRows]:
    """The image names and all lines of all text files of a folder, with four numbers after the class or five."""
    paths = Listing(folder).labels()
    if not paths:
        raise none_of(folder, ".txt files", "a text file per image, or XML files as of PASCAL VOC")
    keys = [stem_of(path) for path in paths]
    if len(set(keys)) < len(keys):
        twice = next(name for name in keys if keys.count(name) > 1)
        raise InputError(folder.name, f"two files for the image '{twice}'", "one file per image")
    rows = read_rows(folder, paths, n_numbers, partial(_careful, n_numbers, how.invalid), how.threads)
    if n_numbers == 4:
        _refuse_confidences(folder, paths, rows)
    return keys, rows


def _careful(n_numbers: int, invalid: Invalid, text: str, file: str) -> Iterator[Row]:
    for number, line in enumerate(text.splitlines(), 1):
        row = None
        with invalid:
            row = _row(file, number, line, n_numbers)
        if row is not None:
            yield row


def _row(file: str, number: int, line: str, n_numbers: int) -> Row | None:
    """A line, taken apart; None for one that says nothing."""
    if not line.strip(" \t,;"):
        return None
    found, marked = _taken_apart(line, n_numbers), False
    if found is None and n_numbers == 4 and (shorter := _DIFFICULT.fullmatch(line)):
        found, marked = _taken_apart(shorter[1], 4), True
    if found is None:
        if line.lstrip().startswith("#"):  # a comment
            return None
        raise _wrong_line(file, number, line, n_numbers)
    if not all(map(math.isfinite, found[1])):
        raise InputError(f"{file}:{number}", f"the numbers {found[1]}", "finite numbers")
    return Row(number, *found, marked)


def _taken_apart(line: str, n_numbers: int) -> tuple[str, list[float]] | None:
    """Class and numbers; the numbers are taken from the right, since the names of classes may hold spaces."""
    for split in _WAYS:
        name, *words = split(line.strip().rstrip(",; \t"), n_numbers) or [""]
        values = [number for word in words if (number := as_number(word)) is not None]
        if len(values) == len(words) == n_numbers and (name := _bare(name)):
            return name, values
    return None


def holds(name: str, n_numbers: int) -> bool:
    """Whether a line can hold a class of that name, so that it comes back as it is."""
    found = _taken_apart(name + " 1" * n_numbers, n_numbers)
    plain = " ".join(name.split()) == name == name.encode("utf-8", "ignore").decode()
    is_name = plain and not name.startswith("\ufeff") and not (n_numbers == 4 and _ends_with_confidence(name))
    return is_name and found is not None and found[0] == name


def _by_space(line: str, n: int) -> list[str]:
    return line.rsplit(None, n)


def _by_semicolon(line: str, n: int) -> list[str]:
    return [_with_point(word.strip()) for word in line.rsplit(";", n)]


def _by_space_with_commas(line: str, n: int) -> list[str]:
    return [_with_point(word) for word in line.rsplit(None, n)]


def _by_comma(line: str, n: int) -> list[str]:
    return line.rsplit(",", n)


def _by_both(line: str, n: int) -> list[str]:
    return re.sub(r"[,;]\s+", " ", line).rsplit(None, n)


_WAYS: tuple[Callable[[str, int], list[str]], ...] = (
    _by_space, _by_semicolon, _by_space_with_commas, _by_comma, _by_both,
)  # fmt: skip


def _with_point(word: str) -> str:
    """A number whose decimals stand after a comma, with a point; anything else as it is."""
    return word.replace(",", ".") if _DECIMAL_COMMA.fullmatch(word) else word


def _bare(name: str) -> str:
    """A name without the quotes and separators around it; spaces inside are for others."""
    name = name.strip(" \t,;")
    return name[1:-1] if len(name) > 2 and name[0] == name[-1] == '"' else name


def _refuse_confidences(folder: Files, paths: list[str], rows: NumberRows) -> None:
    """Raises if a line of the truth has what looks like a confidence after its class."""
    for k, name in enumerate(rows.names):
        if _ends_with_confidence(name):
            row = int((rows.name == k).argmax())
            line = folder.bytes(paths[rows.file[row]]).decode("utf-8-sig").splitlines()[rows.line[row] - 1]
            raise InputError(
                rows.place(row), f"5 numbers: '{line.strip()}'", _EXPECTED[4],
                "Five numbers look like a detection with its confidence; were truth and detections swapped?",
            )  # fmt: skip


def _ends_with_confidence(label: str) -> bool:
    """Whether a class name ends with what looks like a confidence: `cat 0.88`, but not `type 1`."""
    words = _SEPARATORS.split(label)
    value = as_number(words[-1])
    return len(words) > 1 and "." in words[-1] and value is not None and 0 <= value <= 1


def _wrong_line(file: str, number: int, line: str, n_numbers: int) -> InputError:
    words = line.split()
    if len(words) < n_numbers and re.search("[,;]", line):
        words = re.split("[,;]" if ";" not in line else ";", line)
    tail = [word.strip() for word in (words[1:] if len(words) <= n_numbers else words[-n_numbers:])]
    wrong = [word for word in tail if as_number(_with_point(word)) is None]
    found = f"'{wrong[0]}' is not a number" if wrong else f"{len(tail)} number{'s' * (len(tail) != 1)} after the class"
    hint = ""
    if n_numbers == 5 and not wrong and len(tail) == 4:
        hint = "Detections need a confidence on each line; is this ground truth?"
    elif "," in line and not wrong:
        hint = "With commas between values, decimals have a point."
    elif Path(file).stem in ("labels", "names"):
        hint = "If this is a list of classes, move it out of the folder."
    return InputError(f"{file}:{number}", found, _EXPECTED[n_numbers], hint)
