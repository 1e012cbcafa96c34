"""Matching, defined: cell by cell, size range by size range, threshold by threshold, detection by detection."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy.typing as npt

Array = npt.NDArray[Any]

IGNORED = 1  # nothing to find; a detection matched to it is ignored
REUSABLE = 2  # takes any number of detections; overlap is the share of the detection's own area (a crowd)
VOID = 4  # can be taken, but the detection that takes it counts as unmatched
ABSORBS = 8  # looked at last, by detections that have found nothing; overlap as for REUSABLE
EXCUSED = 1  # a detection that is ignored where it finds nothing
BY_ORDER, BY_POSITION, BY_EARLIEST = range(3)  # what decides between equal scores: nothing, the row's place, the cell's


class Rules(NamedTuple):
    """What decides which object a detection takes."""

    by_overlap: bool  # pairs are taken by descending overlap instead of detections by descending score
    even_if_taken: bool  # the best object is looked for whether it is free or not; a taken one makes a false positive
    shared: bool  # no object is ever taken
    prefer_counted: bool  # an object that counts goes before any ignored one
    last_of_equals: bool  # which of several equal overlaps wins
    strict: bool  # overlap > threshold instead of >=
    credit_floor: float  # an absorbing object is credited only to scores above this


class Object(NamedTuple):
    """An object as one detection sees it, in one size range."""

    row: int
    overlap: float
    limit: float
    ignored: bool
    reusable: bool
    void: bool
    absorbs: bool


class Verdict(NamedTuple):
    """What becomes of a detection: its object (None without one), and whether it is a hit, ignored, credited."""

    found: Object | None
    hit: bool
    ignored: bool
    credit: bool = False


UNMATCHED = Verdict(None, False, False)


def match(
    d_label: Array, d_image: Array, d_corners: Array, d_area: Array, d_size: Array, d_role: Array | None,
    d_score: Array, d_position: Array,
    o_label: Array, o_image: Array, o_corners: Array, o_area: Array, o_size: Array, o_role: Array,
    o_limit: Array | None,
    labels: int, images: int,
    pixel: float, touching: bool,
    by_overlap: bool, even_if_taken: bool, shared: bool, prefer_counted: bool, last_of_equals: bool, last_first: bool,
    strict: bool, ignore_outside: bool, closed_ranges: bool, credit_floor: float,
    cap: int, tie_rule: int, thresholds: Array, lowest: Array, highest: Array,
    first: Array, row: Array, image: Array, score: Array, tie: Array | None, rank: Array,
    hits: Array, ignored: Array, credits: Array | None, object: Array | None, overlap: Array | None,
    counted: Array, to_find: Array, absorbing: Array | None, cut: Array, threads: int = 1,
) -> int:  # fmt: skip
    """Matches detections to objects; fills the arrays from `first` on and returns how many verdicts there are."""
    rules = Rules(by_overlap, even_if_taken, shared, prefer_counted, last_of_equals, strict, credit_floor)
    n_ranges, n_thresholds = len(lowest), len(thresholds)

    def outside(size: float, a: int) -> bool:
        return bool(size < lowest[a] or (size > highest[a] if closed_ranges else size >= highest[a]))

    detections, objects = cells(d_label, d_image), cells(o_label, o_image)
    written = 0
    for k in range(labels):
        first[k] = written
        for i in range(images):
            rows = detections[k, i]
            # Stable: equal scores keep the order of rows, or the opposite one.
            ranked = sorted(reversed(rows) if last_first else rows, key=lambda r: -d_score[r])
            cut[ranked[cap:]] = 1
            kept = ranked[:cap]
            meets = {
                (d, g): overlap_of(
                    d_corners[d], d_area[d], o_corners[g], o_area[g], pixel, touching,
                    bool(o_role[g] & (REUSABLE | ABSORBS)),
                )
                for d in kept
                for g in objects[k, i]
            }  # fmt: skip
            for place, d in enumerate(kept):
                at = written + place
                row[at], image[at], score[at], rank[at] = d, i, d_score[d], place
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
                        at, verdict = written + place, verdicts[place]
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
    first[labels] = written

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


def cells(label: Array, image: Array) -> defaultdict[tuple[int, int], list[int]]:
    """The rows of each (class, image), ascending; rows without class or image are in none."""
    found: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for r in range(len(label)):
        if label[r] >= 0 and image[r] >= 0:
            found[int(label[r]), int(image[r])].append(r)
    return found


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


def decide_cell(
    kept: Sequence[int], seen: dict[int, list[Object]], scores: Sequence[float], threshold: float, rules: Rules
) -> list[Verdict]:
    """What the detections of a cell become, by descending score or by descending overlap."""
    taken: set[int] = set()
    candidates = [
        [o for o in seen[d] if not o.absorbs and passes(o.overlap, min(threshold, o.limit), rules)] for d in kept
    ]
    verdicts = [UNMATCHED] * len(kept)
    if rules.by_overlap:
        pairs = [(place, o) for place, some in enumerate(candidates) for o in some]
        while pairs:
            place, best = pairs[0]
            for other, candidate in pairs[1:]:
                if better(candidate, best, rules, same_detection=other == place):
                    place, best = other, candidate
            if best.row in taken and not rules.even_if_taken:
                pairs.remove((place, best))
                continue
            verdicts[place] = claim(best, taken, rules)
            pairs = [(other, o) for other, o in pairs if other != place]
    else:
        for place, some in enumerate(candidates):
            best_free: Object | None = None
            for candidate in some:
                if candidate.row in taken and not rules.even_if_taken:
                    continue
                if best_free is None or better(candidate, best_free, rules, same_detection=True):
                    best_free = candidate
            if best_free is not None:
                verdicts[place] = claim(best_free, taken, rules)
    credited: set[int] = set()
    for place, d in enumerate(kept):
        if not verdicts[place].hit and not verdicts[place].ignored:
            verdicts[place] = absorbed(seen[d], scores[place], threshold, credited, rules, verdicts[place])
    return verdicts


def passes(overlap: float, threshold: float, rules: Rules) -> bool:
    """Whether an overlap is enough."""
    return overlap > threshold if rules.strict else overlap >= threshold


def claim(best: Object, taken: set[int], rules: Rules) -> Verdict:
    """What a detection becomes that chooses an object, which is added to `taken`."""
    was_taken = best.row in taken
    if not best.reusable and not rules.shared:
        taken.add(best.row)
    if best.void or (was_taken and not best.ignored):
        return Verdict(None, False, best.ignored)
    return Verdict(best, not best.ignored, best.ignored)


def absorbed(
    seen: Sequence[Object], score: float, threshold: float, credited: set[int], rules: Rules, otherwise: Verdict
) -> Verdict:
    """What becomes of a detection that found nothing else: the best absorbing object takes it."""
    best: Object | None = None
    for candidate in seen:
        if not candidate.absorbs or not passes(candidate.overlap, min(threshold, candidate.limit), rules):
            continue
        if (
            best is None
            or candidate.overlap > best.overlap
            or (candidate.overlap == best.overlap and rules.last_of_equals)
        ):
            best = candidate
    if best is None:
        return otherwise
    credit = not best.ignored and score > rules.credit_floor and best.row not in credited
    if credit:
        credited.add(best.row)
    return Verdict(best, credit, not credit, credit)


def better(candidate: Object, best: Object, rules: Rules, same_detection: bool) -> bool:
    """Whether a later object replaces the best one so far; of equal pairs that of the earlier detection stays."""
    if rules.prefer_counted and candidate.ignored != best.ignored:
        return best.ignored
    if candidate.overlap == best.overlap:
        return rules.last_of_equals and same_detection
    return candidate.overlap > best.overlap
