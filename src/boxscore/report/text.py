"""Tables for terminals and pipes: one layout, plain or painted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from boxscore.evaluation.result import Result
from boxscore.report.blocks import BOUNDS, Remark, Report, report
from boxscore.report.classes import FEW
from boxscore.report.table import Page, Table, flipped
from boxscore.report.words import fill, printable, readable, width, wrapped

if TYPE_CHECKING:
    from rich.text import Text

WIDTH = 100  # of text that does not go to a terminal
GAP = 2
LABELS = 16  # columns that labels have in any case
INDENT = "    "  # of what a sentence has beyond its first line
# What is tried until a screen has room: whether the summary may lie on its side, and how many classes are shown.
WAYS = ((False, FEW), (True, FEW), (True, 10), (True, 6), (True, 4))
_DIM = dict.fromkeys(("head", "note", "missing"), "dim")
STYLES = {"title": "bold", "warning": "yellow", "error": "red", "plain": "", "strong": "bold", **_DIM}

Span = tuple[str, str]  # text, style
Line = list[Span]


def as_text(
    results: Sequence[Result],
    columns: int = WIDTH,
    all_classes: bool = False,
    ledger: bool = False,
    lines: int | None = None,
) -> str:
    """The report as plain text, at most so many columns wide; `ledger` is for all of it, `lines` for a screen's."""
    return plain(_fitted(results, columns, all_classes, ledger, lines))


def as_rich(
    results: Sequence[Result],
    columns: int = WIDTH,
    all_classes: bool = False,
    ledger: bool = False,
    lines: int | None = None,
) -> Text:
    """The report with colours, for terminals."""
    return painted(_fitted(results, columns, all_classes, ledger, lines))


def page_text(page: Page, columns: int = WIDTH) -> str:
    """A single table as plain text."""
    return plain(_page(page, columns))


def page_rich(page: Page, columns: int = WIDTH) -> Text:
    """The same with colours, for terminals."""
    return painted(_page(page, columns))


def plain(lines: Iterable[Line]) -> str:
    """Lines as text."""
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines) + "\n"


def painted(lines: Iterable[Line]) -> Text:
    """Lines with colours."""
    from rich.text import Text

    made = Text()
    for line in lines:
        for text, style in line:
            made.append(readable(text), STYLES[style] or None)
        made.append("\n")
    return made


def _page(page: Page, columns: int) -> Iterator[Line]:
    columns = max(columns, 40)
    yield from _sources(page.sources, columns)
    yield from table_lines(page.table, columns)


def _sources(sources: Sequence[tuple[str, str]], columns: int) -> Iterator[Line]:
    for what, path in sources:
        yield from hanging(fill(what, 12), path, columns, "plain", "head")
    if sources:
        yield []


def _fitted(results: Sequence[Result], columns: int, all_classes: bool, ledger: bool, lines: int | None) -> list[Line]:
    """The lines, with as many classes as the screen has room for."""
    for lying, few in WAYS:
        made = list(_lines(report(results, all_classes, few), max(columns, 40), ledger, lying))
        if lines is None or all_classes or ledger or len(made) <= lines:
            break
    return made


def _lines(parts: Report, columns: int, ledger: bool, lying: bool) -> Iterator[Line]:
    yield from _sources(parts.sources, columns)
    if parts.warnings:
        yield from (line for remark in parts.warnings for line in _remark(remark, columns))
        yield []
    yield from _shorter(parts.summary, columns, lying)
    if parts.bounds:
        yield []
        yield from table_lines(parts.bounds, columns)
        yield from hanging("", BOUNDS, columns, "note")
        yield []
    yield from hanging("signature  ", f"{', '.join(parts.signatures)} (boxscore {parts.version})", columns, "note")
    yield []
    if ledger:
        yield from table_lines(parts.ledger, columns)
    else:
        yield from (line for account in parts.accounts for line in sentence(account, columns, "plain"))
    if parts.notes:
        yield from (line for remark in parts.notes for line in _remark(remark, columns))
    if parts.classes:
        yield []
        yield from _shorter(_narrowed(parts.classes, columns), columns)
    if parts.more:
        yield from sentence(parts.more, columns)


def _shorter(table: Table, columns: int, lying: bool = False) -> list[Line]:
    """The table; where it is too wide, or may lie on its side, with rows for columns if that takes fewer lines."""
    upright = list(table_lines(table, columns))
    if not table.rows or (needed(table) <= columns and not lying):
        return upright
    return min(upright, list(table_lines(flipped(table), columns)), key=len)


def _narrowed(table: Table, columns: int) -> Table:
    """The table without the last of its columns that may be left out where they do not fit."""
    widths, labels = _widths(table)
    n = len(widths)
    while n > table.must and labels + sum(widths[:n]) > columns:
        n -= 1
    if n == len(widths):
        return table
    rows = tuple(row._replace(cells=row.cells[:n]) for row in table.rows)
    gone = f"Not shown, as the terminal is too narrow: {', '.join(table.heads[-1][n:])}"
    return replace(table, heads=tuple(line[:n] for line in table.heads), rows=rows, notes=(*table.notes, gone))


