"""The headline numbers of many protocols on the same boxes: nothing else is computed, no matching twice."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore import metrics
from boxscore.analysis.differences import matching_key, order_of_matching
from boxscore.evaluation.curves import Slice, largest_cap
from boxscore.evaluation.memo import Shared
from boxscore.evaluation.pixels import unknown_ranges
from boxscore.evaluation.prepare import Prepared, matched, prepare
from boxscore.evaluation.tally import Tally
from boxscore.joining.align import Aligned
from boxscore.metrics import NotEvaluated, Numbers
from boxscore.metrics.average import class_precision
from boxscore.metrics.summary import rows
from boxscore.protocols import Protocol
from boxscore.protocols.parts import AFTER_MATCHING
from boxscore.protocols.rules import names_of
from boxscore.tables.model import Floats, Table

_ROOM = 4  # values of each kind: layouts, verdicts, sizes; protocols are in an order in which the next needs the last
Progress = Callable[[int, int], None]  # is told how many are done, and of how many


@dataclass(frozen=True, eq=False)
class Headline:
    """The first number of a protocol's table, the same of every class, and why it is nan where it is."""

    value: float
    classes: Floats
    reason: str = ""


def comparable(protocol: Protocol) -> Protocol:
    """The same rules in a form in which all tables with a mean average precision have the same headline."""
    first = rows(protocol)[0].expression
    if first.name != "AP":
        return protocol
    return replace(protocol, summary="coco", headline_max=first.cap or 0)


def headlines(
    aligned: Aligned, some: Sequence[Protocol], threads: int = 0, progress: Progress | None = None
) -> list[Headline]:
    """The headline of each protocol; those that differ only after the matching are matched once.

    Of what others can use again the latest is kept, so that memory does not grow with the number of protocols.
    """
    groups: dict[tuple[object, ...], list[int]] = {}
    for i in sorted(range(len(some)), key=lambda i: order_of_matching(some[i])):
        groups.setdefault(matching_key(some[i]), []).append(i)
    shared = Shared([some[members[0]] for members in groups.values()], room=_ROOM)
    made: dict[int, Headline] = {}
    before: Prepared | None = None
    for members in groups.values():
        first = some[members[0]]
        # The headline's size range is the first.
        prepared = _with_columns_of(before, prepare(aligned, replace(first, areas=first.areas[:1]), shared))
        before = prepared
        matching = matched(prepared, threads=threads, shared=shared)
        tally = Tally.of(matching, prepared.truth, prepared.protocol, unknown_ranges(prepared), prepared.unlisted)
        for i in members:
            after = {field: getattr(some[i], field) for field in names_of(*AFTER_MATCHING)}
            made[i] = _headline(replace(tally, protocol=replace(prepared.protocol, **after)), prepared, threads)
            if progress is not None:
                progress(len(made), len(some))
    return [made[i] for i in range(len(some))]


def _with_columns_of(before: Prepared | None, made: Prepared) -> Prepared:
    """The same with columns of what was prepared before where these hold the same: by them a memory knows the rows."""
    if before is None:
        return made
    truth, detections = _same(before.truth, made.truth), _same(before.detections, made.detections)
    return replace(made, truth=truth, detections=detections)


def _same(before: Table, made: Table) -> Table:
    columns = {f.name: (getattr(before, f.name), getattr(made, f.name)) for f in fields(made)}
    known = {name: a for name, (a, b) in columns.items() if a is not b and isinstance(b, np.ndarray) and _alike(a, b)}
    return replace(made, **known) if known else made


def _alike(a: npt.NDArray[Any] | None, b: npt.NDArray[Any]) -> bool:
    """Whether two arrays hold the same bits."""
    return a is not None and (a.dtype, a.shape) == (b.dtype, b.shape) and a.tobytes() == b.tobytes()


def _headline(tally: Tally, prepared: Prepared, threads: int) -> Headline:
    e = rows(tally.protocol)[0].expression
    drawn = [Slice(0, e.cap or largest_cap(tally.protocol))]
    numbers = Numbers(tally, drawn, threads=threads, prepared=prepared)
    try:
        value = metrics.evaluate(numbers, e)
    except NotEvaluated as reason:
        return Headline(math.nan, np.zeros(0), str(reason))
    classes = class_precision(numbers, e) if e.name == "AP" else np.zeros(0)
    return Headline(value, classes, numbers.why_undefined(e) if math.isnan(value) else "")
