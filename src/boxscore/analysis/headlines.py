"""The headline numbers of many protocols on the same boxes: nothing else is computed, no matching twice."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from boxscore import metrics
from boxscore.align import Aligned
from boxscore.analysis.differences import AFTER_MATCHING, matching_key
from boxscore.curves import Slice, largest_cap
from boxscore.metrics import NotEvaluated, Numbers
from boxscore.metrics.average import class_precision
from boxscore.model import Floats
from boxscore.pixels import unknown_ranges
from boxscore.prepare import Prepared, matched, prepare
from boxscore.protocols import Protocol
from boxscore.summary import rows
from boxscore.tally import Tally

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

    One matching is kept at a time, so that memory does not grow with the number of protocols.
    """
    groups: dict[tuple[object, ...], list[int]] = {}
    for i, protocol in enumerate(some):
        groups.setdefault(matching_key(protocol), []).append(i)
    made: dict[int, Headline] = {}
    for members in groups.values():
        first = some[members[0]]
        prepared = prepare(aligned, replace(first, areas=first.areas[:1]))  # the headline's size range is the first
        made_of = matched(prepared, threads=threads)
        tally = Tally.of(made_of, prepared.truth, prepared.protocol, unknown_ranges(prepared))
        for i in members:
            after = {field: getattr(some[i], field) for field in AFTER_MATCHING}
            made[i] = _headline(replace(tally, protocol=replace(prepared.protocol, **after)), prepared, threads)
            if progress is not None:
                progress(len(made), len(some))
    return [made[i] for i in range(len(some))]


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
