"""What the numbers of YOLO rows are: boxes, polygons, poses, and in detections a confidence and a track."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from boxscore.diagnostics.findings import Finding
from boxscore.errors import InputError
from boxscore.formats.io.number_rows import NumberRows
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.yolo.confidence import Overlaps, place_of_confidence
from boxscore.tables.model import Bools, Floats, Ints

COCO_POSE = (17, 3)
_FAR = 10  # times the image: what lies beyond is no share of it
_BOX = "<class> <cx> <cy> <width> <height>"
_COUNTS = f"{_BOX}, a polygon of three or more points, or a pose (--rows pose, rows= in Python)"


class BadRows(InputError):
    """Rows that cannot be used: the error for the first, which is one of a record unless all are like it."""

    def __init__(self, rows: Bools, error_of: Callable[[int], InputError]) -> None:
        first = error_of(int(rows.argmax()))
        super().__init__(first.where, first.actual, first.expected, first.hint)
        self.rows, self.error_of = rows, error_of
        self.of_record = not bool(rows.all())

    def __reduce__(self) -> Any:
        return InputError, (self.where, self.found, self.expected, self.hint)


@dataclass(frozen=True, eq=False)
class Parts:
    """For each row where its geometry begins among all numbers and how long it is; 4 numbers are a box."""

    begin: Ints
    length: Ints
    keypoints: tuple[int, int] | None  # of rows that are no box: how many, and numbers for each
    score: Floats | None = None
    track: Ints | None = None
    findings: tuple[Finding, ...] = ()


def parts_of_truth(
    rows: NumberRows, how: ReadOptions, keypoints: tuple[int, int] | None, overlaps: Overlaps | None = None
) -> Parts:  # fmt: skip
    """Rows without a confidence."""
    length = np.diff(rows.first)
    keypoints = _keypoints(rows, length, how, keypoints, 0)
    swapped = length == (4 if keypoints is None else 4 + keypoints[0] * keypoints[1]) + 1
    if swapped.any():
        hint = "One number more looks like a detection with its confidence; were truth and detections swapped?"
        raise BadRows(swapped, lambda row: InputError(rows.place(row), _counted(length, row), _BOX, hint))
    return _checked(rows, Parts(rows.first[:-1], length, keypoints), how)


def parts_of_detections(
    rows: NumberRows, how: ReadOptions, keypoints: tuple[int, int] | None, overlaps: Overlaps | None = None
) -> Parts:  # fmt: skip
    """Rows with a confidence, last or first, and perhaps the number of a track behind it.

    `overlaps` tells how well boxes lie on objects of the ground truth, which helps to find the confidence.
    """
    length, begin = np.diff(rows.first), rows.first[:-1]
    keypoints = _keypoints(rows, length, how, keypoints, 1)
    size = 0 if keypoints is None else 4 + keypoints[0] * keypoints[1]
    more = np.where((length > 5) & (size > 0), length - size, 2 - length % 2)  # numbers besides the geometry
    last = rows.numbers[rows.first[1:] - 1] if len(rows) else np.zeros(0)
    more[(more == 2) & ((length < 6) | (last != np.rint(last)) | (last < 0))] = 0  # the number of a track is whole
    if (more == 0).any():
        hint = "Ultralytics writes it with save_conf=True; is this ground truth?"
        raise BadRows(more == 0, lambda row: InputError(
            rows.place(row), f"{_counted(length, row)}, and no confidence", f"{_BOX} <confidence>", hint
        ))  # fmt: skip
    place, findings = how.confidence, list[Finding]()
    if place is None:
        place = "last"
        if len(rows) and bool((length == 5).all()):
            _refuse_pixels(rows, begin, range(1, 4))  # those that are of the box in either case
            place, findings = place_of_confidence(rows, rows.columns(5), overlaps)
    at = begin if place == "first" else begin + length - more
    track = np.where(more == 2, last, -1).astype(np.int64) if bool((more == 2).any()) else None
    parts = Parts(
        begin + (place == "first"), length - more, keypoints, rows.numbers[at], track, tuple(findings)
    )  # fmt: skip
    return _checked(rows, parts, how)


def _keypoints(
    rows: NumberRows, length: Ints, how: ReadOptions, known: tuple[int, int] | None, scored: int
) -> tuple[int, int] | None:
    """How many keypoints rows have and how many numbers each: as said, or as in COCO, or as the first row has."""
    if how.rows not in (None, "pose") or not len(length):
        return None
    if known is not None:
        return known
    count, size = COCO_POSE
    if bool((length == 4 + count * size + scored).all()):
        return COCO_POSE
    if how.rows is None:
        return None
    numbers = int(length[0]) - 4 - scored
    seen = rows.numbers[4 + 2 : 4 + numbers : 3] if numbers > 0 else rows.numbers[:0]
    if numbers > 0 and numbers % 3 == 0 and (numbers % 2 or bool(np.isin(seen, (0, 1, 2)).all())):
        return numbers // 3, 3
    if numbers > 0 and numbers % 2 == 0:
        return numbers // 2, 2
    raise InputError(rows.place(0), f"{length[0]} numbers after the class", f"{_BOX} and keypoints of 2 or 3 numbers")


def _checked(rows: NumberRows, parts: Parts, how: ReadOptions) -> Parts:
    """The parts, if every row is something and within reach of its image."""
    length = parts.length
    if parts.keypoints is not None:
        good = (length == 4) | (length == 4 + parts.keypoints[0] * parts.keypoints[1])
    else:
        good = (length == 4) | ((length % 2 == 0) & (length >= 6) & (how.rows != "box"))
    if how.rows == "oriented":
        good &= (length == 4) | (length == 8)
    if not good.all():
        raise BadRows(~good, partial(too_short, rows))
    _refuse_pixels(rows, parts.begin, range(4))
    return parts


def too_short(rows: NumberRows, row: int) -> InputError:
    """The error for a row with a wrong number of numbers."""
    return InputError(rows.place(row), _counted(np.diff(rows.first), row), _COUNTS)


def _counted(length: Ints, row: int) -> str:
    return f"{length[row]} number{'s' * (int(length[row]) != 1)} after the class"


def _refuse_pixels(rows: NumberRows, begin: Ints, which: range) -> None:
    for k in which:
        far = np.abs(rows.numbers[begin + k]) > _FAR
        if far.any():
            row = int(far.argmax())
            raise InputError(
                rows.place(row), f"the number {float(rows.numbers[begin[row] + k])!r}",
                "normalized coordinates", "Boxes in pixels are of the format text.",
            )  # fmt: skip
