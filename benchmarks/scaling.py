"""How time grows with one thing at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import report
import workloads
from calls import Thresholds
from peers import Peer
from runner import Job, Limits, Outcome, interleaved
from workloads import Size

BASE = Size(images=5_000, classes=80, objects=37_000, detections=100_000)


@dataclass(frozen=True)
class Axis:
    """What grows, through which steps, and what that makes of the work."""

    name: str
    steps: tuple[int, ...]
    size: Callable[[int], Size] = lambda _: BASE
    thresholds: Callable[[int], Thresholds] = lambda _: None


AXES = (
    Axis("detections", (50_000, 100_000, 200_000, 400_000, 800_000), lambda n: replace(BASE, detections=n)),
    # Objects and detections per image stay the same.
    Axis("images", (2_500, 5_000, 10_000, 20_000, 40_000), lambda n: Size(n, BASE.classes, n * 37 // 5, n * 20)),
    Axis("classes", (10, 40, 160, 640, 2_560), lambda n: replace(BASE, classes=n)),
    Axis("thresholds", (1, 5, 10, 20, 40), thresholds=lambda n: tuple(0.5 + 0.45 * k / n for k in range(n))),
)


def study(
    mode: str, peers: Sequence[Peer], rounds: int, folder: Path, limits: Limits, say: Callable[[str], None]
) -> str:
    """One table per axis: median seconds at each step, and the exponent of growth."""
    parts = []
    for axis in AXES:
        jobs = [Job(mode, axis.size(n), axis.thresholds(n)) for n in axis.steps]
        for job in jobs:
            workloads.files(job.size, folder)
        steps = interleaved(jobs, peers, rounds, folder, limits, say)
        rows = [[peer.name, *_row(axis, [step[peer.name] for step in steps])] for peer in peers]
        heads = [axis.name, *(f"{step:,}" for step in axis.steps), "exponent"]
        parts.append(report.table(heads, rows))
    return "\n\n".join(parts)


def _row(axis: Axis, outcomes: Sequence[Outcome]) -> list[str]:
    """A stopped step shows its reason and has no part in the exponent."""
    slope = report.exponent(axis.steps, [float("nan") if one.stopped else one.time for one in outcomes])
    return [*(report.seconds(one) for one in outcomes), report.amount(slope)]
