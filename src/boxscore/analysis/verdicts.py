"""The verdicts at one threshold, size range and cap: who is true, false or ignored, and who found whom."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from boxscore.evaluation.curves import Slice
from boxscore.evaluation.match import NO_CAP
from boxscore.evaluation.prepare import Prepared, matched
from boxscore.evaluation.tally import Tally
from boxscore.metrics import Numbers
from boxscore.tables.model import Bools, Classes, Floats, Ints


class Verdicts(NamedTuple):
    """A mark for every detection of a tally; one that is cut by the cap or the score has none of them."""

    true: Bools
    false: Bools
    ignored: Bools
    credited: Bools | None  # those of the true ones that found an absorbing object; None without such


def verdicts(tally: Tally, part: Slice, threshold: int, score: float | None = None) -> Verdicts:
    """The verdicts on a slice at a threshold (its number), of the detections with at least a score."""
    bit = tally.hits.dtype.type(1 << threshold)
    kept = tally.rank < part.cap
    if score is not None:
        kept &= tally.score >= score
    hit, ignored = ((words[:, part.area] & bit) != 0 for words in (tally.hits, tally.ignored))
    credited = None if tally.credits is None else kept & hit & ((tally.credits[:, part.area] & bit) != 0)
    return Verdicts(kept & hit, kept & ~hit & ~ignored, kept & ~hit & ignored, credited)


@dataclass(frozen=True, eq=False)
class Found:
    """Who found whom, as rows of the prepared tables."""

    prepared: Prepared  # its protocol has the one threshold and size range
    true: Ints  # detections, each with its object and their overlap
    object: Ints
    overlap: Floats
    false: Ints  # detections
    ignored: Ints
    missed: Ints  # objects

    def detection_rows(self, rows: Ints) -> Ints:
        """Rows of the prepared detections as rows of the table that came in."""
        return rows if self.prepared.detection_row is None else self.prepared.detection_row[rows]

    def object_rows(self, rows: Ints) -> Ints:
        """Rows of the prepared truth as rows of the table that came in."""
        return rows if self.prepared.object_row is None else self.prepared.object_row[rows]


def found(numbers: Numbers, part: Slice, threshold: int, marks: Verdicts) -> Found:
    """Matches once more at one threshold and size range, this time with pairs."""
    protocol = numbers.protocol
    single = replace(protocol, iou=(protocol.iou[threshold],), areas=(protocol.areas[part.area],))
    return _found(replace(numbers.prepared, protocol=single), marks, numbers.threads)


def found_agnostic(seen: Found, threads: int) -> Found:
    """The same detections and objects, matched by descending score to the best free object of any class."""
    prepared, one = seen.prepared, Classes(("object",), (1,))
    truth, detections = prepared.truth, prepared.detections
    label = np.full(len(detections), -1, np.int32)
    label[np.concatenate([seen.true, seen.false, seen.ignored])] = 0
    pooled = replace(
        prepared,
        protocol=replace(prepared.protocol, claim="free", greedy_by="score", max_detections=(), max_per="cell"),
        truth=replace(truth, classes=one, label=np.where(truth.label >= 0, np.int32(0), np.int32(-1))),
        detections=replace(detections, classes=one, label=label),
        rank=None,
    )
    return replace(_found(pooled, None, threads), prepared=prepared)


def _found(prepared: Prepared, marks: Verdicts | None, threads: int) -> Found:
    made = matched(prepared, pairs=True, threads=threads)
    assert made.object is not None
    assert made.overlap is not None
    if marks is None:
        marks = verdicts(Tally.of(made, prepared.truth, prepared.protocol), Slice(0, NO_CAP), 0)
    row = made.row.astype(np.int64)
    object_ = made.object[marks.true, 0, 0].astype(np.int64)
    missed = np.zeros(len(prepared.truth), np.bool_)
    missed[made.object_row[made.counted != 0]] = True
    missed[object_] = False
    overlap = made.overlap[marks.true, 0, 0]
    return Found(
        prepared, row[marks.true], object_, overlap, row[marks.false], row[marks.ignored], np.flatnonzero(missed)
    )
