"""Lines `<name> <number>…` of many files as columns: a kernel reads the usual files, a careful reader the others."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, cast

import numpy as np

from boxscore import _core
from boxscore.errors import InputError
from boxscore.formats.io import source_text
from boxscore.formats.io.files import Files
from boxscore.tables.model import Bools, Floats, Indices, Ints, thread_count


class Row(NamedTuple):
    """A line, taken apart."""

    line: int
    name: str
    values: Sequence[float]
    marked: bool = False  # it ends with a word that the format knows


Careful = Callable[[str, str], Iterable[Row]]  # from the text of a file and its name in messages


@dataclass(frozen=True, eq=False)
class NumberRows:
    """The lines of files, in the order of the files; row r has the numbers `first[r]` to `first[r + 1]`."""

    files: Sequence[str]  # as messages name them
    file: Indices  # index into files
    names: Sequence[str]  # different ones, as written
    name: Indices  # index into names
    line: Indices
    first: Ints
    numbers: Floats
    marked: Bools

    def __len__(self) -> int:
        return len(self.file)

    def place(self, row: int) -> str:
        """File and line of a row."""
        return f"{self.files[self.file[row]]}:{self.line[row]}"

    def take(self, kept: Bools) -> NumberRows:
        """Some of the rows, and the names that these have."""
        count = np.diff(self.first)
        names, name = np.unique(self.name[kept], return_inverse=True)
        return replace(
            self,
            file=self.file[kept],
            names=[self.names[k] for k in names.tolist()],
            name=name.astype(np.int32),
            line=self.line[kept],
            first=np.append(np.int64(0), np.cumsum(count[kept])),
            numbers=self.numbers[np.repeat(kept, count)],
            marked=self.marked[kept],
        )

    def columns(self, count: int) -> Floats:
        """The numbers as a table, where every row has as many."""
        return self.numbers.reshape(-1, count)


@dataclass(frozen=True, eq=False)
class Lines:
    """Where the lines of files hold what, for whoever changes some of them and leaves the rest as it is written."""

    paths: Sequence[str]  # of `rows.files`
    rows: NumberRows
    box: Ints  # which of the numbers of each row is the first of its box
    size: Ints  # how many numbers its geometry has; those of more than four may be a polygon
    score: Ints | None  # which of the numbers is the score
    form: str  # xywh, xyxy or cxcywh
    relative: bool
    word: Callable[[str], str | None]  # how a class is written; None where it cannot be
    posed: bool = False  # rows of more than four numbers are a box with keypoints behind it


def read_rows(folder: Files, paths: Sequence[str], tail: int, careful: Careful, threads: int = 0) -> NumberRows:
    """The lines of some files; `tail` numbers after a name of any words, or with 0 any numbers after one word."""
    files = [folder.place(path) for path in paths]
    root = None if folder.root is None else os.fsencode(folder.root)
    there = [folder.contents[path] for path in paths] if root is None else []
    made = _core.text_rows(root, os.fsencode("\0".join(paths)), there, tail, thread_count(threads))
    file, name, line, end, numbers, names, odd = cast("tuple[Any, ...]", made)
    first = np.append(np.int64(0), end)
    rows = NumberRows(files, file, names, name, line, first, numbers, np.zeros(len(file), np.bool_))
    left = np.flatnonzero(odd).tolist()
    return _with_odd(rows, left, [careful(_rows_of(folder, paths[i]), files[i]) for i in left]) if left else rows


def _rows_of(folder: Files, path: str) -> str:
    """The text of a file, if each of its lines can be a row."""
    text = text_of(folder, path)
    if len(text) > source_text.LONGEST_LINE:
        for number, line in enumerate(text.splitlines(), 1):
            if len(line) > source_text.LONGEST_LINE:
                raise source_text.too_long(f"{folder.place(path)}:{number}")
    return text


def text_of(folder: Files, path: str) -> str:
    """The text of a file, without the mark that some put before it."""
    try:
        return folder.bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(folder.place(path), f"byte {error.start} is not UTF-8", "a text file") from None


def _with_odd(rows: NumberRows, files: Sequence[int], odd: Iterable[Iterable[Row]]) -> NumberRows:
    """The rows with those of further files, sorted by file again."""
    known = {name: i for i, name in enumerate(rows.names)}
    file, name, line, count = list[int](), list[int](), list[int](), list[int]()
    numbers, marked = list[float](), list[bool]()
    for i, found in zip(files, odd, strict=True):
        for row in found:
            file.append(i)
            name.append(known.setdefault(row.name, len(known)))
            line.append(row.line)
            count.append(len(row.values))
            numbers += row.values
            marked.append(row.marked)
    columns = ((rows.file, file), (rows.name, name), (rows.line, line), (np.diff(rows.first), count))
    files_of, names_of, lines, counts = (np.append(old, np.array(new, old.dtype)) for old, new in columns)
    order = np.argsort(files_of, kind="stable")
    before = np.append(np.int64(0), np.cumsum(counts))
    first = np.append(np.int64(0), np.cumsum(counts[order]))
    values = np.append(rows.numbers, np.array(numbers, np.float64))
    taken = np.repeat(before[:-1][order] - first[:-1], counts[order]) + np.arange(len(values))
    marks = np.append(rows.marked, np.array(marked, np.bool_))
    return NumberRows(
        rows.files, files_of[order], tuple(known), names_of[order], lines[order], first, values[taken], marks[order]
    )
