"""Matching, defined: cell by cell, size range by size range, threshold by threshold, detection by detection."""

from __future__ import annotations

import math
from typing import Any

import numpy.typing as npt

from boxscore._reference.cells import Cells
from boxscore._reference.claims import Object, Rules, decide_cell

Array = npt.NDArray[Any]

IGNORED = 1  # nothing to find; a detection matched to it is ignored
REUSABLE = 2  # takes any number of detections; overlap is the share of the detection's own area (a crowd)
VOID = 4  # can be taken, but the detection that takes it counts as unmatched
ABSORBS = 8  # looked at last, by detections that have found nothing; overlap as for REUSABLE
EXCUSED = 1  # a detection that is ignored where it finds nothing
BY_ORDER, BY_POSITION, BY_EARLIEST = range(3)  # what decides between equal scores: nothing, the row's place, the cell's


def match(
    cells: Cells, d_label: Array, d_image: Array, d_corners: Array, d_area: Array, d_size: Array, d_role: Array | None,
    d_score: Array, d_position: Array,
    o_label: Array, o_image: Array, o_corners: Array, o_area: Array, o_size: Array, o_role: Array,
    o_limit: Array | None,
    pixel: float, touching: bool,
    by_overlap: bool, even_if_taken: bool, shared: bool, prefer_counted: bool, last_of_equals: bool,
    last_first: bool, strict: bool, ignore_outside: bool, closed_ranges: bool, credit_floor: float,
    cap: int, tie_rule: int, thresholds: Array, lowest: Array, highest: Array,
    first: Array, row: Array | None, image: Array | None, score: Array | None, tie: Array | None, rank: Array | None,
    hits: Array, ignored: Array, cleared: bool, credits: Array | None, object: Array | None, overlap: Array | None,
    counted: Array, to_find: Array, absorbing: Array | None, cut: Array, threads: int = 1,
) -> int:  # fmt: skip
    """Matches detections to objects; fills the arrays from `first` on and returns how many verdicts there are."""
    rules = Rules(by_overlap, even_if_taken, shared, prefer_counted, last_of_equals, strict, credit_floor)
    n_ranges, n_thresholds = len(lowest), len(thresholds)

    def outside(size: float, a: int) -> bool:
        return bool(size < lowest[a] or (size > highest[a] if closed_ranges else size >= highest[a]))

    objects = cells.objects
    written = 0
    for k in range(cells.labels):
        first[k] = written
        for i in range(cells.images):
            rows = cells.detections[k, i]
            turns = sorted(rows[::-1] if last_first else rows, key=lambda r: -d_score[r])  # stable
            cut[turns[cap:]] = 1
            kept = turns[:cap]
            slot = {d: written + place for place, d in enumerate(r for r in rows if r in kept)}
            meets = {
                (d, g): overlap_of(
                    d_corners[d], d_area[d], o_corners[g], o_area[g], pixel, touching,
                    bool(o_role[g] & (REUSABLE | ABSORBS)),
                )
                for d in kept
                for g in objects[k, i]
            }  # fmt: skip
            for place, d in enumerate(kept):
                at = slot[d]
                if rank is not None:
                    rank[at] = place
                if row is not None and image is not None and score is not None:
                    row[at], image[at], score[at] = d, i, d_score[d]
                if tie is not None:
                    tie[at] = d_position[d] if tie_rule == BY_POSITION else min(d_position[rows])
                hits[at], ignored[at] = 0, 0
                if credits is not None:
                    credits[at] = 0
            for a in range(n_ranges):
                seen = {
                    d: [
                        Object(
                            g, meets[d, g], math.inf if o_limit is None else float(o_limit[g]),
                            bool(o_role[g] & IGNORED) or outside(o_size[g], a),
                            bool(o_role[g] & REUSABLE), bool(o_role[g] & VOID), bool(o_role[g] & ABSORBS),
                        )
                        for g in objects[k, i]
                    ]
                    for d in kept
                }  # fmt: skip
                for t in range(n_thresholds):
                    verdicts = decide_cell(kept, seen, [float(d_score[d]) for d in kept], float(thresholds[t]), rules)
                    for place, d in enumerate(kept):
                        at, verdict = slot[d], verdicts[place]
                        excused = d_role is not None and bool(d_role[d] & EXCUSED)
                        lost = verdict.found is None and (excused or (ignore_outside and outside(d_size[d], a)))
                        hits[at, a] |= hits.dtype.type(int(verdict.hit) << t)
                        ignored[at, a] |= ignored.dtype.type(int(verdict.ignored or lost) << t)
                        if credits is not None:
                            credits[at, a] |= credits.dtype.type(int(verdict.credit) << t)
                        if verdict.found is not None and object is not None and overlap is not None:
                            cell = (at * n_ranges + a) * n_thresholds + t
                            object[cell], overlap[cell] = verdict.found.row, verdict.found.overlap
            written += len(kept)
    first[cells.labels] = written

    to_find[:] = 0
    if absorbing is not None:
        absorbing[:] = 0
    for g in range(len(o_label)):
        listed = o_label[g] >= 0 and o_image[g] >= 0 and not o_role[g] & IGNORED
        inside = [a for a in range(n_ranges) if listed and not outside(o_size[g], a)]
        counted[g] = sum(1 << a for a in inside)
        for a in inside:
            to_find[o_label[g] * n_ranges + a] += 1
            if absorbing is not None and o_role[g] & ABSORBS:
                absorbing[o_label[g] * n_ranges + a] += 1
    return written


def overlap_of(
    a: Array, area_a: float, b: Array, area_b: float, pixel: float, touching: bool, share_of_a: bool
) -> float:
    """Intersection over union of two boxes, or over the area of the first one alone; 0 where they do not meet."""
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if touching and (width < 0 or height < 0):
        return 0.0
    if width + pixel <= 0 or height + pixel <= 0:
        return 0.0
    both = (width + pixel) * (height + pixel)
    return float(both / (area_a if share_of_a else area_a + area_b - both))
