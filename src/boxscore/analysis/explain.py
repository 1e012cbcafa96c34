"""Why two protocols give different numbers: the gap between their headlines, shared out among single rules."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boxscore import overlaps
from boxscore.analysis import shapley
from boxscore.analysis.differences import Difference, differences, mixture
from boxscore.analysis.headlines import Headline, Progress, comparable, headlines
from boxscore.analysis.inert import LAST_BITS, Facts, why_not
from boxscore.errors import UsageError
from boxscore.formats.io.keywords import READING, options_from
from boxscore.joining.align import Aligned
from boxscore.joining.both import read_both
from boxscore.metrics.summary import rows
from boxscore.protocols import Protocol, get
from boxscore.tables.arguments import WHOLE, a, checked
from boxscore.tables.model import Floats

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from boxscore.formats.io.keywords import ReadKeywords


@dataclass(frozen=True)
class Part:
    """What one rule adds to the gap, with its standard error (0 where all mixtures were evaluated)."""

    rule: str
    meaning: str
    values: tuple[tuple[str, str, str], ...]  # field, its value in the one protocol, in the other
    part: float
    error: float = 0.0
    note: str = ""  # why it cannot matter, where it cannot

    @property
    def fields(self) -> tuple[str, ...]:
        """The protocol fields that the rule is made of, as far as they differ."""
        return tuple(name for name, _, _ in self.values)


@dataclass(frozen=True)
class ClassParts:
    """The same for the AP of one class; the parts are in the order of the whole's."""

    name: str
    id: int | str
    before: float
    after: float
    parts: tuple[float, ...]


class Origin(NamedTuple):
    """Where one side came from."""

    path: str
    format: str


@dataclass(frozen=True, repr=False)
class Explanation:
    """The gap between two protocols on the same boxes, rule by rule; the parts add up to it."""

    from_: Protocol
    to: Protocol
    metrics: tuple[str, str]  # what the headline is called in each
    before: float
    after: float
    parts: tuple[Part, ...]  # by size
    exact: bool  # whether the parts come from all mixtures, or from sampled orders
    orders: int  # how many orders were sampled; 0 if exact
    mixtures: int  # how many mixtures of the two were evaluated
    per_class: tuple[ClassParts, ...]  # classes that have an AP in all of them
    truth: Origin
    detections: Origin
    version: str = field(default="")

    @property
    def gap(self) -> float:
        """The second headline minus the first."""
        return self.after - self.before

    def to_dict(self) -> dict[str, Any]:
        """The explanation as plain values, in the form of the JSON output."""
        from boxscore.report.explanation import as_dict

        return as_dict(self)

    def __repr__(self) -> str:
        from boxscore.report.explanation import as_text

        return as_text(self)


_PROTOCOL = a("the name of a protocol or a Protocol", str, Protocol)


@checked(READING, from_=_PROTOCOL, to=_PROTOCOL, threads=WHOLE)
def explain(
    truth: Any,
    detections: Any,
    from_: str | Protocol = "coco",
    to: str | Protocol = "voc2012",
    **reading: Unpack[ReadKeywords],
) -> Explanation:
    """Shares out the gap between the headlines of two protocols among the rules in which they differ.

    Each part is the mean of what the rule changes over the orders in which the rules can change (Shapley value). Both
    sides and `reading` are as in `evaluate`; protocols are names, variants such as "coco[iou=0.5]", or records.

    >>> truth = [{"boxes": [[0, 0, 10, 10]], "labels": [1]}]
    >>> found = [{"boxes": [[0, 0, 10, 8]], "labels": [1], "scores": [0.9]}]
    >>> made = explain(truth, found, "voc2012", "voc2012[iou=0.9]", box="xyxy")
    >>> made.before, made.after, [(p.rule, p.part) for p in made.parts]
    (1.0, 0.0, [('iou', -1.0)])
    """
    pair = get(from_), get(to)
    how = options_from(reading, needs=overlaps.needed(pair))
    return explain_tables(read_both(truth, detections, how).aligned, *pair, how.threads)


