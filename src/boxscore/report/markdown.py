"""Results as Markdown tables, for issues, pull requests and notes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from boxscore.evaluation.result import Result
from boxscore.report.blocks import BOUNDS, Remark, report
from boxscore.report.table import Page, Table
from boxscore.report.words import printable


def as_markdown(results: Sequence[Result], all_classes: bool = False, ledger: bool = False) -> str:
    """The report in GitHub's Markdown; `ledger` is for all of it."""
    parts = report(results, all_classes)
    accounts = table_lines(parts.ledger) if ledger else (f"- {escaped(line)}" for line in parts.accounts)
    blocks = [
        _sources(parts.sources),
        _remarks(parts.warnings),
        "\n".join(table_lines(parts.summary)),
        "\n".join([*table_lines(parts.bounds), "", BOUNDS]) if parts.bounds else "",
        f"Signature: {escaped(', '.join(parts.signatures))} (boxscore {parts.version})",
        "\n".join(accounts),
        _remarks(parts.notes),
        "\n".join(table_lines(parts.classes)) if parts.classes else "",
        escaped(parts.more),
    ]
    return "\n\n".join(filter(None, blocks)) + "\n"


def _remarks(remarks: Iterable[Remark]) -> str:
    lines = []
    for finding, about in remarks:
        who = f"{escaped(about)}: " if about else ""
        text = escaped(printable(finding.text))
        lines.append(f"- {finding.severity} {finding.code}: {who}{text} (`boxscore rule {finding.code}`)")
    return "\n".join(lines)


def page_markdown(page: Page) -> str:
    """A single table in GitHub's Markdown."""
    return "\n\n".join(filter(None, [_sources(page.sources), "\n".join(table_lines(page.table))])) + "\n"


def _sources(sources: Sequence[tuple[str, str]]) -> str:
    return "\n".join(f"- {what}: {escaped(path)}" for what, path in sources)


def escaped(text: str) -> str:
    r"""Text without a meaning in Markdown or HTML.

    >>> escaped("a|b *c*")
    'a\\|b \\*c\\*'
    """
    return re.sub(r"([\\`*<>|~]|\](?=\()|(?<![a-zA-Z0-9])_|_(?![a-zA-Z0-9]))", r"\\\1", text)


def table_lines(table: Table) -> Iterator[str]:
    """A table with its title as heading."""
    notes = any(row.note for row in table.rows)
    columns = [" ".join(filter(None, (escaped(line[c]) for line in table.heads))) for c in range(len(table.heads[0]))]
    if table.title:
        yield f"### {escaped(table.title)}"
        yield ""
    yield "| " + " | ".join([escaped(table.corner), *columns, *([""] if notes else [])]) + " |"
    yield "|" + "|".join([":---", *["---:"] * len(columns), *([":---"] if notes else [])]) + "|"
    for i, row in enumerate(table.rows):
        numbers = [
            f"**{escaped(cell)}**" if (i, c) in table.strong else escaped(cell) for c, cell in enumerate(row.cells)
        ]
        yield "| " + " | ".join([escaped(row.label), *numbers, *([escaped(row.note)] if notes else [])]) + " |"
    for note in table.notes:
        yield ""
        yield escaped(note)
