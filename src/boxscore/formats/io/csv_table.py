"""A CSV file as columns: by the compiled parser where it is written in the usual way, else by the careful one."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boxscore.errors import InputError, first_few
from boxscore.formats.io.delimited import Place, Rows, numbers, stacked, text_of
from boxscore.formats.io.files import Files
from boxscore.formats.io.invalid import Invalid
from boxscore.formats.io.source import Source
from boxscore.tables.model import Floats, Indices, Ints

_LONGEST = 1 << 16  # characters of a header line; more than that is some other file
_MARK = b"\xef\xbb\xbf"  # that some programs put before UTF-8


@dataclass(frozen=True)
class Header:
    """The names of the columns of a file, and where its rows begin."""

    source: str
    names: tuple[str, ...]
    delimiter: str
    begin: int | None  # byte of the first row; None where that is not known
    lines: int = 1  # that are not blank and come before the rows

    def find(self, *names: str) -> int | None:
        """The place of the first of these columns that there is; upper and lower case do not matter."""
        folded = [name.casefold() for name in self.names]
        return next((folded.index(name.casefold()) for name in names if name.casefold() in folded), None)

    def need(self, *names: str, expected: str, hint: str = "") -> int:
        """The place of a column that must be there."""
        place = self.find(*names)
        if place is None:
            found = f"no column {' or '.join(names)} (columns: {', '.join(self.names)})"
            raise InputError(f"{self.source}:1", found, expected, hint)
        return place


class Texts(NamedTuple):
    """A column of texts: the different ones as they first come, and for each row the number of its text."""

    name: list[str]
    code: Indices

    def within(self, known: dict[str, int]) -> Indices:
        """For each row the number of its text in `known`, which new texts are added to.

        >>> known = {"a": 0}
        >>> Texts(["b", "a"], np.array([0, 1, 0], np.int32)).within(known), known
        (array([1, 0, 1], dtype=int32), {'a': 0, 'b': 1})
        """
        if not known and len({*self.name}) == len(self.name):
            known.update(zip(self.name, range(len(self.name)), strict=True))
            return self.code
        table = np.array([known.setdefault(name, len(known)) for name in self.name], np.int32)
        return table[self.code] if len(table) else self.code

    def take(self, rows: Ints) -> Texts:
        """The texts of some rows, without those that none of them has."""
        used, code = np.unique(self.code[rows], return_inverse=True)
        return Texts([self.name[k] for k in used.tolist()], code.astype(np.int32))

    def rows_of(self, name: str) -> Indices | None:
        """The rows that have a text, if any has."""
        return np.flatnonzero(self.code == self.name.index(name)).astype(np.int32) if name in self.name else None


@dataclass(frozen=True, eq=False)
class Columns:
    """Some columns of a file."""

    place: Place
    numbers: list[Floats]  # (rows, fields) each; nan where a field is empty
    texts: list[Texts]

    def take(self, rows: Ints) -> Columns:
        """Some rows of them."""
        place = partial(_at, self.place, rows)
        return Columns(place, [column[rows] for column in self.numbers], [column.take(rows) for column in self.texts])


def _at(place: Place, rows: Ints, row: int) -> str:
    return place(int(rows[row]))


def one_csv(files: Files, split: str | None, fits: Callable[[Header], int], wanted: str) -> Source:
    """The file itself, or the only CSV file of a folder that fits best; `split` is a part of its path."""
    if files.is_file:
        return files.source()
    if "xl/workbook.xml" in files.paths:
        raise InputError(files.name, "an Excel workbook", "a CSV file", "Save the sheet as CSV (UTF-8).")
    paths = [path for path in files.called(".csv", ".csv.gz") if split is None or split.lower() in path.lower()]
    rank = {path: fits(read_header(files.source(path))) for path in paths if files.source(path).first_character()}
    found = [path for path in rank if rank[path] and rank[path] == max(rank.values())]
    if len(found) != 1:
        some = first_few(found or paths or files.paths, len(found or paths or files.paths)) or "nothing"
        what = f"{len(found)} files with {wanted}" if found else f"no CSV file with {wanted}"
        hint = "Give the path of one of them, or a split that only one of them has in its path." if found else ""
        raise InputError(files.name, f"{what} ({some})", f"one CSV file with {wanted}", hint)
    return files.source(found[0])


def read_header(source: Source) -> Header:
    """The first line that is not blank: names between commas, semicolons or tabs."""
    line, size = "", 0
    with text_of(source) as file:
        for line in iter(lambda: file.readline(_LONGEST), ""):
            size += len(line.encode())
            if line.strip():
                break
    if not line.strip():
        raise InputError(source.name, "the file is empty", "a CSV file with a header")
    delimiter = max(",;\t", key=line.count)
    names = next(csv.reader([line.strip("\r\n\0")], delimiter=delimiter, skipinitialspace=True))
    begin = None if len(line) >= _LONGEST else size + marked(source)
    return Header(source.name, tuple(name.strip() for name in names), delimiter, begin)


def marked(source: Source) -> int:
    """How many bytes the mark takes that UTF-8 may begin with."""
    if source.path is None:
        return 3 * source.content.startswith(_MARK)
    with source.path.open("rb") as file:
        return 3 * (file.read(3) == _MARK)


def read_columns(
    source: Source,
    header: Header,
    groups: Sequence[Sequence[int]],
    texts: Sequence[int],
    threads: int = 0,
    invalid: Invalid | None = None,
) -> Columns:
    """Groups of numbers and single texts, by place; texts are without the white space around them."""
    numeric = {at: header.names[at] for group in groups for at in group}
    rows, width = Rows(source, header.delimiter, header.lines, invalid, numeric, blanks=True), len(header.names)
    wanted = [(False, list(group)) for group in groups] + [(True, [at]) for at in texts]
    quick = None if header.begin is None else source.csv_columns(header.begin, header.delimiter, width, wanted, threads)
    if quick is None:
        return _careful(rows, header, groups, texts)
    values = [column.reshape(-1, len(group)) for column, group in zip(quick, groups, strict=False)]
    return Columns(rows.place, values, [_texts(t.decode().split("\n")[:-1], c) for c, t in quick[len(groups) :]])


def _careful(rows: Rows, header: Header, groups: Sequence[Sequence[int]], texts: Sequence[int]) -> Columns:
    known: list[dict[str, int]] = [{} for _ in texts]
    parts = list[tuple[npt.NDArray[Any], ...]]()
    for place, columns in rows.blocks(len(header.names), f"as many values as columns ({len(header.names)})"):
        values = [
            np.stack([_numbers(columns[at], place, header.names[at]) for at in group], axis=1).reshape(-1, len(group))
            for group in groups
        ]
        codes = [_codes(columns[at], table) for at, table in zip(texts, known, strict=True)]
        parts.append((*values, *codes))
    joined = list(stacked(parts))
    coded = zip(known, joined[len(groups) :], strict=True)
    return Columns(rows.place, joined[: len(groups)], [_texts(list(table), code) for table, code in coded])


def _numbers(fields: Sequence[str], place: Place, what: str) -> Floats:
    if "" in fields or any(not field.strip() for field in fields):
        given = [row for row, field in enumerate(fields) if field.strip()]
        values = np.full(len(fields), np.nan)
        values[given] = numbers([fields[row] for row in given], lambda row: place(given[row]), what)
        return values
    return numbers(fields, place, what)


def _codes(fields: Sequence[str], known: dict[str, int]) -> Indices:
    table = {field: known.setdefault(field.strip(), len(known)) for field in dict.fromkeys(fields)}
    return np.fromiter(map(table.__getitem__, fields), np.int32, len(fields))


def _texts(names: list[str], code: Indices) -> Texts:
    """Texts without the white space around them, which may make some equal."""
    stripped = [*map(str.strip, names)]
    if stripped == names:
        return Texts(names, code)
    table: dict[str, int] = {}
    place = np.array([table.setdefault(name, len(table)) for name in stripped], np.int32)
    return Texts(list(table), place[code])


def image_sizes(image: Indices, n_images: int, sizes: Floats, place: Place) -> tuple[Floats | None, Floats | None]:
    """Width and height of each image by the rows that name it; nan where none knows, for which some write 0.

    None if no size is known at all.
    """
    said = np.where(sizes > 0, sizes, np.nan)
    known = np.full((n_images, 2), np.nan)
    given = np.flatnonzero(~np.isnan(said).any(axis=1))
    known[image[given[::-1]]] = said[given[::-1]]  # the first row counts
    other = (known[image[given]] != said[given]).any(axis=1)
    if other.any():
        row = int(given[other.argmax()])
        first, here = ("×".join(f"{side:g}" for side in pair) for pair in (known[image[row]], said[row]))
        raise InputError(place(row), f"an image of {here}, which was {first} in a row before", "one size per image")
    return (known[:, 0].copy(), known[:, 1].copy()) if len(given) else (None, None)
