"""Results as a piece of HTML for notebooks: self-contained, readable on light and dark pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from boxscore.evaluation.result import Result
from boxscore.report.blocks import BOUNDS, Remark, report
from boxscore.report.table import Page, Table
from boxscore.report.words import printable

# Colours are those of the page, thinned: nothing here knows whether it is light or dark.
_STYLE = """
.boxscore { font-size: 0.9em; line-height: 1.4; }
.boxscore table { border-collapse: collapse; margin: 0.6em 0; background: none; color: inherit; }
.boxscore caption { text-align: left; font-weight: bold; padding: 0; color: inherit; }
.boxscore th, .boxscore td { border: 0; padding: 0.1em 0.7em; text-align: right; background: none; color: inherit;
  font-variant-numeric: tabular-nums; white-space: nowrap; }
.boxscore th:first-child, .boxscore td:first-child { text-align: left; padding-left: 0; }
.boxscore thead th { font-weight: normal; opacity: 0.7; }
.boxscore thead tr:last-child th { border-bottom: 1px solid rgba(128, 128, 128, 0.5); }
.boxscore td.part { padding-left: 1.5em !important; }
.boxscore td.note { text-align: left; opacity: 0.7; padding-left: 0; }
.boxscore p { margin: 0.2em 0; }
.boxscore .warning { border-left: 3px solid #c80; padding-left: 0.5em; }
.boxscore .error { border-left: 3px solid #c00; padding-left: 0.5em; }
.boxscore .quiet { opacity: 0.7; }
.boxscore .scroll { max-height: 30em; overflow: auto; }
"""


def as_html(results: Sequence[Result], all_classes: bool = True) -> str:
    """The report as one `<div>`; the classes fold away."""
    return "\n".join(_parts(results, all_classes))


def page_html(page: Page) -> str:
    """A single table as one `<div>`."""
    sources = (f'<p><span class="quiet">{escape(what)}</span> {escape(path)}</p>' for what, path in page.sources)
    return "\n".join([f'<div class="boxscore"><style>{_STYLE}</style>', *sources, *_table(page.table), "</div>"])


def _parts(results: Sequence[Result], all_classes: bool) -> Iterator[str]:
    parts = report(results, all_classes)
    yield f'<div class="boxscore"><style>{_STYLE}</style>'
    for what, path in parts.sources:
        yield f'<p><span class="quiet">{escape(what)}</span> {escape(path)}</p>'
    yield from _remarks(parts.warnings)
    yield from _table(parts.summary)
    if parts.bounds:
        yield from _table(parts.bounds)
        yield f'<p class="quiet">{escape(BOUNDS)}</p>'
    signatures = escape(", ".join(parts.signatures))
    yield f'<p class="quiet">signature {signatures} (boxscore {escape(parts.version)})</p>'
    yield from (f"<p>{escape(line)}</p>" for line in parts.accounts)
    yield "<details><summary>Ledger</summary>"
    yield from _table(parts.ledger)
    yield "</details>"
    yield from _remarks(parts.notes)
    if parts.classes:
        yield f"<details><summary>{len(parts.classes.rows):,} classes</summary>"
        yield '<div class="scroll">'
        yield from _table(parts.classes)
        yield "</div>"
        if parts.more:
            yield f'<p class="quiet">{escape(parts.more)}</p>'
        yield "</details>"
    yield "</div>"


def _remarks(remarks: Iterable[Remark]) -> Iterator[str]:
    for finding, about in remarks:
        who = f"{escape(about)}: " if about else ""
        rule = f"<code>boxscore rule {escape(finding.code)}</code>"
        text = escape(printable(finding.text))
        yield f'<p class="{escape(finding.severity)}">{escape(finding.code)}: {who}{text} ({rule})</p>'


def _table(table: Table) -> Iterator[str]:
    notes = any(row.note for row in table.rows)
    yield f"<table><caption>{escape(table.title)}</caption><thead>" if table.title else "<table><thead>"
    for line in table.heads:
        cells = "".join(f"<th>{escape(text)}</th>" for text in line)
        corner = escape(table.corner) if line is table.heads[-1] else ""
        yield f"<tr><th>{corner}</th>{cells}{'<th></th>' if notes else ''}</tr>"
    yield "</thead><tbody>"
    for i, row in enumerate(table.rows):
        cells = "".join(_cell(text, (i, c) in table.strong) for c, text in enumerate(row.cells))
        note = f'<td class="note">{escape(row.note)}</td>' if notes else ""
        label = '<td class="part">' if row.indent else "<td>"
        yield f"<tr>{label}{escape(row.label)}</td>{cells}{note}</tr>"
    yield "</tbody></table>"
    for note in table.notes:
        yield f'<p class="quiet">{escape(note)}</p>'


def _cell(text: str, strong: bool) -> str:
    return f"<td><strong>{escape(text)}</strong></td>" if strong else f"<td>{escape(text)}</td>"


def document(title: str, body: str) -> str:
    """A piece of HTML as a page of its own."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n"
        "<style>body { font-family: system-ui, sans-serif; margin: 2em; }</style>\n"
        f"</head>\n<body>\n{body}\n</body>\n</html>\n"
    )
