r"""Tables as LaTeX, for papers: `\usepackage{booktabs}`, the best numbers in bold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from boxscore.evaluation.result import Result
from boxscore.report.blocks import report
from boxscore.report.table import Page, Table
from boxscore.report.words import printable

PACKAGE = r"% needs \usepackage{booktabs}"
_SPECIAL = {
    **{c: f"\\{c}" for c in "&%$#_{}"},
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}",
}  # fmt: skip
_SUBSCRIPT = re.compile(r"(m?AP|AR)@?(\d+|[smlrcf])")


def as_latex(results: Sequence[Result], all_classes: bool = False) -> str:
    """The summary and the classes, a table each."""
    parts = report(results, all_classes)
    head = [*(f"% {what}: {printable(path)}" for what, path in parts.sources)]
    head += [f"% signature {', '.join(parts.signatures)} (boxscore {parts.version})"]
    head += [f"% {r.finding.severity} {r.finding.code}: {printable(r.finding.text)}" for r in parts.warnings]
    tables = ["\n".join(_tabular(table)) for table in (parts.summary, parts.classes) if table]
    more = [f"% {parts.more}"] if parts.more else []
    return "\n".join([*head, PACKAGE, "\n\n".join(tables), *more]) + "\n"


def page_latex(page: Page) -> str:
    """A single table; where its numbers come from stands in comments."""
    sources = [f"% {what}: {path}" for what, path in page.sources]
    return "\n".join([*sources, PACKAGE, *_tabular(page.table)]) + "\n"


def _tabular(table: Table) -> Iterator[str]:
    yield from (f"% {printable(note)}" for note in table.notes)
    columns = len(table.heads[0])
    yield rf"\begin{{tabular}}{{l{'r' * columns}}}"
    yield r"\toprule"
    *upper, last = table.heads
    for line in upper:
        yield from _spanning(line)
    yield " & ".join([escaped(table.corner or table.title), *map(heading, last)]) + r" \\"
    yield r"\midrule"
    for i, row in enumerate(table.rows):
        cells = [_cell(text, (i, c) in table.strong) for c, text in enumerate(row.cells)]
        yield " & ".join([r"\quad " * row.indent + escaped(row.label), *cells]) + r" \\"
    yield r"\bottomrule"
    yield r"\end{tabular}"


def _spanning(line: Sequence[str]) -> Iterator[str]:
    """A line of headings, equal neighbours as one with a rule below."""
    cells, rules, first = [""], [], 2
    for text, alike in groupby(line):
        n = len(list(alike))
        cells.append(rf"\multicolumn{{{n}}}{{c}}{{{escaped(text)}}}")
        if text:
            rules.append(rf"\cmidrule(lr){{{first}-{first + n - 1}}}")
        first += n
    yield " & ".join(cells) + r" \\"
    yield " ".join(rules)


def _cell(text: str, strong: bool) -> str:
    return rf"\textbf{{{escaped(text)}}}" if strong else escaped(text)


def heading(text: str) -> str:
    r"""A column's heading; numbers and sizes of APs below the line, as papers write them.

    >>> heading("AP50"), heading("APs"), heading("AP[iou=0.3]"), heading("F1_x")
    ('AP$_{50}$', 'AP$_{S}$', 'AP[iou=0.3]', 'F1\\_x')
    """
    if form := _SUBSCRIPT.fullmatch(text):
        return f"{form[1]}$_{{{form[2].upper()}}}$"
    return escaped(text)


def escaped(text: str) -> str:
    r"""Text without a meaning in LaTeX.

    >>> escaped("50% of a_b")
    '50\\% of a\\_b'
    """
    return "".join(_SPECIAL.get(c, c) for c in printable(text))
