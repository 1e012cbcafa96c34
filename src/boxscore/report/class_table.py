"""The table of classes: one result with all its numbers of a class, or several with their first one side by side."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence

from boxscore import overlaps
from boxscore.analysis.thresholds import GIVEN
from boxscore.errors import SIZES_UNKNOWN
from boxscore.evaluation.per_class import ClassRow
from boxscore.evaluation.result import Result
from boxscore.report.classes import Chosen, Key, key
from boxscore.report.table import Heads, Row, Table
from boxscore.report.words import number

RATES = ("P", "R", "F1")
CUT_OFF = "The best F1 is at the lowest score in the file: the file's own cut-off decides it, a lower one may be better"
FIRST = ("AP50", "AP")  # what follows the rates; the protocol's other numbers come after
Column = Callable[[Key], str]


def class_table(results: Sequence[Result], heads: Heads, chosen: Chosen) -> Table | None:
    """The classes that were chosen; None if there are none."""
    if not chosen.keys:
        return None
    if len(results) == 1:
        (result,) = results
        names, columns = _one(result)
        title, heads, notes, must = "Classes", (tuple(names),), point_notes(result), _must(names, chosen.metric)
    else:
        title, notes, must = f"Classes: {chosen.metric}", (), sys.maxsize
        heads, columns = _several(results, heads, chosen)
    rows = (Row("...", ("",) * len(columns)) if k is None else Row(chosen.label(k), tuple(c(k) for c in columns))
            for k in chosen.keys)  # fmt: skip
    return Table(title, heads, tuple(rows), notes, must)


def _must(names: Sequence[str], metric: str) -> int:
    """How many columns a screen must show: up to the number by which classes are ranked."""
    return 1 + names.index(metric) if metric in names else len(names)


def _one(result: Result) -> tuple[list[str], list[Column]]:
    table, point = {key(c): c for c in result.per_class}, result.point
    names = ["objects", "detections"]
    columns: list[Column] = [lambda k: f"{table[k].objects:,}", lambda k: f"{table[k].detections:,}"]
    if point is not None and not _all_missing(point.rates):
        rates = {key(c): row for c, row in zip(result.per_class, point.rates, strict=False)}
        names += RATES
        columns += [lambda k, i=i: number(rates[k][i]) for i in range(3)]  # type: ignore[misc]
    metrics = list(result.per_class[0].metrics)
    metrics = [m for m in FIRST if m in metrics] + [m for m in metrics if m not in FIRST]
    columns += [lambda k, m=m: number(table[k].metrics[m]) for m in metrics]  # type: ignore[misc]
    return names + metrics, columns


def _all_missing(rates: Sequence[tuple[float, float, float]]) -> bool:
    """Whether no class has any of them: then a note says why, instead of three columns."""
    return all(math.isnan(value) for row in rates for value in row)


def point_notes(result: Result) -> tuple[str, ...]:
    """At which score P, R and F1 are taken, or why they are n/a."""
    point = result.point
    if point is None:
        return ()
    if math.isnan(point.score) and point.reason != SIZES_UNKNOWN:
        return (f"P, R, F1 without a threshold: {point.reason}",)
    if point.reason:
        return (f"P, R, F1: n/a ({point.reason})",)
    at, iou = f"P, R, F1 at score >= {point.score:.4g}", f"{overlaps.get(result.protocol).called} {point.iou:g}"
    if point.rule == GIVEN:
        return (f"{at}, as given, at {iou}",)
    best = f"{at}, the best F1 over all classes at {iou}"
    return (best, CUT_OFF) if point.cut_off else (best,)


def _several(results: Sequence[Result], heads: Heads, chosen: Chosen) -> tuple[Heads, list[Column]]:
    tables = [{key(c): c for c in r.per_class} for r in results]
    objects = [{k: c.objects for k, c in table.items()} for table in tables]
    columns: list[Column] = [lambda k, t=t: _headline(t.get(k), chosen.metric) for t in tables]  # type: ignore[misc]
    if all(counts == objects[0] for counts in objects):
        columns.insert(0, lambda k: f"{objects[0][k]:,}")
        heads = tuple(("" if line is not heads[-1] else "objects", *line) for line in heads)
    return heads, columns


def _headline(row: ClassRow | None, metric: str) -> str:
    return "" if row is None or metric not in row.metrics else number(row.metrics[metric])
