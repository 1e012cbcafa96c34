"""Rows under headings, as text: what all reports are made of."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import NamedTuple

Heads = tuple[tuple[str, ...], ...]  # lines of headings, each with a text per column


class Row(NamedTuple):
    """A label, a text per column, and what is to be said beside them."""

    label: str
    cells: tuple[str, ...] = ()
    note: str = ""
    indent: int = 0


@dataclass(frozen=True)
class Table:
    """Rows under headings; a heading may have several lines, and sentences may stand below."""

    title: str
    heads: Heads
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    must: int = sys.maxsize  # so many columns must be shown, on however many lines; those after them need not
    corner: str = ""  # the heading of the labels
    strong: frozenset[tuple[int, int]] = frozenset()  # row and column of the cells that stand out


def flipped(table: Table) -> Table:
    """A row for each column; what was said beside a row stands below.

    >>> flipped(Table("Summary", (("a", "b"),), (Row("AP", ("0.1", "0.2")),))).rows
    (Row(label='a', cells=('0.1',), note='', indent=0), Row(label='b', cells=('0.2',), note='', indent=0))
    """
    labels = [" ".join(filter(None, lines)) for lines in zip(*table.heads, strict=True)]
    columns = zip(*(row.cells for row in table.rows), strict=True)
    rows = (Row(label, cells) for label, cells in zip(labels, columns, strict=True))
    notes = (f"{row.label}  {row.note}" for row in table.rows if row.note)
    return Table(table.title, (tuple(row.label for row in table.rows),), tuple(rows), (*notes, *table.notes))


@dataclass(frozen=True)
class Page:
    """A table by itself, and where its numbers come from."""

    sources: tuple[tuple[str, str], ...]
    table: Table
