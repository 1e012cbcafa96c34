"""The table of classes of a result, and the score that it is taken at."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from boxscore.errors import UsageError
from boxscore.metrics import UNAVAILABLE, Numbers, summary
from boxscore.metrics.by_class import BY_CLASS
from boxscore.tables.model import Detections


@dataclass(frozen=True)
class ClassRow:
    """One class in the table of classes; undefined numbers are nan."""

    name: str
    id: int | str
    objects: int
    detections: int
    metrics: dict[str, float]


def class_rows(numbers: Numbers) -> tuple[ClassRow, ...]:
    """What the protocol reports of each class; nan in columns that it does not evaluate."""
    tally = numbers.tally
    columns = {}
    for name, e in summary.class_rows(numbers.protocol):
        try:
            columns[name] = BY_CLASS[e.name](numbers, e).tolist()
        except UNAVAILABLE:
            columns[name] = [math.nan] * len(tally.classes)
    objects, detections = tally.to_find[:, 0].tolist(), tally.detections.tolist()
    return tuple(
        ClassRow(name, tally.classes.id[k], objects[k], detections[k], {m: values[k] for m, values in columns.items()})
        for k, name in enumerate(tally.classes.name)
    )


def class_frame(rows: Sequence[ClassRow], rates: Sequence[tuple[float, float, float]]) -> Any:
    """The table as a pandas data frame, with P, R and F1 of each class; nan where these are not stored."""
    from boxscore.analysis.frames import data_frame

    columns = ("P", "R", "F1")
    there = rates or [(math.nan,) * 3] * len(rows)
    return data_frame(
        [
            {"class": c.name, "id": c.id, "objects": c.objects, "detections": c.detections, **c.metrics}
            | dict(zip(columns, at, strict=True))
            for c, at in zip(rows, there, strict=True)
        ]
    )


def check_score(score: float | None, detections: Detections) -> None:
    """Raises for a score that no detection can have, because all of theirs lie between 0 and 1."""
    if score is None or 0 <= score <= 1 or not math.isfinite(score) or not len(detections):
        return
    low, high = float(detections.score.min()), float(detections.score.max())
    if low >= 0 and high <= 1:
        raise UsageError(
            f"score {score:g}: the detections have scores between {low:.4g} and {high:.4g}; "
            "expected a score from 0 to 1"
        )
