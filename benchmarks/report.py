"""Tables of measured runs in Markdown; values in, text out."""

from __future__ import annotations

import math
import os
import platform
from collections.abc import Sequence
from statistics import linear_regression

from calls import Numbers
from peers import Peer
from runner import Outcome

SUBJECT = "boxscore"
# Whom the numbers are held against: the first that finished.
REFERENCES = ("pycocotools", "ultrafast-pycocotools", "hotcoco", "vernier", "faster-coco-eval")


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table, first column left, the others right."""
    lines = [heads, ["---"] + ["---:"] * (len(heads) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def machine(peers: Sequence[Peer], absent: Sequence[Peer]) -> str:
    """What was compared, and on what."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    lines = [f"Python {platform.python_version()}, {platform.machine()}, {cores} cores.", ""]
    rows = [[peer.name, peer.version, peer.way, peer.form] for peer in peers]
    lines.append(table(["evaluator", "version", "run through", "taken from memory"], rows))
    lines += ["", *(f"{peer.name} is not installed here and is left out." for peer in absent)]
    return "\n".join(lines).rstrip()


def comparison(outcomes: dict[str, Outcome]) -> str:
    """One row per evaluator: time, memory, both against boxscore, and how far its numbers are from the reference."""
    reference = next((name for name in REFERENCES if name in outcomes and outcomes[name].numbers), None)
    subject = outcomes.get(SUBJECT, Outcome())
    rows = [
        [
            name,
            seconds(outcome),
            times(outcome.time, subject.time),
            amount(outcome.peak),
            times(outcome.peak, subject.peak),
            _difference_cell(name, outcome, outcomes, reference),
            str(len(outcome.seconds)),
        ]
        for name, outcome in outcomes.items()
    ]
    heads = ["evaluator", "seconds", f"× {SUBJECT}", "MiB", f"× {SUBJECT}"]
    return table([*heads, f"difference to {reference}", "runs"], rows)


def difference(one: Numbers, other: Numbers) -> float:
    """The greatest distance between two sets of numbers; inf where only one of a pair is defined."""
    pairs = zip([*one.summary, *one.per_class], [*other.summary, *other.per_class], strict=True)
    return max((_distance(a, b) for a, b in pairs), default=0.0)


def seconds(outcome: Outcome) -> str:
    """The median time, or why there is none."""
    return outcome.stopped or amount(outcome.time)


def amount(value: float) -> str:
    """Three digits, or a dash for nothing measured."""
    if math.isnan(value):
        return "–"
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def times(value: float, subject: float) -> str:
    """How many times the subject's."""
    if math.isnan(value) or not subject > 0:
        return "–"
    ratio = value / subject
    return f"{ratio:.0f}×" if ratio >= 10 else f"{ratio:.2g}×"


def exponent(sizes: Sequence[float], times_taken: Sequence[float]) -> float:
    """Slope of the straight line through log time over log size; nan below two points."""
    points = [(math.log(n), math.log(s)) for n, s in zip(sizes, times_taken, strict=True) if s > 0]
    return linear_regression(*zip(*points, strict=True)).slope if len(points) > 1 else float("nan")


def _distance(a: float, b: float) -> float:
    if math.isnan(a) or math.isnan(b):
        return 0.0 if math.isnan(a) and math.isnan(b) else math.inf
    return abs(a - b)


def _difference_cell(name: str, outcome: Outcome, outcomes: dict[str, Outcome], reference: str | None) -> str:
    if reference is None or outcome.numbers is None:
        return "–"
    if name == reference:
        return "reference"
    held_against = outcomes[reference].numbers
    assert held_against is not None  # the reference was chosen for having numbers
    found = difference(outcome.numbers, held_against)
    return "0" if found == 0 else f"{found:.1e}"
