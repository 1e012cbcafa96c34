"""The confusion matrix: which classes are taken for which, with the rows behind every cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from boxscore.analysis.frames import data_frame
from boxscore.analysis.overlap import Overlaps
from boxscore.analysis.verdicts import Found
from boxscore.errors import UnknownName
from boxscore.tables.model import Floats, Indices, Ints

BACKGROUND = "background"
BLOCK = 1 << 19  # pairs that are measured at once
SIDES = ("true", "predicted")


class Cell(NamedTuple):
    """The rows behind a cell: those of a pair stand at the same place; one side is empty where it is background."""

    detections: Ints
    objects: Ints


class Mistake(NamedTuple):
    """A cell beside the diagonal."""

    true: str
    predicted: str
    cases: int


@dataclass(frozen=True, eq=False)
class Confusion:
    """Objects and detections by true and predicted class; the last row and column are the background.

    The columns have an entry per pair, missed object and false positive. The rows are those of the tables that came in,
    -1 where there is no object or detection.
    """

    classes: tuple[str, ...]  # without the background
    true: Indices  # number of the object's class; len(classes) for the background
    predicted: Indices  # number of the detection's class; len(classes) for the background
    detection: Ints = field(repr=False)
    object: Ints = field(repr=False)

    @cached_property
    def counts(self) -> Ints:
        """(classes + 1, classes + 1) how many; a row for each true class, a column for each predicted one."""
        n = len(self.classes) + 1
        return np.bincount(self.true.astype(np.int64) * n + self.predicted, minlength=n * n).reshape(n, n)

    def rates(self, of: str = "true") -> Floats:
        """The counts as shares of their row (of "true") or column (of "predicted"); nan where it is empty."""
        if of not in SIDES:
            raise UnknownName("side", of, SIDES)
        total = self.counts.sum(axis=SIDES.index(of) ^ 1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            shares: Floats = self.counts / total
        return shares

    def rows(self, true: str | None, predicted: str | None) -> Cell:
        """The rows of detections and objects behind a cell, by class name; None is the background."""
        here = (self.true == self._index(true)) & (self.predicted == self._index(predicted))
        detection, object_ = self.detection[here], self.object[here]
        return Cell(detection[detection >= 0], object_[object_ >= 0])

    def largest(self, n: int | None = None) -> list[Mistake]:
        """The largest cells between two different classes, largest first; background is none."""
        between = self.counts[:-1, :-1].copy()
        np.fill_diagonal(between, 0)
        true, predicted = np.nonzero(between)
        order = np.argsort(-between[true, predicted], kind="stable")[:n]
        return [
            Mistake(self.classes[t], self.classes[p], int(between[t, p]))
            for t, p in zip(true[order].tolist(), predicted[order].tolist(), strict=True)
        ]

    def to_pandas(self) -> Any:
        """The matrix as a pandas data frame, with the names of classes on both sides."""
        names = [*self.classes, BACKGROUND]
        return data_frame(dict(zip(names, self.counts.T, strict=True)), index=names)

    def __repr__(self) -> str:
        from boxscore.report.confusion import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        from boxscore.report.confusion import as_html

        return as_html(self)

    def _index(self, name: str | None) -> int:
        if name is None or (name == BACKGROUND and name not in self.classes):
            return len(self.classes)
        if name not in self.classes:
            raise UnknownName("class", name, self.classes)
        return self.classes.index(name)


def confusion(seen: Found, names: Sequence[str], *, across: bool = True) -> Confusion:
    """The matrix of what was found; with `across`, left-overs are paired across classes first."""
    truth, detections, nothing = seen.prepared.truth, seen.prepared.detections, len(names)
    mistaken, meant = _paired(seen) if across else (np.zeros(0, np.int64),) * 2
    false, missed = (np.setdiff1d(*two, assume_unique=True) for two in ((seen.false, mistaken), (seen.missed, meant)))
    found, by = np.concatenate([seen.object, meant]), np.concatenate([seen.true, mistaken])
    return Confusion(
        tuple(names),
        np.concatenate([truth.label[found], truth.label[missed], np.full(len(false), nothing, np.int32)]),
        np.concatenate([detections.label[by], np.full(len(missed), nothing, np.int32), detections.label[false]]),
        np.concatenate([seen.detection_rows(by), np.full(len(missed), -1), seen.detection_rows(false)]),
        np.concatenate([seen.object_rows(found), seen.object_rows(missed), np.full(len(false), -1)]),
    )


def _paired(seen: Found) -> tuple[Ints, Ints]:
    """False positives and missed objects of different classes that belong together.

    By descending score (of equal ones the earlier row) each detection takes the free object of its image that it
    overlaps most, if that is enough for the protocol's threshold; of equally good ones the one that the protocol takes.
    """
    truth, detections = seen.prepared.truth, seen.prepared.detections
    missed = seen.missed[np.argsort(truth.image[seen.missed], kind="stable")]
    false = seen.false[np.lexsort((seen.false, -detections.score[seen.false]))]
    begin, end = (np.searchsorted(truth.image[missed], detections.image[false], side) for side in ("left", "right"))
    met = end > begin
    false, begin, end = false[met], begin[met], end[met]
    measure, last = Overlaps(truth, detections, seen.prepared.protocol), seen.prepared.protocol.equal_overlaps == "last"
    found: tuple[list[int], list[int]] = ([], [])
    taken = bytearray(len(truth))
    for one, place in _blocks(begin, end):
        detection, object_ = false[one], missed[place]
        differ = detections.label[detection] != truth.label[object_]
        one, detection, object_ = one[differ], detection[differ], object_[differ]
        overlap = measure(detection, object_)
        enough = np.flatnonzero(measure.enough(overlap, object_))
        one, object_, overlap = one[enough], object_[enough], overlap[enough]
        order = np.lexsort((-object_ if last else object_, -overlap, one))
        done = -1
        for d, o in zip(one[order].tolist(), object_[order].tolist(), strict=True):
            if d != done and not taken[o]:
                done, taken[o] = d, True
                found[0].append(d)
                found[1].append(o)
    return false[np.array(found[0], np.int64)], np.array(found[1], np.int64)


def _blocks(begin: Ints, end: Ints) -> Iterator[tuple[Ints, Ints]]:
    """The members of all ranges, each with the number of its range, in blocks of whole ranges."""
    count = end - begin
    total = np.cumsum(count)
    first = 0
    while first < len(count):
        before = total[first] - count[first]
        last = max(int(np.searchsorted(total, before + BLOCK, "right")), first + 1)
        some = count[first:last]
        number = np.repeat(np.arange(first, last), some)
        place = np.arange(len(number)) - np.repeat(total[first:last] - some - before, some) + begin[number]
        yield number, place
        first = last
