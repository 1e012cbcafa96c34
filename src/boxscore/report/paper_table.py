"""The table of a paper: models as rows and chosen metrics as columns, or classes as rows; the best in bold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import NamedTuple

from boxscore.evaluation.per_class import ClassRow
from boxscore.evaluation.result import Result
from boxscore.metrics import BETTER, HIGHER, NEITHER, NOT_SHARES, UNAVAILABLE, evaluate, summary
from boxscore.report.blocks import protocol_heading, short_names
from boxscore.report.classes import choose, key
from boxscore.report.table import Heads, Row, Table
from boxscore.report.words import merged, printable

MODEL, CLASS, ALL = "model", "class", "all classes"


class Numerals(NamedTuple):
    """How numbers are written: as they are or in percent, with so many decimals (None for every digit there is)."""

    percent: bool = False
    decimals: int | None = None

    @staticmethod
    def of(percent: bool, decimals: int | None = None) -> Numerals:
        """With as many decimals as are usual, unless told otherwise."""
        return Numerals(percent, (1 if percent else 4) if decimals is None else decimals)

    def text(self, value: float, share: bool = True) -> str:
        """A number; counts stay counts, and what is no share stays as it is.

        >>> Numerals.of(True).text(0.50458), Numerals(True).text(0.07), Numerals.of(True).text(12), Numerals().text(0.1)
        ('50.5', '7', '12', '0.1')
        """
        if isinstance(value, int):
            return str(value)
        if math.isnan(value):
            return "n/a"
        if not self.percent or not share:
            return repr(value) if self.decimals is None else f"{value:.{self.decimals if share else 4}f}"
        if self.decimals is None:  # two places to the right, not times 100, which would change the last digits
            return format(Decimal(repr(value)).scaleb(2), "f")
        return f"{100 * value:.{self.decimals}f}"


class Column(NamedTuple):
    """A column: its headings, its values, and the metric that they are."""

    heads: tuple[str, ...]
    values: tuple[float | None, ...]  # None where there is no such number
    metric: str  # by its name in the registry


def model_table(results: Sequence[Result], names: Sequence[str], numerals: Numerals) -> Table:
    """A row for each detection set, a column for each metric; of several protocols one after the other."""
    sets = list(dict.fromkeys((r.detections.path, r.detections.name) for r in results))
    protocols = {r.protocol.signature(): r.protocol for r in results}
    of = {((r.detections.path, r.detections.name), r.protocol.signature()): r for r in results}
    columns = [
        Column(
            (*_protocol(protocol.name, len(protocols)), printable(name)),
            tuple(of[one, signature][name] for one in sets),
            summary.expression(protocol, name).name,
        )
        for signature, protocol in protocols.items()
        for name in names
    ]
    labels = short_names([name or path for path, name in sets])
    table = _table(MODEL, labels, columns, numerals, _notes(results, names, numerals))
    best = {(i, c) for c, column in enumerate(columns) for i in _best(column.values, column.metric, table, c)}
    return replace(table, strong=frozenset(best))


def class_columns(results: Sequence[Result], names: Sequence[str], numerals: Numerals) -> Table:
    """A row for each class, and one for all; a column for each result, or for each metric of each result."""
    chosen = choose(results, all_classes=True)
    keys = [k for k in chosen.keys if k is not None]
    columns: list[Column] = []
    for result, heads in zip(results, _result_heads(results), strict=True):
        table = {key(c): c for c in result.per_class}
        shown = names or _own(result, len(results))
        for name in shown:
            metric = summary.expression(result.protocol, name).name
            values = tuple(_value(result, table.get(k), name) for k in keys)
            columns.append(Column((*heads, printable(name)), (*values, _over_all(result, name)), metric))
    labels = [*(chosen.label(k) for k in keys), ALL]
    table_ = _table(CLASS, labels, columns, numerals, _notes(results, names, numerals))
    if len({r.protocol.signature() for r in results}) > 1 or len(results) == 1:
        return table_  # columns of different rules: none of them is better
    metrics = list(dict.fromkeys(c.metric for c in columns))
    strong = {
        (i, alike[at])
        for metric in metrics
        for alike in [[c for c, column in enumerate(columns) if column.metric == metric]]
        for name in dict.fromkeys(columns[c].heads[-1] for c in alike)
        for alike in [[c for c in alike if columns[c].heads[-1] == name]]
        for i in range(len(labels))
        for at in _leaders([columns[c].values[i] for c in alike], [table_.rows[i].cells[c] for c in alike], metric)
    }
    return replace(table_, strong=frozenset(strong))


def _table(
    corner: str, labels: Sequence[str], columns: Sequence[Column], numerals: Numerals, notes: list[str]
) -> Table:
    depth = max((len(c.heads) for c in columns), default=1)
    padded = [("",) * (depth - len(c.heads)) + c.heads for c in columns]
    heads: Heads = tuple(zip(*padded, strict=True)) or ((),)
    rows = tuple(
        Row(label, tuple("" if c.values[i] is None else numerals.text(c.values[i], c.metric not in NOT_SHARES)  # type: ignore[arg-type]
                         for c in columns))
        for i, label in enumerate(labels)
    )  # fmt: skip
    return Table("", heads, rows, tuple(notes), corner=corner)


def _best(values: Sequence[float | None], metric: str, table: Table, c: int) -> list[int]:
    return _leaders(values, [row.cells[c] for row in table.rows], metric)


def _leaders(values: Sequence[float | None], texts: Sequence[str], metric: str) -> list[int]:
    """Where the best values are: those that read as the best one does, unless all do or nothing is better.

    >>> _leaders([0.31, 0.52, 0.5201], ["0.3", "0.5", "0.5"], "AP"), _leaders([3, 2], ["3", "2"], "FP")
    ([1, 2], [1])
    """
    better = BETTER[metric]
    there = [v for v in values if v is not None and not math.isnan(v)]
    if len(there) < 2 or better == NEITHER:
        return []
    best = max(there) if better == HIGHER else min(there)
    text = next(t for v, t in zip(values, texts, strict=True) if v == best)
    alike = [i for i, t in enumerate(texts) if t == text]
    return alike if len(alike) < len(there) else []


def _protocol(name: str, protocols: int) -> tuple[str, ...]:
    return (" ".join(protocol_heading(name)),) if protocols > 1 else ()


def _result_heads(results: Sequence[Result]) -> list[tuple[str, ...]]:
    """What tells results apart: the protocol, the detection set, or both."""
    sets = short_names([r.detections.name or r.detections.path for r in results])
    several = len({(r.detections.path, r.detections.name) for r in results}) > 1
    protocols = len({r.protocol.signature() for r in results})
    return [
        (*_protocol(r.protocol.name, protocols), *([name] if several else []))
        for r, name in zip(results, sets, strict=True)
    ]


def _own(result: Result, several: int) -> list[str]:
    """The numbers that a protocol reports of classes; beside other results the first of them alone."""
    names = list(result.per_class[0].metrics) if result.per_class else []
    return names[:1] if several > 1 else names


def _value(result: Result, row: ClassRow | None, name: str) -> float | None:
    """A number of a class: one that the table of classes has, else the metric narrowed down to it."""
    if row is None:
        return None
    if name in row.metrics:
        return row.metrics[name]
    if result.numbers is None:
        return math.nan
    try:
        e = replace(summary.expression(result.protocol, name), label=row.name)
        return evaluate(result.numbers, e)
    except UNAVAILABLE:
        return math.nan


def _over_all(result: Result, name: str) -> float | None:
    """The same number over all classes: the protocol's own where it has one by this name or as a mean (mAP)."""
    for own in (name, f"m{name}"):
        if own in result.metrics:
            return result.metrics[own]
    if result.numbers is None:
        return None
    try:
        return result[name]
    except UNAVAILABLE:
        return math.nan


def _notes(results: Sequence[Result], names: Sequence[str], numerals: Numerals) -> list[str]:
    """Why numbers are missing, and by which rules the others were made."""
    reasons = merged([[f"{n}: n/a ({r.reasons[n]})" for n in names if n in r.reasons] for r in results])
    signatures = ", ".join(dict.fromkeys(printable(r.protocol.signature()) for r in results))
    versions = ", ".join(dict.fromkeys(r.version for r in results))
    return [
        *map(printable, reasons),
        f"{'Percent; ' if numerals.percent else ''}signature {signatures} (boxscore {versions})",
    ]
