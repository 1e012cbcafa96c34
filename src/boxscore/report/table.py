"""Rows under headings, as text: what all reports are made of."""

from __future__ import annotations

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


@dataclass(frozen=True)
class Page:
    """A table by itself, and where its numbers come from."""

    sources: tuple[tuple[str, str], ...]
    table: Table
