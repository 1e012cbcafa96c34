"""Results as JSON and back: a schema with a version, keys in a fixed order, the same bytes for the same input."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from boxscore import protocols
from boxscore.analysis.gates import Outcome, gate
from boxscore.analysis.thresholds import GIVEN, ReportedPoint
from boxscore.errors import InputError, UsageError
from boxscore.evaluation.ledger import Ledger
from boxscore.evaluation.per_class import ClassRow
from boxscore.evaluation.result import Result, Side
from boxscore.protocols import Protocol
from boxscore.report.class_table import CUT_OFF, RATES

SCHEMA = "boxscore/result/1"


def as_dict(result: Result) -> dict[str, Any]:
    """A result as plain values: a whole document, as `boxscore eval --format json` writes it for one result."""
    return document([result])


def document(results: Sequence[Result]) -> dict[str, Any]:
    """Results as one document of plain values; undefined numbers are None, with a reason."""
    versions = {r.version for r in results}
    if not results:
        raise UsageError("no results; expected at least one")
    if len(versions) != 1:
        raise UsageError(f"results of {len(versions)} versions of boxscore cannot go into one document")
    return {"schema": SCHEMA, "version": versions.pop(), "results": [_entry(r) for r in results]}


def dumps(results: Sequence[Result]) -> str:
    """The document as text, with the shortest doubles that read back as the same."""
    return json.dumps(document(results), ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def from_dict(data: dict[str, Any]) -> Result:
    """The inverse of `as_dict`: the stored numbers, without the verdicts behind them."""
    results = from_document(data)
    if len(results) != 1:
        raise InputError("", f"{len(results)} results in one document", "one", "`from_document` reads any number.")
    return results[0]


def from_document(data: dict[str, Any]) -> list[Result]:
    """The results of a document; the inverse of `document`."""
    schema = data.get("schema") if isinstance(data, dict) else None
    if schema != SCHEMA:
        raise InputError("", f"schema {schema!r}", repr(SCHEMA))
    try:
        return [_result(entry, data["version"]) for entry in data["results"]]
    except KeyError as key:
        raise InputError("", f"a document without {key}", f"all keys of {SCHEMA}") from None
    except (TypeError, ValueError, AttributeError, AssertionError) as error:
        raise InputError("", f"a document that does not follow its schema ({error})", SCHEMA) from None


def _entry(result: Result) -> dict[str, Any]:
    protocol, truth, detections = result.protocol, result.truth, result.detections
    return {
        "protocol": protocol.name,
        "signature": protocol.signature(),
        "signature_full": protocol.signature_full(),
        "truth": {"path": truth.path, "format": truth.format},
        "detections": {"path": detections.path, "format": detections.format, "name": detections.name},
        "metrics": _defined(result.metrics),
        "reasons": {name: result.reasons.get(name, "undefined") for name, v in result.metrics.items() if math.isnan(v)},
        **(
            {"tie_bounds": {name: _defined_pair(pair) for name, pair in result.bounds.items()}} if result.bounds else {}
        ),
        "classes": [
            {
                "name": c.name,
                "id": c.id,
                "objects": c.objects,
                "detections": c.detections,
                "metrics": _defined({**c.metrics, **rates}),
            }
            for c, rates in zip(result.per_class, _rates(result), strict=True)
        ],
        **_operating_point(result),
        "requirements": [_requirement(outcome) for outcome in result.gates],
        "ledger": result.ledger.to_dict(),
        "findings": [asdict(f) for f in result.ledger.findings],
        "notes": [CUT_OFF] if result.point is not None and result.point.cut_off else [],
    }


def _rates(result: Result) -> list[dict[str, float]]:
    """P, R and F1 of each class at the operating point."""
    if result.point is None:
        return [{}] * len(result.per_class)
    return [dict(zip(RATES, row, strict=True)) for row in result.point.rates]


def _operating_point(result: Result) -> dict[str, Any]:
    """Where they are taken; nothing in a result that was stored without them."""
    point = result.point
    if point is None:
        return {}
    score = None if math.isnan(point.score) else point.score
    made: dict[str, Any] = {"score": score, "iou": point.iou, "rule": point.rule}
    if point.reason:
        made["reason"] = point.reason
    if point.cut_off:
        made["cut_off"] = True
    return {"operating_point": made}


def _requirement(outcome: Outcome) -> dict[str, Any]:
    value = None if math.isnan(outcome.value) else outcome.value
    return {"text": str(outcome.gate), "value": value, "met": outcome.met}


def _stored_gates(entry: dict[str, Any]) -> tuple[Outcome, ...]:
    """The gates of a stored result; none in one that was stored before there were gates."""
    stored = entry.get("requirements", ())
    try:
        gates = [gate(one["text"]) for one in stored]
    except UsageError as error:
        raise InputError("requirements", str(error)) from None
    values = [_or_nan(one["value"]) for one in stored]
    return tuple(Outcome(g, v, entry["reasons"].get(g.metric, "")) for g, v in zip(gates, values, strict=True))


def _stored_point(entry: dict[str, Any]) -> ReportedPoint | None:
    point = entry.get("operating_point")
    if point is None:
        return None
    rows = [_with_nan(c["metrics"]) for c in entry["classes"]]
    rates = tuple((row["P"], row["R"], row["F1"]) for row in rows)
    score = math.nan if point["score"] is None else point["score"]
    cut_off = point.get("cut_off", False)
    return ReportedPoint(score, point["iou"], rates, point.get("reason", ""), point["rule"], cut_off)


def _given_score(entry: dict[str, Any]) -> float | None:
    point = entry.get("operating_point", {})
    return point["score"] if point.get("rule") == GIVEN else None


def _without_rates(metrics: dict[str, float]) -> dict[str, float]:
    return {name: value for name, value in metrics.items() if name not in RATES}


def _result(entry: dict[str, Any], version: str) -> Result:
    return Result(
        _protocol(entry["protocol"], entry["signature"], entry["signature_full"]),
        _with_nan(entry["metrics"]),
        dict(entry["reasons"]),
        tuple(
            ClassRow(c["name"], c["id"], c["objects"], c["detections"], _without_rates(_with_nan(c["metrics"])))
            for c in entry["classes"]
        ),
        Ledger.from_dict(entry["ledger"], entry["findings"]),
        Side(entry["truth"]["path"], entry["truth"]["format"]),
        Side(entry["detections"]["path"], entry["detections"]["format"], entry["detections"]["name"]),
        version,
        bounds={name: (_or_nan(low), _or_nan(high)) for name, (low, high) in entry.get("tie_bounds", {}).items()},
        score=_given_score(entry),
        stored_point=_stored_point(entry),
        gates=_stored_gates(entry),
    )


def _protocol(name: str, signature: str, full: str) -> Protocol:
    """The registered protocol if its rules are still the same, else one made from the signature."""
    registered = protocols.REGISTRY.get(name)
    if registered is not None and registered.signature_full() == full:
        return registered
    try:
        return protocols.from_signature(signature, full)
    except UsageError as error:
        raise InputError("signature_full", str(error)) from None


def _defined(values: dict[str, float]) -> dict[str, float | None]:
    return {name: None if math.isnan(value) else value for name, value in values.items()}


def _with_nan(values: dict[str, float | None]) -> dict[str, float]:
    return {name: _or_nan(value) for name, value in values.items()}


def _or_nan(value: float | None) -> float:
    return math.nan if value is None else value


def _defined_pair(values: tuple[float, float]) -> list[float | None]:
    return [None if math.isnan(value) else value for value in values]
