"""Rows of fields, CSV or words between white space: read in blocks, handed on as columns of text."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice
from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore.errors import InputError
from boxscore.formats.io.invalid import Invalid
from boxscore.formats.io.source import Source
from boxscore.formats.io.source_text import bounded as bounded
from boxscore.formats.io.source_text import lines_of as lines_of
from boxscore.formats.io.source_text import text_of as text_of
from boxscore.tables.model import Bools, Floats, Indices, Ints

BLOCK = 2000  # rows that are taken apart at a time: they stay in the cache
Place = Callable[[int], str]  # how a message names the place of a row
_WORDS = {"": False, "false": False, "true": True}


@dataclass(frozen=True)
class Rows:
    """A file of rows; without a delimiter, any white space separates. Blank rows do not count."""

    source: Source
    delimiter: str | None = None
    header: int = 0  # rows that come before the first
    invalid: Invalid | None = None  # what to do about rows of another width, or without numbers where these must be
    numeric: Mapping[int, str] = field(default_factory=dict)  # columns of numbers, and how messages call them
    blanks: bool = False  # whether a field for a number may be empty
    _left_out: list[int] = field(default_factory=list)  # rows of the file, ascending

    def blocks(self, width: int, expected: str) -> Iterator[tuple[Place, Sequence[Sequence[str]]]]:
        """The places and the columns of each block, at least one; every row must have the same width."""
        first = 0
        with text_of(self.source) as file:
            rest = bounded(file, self.source.name)
            for _ in islice(filter(str.strip, rest), self.header):
                pass
            lines = [] if self._skips else list(islice(rest, BLOCK))
            while lines and (columns := self._plain(lines, width)) is not None:
                yield partial(self._after, first), columns
                first += len(columns[0])
                lines = list(islice(rest, BLOCK))
            for rows in self._blocks(chain(lines, rest), first):
                place = partial(self._after, first)
                kept = self._valid(rows, first, width, expected)
                if set(map(len, kept)) - {width}:
                    i = next(i for i, row in enumerate(kept) if len(row) != width)
                    with self.invalid or Invalid():
                        raise InputError(place(i), _values(kept[i]), expected)
                if kept:
                    yield place, list(zip(*kept, strict=True))
                first += len(kept)
        if not first:
            yield self.place, [()] * width

    @property
    def _skips(self) -> bool:
        return self.invalid is not None and self.invalid.skip

    def _valid(self, rows: list[list[str]], first: int, width: int, expected: str) -> list[list[str]]:
        """The rows of a block that can be used, if others are to be left out; all of them otherwise."""
        if self.invalid is None or not self.invalid.skip:
            return rows
        kept, before = list[list[str]](), first + len(self._left_out)
        for number, row in enumerate(rows, before):
            if (wrong := self._wrong(row, width, expected)) is None:
                kept.append(row)
            else:
                place = self._line(number) if self.invalid.places_wanted else self.source.name
                self.invalid.add(InputError(place, *wrong))
                self._left_out.append(number)
        return kept

    def _wrong(self, row: list[str], width: int, expected: str) -> tuple[str, str] | None:
        """What a row has, and what it should have; None where it can be used."""
        if len(row) != width:
            return _values(row), expected
        for at, name in self.numeric.items():
            if not np.isfinite(_number(row[at])) and not (self.blanks and not row[at].strip()):
                return f"{name} is '{row[at]}'", "a finite number"
        return None

    def place(self, row: int) -> str:
        """File and line of a row, by its number among those that are not left out; the file is read again for it."""
        for other in self._left_out:
            row += other <= row
        return self._line(row)

    def _line(self, row: int) -> str:
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


def _values(row: Sequence[str]) -> str:
    return f"{len(row)} value{'s' * (len(row) != 1)}"


def _numbered(rows: Iterator[list[str]]) -> Iterator[tuple[int, list[str]]]:
    """Rows with the line on which each ends: a quoted field may go over several."""
    for number, fields in enumerate(rows, 1):
        yield getattr(rows, "line_num", number), fields


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
        with Invalid():  # of a single record
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
    for text in dict.fromkeys(fields):
        word = text.strip().lower()
        value = _number(word)
        if word not in _WORDS and not np.isfinite(value):
            raise InputError(place(fields.index(text)), f"{what} is '{text}'", "1 or 0 (or -1 for unknown)")
        table[text] = _WORDS.get(word, value > 0)
    return np.fromiter(map(table.__getitem__, fields), np.bool_, len(fields))


def stacked(parts: Sequence[tuple[npt.NDArray[Any], ...]]) -> Iterator[npt.NDArray[Any]]:
    """Columns out of the columns of blocks.

    >>> list(stacked([(np.array([1]), np.array([2])), (np.array([3]), np.array([4]))]))
    [array([1, 3]), array([2, 4])]
    """
    return (np.concatenate(column) for column in zip(*parts, strict=True))
