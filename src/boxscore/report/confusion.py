"""Confusion matrices: whole for a few classes, the largest confusions of many."""

from __future__ import annotations

from boxscore.analysis.confusion import BACKGROUND, Confusion
from boxscore.report.html import page_html
from boxscore.report.markdown import page_markdown
from boxscore.report.table import Page, Row, Table
from boxscore.report.text import WIDTH, page_text
from boxscore.report.words import elided, labels, number

FEW = 12  # up to so many classes the matrix is shown whole
LARGEST = 20  # of more, so many of the largest confusions


def as_text(confusion: Confusion, columns: int = WIDTH) -> str:
    """The matrix or its largest confusions as plain text."""
    return page_text(page(confusion), columns)


def as_markdown(confusion: Confusion) -> str:
    """The same in GitHub's Markdown."""
    return page_markdown(page(confusion))


def as_html(confusion: Confusion) -> str:
    """The same as a piece of HTML for notebooks."""
    return page_html(page(confusion))


def page(confusion: Confusion) -> Page:
    """What is shown of a matrix."""
    return Page((), _matrix(confusion) if len(confusion.classes) <= FEW else _largest(confusion))


def _matrix(confusion: Confusion) -> Table:
    shown = labels(confusion.classes)
    names = [*map(shown.__getitem__, confusion.classes), BACKGROUND]
    rows = (Row(name, tuple(f"{n:,}" for n in row)) for name, row in zip(names, confusion.counts.tolist(), strict=True))
    where = "A row for each true class, a column for each predicted one"
    return Table("Confusion", (tuple(elided(name, 16) for name in names),), tuple(rows), (where, *_totals(confusion)))


def _largest(confusion: Confusion) -> Table:
    mistakes, by_true, by_predicted = confusion.largest(), confusion.rates("true"), confusion.rates("predicted")
    index = {name: k for k, name in enumerate(confusion.classes)}
    shown = {**labels(confusion.classes), BACKGROUND: BACKGROUND}
    rows = []
    for true, predicted, cases in mistakes[:LARGEST]:
        cell = index[true], index[predicted]
        shares = number(float(by_true[cell])), number(float(by_predicted[cell]))
        rows.append(Row(f"{shown[true]} taken for {shown[predicted]}", (f"{cases:,}", *shares)))
    some = f"The {LARGEST} largest of {len(mistakes):,} confusions" if len(mistakes) > LARGEST else "All confusions"
    notes = (f"{some} between {len(confusion.classes):,} classes; all cells: .counts", *_totals(confusion))
    return Table("Confusions", (("cases", "of true", "of predicted"),), tuple(rows), notes)


def _totals(confusion: Confusion) -> tuple[str, str]:
    counts = confusion.counts
    right, objects, detections = int(counts.trace()), int(counts[:-1].sum()), int(counts[:, :-1].sum())
    mistaken = int(counts[:-1, :-1].sum()) - right
    missed, stray = int(counts[:-1, -1].sum()), int(counts[-1, :-1].sum())
    return (
        f"{objects:,} objects = {right:,} found + {mistaken:,} taken for another class + {missed:,} missed",
        f"{detections:,} detections = {right:,} true + {mistaken:,} of another class + {stray:,} on background",
    )
