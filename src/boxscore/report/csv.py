"""Results as CSV: one row per number, so that any number of protocols, detection sets and classes fit one table."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Sequence

from boxscore.evaluation.result import Result
from boxscore.report.table import Table
from boxscore.report.words import safe_cell

HEADER = ("protocol", "signature", "truth", "detections", "class", "metric", "value", "reason")


def as_csv(results: Sequence[Result]) -> str:
    """All numbers of the results; `class` is empty in rows about all classes, `value` where it is undefined."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    for result in results:
        texts = (result.protocol.name, result.protocol.signature(), result.truth.path, result.detections.name)
        source = tuple(map(safe_cell, texts))
        writer.writerows((*source, *row) for row in _rows(result))
    return text.getvalue()


def _rows(result: Result) -> Iterator[tuple[str, ...]]:
    for name, value in result.metrics.items():
        yield ("", name, *_value(value, result.reasons.get(name, "undefined")))
    for c in result.per_class:
        label = safe_cell(c.name)
        yield label, "objects", str(c.objects), ""
        yield label, "detections", str(c.detections), ""
        for name, value in c.metrics.items():
            yield (label, name, *_value(value, _class_reason(result, name)))


def _class_reason(result: Result, name: str) -> str:
    """Why a number of a class is undefined: for the reason of the whole column, else for want of objects."""
    if any(not math.isnan(c.metrics[name]) for c in result.per_class):
        return "no objects"
    return result.reasons.get(name) or result.reasons.get(result.headline) or "no objects"


def _value(value: float, reason: str) -> tuple[str, str]:
    return ("", reason) if math.isnan(value) else (repr(value), "")


def table_csv(table: Table) -> str:
    """A table as it stands, with one line of headings; what is n/a is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    heads = [" ".join(filter(None, lines)) for lines in zip(*table.heads, strict=True)]
    writer.writerow([safe_cell(table.corner), *map(safe_cell, heads)])
    for row in table.rows:
        writer.writerow([safe_cell(row.label), *("" if cell == "n/a" else cell for cell in row.cells)])
    return text.getvalue()
