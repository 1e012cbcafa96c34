"""What a report shows, as rows of text: the one layout behind terminals, pipes, Markdown and notebooks."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import NamedTuple

from boxscore.diagnostics.findings import Finding
from boxscore.diagnostics.kind import SEVERITIES
from boxscore.evaluation.result import Result, Side
from boxscore.report.accounts import ledger_lines, ledger_table, span
from boxscore.report.class_table import class_table
from boxscore.report.classes import FEW, choose
from boxscore.report.table import Heads, Row, Table
from boxscore.report.words import elided, many, merged, number, printable

SETS = 3  # up to so many detection sets have a line each
BOUNDS = "when tied scores are reordered (matching fixed)"


class Remark(NamedTuple):
    """A finding, and which of the results it is about ("" for all)."""

    finding: Finding
    about: str


@dataclass(frozen=True)
class Report:
    """The parts of a report in their order."""

    sources: tuple[tuple[str, str], ...]
    summary: Table
    bounds: Table | None  # what the order of equal scores can change
    signatures: tuple[str, ...]
    version: str
    accounts: tuple[str, ...]  # where the boxes of each side went, in a line
    ledger: Table
    remarks: tuple[Remark, ...]
    classes: Table | None
    more: str  # what the table of classes leaves out

    @property
    def warnings(self) -> tuple[Remark, ...]:
        """The remarks without which the numbers should not be read."""
        return tuple(remark for remark in self.remarks if remark.finding.severity != "note")

    @property
    def notes(self) -> tuple[Remark, ...]:
        """The other remarks."""
        return tuple(remark for remark in self.remarks if remark.finding.severity == "note")


def report(results: Sequence[Result], all_classes: bool = False, few: int = FEW) -> Report:
    """The parts of a report on one or several results, side by side; of more than a few classes only some."""
    if not results:
        raise ValueError("no results to report")
    heads = headings(results)
    chosen = choose(results, all_classes, few)
    return Report(
        sources(results),
        _summary(results, heads),
        _bounds(results, heads),
        tuple(dict.fromkeys(printable(r.protocol.signature()) for r in results)),
        ", ".join(dict.fromkeys(r.version for r in results)),
        ledger_lines(results),
        ledger_table(results, heads),
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
    """What was compared, in a line each; of many detection sets a line about all of them."""
    truths = dict.fromkeys((r.truth, r.ledger.images.truth, r.ledger.objects.read) for r in results)
    found = dict.fromkeys((r.detections, r.ledger.images.detections, r.ledger.detections.read) for r in results)
    lines = [
        ("Truth", f"{_side(side)}: {many(images, 'image')}, {many(boxes, 'object')}") for side, images, boxes in truths
    ]
    if len(found) > SETS:
        formats = ", ".join(dict.fromkeys(side.format for side, _, _ in found))
        counts = f"{span([boxes for *_, boxes in found])} detections on {span([n for _, n, _ in found])} images"
        return (*lines, ("Detections", f"{len(found)} sets ({formats}): {counts}"))
    lines += [
        ("Detections", f"{_side(side)}: {many(boxes, 'detection')} on {many(n, 'image')}") for side, n, boxes in found
    ]
    return tuple(lines)


def _side(side: Side) -> str:
    return f"{printable(side.path)} ({side.format})" if side.format else printable(side.path)


def about(result: Result) -> str:
    """Which of several results it is, in a line of its own: the protocol and the detections."""
    return printable(f"{result.protocol.name} on {result.detections.name or result.detections.path}")


def _summary(results: Sequence[Result], heads: Heads) -> Table:
    """A row for each number; those that no result has, for one and the same reason, share a line below."""
    rows: list[Row] = []
    missing: dict[str, list[str]] = {}
    for name in merged([list(r.metrics) for r in results]):
        cells = tuple(number(r.metrics[name]) if name in r.metrics else "" for r in results)
        # Which columns a reason is about shows in the cells.
        reasons = dict.fromkeys(r.reasons.get(name, "undefined") for r in results if _undefined(r.metrics.get(name)))
        if len(reasons) == 1 and set(cells) <= {"n/a", ""}:
            missing.setdefault(reasons.popitem()[0], []).append(printable(name))
        else:
            rows.append(Row(printable(name), cells, f"({'; '.join(reasons)})" if reasons else ""))
    notes = tuple(f"{', '.join(names)}  n/a ({reason})" for reason, names in missing.items())
    return Table("Summary", heads, tuple(rows), notes)


def _bounds(results: Sequence[Result], heads: Heads) -> Table | None:
    defined = [{n: b for n, b in r.bounds.items() if not math.isnan(b[0])} for r in results]
    texts = [{n: " and ".join(map(number, b)) for n, b in some.items()} for some in defined]
    rows = [Row(f"{printable(n)} between", tuple(t.get(n, "") for t in texts)) for n in merged([*map(list, texts)])]
    return Table("Equal scores", heads, tuple(rows)) if rows else None


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
