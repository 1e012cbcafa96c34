"""Where the confidence of a YOLO detection stands: behind the class (darknet) or at the end (Ultralytics)."""

from __future__ import annotations

import numpy as np

from boxscore.diagnostics.findings import Finding, finding
from boxscore.errors import InputError
from boxscore.formats.io.number_rows import NumberRows
from boxscore.tables.model import Bools, Floats, Indices

_SLACK = 0.01  # by which boxes may leave their image and be plausible, as Ultralytics has it
_CLEARLY = 10  # how many times as many implausible boxes rule a reading out that both have some of
_MOSTLY = 0.25  # share of implausible boxes that a right reading may have, if the wrong one has nearly all
_STEPS = 6  # from row to row that must all go the same way to show that a column is sorted


def place_of_confidence(rows: NumberRows, values: Floats, file: Indices) -> tuple[str, list[Finding]]:
    """`first` or `last`, where only one of the two is possible; `values` are five numbers for each detection."""
    boxes = {"first": values[:, 1:], "last": values[:, :4]}
    scores = {"first": values[:, 0], "last": values[:, 4]}
    wrong = {name: int((~_plausible(boxes[name], scores[name])).sum()) for name in boxes}
    for place, other in (("first", "last"), ("last", "first")):
        mostly = wrong[place] < _MOSTLY * len(values) < (1 - _MOSTLY) * len(values) < wrong[other]
        if wrong[other] > _CLEARLY * wrong[place] or mostly:
            boxes_of = f"{wrong[other]:,} box{'es' * (wrong[other] != 1)}"
            why = f"with the {other} one {boxes_of} would leave the image or have a confidence beyond 0 to 1"
            return place, [_taken(place, wrong[other], rows, why)]
    in_order = [name for name in scores if _is_sorted(scores[name], file)]
    if len(in_order) == 1 and not any(wrong.values()):
        return in_order[0], [_taken(in_order[0], len(values), rows, "it alone is sorted in every file")]
    if np.array_equal(boxes["first"], boxes["last"]):
        return "last", []
    raise InputError(
        rows.place(0), "cannot tell whether the confidence is the first or the last value",
        "--confidence first (darknet) or --confidence last (Ultralytics; confidence= in Python)",
        "The numbers alone do not tell which, and it changes the result.",
    )  # fmt: skip


def _taken(place: str, count: int, rows: NumberRows, why: str) -> Finding:
    where = f"{rows.files[0]} and its folder"
    return finding("CNF001", count, f"{where}: the {place} number is taken as the confidence, because {why}")


def _plausible(boxes: Floats, score: Floats) -> Bools:
    half = boxes[:, 2:] / 2
    low, high = boxes[:, :2] - half, boxes[:, :2] + half
    inside = (boxes[:, 2:] > 0) & (low >= -_SLACK) & (high <= 1 + _SLACK)
    fits: Bools = inside.all(axis=1) & (score >= 0) & (score <= 1)
    return fits


def _is_sorted(score: Floats, file: Indices) -> bool:
    """Whether scores descend in every file, or ascend in every file."""
    steps = np.diff(score)[np.diff(file) == 0]
    return len(steps) >= _STEPS and bool((steps <= 0).all() or (steps >= 0).all())
