"""Matching, defined: cell by cell, size range by size range, threshold by threshold, detection by detection."""

from __future__ import annotations

import math
from typing import Any

import numpy.typing as npt

from boxscore._reference.cells import Cells, in_turn
from boxscore._reference.claims import UNMATCHED, Object, Rules, decide_cell
from boxscore._reference.overlap import ABSORBS, IGNORED, LAST, REUSABLE, VOID, Pairs, measured, size_of

Array = npt.NDArray[Any]

EXCUSED = 1  # a detection that is ignored where it finds nothing
LEAVES_FREE = 2  # a detection whose object stays free for others


def match(
    cells: Cells, d_corners: Array, d_area: Array | None, d_size: Array | None, d_role: Array | None,
    d_rows: Array | None, d_score: Array,
    o_corners: Array, o_area: Array | None, o_size: Array | None, o_role: Array, o_limit: Array | None,
    o_rows: Array | None,
    pair_first: Array | None, pair_object: Array | None, pair_shared: Array | None, pair_overlap: Array | None,
    direct: bool,
    pixel: float, touching: bool, single: bool,
    by_overlap: bool, by_object: bool, even_if_taken: bool, shared: bool, prefer_counted: bool, last_of_equals: bool,
    slack: float,
    last_first: bool, ignore_outside: bool, credit_floor: float,
    cap: int, thresholds: Array, lowest: Array, highest: Array,
    hits: Array, ignored: Array, cleared: bool, credits: Array | None, object: Array | None, overlap: Array | None,
    counted: Array, to_find: Array, absorbing: Array | None, threads: int = 1,
) -> None:  # fmt: skip
    """Matches detections to objects; fills the arrays from `hits` on in the order of the cells.

    Columns are in that order too, but for those of boxes where `d_rows` or `o_rows` say where each box stands in them.
    """
    d_corners, d_area, d_size, d_role = in_order(d_rows, d_corners, d_area, d_size, d_role)
    o_corners, o_area, o_size, o_role, o_limit = in_order(o_rows, o_corners, o_area, o_size, o_role, o_limit)
    rules = Rules(by_overlap, by_object, even_if_taken, shared, prefer_counted, last_of_equals, slack, credit_floor)
    n_ranges, n_thresholds = len(lowest), len(thresholds)

    def outside(size: float, a: int) -> bool:
        return not lowest[a] <= size <= highest[a]

    pairs = measured(pair_first, pair_object, pair_shared, pair_overlap, direct)
    both = Pairs(d_corners, d_area, o_corners, o_area, o_role, pixel, touching, single, pairs)
    for words in (hits, ignored, credits):
        if words is not None:
            words[:] = 0
    for cell in cells.all:
        turns = in_turn(cell, d_score, last_first)
        kept = turns[:cap]
        leaving = {place for place, d in enumerate(kept) if d_role is not None and d_role[d] & LEAVES_FREE}
        meets = {(d, g): both.overlap(d, g) for d in kept for g in cell.objects}
        for a in range(n_ranges):
            seen = {
                d: [
                    Object(
                        g, meets[d, g], math.inf if o_limit is None else float(o_limit[g]),
                        bool(o_role[g] & IGNORED)
                        or (not o_role[g] & LAST and outside(size_of(o_size, o_corners, g), a)),
                        bool(o_role[g] & REUSABLE), bool(o_role[g] & VOID), bool(o_role[g] & ABSORBS),
                        bool(o_role[g] & LAST),
                    )
                    for g in cell.objects
                ]
                for d in kept
            }  # fmt: skip
            for t in range(n_thresholds):
                scores = [float(d_score[d]) for d in kept]
                verdicts = decide_cell(kept, seen, scores, float(thresholds[t]), rules, leaving)
                found_by = dict(zip(kept, verdicts, strict=True))
                for d in turns:
                    verdict = found_by.get(d, UNMATCHED)
                    excused = d_role is not None and bool(d_role[d] & EXCUSED)
                    lost = verdict.found is None and (
                        excused or (ignore_outside and outside(size_of(d_size, d_corners, d), a))
                    )
                    hits[d, a] |= hits.dtype.type(int(verdict.hit) << t)
                    ignored[d, a] |= ignored.dtype.type(int(verdict.ignored or lost) << t)
                    if credits is not None:
                        credits[d, a] |= credits.dtype.type(int(verdict.credit) << t)
                    if verdict.found is not None and object is not None and overlap is not None:
                        place = (d * n_ranges + a) * n_thresholds + t
                        object[place], overlap[place] = verdict.found.row, verdict.found.overlap

    to_find[:] = 0
    if absorbing is not None:
        absorbing[:] = 0
    for k in range(len(cells.objects_first) - 1):
        for g in range(cells.objects_first[k], cells.objects_first[k + 1]):
            nothing = o_role[g] & (IGNORED | LAST)
            inside = [a for a in range(n_ranges) if not nothing and not outside(size_of(o_size, o_corners, g), a)]
            counted[g] = sum(1 << a for a in inside)
            for a in inside:
                to_find[k * n_ranges + a] += 1
                if absorbing is not None and o_role[g] & ABSORBS:
                    absorbing[k * n_ranges + a] += 1


def in_order(rows: Array | None, *columns: Any) -> list[Any]:
    """Columns in the order of the cells."""
    return [column if rows is None or column is None else column[rows] for column in columns]
