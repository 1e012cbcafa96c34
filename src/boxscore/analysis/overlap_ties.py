"""Whether any detection overlaps two objects equally, by any of the ways in which two protocols measure overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from boxscore import overlaps
from boxscore.evaluation.kernel_inputs import TREATED
from boxscore.evaluation.maskless import maskless
from boxscore.protocols import Protocol
from boxscore.tables.model import Bools, Detections, Ints, Truth

MARGIN = 1e-9  # far above what rounding can do: overlaps further apart are not equal however they are computed
MOST_PAIRS = 20_000_000


def has_equal_overlaps(truth: Truth, detections: Detections, pair: Sequence[Protocol], copied: bool) -> bool:
    """False only where no two objects of a cell can be equally good for a detection; in doubt True.

    `copied`: objects may be copied or replaced before they are matched.
    """
    rough = (boxes is not None and boxes.single for boxes in (overlaps.get(p).in_kernel for p in pair))
    rounded = any(overlaps.get(p).rounded or maskless(truth, p) is not None for p in pair)
    if copied or rounded or any(rough) or any(p.greedy_by != "score" for p in pair):
        return True
    one_class = any(p.classes == "agnostic" for p in pair)
    rows, objects = _pairs(truth, detections, one_class)
    if len(rows) > MOST_PAIRS:
        return True
    shared = np.zeros(len(truth), np.bool_)  # objects whose overlap may be a share of the detection
    for field, flag in TREATED.items():
        if any(getattr(p, field) in ("region", "absorbs") for p in pair):
            shared |= (truth.flags & int(flag)) != 0
    margin = MARGIN + max(p.iou_slack for p in pair)  # so far apart overlaps can be, and still be taken as equal
    least = 0.0 if any(p.iou_margin for p in pair) else min(min(p.iou) for p in pair) - margin
    least = min(least, *(p.iou_ceiling - margin for p in pair))
    measures = [replace(p, box_area=q.box_area) for p in pair for q in pair]
    return any(_ties(truth, detections, rows, objects, measure, shared[objects], least, margin) for measure in measures)


def _pairs(truth: Truth, detections: Detections, one_class: bool) -> tuple[Ints, Ints]:
    """All pairs of a detection and an object in cells with more than one object."""
    n = len(truth.classes) + 1

    def keys(table: Truth | Detections) -> Ints:
        key: Ints = table.image.astype(np.int64) * n + (0 if one_class else table.label)
        return np.where((table.image >= 0) & (table.label >= 0), key, -1)

    ours, theirs = keys(truth), keys(detections)
    order = np.argsort(ours, kind="stable")
    first, last = (np.searchsorted(ours[order], theirs, side) for side in ("left", "right"))
    count = np.where((theirs >= 0) & (last - first > 1), last - first, 0)
    if count.sum() > MOST_PAIRS:
        return np.zeros(MOST_PAIRS + 1, np.int64), np.zeros(0, np.int64)
    rows = np.repeat(np.arange(len(theirs)), count)
    place = np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count)
    return rows, order[first[rows] + place]


def _ties(
    truth: Truth, detections: Detections, rows: Ints, objects: Ints, measure: Protocol, shared: Bools, least: float,
    margin: float,
) -> bool:  # fmt: skip
    overlap = overlaps.get(measure)
    both = overlap.measure(detections, truth, rows, objects, measure, 0)
    if overlap.areas is None:
        value, row = both.shared, rows
    else:
        areas = overlap.areas(detections, measure)[rows], overlap.areas(truth, measure)[objects]
        united, share = (overlap.of_pairs(both, *areas, np.full(len(rows), alone)) for alone in (False, True))
        value = np.concatenate([united, share[shared]])
        row = np.concatenate([rows, rows[shared]])
    kept = (value > 0) & (value >= least)
    value, row = value[kept], row[kept]
    order = np.lexsort((value, row))
    value, row = value[order], row[order]
    return bool(((row[1:] == row[:-1]) & (value[1:] - value[:-1] <= margin)).any())