def _remark(remark: Remark, columns: int) -> Iterator[Line]:
    finding = remark.finding
    about = f"{remark.about}: " if remark.about else ""
    text = f"{about}{printable(finding.text)} (boxscore rule {finding.code})"
    yield from hanging(f"{finding.severity:7}  {finding.code:8}", text, columns, "plain", finding.severity)


def hanging(first: str, text: str, columns: int, style: str, first_style: str = "note") -> Iterator[Line]:
    """Text in lines, with something before the first."""
    indent = width(first)
    for i, piece in enumerate(wrapped(text, max(columns - indent, 20))):
        yield [(first if i == 0 else " " * indent, first_style), (piece, style)]


def sentence(text: str, columns: int, style: str = "note") -> Iterator[Line]:
    """Text in lines, those after the first indented."""
    first = wrapped(text, columns)[0]
    yield [(first, style)]
    if rest := text[len(first) :].lstrip():
        yield from ([(INDENT + piece, style)] for piece in wrapped(rest, columns - len(INDENT)))


def table_lines(table: Table, columns: int) -> Iterator[Line]:
    """The table, in several pieces one under the other where it is too wide."""
    n = len(table.heads[0])
    widths, labels = _widths(table)
    pieces = _pieces(widths, columns - min(labels, max(columns // 3, LABELS)))
    for part in pieces:
        if part.start:
            yield []
        rows = enumerate(table.rows)  # a row that has nothing in a piece is not in it
        there = [i for i, row in rows if len(pieces) == 1 or row.note or any(row.cells[part])]
        yield from _piece(table, columns, widths, labels, part, part.stop == n, there)
    for note in table.notes:
        yield from sentence(note, columns)


def _pieces(widths: Sequence[int], room: int) -> list[slice]:
    """Columns in as few pieces as there is room for, of about as many columns each."""

    def cut(most: int) -> list[slice]:
        made, first = [], 0
        while first < len(widths):
            last = first + 1
            while last < len(widths) and last - first < most and sum(widths[first : last + 1]) <= room:
                last += 1
            made.append(slice(first, last))
            first = last
        return made

    greedy = cut(len(widths))
    even = cut(-(-len(widths) // max(len(greedy), 1)))
    return even if len(even) == len(greedy) else greedy


def needed(table: Table) -> int:
    """How many columns the table takes in one piece."""
    widths, labels = _widths(table)
    return sum(widths) + labels


def _widths(table: Table) -> tuple[list[int], int]:
    """The widths of the columns, and that of the labels."""
    cells = [*table.heads, *(row.cells for row in table.rows)]
    widths = [max(width(line[c]) for line in cells) + GAP for c in range(len(table.heads[0]))]
    return widths, max([width(table.title or table.corner), *(2 * row.indent + width(row.label) for row in table.rows)])


def _piece(
    table: Table, columns: int, widths: list[int], labels: int, part: slice, with_notes: bool, there: Sequence[int]
) -> Iterator[Line]:
    used = sum(widths[part])
    label_width = min(labels, max(columns - used, LABELS))
    for i, heads in enumerate(table.heads):
        title = (table.title or table.corner) if i == len(table.heads) - 1 else ""
        yield [(fill(title, label_width), "title"), *_cells(heads[part], widths[part], "head")]
    for number, row in ((i, table.rows[i]) for i in there):
        indent = "  " * row.indent
        whole = width(indent + row.label) <= label_width
        pieces = [row.label] if whole else wrapped(row.label, label_width - len(indent) - 2)
        pieces = [indent + ("  " if i else "") + piece for i, piece in enumerate(pieces)]
        line: Line = [(fill(pieces[0], label_width), "plain"), *_cells(row.cells[part], widths[part], "plain")]
        line = [(text, "strong" if (number, part.start + c - 1) in table.strong else style)
                for c, (text, style) in enumerate(line)]  # fmt: skip
        if not row.note or not with_notes:
            yield line
        elif (room := columns - label_width - used - 1) >= min(width(row.note), 24):
            notes = wrapped(row.note, room)
            yield [*line, (f" {notes[0]}", "note")]
            yield from ([(" " * (label_width + used + 1) + note, "note")] for note in notes[1:])
        else:
            yield line
            yield from ([("    " + note, "note")] for note in wrapped(row.note, columns - 4))
        yield from ([(piece, "plain")] for piece in pieces[1:])


def _cells(texts: Sequence[str], widths: Sequence[int], style: str) -> Line:
    return [
        (fill(text, cells, right=True), "missing" if text == "n/a" else style)
        for text, cells in zip(texts, widths, strict=True)
    ]