@np.errstate(over="ignore", invalid="ignore")  # areas may be infinite
def explain_tables(
    aligned: Aligned, from_: Protocol, to: Protocol, threads: int = 0, progress: Progress | None = None
) -> Explanation:
    """Explains the gap between two protocols on tables that `align` has joined."""
    from boxscore import __version__

    names = _same_kind(from_, to)
    a, b = comparable(from_), comparable(to)
    ends = headlines(aligned, [a, b], threads)
    for protocol, name, end in zip((from_, to), names, ends, strict=True):
        if math.isnan(end.value):
            raise UsageError(f"{name} of {protocol.name} is undefined ({end.reason}), so there is no gap to explain")
    apart, facts = differences(a, b), Facts(aligned, a, b)
    notes = {d.rule: why_not(d.rule, facts) for d in apart}
    inert = [d for d in apart if notes[d.rule] and notes[d.rule] != LAST_BITS]
    tiny = [d for d in apart if notes[d.rule] == LAST_BITS]
    rest = [d for d in apart if not notes[d.rule]]

    # Rules that cannot matter change first; then those of the last bits, one after the other; then all orders.
    walk = [mixture(a, b, [*inert, *tiny[:k]]) for k in range(len(tiny) + 1)]
    orders = [] if shapley.exact_is_cheaper(len(rest)) else shapley.sampled_orders(len(rest))
    chosen = shapley.visited(orders) if orders else shapley.subsets(len(rest))
    some = [mixture(walk[-1], b, [rest[i] for i in subset]) for subset in chosen]
    made = headlines(aligned, [*walk[:-1], *some], threads, progress)
    rows = [_row(one, len(aligned.truth.classes)) for one in made]
    steps, values = rows[: len(tiny)], dict(zip(chosen, rows[len(tiny) :], strict=True))
    _all_defined(values, rest)
    parts, errors = _shared(values, orders, len(rest))
    path = [*steps, values[frozenset()]]
    table = {d.rule: (path[k + 1] - path[k], np.zeros(len(path[0]))) for k, d in enumerate(tiny)}
    table |= {d.rule: (np.zeros(len(path[0])),) * 2 for d in inert}
    table |= {d.rule: (parts[i], errors[i]) for i, d in enumerate(rest)}
    ranked = sorted(apart, key=lambda d: (d in inert, -abs(table[d.rule][0][0])))
    listed = tuple(_part(d, *table[d.rule], notes[d.rule]) for d in ranked)
    before, after = ends[0].value, ends[1].value
    missing = after - before - math.fsum(p.part for p in listed)
    assert abs(missing) <= 1e-12, f"{missing} of the gap is unaccounted for"
    return Explanation(
        from_,
        to,
        names,
        before,
        after,
        listed,
        not orders,
        len(orders),
        len(some) + len(steps),
        _classes(aligned, ends, [table[d.rule][0] for d in ranked]),
        Origin(aligned.truth.source, aligned.truth.format),
        Origin(aligned.detections.source, aligned.detections.format),
        __version__,
    )


def _same_kind(a: Protocol, b: Protocol) -> tuple[str, str]:
    """The names of both headlines, if they measure the same."""
    first, second = rows(a)[0], rows(b)[0]
    if first.expression.name != second.expression.name:
        raise UsageError(
            f"{first.name} of {a.name} and {second.name} of {b.name} measure different things "
            f"({first.expression.name} and {second.expression.name}); expected protocols whose first metric is the same"
        )
    return first.name, second.name


def _row(made: Headline, n: int) -> Floats:
    """The headline and then the classes, which have no numbers of their own where they are not told apart."""
    return np.append(made.value, made.classes if len(made.classes) == n else np.full(n, np.nan))


def _shared(values: dict[shapley.Subset, Floats], orders: Sequence[tuple[int, ...]], n: int) -> tuple[Floats, Floats]:
    if orders:
        return shapley.sampled_parts(values, orders)
    parts = shapley.exact_parts(values, n)
    return parts, np.zeros_like(parts)


def _all_defined(values: dict[shapley.Subset, Floats], rest: Sequence[Difference]) -> None:
    for subset, value in values.items():
        if math.isnan(value[0]):
            changed = ", ".join(rest[i].rule for i in sorted(subset))
            raise UsageError(
                f"no object is left to find with only {changed} changed, so the gap cannot be explained rule by rule"
            )


def _part(d: Difference, part: Floats, error: Floats, note: str) -> Part:
    return Part(d.rule, d.meaning, d.values, float(part[0]), float(error[0]), note)


def _classes(aligned: Aligned, ends: Sequence[Headline], parts: Sequence[Floats]) -> tuple[ClassParts, ...]:
    """The classes that have a number everywhere; none where classes are not told apart in one of the two."""
    names = aligned.truth.classes
    if any(len(end.classes) != len(names) for end in ends):
        return ()
    shares = np.array([p[1:] for p in parts]).reshape(len(parts), len(names))
    defined = ~np.isnan(np.vstack([ends[0].classes, ends[1].classes, shares])).any(axis=0)
    return tuple(
        ClassParts(
            names.name[k],
            names.id[k],
            float(ends[0].classes[k]),
            float(ends[1].classes[k]),
            tuple(shares[:, k].tolist()),
        )
        for k in np.flatnonzero(defined).tolist()
    )
