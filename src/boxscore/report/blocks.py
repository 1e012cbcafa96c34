"""What a report shows, as rows of text: the one layout behind terminals, pipes, Markdown and notebooks."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import NamedTuple, TypeVar

from boxscore.diagnostics.findings import Finding
from boxscore.diagnostics.kind import SEVERITIES
from boxscore.evaluation.ledger import FATES, Account
from boxscore.evaluation.result import Result
from boxscore.report.class_table import class_table
from boxscore.report.classes import choose
from boxscore.report.table import Heads, Row, Table
from boxscore.report.words import elided, number, printable

Name = TypeVar("Name")
BOUNDS = "when tied scores are reordered (matching fixed)"
_SIGNS = {"evaluated": "=", "added": "-"}


class Remark(NamedTuple):
    """A finding, and which of the results it is about ("" for all)."""

    finding: Finding
    about: str


@dataclass(frozen=True)
class Report:
    """The parts of a report in their order."""

    sources: tuple[tuple[str, str], ...]
    ledger: Table
    summary: Table
    bounds: Table | None  # what the order of equal scores can change
    signatures: tuple[str, ...]
    version: str
    remarks: tuple[Remark, ...]
    classes: Table | None
    more: str  # what the table of classes leaves out


def report(results: Sequence[Result], all_classes: bool = False) -> Report:
    """The parts of a report on one or several results, side by side."""
    if not results:
        raise ValueError("no results to report")
    heads = headings(results)
    chosen = choose(results, all_classes)
    return Report(
        sources(results),
        Table("Ledger", heads, tuple(_ledger(results))),
        Table("Summary", heads, tuple(_summary(results))),
        _bounds(results, heads),
        tuple(dict.fromkeys(printable(r.protocol.signature()) for r in results)),
        ", ".join(dict.fromkeys(r.version for r in results)),
        tuple(_remarks(results, heads)),
        class_table(results, heads, chosen),
        chosen.more,
    )


def headings(results: Sequence[Result]) -> Heads:
    """The lines that tell columns apart: the protocol, the detections, or both; names end on the last line."""
    protocols = [
        [*(["(approximate)"] if r.protocol.approximations else []), *protocol_heading(r.protocol.name)] for r in results
    ]
    sets = [[name] for name in short_names([r.detections.name or r.detections.path for r in results])]
    if len({(r.detections.path, r.detections.name) for r in results}) == 1:
        columns = protocols
    elif len({r.protocol.signature() for r in results}) == 1:
        columns = sets
    else:
        columns = [protocol + name for protocol, name in zip(protocols, sets, strict=True)]
    depth = max(map(len, columns))
    padded = [[""] * (depth - len(lines)) + lines for lines in columns]
    return tuple(zip(*padded, strict=True))


def protocol_heading(name: str) -> list[str]:
    """The name of a variant in lines, a long one in two.

    >>> protocol_heading("coco[iou=0.3,max_detections=1,10]")
    ['coco', 'iou=0.3', 'max_detections=1,10']
    >>> protocol_heading("openimages-challenge-segm")
    ['openimages-challenge-', 'segm']
    """
    base, _, changed = printable(name).removesuffix("]").partition("[")
    start, hyphen, end = base.rpartition("-") if len(base) > 22 else ("", "", base)
    return [elided(line, 24) for line in (start + hyphen, end, *re.split(r",(?=[a-z_]+=)", changed)) if line]


def short_names(paths: Sequence[str]) -> list[str]:
    """Paths without what they have in common.

    >>> short_names(["runs/a/predictions.json", "runs/b/predictions.json"])
    ['a', 'b']
    """
    stems = {path: PurePath(path).name.removesuffix(".gz").removesuffix(".json") or path for path in paths}
    if len(set(stems.values())) < len(stems):
        parts = {path: PurePath(path).parts for path in stems}
        shortest = min(map(len, parts.values()))
        same = [len({p[i] for p in parts.values()}) == 1 for i in range(shortest)]
        first = next((i for i, one in enumerate(same) if not one), shortest)
        ends = [len({p[-1 - i] for p in parts.values()}) == 1 for i in range(shortest - first)]
        last = next((i for i, one in enumerate(ends) if not one), len(ends))
        stems = {path: "/".join(p[first : len(p) - last]) or path for path, p in parts.items()}
    return [elided(printable(stems[path])) for path in paths]


def sources(results: Sequence[Result]) -> tuple[tuple[str, str], ...]:
    """What was compared, each once."""
    sides = [("Truth", r.truth) for r in results] + [("Detections", r.detections) for r in results]
    shown = [
        (what, f"{printable(side.path)} ({side.format})" if side.format else printable(side.path))
        for what, side in sides
    ]
    return tuple(dict.fromkeys(shown))


def _ledger(results: Sequence[Result]) -> list[Row]:
    images = [r.ledger.images for r in results]
    rows = [
        Row("Images in truth", tuple(f"{i.truth:,}" for i in images)),
        Row("Images in detections", tuple(f"{i.detections:,}" for i in images)),
        Row("in both", tuple(f"{i.matched:,}" for i in images), indent=1),
        Row("only in truth", tuple(f"{i.only_truth:,}" for i in images), indent=1),
        Row("only in detections", tuple(f"{i.only_detections:,}" for i in images), indent=1),
    ]
    rows += _account("Objects read", [r.ledger.objects for r in results])
    rows += _account("Detections read", [r.ledger.detections for r in results])
    if any(r.ledger.tied for r in results):
        rows.append(Row("of these, tied scores (same class)", tuple(f"{r.ledger.tied:,}" for r in results)))
    return rows


def _account(title: str, accounts: Sequence[Account]) -> list[Row]:
    """read = evaluated + ignored + dropped + rejected - added, one row each."""
    counts = [{(row.fate, row.reason): row.count for row in a.rows} for a in accounts]
    kinds = sorted(merged([list(c) for c in counts]), key=lambda kind: (kind[0] == "added", FATES.index(kind[0])))
    rows = [Row(title, tuple(f"{a.read:,}" for a in accounts))]
    for fate, reason in kinds:
        label = f"{_SIGNS.get(fate, '+')} {fate}{f': {reason}' if reason else ''}"
        rows.append(Row(label, tuple(f"{c.get((fate, reason), 0):,}" for c in counts), indent=1))
    return rows


def _summary(results: Sequence[Result]) -> list[Row]:
    rows = []
    for name in merged([list(r.metrics) for r in results]):
        cells = tuple(number(r.metrics[name]) if name in r.metrics else "" for r in results)
        # Which columns a reason is about shows in the cells.
        reasons = dict.fromkeys(r.reasons.get(name, "undefined") for r in results if _undefined(r.metrics.get(name)))
        rows.append(Row(printable(name), cells, f"({'; '.join(reasons)})" if reasons else ""))
    return rows


def _bounds(results: Sequence[Result], heads: Heads) -> Table | None:
    defined = [{n: b for n, b in r.bounds.items() if not math.isnan(b[0])} for r in results]
    texts = [{n: " and ".join(map(number, b)) for n, b in some.items()} for some in defined]
    rows = [Row(f"{printable(n)} between", tuple(t.get(n, "") for t in texts)) for n in merged([*map(list, texts)])]
    return Table("Equal scores", heads, tuple(rows)) if rows else None


def merged(lists: Sequence[Sequence[Name]]) -> list[Name]:
    """The names of several lists in an order that is that of each of them, as far as they agree.

    >>> merged([["AP", "AR100", "ARs"], ["mAP"], ["AP", "AR300", "ARs"]])
    ['AP', 'AR100', 'AR300', 'ARs', 'mAP']
    """
    names: list[Name] = []
    for new in lists:
        for i, name in enumerate(new):
            if name not in names:
                follower = next((names.index(later) for later in new[i + 1 :] if later in names), len(names))
                names.insert(follower, name)
    return names


def _undefined(value: float | None) -> bool:
    return value is not None and math.isnan(value)


def _remarks(results: Sequence[Result], heads: Heads) -> list[Remark]:
    """Findings, each once; the gravest first."""
    found: dict[Finding, set[int]] = {}
    for column, result in enumerate(results):
        for finding in result.ledger.findings:
            found.setdefault(finding, set()).add(column)
    remarks = [Remark(finding, _about(columns, results, heads)) for finding, columns in found.items()]
    return sorted(remarks, key=lambda remark: SEVERITIES.index(remark.finding.severity))


def _about(columns: set[int], results: Sequence[Result], heads: Heads) -> str:
    """What some of the results have in common and no other has, else the headings of all of them."""
    if len(columns) == len(results):
        return ""
    sets = short_names([r.detections.name or r.detections.path for r in results])
    names = [" ".join(protocol_heading(r.protocol.name)) for r in results]
    for common in (sets, names):
        those = {common[c] for c in columns}
        if len(those) == 1 and columns == {c for c, name in enumerate(common) if name in those}:
            return those.pop()
    return ", ".join(" ".join(filter(None, (line[c] for line in heads))) for c in sorted(columns))


__all__ = ["Remark", "Report", "Row", "Table", "report"]
