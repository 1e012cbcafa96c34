"""Unmatched detections by the nearest objects of their images, where these say whether they belong to a range."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore import overlaps
from boxscore.evaluation.cells import Grouped
from boxscore.evaluation.verdicts import Verdicts
from boxscore.protocols import Protocol
from boxscore.tables.model import Floats, Ints

WHOLE, NOT, PARTLY = 0, 1, 2  # how an unmatched detection counts in a range
_PAIRS = 1 << 20  # measured at once


def with_nearest(verdicts: Verdicts, by_cell: Grouped, protocol: Protocol, threads: int) -> Verdicts:
    """The verdicts with unmatched detections ignored, or false in part, by the nearest objects of their images."""
    word = verdicts.hits.dtype.type
    every = word(2 ** len(protocol.iou) - 1)
    open_ = np.flatnonzero(((verdicts.hits | verdicts.ignored) != every).any(axis=1))
    code = by_nearest(by_cell, protocol, verdicts.counted, open_, threads)
    ignored = np.where(code == NOT, every & ~verdicts.hits, verdicts.ignored)
    return verdicts._replace(ignored=ignored.astype(word), partly=(code == PARTLY).astype(np.uint8))


def by_nearest(
    by_cell: Grouped, protocol: Protocol, counted: npt.NDArray[np.unsignedinteger[Any]], open_: Ints, threads: int
) -> npt.NDArray[np.uint8]:
    """How each of the `open_` detections of the cells counts in each range if it is unmatched: (detections, ranges).

    By the object of its image, of any class, that it overlaps most: as a whole if that is in the range (`counted`, a
    bit per range), not at all if it is not; partly if those inside and outside are equally near, or if there are none.
    """
    n, ranges = len(by_cell.row), len(protocol.areas)
    inside = np.full((n, ranges), -1.0)
    outside = np.full((n, ranges), -1.0)
    for detection, object_ in _pairs(by_cell, open_):
        overlap = _overlaps(by_cell, protocol, detection, object_, threads)
        begin = np.append(0, np.flatnonzero(detection[1:] != detection[:-1]) + 1)
        rows = detection[begin]
        for a in range(ranges):
            within = (counted[object_] >> counted.dtype.type(a) & counted.dtype.type(1)) != 0
            inside[rows, a] = np.maximum.reduceat(np.where(within, overlap, -1.0), begin)
            outside[rows, a] = np.maximum.reduceat(np.where(within, -1.0, overlap), begin)
    code = np.full((n, ranges), WHOLE, np.uint8)
    code[open_] = np.where(inside > outside, WHOLE, np.where(inside < outside, NOT, PARTLY))[open_]
    return code


def _pairs(by_cell: Grouped, open_: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Each of some detections with every object of its image, all of one at once; numbers are those of the cells."""
    order = np.argsort(by_cell.object_image, kind="stable")
    sorted_image, image = by_cell.object_image[order], by_cell.image[open_]
    begin = np.searchsorted(sorted_image, image, side="left")
    many = np.searchsorted(sorted_image, image, side="right") - begin
    some = np.flatnonzero(many)
    ends = np.cumsum(many[some])
    at = 0
    while at < len(some):
        before = int(ends[at - 1]) if at else 0
        upto = max(at + 1, int(np.searchsorted(ends, before + _PAIRS, side="right")))
        rows = some[at:upto]
        counts = many[rows]
        starts = np.cumsum(counts) - counts
        place = np.arange(int(counts.sum())) - np.repeat(starts, counts) + np.repeat(begin[rows], counts)
        yield np.repeat(open_[rows], counts), order[place]
        at = upto


def _overlaps(by_cell: Grouped, protocol: Protocol, detection: Ints, object_: Ints, threads: int) -> Floats:
    overlap = overlaps.get(protocol)
    truth, detections = by_cell.truth, by_cell.detections
    d, o = by_cell.detection_index()[detection], by_cell.object_index()[object_]
    measured = overlap.measure(detections, truth, d, o, protocol, threads)
    own, other = (
        np.zeros(len(rows)) if overlap.areas is None else overlap.areas(table, protocol)[rows]
        for table, rows in ((detections, d), (truth, o))
    )
    made = overlap.of_pairs(measured, own, other, np.zeros(len(d), np.bool_))
    return np.where(np.isnan(made), 0.0, made)
