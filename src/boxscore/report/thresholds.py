"""Thresholds as text, JSON, YAML and CSV, and what they trade."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator, Sequence
from typing import Any

from boxscore.analysis.requirements import Requirement
from boxscore.analysis.sweep import Sweep, Trade
from boxscore.analysis.thresholds import Threshold, Thresholds
from boxscore.evaluation.result import Result
from boxscore.report.blocks import short_names, sources
from boxscore.report.table import Page, Row, Table
from boxscore.report.text import WIDTH, page_text
from boxscore.report.words import labels, number, safe_cell

SCHEMA, SEVERAL, SWEEP = "boxscore/threshold/1", "boxscore/thresholds/1", "boxscore/sweep/1"
ALL = "all classes"
CUT_OFF = "The file's cut-off decides: the threshold is its lowest score, and a lower one might do better."
NUMBERS = ("score", "precision", "recall", "F1", "TP", "FP", "FN")
TRADES = ("precision", "recall", "F1", "FP per image", "TP", "FP", "FN", "cost")
Found = tuple[Thresholds, Result]
HEADER = ("protocol", "signature", "truth", "detections", "rule", "class", *NUMBERS, "reason")


def as_text(thresholds: Thresholds, columns: int = WIDTH) -> str:
    """The table alone, as plain text."""
    return page_text(Page((), _table([(thresholds, "")], thresholds.signature)), columns)


def page(made: Sequence[Found]) -> Page:
    """The table and where its numbers come from: a row for each model and requirement, and those of classes."""
    results = list({id(result): result for _, result in made}.values())
    models = dict(zip(map(id, results), short_names([r.detections.name for r in results]), strict=True))
    named = [(thresholds, _name(thresholds, models[id(result)], made)) for thresholds, result in made]
    signature = ", ".join(dict.fromkeys(t.signature for t, _ in made))
    return Page(sources(results), _table(named, f"{signature} (boxscore {results[0].version})"))


def _name(thresholds: Thresholds, model: str, made: Sequence[Found]) -> str:
    """What tells a row from the others: the model, the requirement, or both."""
    several = len({id(result) for _, result in made}) > 1
    rules = len({t.requirement for t, _ in made}) > 1
    return ", ".join([model] * several + [thresholds.requirement.short] * rules)


def document(made: Sequence[Found]) -> dict[str, Any]:
    """The thresholds as plain values, in a fixed order of keys; undefined is None, with a reason."""
    version = made[0][1].version
    if len(made) == 1:
        return {"schema": SCHEMA, "version": version, **_values(*made[0])}
    return {"schema": SEVERAL, "version": version, "thresholds": [_values(*one) for one in made]}


def dumps(made: Sequence[Found]) -> str:
    """The document as JSON."""
    return json.dumps(document(made), ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def as_yaml(made: Sequence[Found]) -> str:
    """The same document as YAML, for whoever deploys a detector."""
    import yaml

    return yaml.safe_dump(document(made), sort_keys=False, allow_unicode=True, width=120)


def _values(thresholds: Thresholds, result: Result) -> dict[str, Any]:
    truth, detections = result.truth, result.detections
    return {
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
            {
                "class": name,
                **{k: _finite(v) for k, v in zip(NUMBERS, row, strict=False)},
                "reason": row.reason or None,
                "threshold": _finite(row.short),
                "cut_off": row.cut_off,
            }
            for name, row in _rows(thresholds)
        ],
        "common": _finite(thresholds.common.short),
        "classes": {name: _finite(row.short) for name, row in thresholds.per_class.items()},
    }


def as_csv(made: Sequence[Found]) -> str:
    """The thresholds as CSV; `class` is empty in rows about all classes."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    for thresholds, result in made:
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


def _table(made: Sequence[tuple[Thresholds, str]], signature: str) -> Table:
    """A row for all classes, named after the model or requirement where there are several, and those of classes."""
    rows: list[Row] = []
    for thresholds, about in made:
        names = labels(thresholds.per_class)
        rows.append(_row(about or ALL, thresholds.common))
        rows += [_row(names[name], row, bool(about)) for name, row in thresholds.per_class.items()]
    first = made[0][0]
    cap = "" if first.max_detections is None else f", max={first.max_detections}"
    where = f"iou={first.iou:g}, area={first.area}{cap}"
    rules = "; ".join(dict.fromkeys(str(thresholds.requirement) for thresholds, _ in made))
    notes = [f"rule       {rules}; at {where}", f"signature  {signature}"]
    if any(row.cut_off for thresholds, _ in made for _, row in _rows(thresholds)):
        notes.append(CUT_OFF)
    return Table("Threshold", (NUMBERS,), tuple(rows), tuple(notes))


def _row(label: str, row: Threshold, indent: bool = False) -> Row:
    mark = " (the file's cut-off)" if row.cut_off else ""
    return Row(label, _cells(row), f"({row.reason})" if row.reason else mark.strip(), int(indent))


def _cells(row: Threshold) -> tuple[str, ...]:
    """The score in as few digits as let the same detections pass: rounded up it would cut off one."""
    if row.true_positives is None:
        return ("n/a", *[""] * (len(NUMBERS) - 1))
    rates, counts = row[1:4], row[4:7]
    return (repr(row.short), *(number(value) for value in rates), *(f"{count:,}" for count in counts))


def sweep_page(made: Sequence[tuple[Sweep, Result]]) -> Page:
    """What thresholds trade: a row for each score, of several models one after the other."""
    results = [result for _, result in made]
    models = short_names([r.detections.name for r in results])
    costs = any(one.cost is not None for one, _ in made)
    heads = TRADES if costs else TRADES[:-1]
    rows: list[Row] = []
    for (one, _), model in zip(made, models, strict=True):
        rows += [Row(model, ("",) * len(heads))] if len(made) > 1 else []
        rows += [Row(f"{trade.score:.4g}", _trade(trade, costs), "", int(len(made) > 1)) for trade in one.rows]
    signature = ", ".join(dict.fromkeys(r.protocol.signature() for r in results))
    notes = [f"from this score on, over all classes, at iou={made[0][0].iou:g}"]
    notes += [f"cost       fp={one.cost.fp:g}, fn={one.cost.fn:g}" for one, _ in made[:1] if one.cost is not None]
    return Page(
        sources(results),
        Table("Score", (heads,), tuple(rows), (*notes, f"signature  {signature} (boxscore {results[0].version})")),
    )


def _trade(trade: Trade, costs: bool) -> tuple[str, ...]:
    rates = (trade.precision, trade.recall, trade.f1, trade.false_positives_per_image)
    counts = (trade.true_positives, trade.false_positives, trade.false_negatives)
    cost = (f"{trade.cost:,g}",) if costs else ()
    return (*map(number, rates), *(f"{count:,}" for count in counts), *cost)


def sweep_dumps(made: Sequence[tuple[Sweep, Result]]) -> str:
    """The same as JSON."""
    sweeps = [
        {
            "protocol": r.protocol.name,
            "signature": r.protocol.signature(),
            "detections": {"path": r.detections.path, "format": r.detections.format, "name": r.detections.name},
            "iou": one.iou,
            "cost": None if one.cost is None else {"fp": one.cost.fp, "fn": one.cost.fn},
            "rows": [{key: _finite(value) for key, value in trade._asdict().items()} for trade in one.rows],
        }
        for one, r in made
    ]
    document = {"schema": SWEEP, "version": made[0][1].version, "sweeps": sweeps}
    return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2) + "\n"
