"""The table of sequences: a row per video, as text, Markdown, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Sequence
from typing import Any

from boxscore.analysis.sequences import SequenceRow
from boxscore.evaluation.result import Result
from boxscore.report.blocks import sources
from boxscore.report.csv import HEADER
from boxscore.report.json import document
from boxscore.report.markdown import page_markdown
from boxscore.report.table import Page, Row, Table
from boxscore.report.text import page_text
from boxscore.report.words import number, printable, safe_cell

ALL = "all videos"
COUNTS = ("frames", "objects", "detections")
Sequences = Sequence[tuple[Result, tuple[SequenceRow, ...]]]


def pages(some: Sequences) -> list[Page]:
    """A table for each result, with the numbers of all videos together in the last row."""
    return [_page(result, rows, alone=len(some) == 1) for result, rows in some]


def _page(result: Result, rows: Sequence[SequenceRow], alone: bool) -> Page:
    names = list(result.metrics)
    whole = (sum(r.frames for r in rows), sum(r.objects for r in rows), sum(r.detections for r in rows))
    lines = [Row(printable(r.name), _cells((r.frames, r.objects, r.detections), r.metrics, names)) for r in rows]
    lines.append(Row(ALL, _cells(whole, result.metrics, names)))
    reasons = dict.fromkeys(reason for r in rows for reason in r.reasons.values())
    notes = (f"n/a: {'; '.join(reasons)}",) if reasons else ()
    heads = ((*COUNTS, *map(printable, names)),)
    signature = f"Signature: {printable(result.protocol.signature())} (boxscore {result.version})"
    which = () if alone else (("Protocol", printable(result.protocol.name)),)
    return Page((*sources([result]), *which), Table("Sequences", heads, tuple(lines), (*notes, signature)))


def _cells(counts: tuple[int, ...], values: dict[str, float], names: Sequence[str]) -> tuple[str, ...]:
    return (*(f"{count:,}" for count in counts), *(number(values[name]) for name in names))


def as_text(some: Sequences, columns: int) -> str:
    """All tables as plain text."""
    return "\n".join(page_text(page, columns) for page in pages(some))


def as_markdown(some: Sequences) -> str:
    """All tables in GitHub's Markdown."""
    return "\n".join(page_markdown(page) for page in pages(some))


def as_csv(some: Sequences) -> str:
    """One row per number; `video` is empty in rows about all of them."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["video" if name == "class" else name for name in HEADER])
    for result, rows in some:
        texts = (result.protocol.name, result.protocol.signature(), result.truth.path, result.detections.name)
        source = tuple(map(safe_cell, texts))
        for name, value in result.metrics.items():
            writer.writerow((*source, "", name, *_value(value, result.reasons.get(name, "undefined"))))
        for r in rows:
            label = safe_cell(r.name)
            writer.writerows((*source, label, what, str(getattr(r, what)), "") for what in COUNTS)
            for name, value in r.metrics.items():
                writer.writerow((*source, label, name, *_value(value, r.reasons.get(name, "undefined"))))
    return text.getvalue()


def _value(value: float, reason: str) -> tuple[str, str]:
    return ("", reason) if math.isnan(value) else (repr(value), "")


def as_json(some: Sequences) -> str:
    """The document of the results, each with its `sequences`."""
    made = document([result for result, _ in some])
    for entry, (_, rows) in zip(made["results"], some, strict=True):
        entry["sequences"] = [_entry(row) for row in rows]
    return json.dumps(made, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def _entry(row: SequenceRow) -> dict[str, Any]:
    values = {name: None if math.isnan(value) else value for name, value in row.metrics.items()}
    counts = {"frames": row.frames, "objects": row.objects, "detections": row.detections}
    return {"name": row.name, **counts, "metrics": values, "reasons": dict(row.reasons)}
