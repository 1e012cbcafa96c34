"""The numbers of each video: exactly those of an evaluation of that video alone."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from boxscore import metrics
from boxscore.errors import UsageError
from boxscore.evaluation.pixels import unknown_ranges
from boxscore.evaluation.prepare import matched, prepare
from boxscore.evaluation.tally import Tally
from boxscore.joining.videos import videos
from boxscore.metrics import UNAVAILABLE, Numbers, summary


@dataclass(frozen=True)
class SequenceRow:
    """One video in the table of sequences; undefined numbers are nan, with a reason."""

    name: str
    frames: int
    objects: int
    detections: int
    metrics: dict[str, float]
    reasons: dict[str, str]


def sequence_rows(numbers: Numbers, names: Iterable[str]) -> tuple[SequenceRow, ...]:
    """The given metrics of every video that the ground truth lists.

    Size ranges by quantile stay those of the whole data set.
    """
    expressions = {name: summary.expression(numbers.protocol, name) for name in names}
    rows = []
    for video in videos(numbers.prepared.aligned):
        prepared = prepare(video.aligned, numbers.protocol, threads=numbers.threads)
        matching = matched(prepared, threads=numbers.threads)
        tally = Tally.of(matching, prepared.truth, prepared.protocol, unknown_ranges(prepared), prepared.unlisted)
        alone = Numbers(tally, *summary.wanted(prepared.protocol), threads=numbers.threads, prepared=prepared)
        values: dict[str, float] = {}
        reasons: dict[str, str] = {}
        for name, e in expressions.items():
            try:
                values[name] = metrics.evaluate(alone, e)
            except UNAVAILABLE as reason:
                values[name], reasons[name] = math.nan, str(reason)
            else:
                if math.isnan(values[name]):
                    reasons[name] = alone.why_undefined(e)
        objects, found = int(tally.to_find[:, 0].sum()), int(tally.detections.sum())
        rows.append(SequenceRow(video.name, video.frames, objects, found, values, reasons))
    return tuple(rows)


def of_result(result: Any) -> tuple[SequenceRow, ...]:
    """The numbers that a result reports, of every video."""
    if result.numbers is None:
        raise UsageError("this result holds only its stored numbers; those of single videos need a new evaluation")
    return sequence_rows(result.numbers, result.metrics)
