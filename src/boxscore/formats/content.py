"""What recognition shows a format of files, and what the format answers: tables, XML, lines of text."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from boxscore.formats.record import BOTH
from boxscore.formats.words import as_number

SHARES, NAMED, PIXELS = "shares", "named", "pixels"  # forms of lines that several formats write
EMPTY, COMMENTS = "empty", "comments"  # forms of files without a line to look at
NUMBER = re.compile(r"-?\d+([.,]\d*)?([eE][-+]?\d+)?")
Values = tuple[float, ...]


@dataclass(frozen=True)
class Candidate:
    """A format that the content fits."""

    name: str
    level: str  # sure, likely or possible
    reasons: tuple[str, ...]
    paths: tuple[str, ...]  # the files that speak for it
    sides: tuple[str, ...] = BOTH  # what such files can hold


@dataclass(frozen=True)
class Question:
    """What the content leaves open, with what the numbers say about it."""

    text: str
    evidence: tuple[str, ...]
    options: tuple[str, ...]  # what a user may state
    answer: str = ""  # the option that the numbers speak for; empty where they do not


class Sheet(NamedTuple):
    """The first rows of a CSV file; the `look` of a CSV format takes it and gives a `Seen` or None.

    Rows without a header are shown only where all have the same number of fields.
    """

    header: tuple[str, ...]  # in lower case; empty where there is none
    rows: tuple[tuple[str, ...], ...]

    def lacks(self, columns: Sequence[str]) -> list[str]:
        """Of columns, those that the header does not have; `a|b` is a column with two names.

        >>> Sheet(("file", "x"), ()).lacks(("Filename|File", "Label|class"))
        ['Label']
        """
        return [column.partition("|")[0] for column in columns if not self.has(column)]

    def has(self, column: str) -> bool:
        """Whether the header has a column under one of its names."""
        return any(name in self.header for name in column.casefold().split("|"))

    def numeric(self, column: int) -> bool:
        """Whether a column holds numbers or nothing."""
        return all(NUMBER.fullmatch(row[column]) or not row[column] for row in self.rows)


class Xml(NamedTuple):
    """The elements that an XML file begins with; the `look` of an XML format takes it and gives a `Seen` or None."""

    text: str
    root: str
    inside: frozenset[str]  # names of elements
    rest: Callable[[], bytes] = bytes  # all of the file, where the beginning is not enough


class Words(NamedTuple):
    """A line of text taken apart."""

    line: str
    words: Sequence[str]
    values: Sequence[float | None]  # the words as numbers
    texts: tuple[int, ...]  # places of words that are no numbers
    commas: bool  # whether commas or semicolons separate them

    @property
    def numbers(self) -> Values:
        """The words that are numbers."""
        return tuple(value for value in self.values if value is not None)


class LineForm(NamedTuple):
    """How lines look that hold an object; the first form that takes a line counts.

    Without `read` a form takes every line with so many words, of which those at `texts` and no others are not numbers.
    """

    name: str
    words: Container[int] = range(5, 1 << 30)  # how many
    texts: tuple[int, ...] | None = ()  # None where any words may be texts
    commas: bool | None = False  # whether commas or semicolons separate the words; None: either
    sides: tuple[str, ...] = BOTH
    read: Callable[[Words], tuple[str, Values] | None] | None = None  # the class or image, and its numbers
    shared: bool = False  # whether other formats write such lines too, so that judgements decide
    called: str = ""  # in messages; "a line of" its name where empty


class Line(NamedTuple):
    """A line by its form; `name` is the class or image before `values`."""

    form: str
    name: str
    values: Values
    number: int


class File(NamedTuple):
    """A text file: the form that most of its lines have, and the lines."""

    path: str
    form: str
    lines: tuple[Line, ...]
    first: str  # its first line

    @property
    def base(self) -> str:
        """Its name without folders."""
        return self.path.rpartition("/")[2]


class Texts(NamedTuple):
    """All text files of a path, for judgements."""

    files: Sequence[File]
    main: str  # the form of most files that hold objects; empty where none does
    own: Sequence[File]  # the files of this form, and of others that can stand beside it
    paths: tuple[str, ...]  # of these, and of empty files
    folder: bool
    everything: tuple[str, ...] = ()  # paths of all files of the folder, of whatever kind

    @property
    def lines(self) -> list[Line]:
        """All lines of the files of the main form."""
        return [line for file in self.own for line in file.lines]

    @property
    def widths(self) -> set[int]:
        """How many numbers these lines have after the first word."""
        return {len(line.values) for line in self.lines}


class FileNames(NamedTuple):
    """File names that tell a text format, whatever is inside."""

    pattern: re.Pattern[str]
    named_as: str
    sides: tuple[str, ...]
    alone: bool = False  # whether no other text files are looked for beside them


class TextLook(NamedTuple):
    """How a text format is recognised: the `look` of its record names one of these.

    Lines are offered to the forms of all formats in turn. A form that no other format writes is enough; for `shared`
    forms, and to say more, `judge` gets all files together and answers with candidates or nothing. The first
    answer counts; who goes before whom is said by `before` in the records.
    """

    forms: tuple[LineForm, ...] = ()
    judge: Callable[[Texts], list[Candidate]] | None = None
    alike: Callable[[Texts], list[Candidate]] | None = None  # as what else files of a format that goes before are read
    why_not: str = ""  # what to say of files that are not of this format
    fitting: tuple[str, ...] = ()  # the first line of another form than these is named there
    questions: Callable[[Sequence[File]], list[Question]] | None = None
    names: FileNames | None = None
    heads: re.Pattern[str] | None = None  # lines before the objects
    begins: Callable[[Sequence[str]], bool] | None = None  # whether a file is known by its first three lines
    objects: bool = True  # whether such files hold any


def number(word: str) -> float | None:
    """A word as a number, if it is a sensible one."""
    value = as_number(word.rstrip(","))
    return value if value is not None and abs(value) < 1e15 else None


def counted(count: int) -> str:
    """So many files, in words."""
    return f"{count:,} file{'s' * (count != 1)}"


def on_lines(fitting: int, lines: int) -> str:
    """On how many of all lines, in words."""
    if lines == 1:
        return "its only line"
    return f"{'all' if fitting == lines else f'{fitting:,} of'} {lines:,} lines"


def percent(count: int, whole: int) -> str:
    """A share in percent, 100 and 0 only where it is all or nothing."""
    if count in (0, whole):
        return "100 %" if count else "0 %"
    return f"{min(max(100 * count / whole, 0.1), 99.9):.1f} %"
