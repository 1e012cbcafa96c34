"""Rows of fields, CSV or words between white space: read in blocks, handed on as columns of text."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from typing import Any, TextIO

import numpy as np
import numpy.typing as npt

from boxscore.errors import InputError
from boxscore.formats.source import Source
from boxscore.model import Bools, Floats, Indices, Ints

LONGEST_LINE = 1 << 24  # characters of a row; the kernels leave longer ones to the careful readers
BLOCK = 2000  # rows that are taken apart at a time: they stay in the cache
Place = Callable[[int], str]  # how a message names the place of a row
_WORDS = {"": False, "false": False, "true": True}


@dataclass(frozen=True)
class Rows:
    """A file of rows; without a delimiter, any white space separates. Blank rows do not count."""

    source: Source
    delimiter: str | None = None
    header: int = 0  # rows that come before the first

    def blocks(self, width: int, expected: str) -> Iterator[tuple[Place, Sequence[Sequence[str]]]]:
        """The places and the columns of each block, at least one; every row must have the same width."""
        first = 0
        with text_of(self.source) as file:
            rest = bounded(file, self.source.name)
            for _ in islice(filter(str.strip, rest), self.header):
                pass
            lines = list(islice(rest, BLOCK))
            while lines and (columns := self._plain(lines, width)) is not None:
                yield partial(self._after, first), columns
                first += len(columns[0])
                lines = list(islice(rest, BLOCK))
            for rows in self._blocks(chain(lines, rest), first):
                place = partial(self._after, first)
                if set(map(len, rows)) != {width}:
                    i = next(i for i, row in enumerate(rows) if len(row) != width)
                    raise InputError(place(i), f"{len(rows[i])} value{'s' * (len(rows[i]) != 1)}", expected)
                yield place, list(zip(*rows, strict=True))
                first += len(rows)
        if not first:
            yield self.place, [()] * width

    def place(self, row: int) -> str:
        """File and line of a row; the file is read again for it."""
        with text_of(self.source) as file:
            before, header = 0, self.header
            while header:
                header, before = header - bool(next(file).strip()), before + 1
            numbered = (before + n for n, fields in _numbered(self._split(file)) if any(fields))
            return f"{self.source.name}:{next(islice(numbered, row, None))}"

    def _after(self, first: int, row: int) -> str:
        return self.place(first + row)

    def _plain(self, lines: list[str], width: int) -> list[list[str]] | None:
        """The columns of lines without quotes that are all alike, in half of the time that `csv` takes; else None."""
        text = "".join(lines).replace("\r\n", "\n").rstrip("\n")
        if self.delimiter is None or '"' in text or "\r" in text:
            return None
        rows = text.split("\n")
        if {row.count(self.delimiter) for row in rows} != {width - 1} or self.delimiter * (width - 1) in rows:
            return None
        if " " in text and not all(row.strip(f" {self.delimiter}") for row in rows):
            return None
        fields = text.replace("\n", self.delimiter).split(self.delimiter)
        return [fields[k::width] for k in range(width)]

    def _split(self, lines: Iterable[str]) -> Iterator[list[str]]:
        if self.delimiter is None:
            return map(str.split, lines)
        return csv.reader(lines, delimiter=self.delimiter, skipinitialspace=True)

    def _blocks(self, lines: Iterable[str], first: int) -> Iterator[list[list[str]]]:
        rows = self._split(lines)
        try:
            while block := list(islice(rows, BLOCK)):
                if kept := list(filter(any, block)):
                    yield kept
                    first += len(kept)
        except csv.Error as error:
            found = f"a CSV file that cannot be taken apart ({error})"
            raise InputError(self.source.name, found, f"rows of values, as in the first {first:,}") from None


def _numbered(rows: Iterator[list[str]]) -> Iterator[tuple[int, list[str]]]:
    """Rows with the line on which each ends: a quoted field may go over several."""
    for number, fields in enumerate(rows, 1):
        yield getattr(rows, "line_num", number), fields


def bounded(file: TextIO, name: str) -> Iterator[str]:
    """The lines of a file; an error where one is so long that it cannot be a row, before memory is full of it."""
    for number, line in enumerate(iter(partial(file.readline, LONGEST_LINE + 1), ""), 1):
        if len(line) > LONGEST_LINE:
            raise too_long(f"{name}:{number}")
        yield line


def too_long(place: str) -> InputError:
    """The error for a line that cannot be a row."""
    return InputError(place, f"a line of more than {LONGEST_LINE:,} characters", "a row of values")


@contextmanager
def text_of(source: Source) -> Iterator[TextIO]:
    """The text of a source, opened; an error says where it is not UTF-8."""
    binary = io.BytesIO(source.content) if source.path is None else source.path.open("rb")
    with io.TextIOWrapper(binary, encoding="utf-8-sig", newline="") as file:
        try:
            yield file
        except UnicodeDecodeError:
            raise not_text(source) from None


def lines_of(source: Source) -> list[str]:
    """All lines of a small file."""
    with text_of(source) as file:
        return file.read().splitlines()


def not_text(source: Source) -> InputError:
    """The error for a source that is not UTF-8; readers by block do not know the byte."""
    try:
        source.bytes().decode()
    except UnicodeDecodeError as error:
        return InputError(source.name, f"byte {error.start} is not UTF-8", "a text file")
    raise AssertionError("it is UTF-8")


def numbers(fields: Sequence[str], place: Place, what: str) -> Floats:
    """A column of finite numbers; a comma may stand for the point.

    >>> numbers(["0.5", "0,25"], str, "XMin")
    array([0.5 , 0.25])
    """
    values = _json_numbers(fields)
    if values is None:
        values = np.fromiter((_number(field) for field in fields), np.float64, len(fields))
    if not np.isfinite(values).all():
        row = int(np.isfinite(values).argmin())
        raise InputError(place(row), f"{what} is '{fields[row]}'", "a finite number")
    return values


def _json_numbers(fields: Sequence[str]) -> Floats | None:
    """Numbers by the compiled parser of JSON, which takes a fifth of the time of `float`; None if some are no JSON."""
    text = "\n".join(fields)
    if '"' in text:  # it could end a record and begin another
        return None
    records = '[{"v":' + text.replace("\n", '},{"v":') + "}]"
    columns = Source("", None, records.encode()).json_columns({"": {"v": "number"}}, 0, 1)
    if columns is None:
        return None
    values, missing, _ = columns[""]["v"]
    return values if missing is None and len(values) == len(fields) else None


def _number(field: str) -> float:
    try:
        return float("nan" if "_" in field else field.replace(",", "."))  # float reads 1_0 as ten
    except ValueError:
        return np.nan


def whole_numbers(fields: Sequence[str], place: Place, what: str) -> Ints:
    """A column of whole numbers."""
    values = numbers(fields, place, what)
    wrong = (values != np.rint(values)) | (np.abs(values) >= 2**53)
    if wrong.any():
        row = int(wrong.argmax())
        raise InputError(place(row), f"{what} is '{fields[row]}'", "a whole number")
    return values.astype(np.int64)


def keys(fields: Sequence[str], known: dict[str, int], place: Place, what: str) -> Indices:
    """For each name its number in `known`, which new names are added to.

    >>> known = {"a": 0}
    >>> keys(["b", "a", "b"], known, str, "ImageID"), known
    (array([1, 0, 1], dtype=int32), {'a': 0, 'b': 1})
    """
    table = {field: field.strip() for field in dict.fromkeys(fields)}
    if not all(table.values()):
        row = next(i for i, field in enumerate(fields) if not field.strip())
        raise InputError(place(row), f"an empty {what}", f"a name as {what}")
    numbered = {field: known.setdefault(name, len(known)) for field, name in table.items()}
    return np.fromiter(map(numbered.__getitem__, fields), np.int32, len(fields))


def flags(fields: Sequence[str], place: Place, what: str) -> Bools:
    """A column of 1 (yes), 0 (no) and -1 (unknown, which is no).

    >>> flags(["1", "0", "-1", ""], str, "IsGroupOf")
    array([ True, False, False, False])
    """
    table = {}
    for field in dict.fromkeys(fields):
        word = field.strip().lower()
        value = _number(word)
        if word not in _WORDS and not np.isfinite(value):
            raise InputError(place(fields.index(field)), f"{what} is '{field}'", "1 or 0 (or -1 for unknown)")
        table[field] = _WORDS.get(word, value > 0)
    return np.fromiter(map(table.__getitem__, fields), np.bool_, len(fields))


def stacked(parts: Sequence[tuple[npt.NDArray[Any], ...]]) -> Iterator[npt.NDArray[Any]]:
    """Columns out of the columns of blocks.

    >>> list(stacked([(np.array([1]), np.array([2])), (np.array([3]), np.array([4]))]))
    [array([1, 3]), array([2, 4])]
    """
    return (np.concatenate(column) for column in zip(*parts, strict=True))
