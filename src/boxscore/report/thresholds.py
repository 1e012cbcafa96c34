"""Thresholds as text, JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator
from typing import Any

from boxscore.analysis.requirements import Requirement
from boxscore.analysis.thresholds import Threshold, Thresholds
from boxscore.evaluation.result import Result
from boxscore.report.blocks import sources
from boxscore.report.table import Page, Row, Table
from boxscore.report.text import WIDTH, page_text
from boxscore.report.words import labels, number, safe_cell

SCHEMA = "boxscore/threshold/1"
NUMBERS = ("score", "precision", "recall", "F1", "TP", "FP", "FN")
HEADER = ("protocol", "signature", "truth", "detections", "rule", "class", *NUMBERS, "reason")


def as_text(thresholds: Thresholds, columns: int = WIDTH) -> str:
    """The table alone, as plain text."""
    return page_text(Page((), _table(thresholds, thresholds.signature)), columns)


def page(thresholds: Thresholds, result: Result) -> Page:
    """The table and where its numbers come from."""
    return Page(sources([result]), _table(thresholds, f"{thresholds.signature} (boxscore {result.version})"))


def dumps(thresholds: Thresholds, result: Result) -> str:
    """The thresholds as JSON, in a fixed order of keys; undefined is null, with a reason."""
    truth, detections = result.truth, result.detections
    document = {
        "schema": SCHEMA,
        "version": result.version,
        "protocol": result.protocol.name,
        "signature": thresholds.signature,
        "signature_full": result.protocol.signature_full(),
        "truth": {"path": truth.path, "format": truth.format},
        "detections": {"path": detections.path, "format": detections.format, "name": detections.name},
        "rule": _rule(thresholds.requirement),
        "rule_text": str(thresholds.requirement),
        "iou": thresholds.iou,
        "area": thresholds.area,
        "max_detections": thresholds.max_detections,
        "rows": [
            {"class": name, **{k: _finite(v) for k, v in zip(NUMBERS, row, strict=False)}, "reason": row.reason or None}
            for name, row in _rows(thresholds)
        ],
    }
    return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def as_csv(thresholds: Thresholds, result: Result) -> str:
    """The thresholds as CSV; `class` is empty in the row of all classes."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    texts = (result.protocol.name, thresholds.signature, result.truth.path, result.detections.name)
    source = tuple(map(safe_cell, texts))
    for name, row in _rows(thresholds):
        values = ("" if _finite(v) is None else repr(v) for v in row[: len(NUMBERS)])
        writer.writerow((*source, str(thresholds.requirement), safe_cell(name or ""), *values, row.reason))
    return text.getvalue()


def _rows(thresholds: Thresholds) -> Iterator[tuple[str | None, Threshold]]:
    yield None, thresholds.common
    yield from thresholds.per_class.items()


def _rule(required: Requirement) -> dict[str, Any]:
    """The requirement as the keyword that asks for it."""
    if required.name == "f1":
        return {"f1": "max"}
    return {required.name: {"fp": required.fp, "fn": required.fn} if required.name == "cost" else required.value}


def _finite(value: Any) -> Any:
    return value if value is not None and math.isfinite(value) else None


def _table(thresholds: Thresholds, signature: str) -> Table:
    names = labels(thresholds.per_class)
    rows = tuple(
        Row("all classes" if name is None else names[name], _cells(row), f"({row.reason})" if row.reason else "")
        for name, row in _rows(thresholds)
    )
    cap = "" if thresholds.max_detections is None else f", max={thresholds.max_detections}"
    where = f"iou={thresholds.iou:g}, area={thresholds.area}{cap}"
    notes = (f"rule       {thresholds.requirement}; at {where}", f"signature  {signature}")
    return Table("Threshold", (NUMBERS,), rows, notes)


def _cells(row: Threshold) -> tuple[str, ...]:
    """The score in full, so that it can be copied: rounded up it would cut off a detection."""
    if row.true_positives is None:
        return ("n/a", *[""] * (len(NUMBERS) - 1))
    rates, counts = row[1:4], row[4:7]
    return (repr(row.score), *(number(value) for value in rates), *(f"{count:,}" for count in counts))
