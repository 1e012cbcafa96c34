"""Who takes whom: the verdicts of one cell in one size range at one threshold, defined."""

from __future__ import annotations

import math
from collections.abc import Container, Sequence
from typing import NamedTuple


class Rules(NamedTuple):
    """What decides which object a detection takes."""

    by_overlap: bool  # pairs are taken by descending overlap instead of detections by descending score
    by_object: bool  # with that, only the best pair of each object; regions still take any number
    even_if_taken: bool  # the best object is looked for whether it is free or not; a taken one makes a false positive
    shared: bool  # no object is ever taken
    prefer_counted: bool  # an object that counts goes before any ignored one
    last_of_equals: bool  # which of several equal overlaps wins
    slack: float  # with that, also a later one that is at most so much lower
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
    last: bool = False


class Verdict(NamedTuple):
    """What becomes of a detection: its object (None without one), and whether it is a hit, ignored, credited."""

    found: Object | None
    hit: bool
    ignored: bool
    credit: bool = False


UNMATCHED = Verdict(None, False, False)


def decide_cell(
    kept: Sequence[int], seen: dict[int, list[Object]], scores: Sequence[float], threshold: float, rules: Rules,
    leaving: Container[int] = (),
) -> list[Verdict]:  # fmt: skip
    """What the detections of a cell become, by descending score or by descending overlap.

    What detections at the places `leaving` find stays free for others.
    """
    taken: set[int] = set()
    undefined = any(math.isnan(o.overlap) for d in kept for o in seen[d])
    candidates = [[o for o in seen[d] if not is_later(o) and o.overlap >= min(threshold, o.limit)] for d in kept]
    verdicts = [UNMATCHED] * len(kept)
    if rules.by_overlap:
        pairs = [(place, o) for place, some in enumerate(candidates) for o in some]
        if rules.by_object:
            pairs = [(place, o) for place, o in pairs if o.reusable or chosen_by(o.row, pairs) == place]
        while pairs:
            place, best = pairs[0]
            for other, candidate in pairs[1:]:
                if better(candidate, best, rules, same_detection=other == place):
                    place, best = other, candidate
            if best.row in taken and not rules.even_if_taken:
                pairs.remove((place, best))
                continue
            verdicts[place] = claim(best, taken, rules, place in leaving)
            pairs = [(other, o) for other, o in pairs if other != place]
    elif (undefined or rules.slack > 0) and rules.last_of_equals:
        for place, d in enumerate(kept):
            last = last_not_less(seen[d], threshold, taken, rules)
            if last is not None:
                verdicts[place] = claim(last, taken, rules, place in leaving)
    else:
        for place, some in enumerate(candidates):
            best_free: Object | None = None
            for candidate in some:
                if candidate.row in taken and not rules.even_if_taken:
                    continue
                if best_free is None or better(candidate, best_free, rules, same_detection=True):
                    best_free = candidate
            if best_free is not None:
                verdicts[place] = claim(best_free, taken, rules, place in leaving)
    credited: set[int] = set()
    for place, d in enumerate(kept):
        sooner, later = ([o for o in seen[d] if o.last == late] for late in (False, True))
        verdicts[place] = absorbed(sooner, scores[place], threshold, credited, rules, verdicts[place])
        verdicts[place] = left_over(later, threshold, taken, rules, verdicts[place], place in leaving)
        verdicts[place] = absorbed(later, scores[place], threshold, credited, rules, verdicts[place])
    return verdicts


def chosen_by(row: int, pairs: Sequence[tuple[int, Object]]) -> int:
    """The place of the detection that overlaps an object most; the earliest of equals."""
    own = [(place, o.overlap) for place, o in pairs if o.row == row]
    return max(own, key=lambda pair: (pair[1], -pair[0]))[0]


def is_later(o: Object) -> bool:
    """Whether only detections that have found nothing else look at an object."""
    return o.absorbs or o.last


def last_not_less(seen: Sequence[Object], threshold: float, taken: set[int], rules: Rules) -> Object | None:
    """The last object that does not overlap less than the best so far, by more than the slack.

    Nothing overlaps less than nan, so that whoever comes after it is taken in its place.
    """
    best: Object | None = None
    for ignored in (False, True) if rules.prefer_counted else (None,):
        for o in seen:
            if is_later(o) or (ignored is not None and o.ignored != ignored):
                continue
            if o.row in taken and not rules.even_if_taken:
                continue
            if not o.overlap < (min(threshold, o.limit) if best is None else best.overlap - rules.slack):
                best = o
        if best is not None:
            return best
    return None


def claim(best: Object, taken: set[int], rules: Rules, leaves_free: bool = False) -> Verdict:
    """What a detection becomes that chooses an object, which is added to `taken`."""
    was_taken = best.row in taken
    if not best.reusable and not rules.shared and not leaves_free:
        taken.add(best.row)
    if best.void or (was_taken and not best.ignored):
        return Verdict(None, False, best.ignored)
    return Verdict(best, not best.ignored, best.ignored)


def absorbed(
    seen: Sequence[Object], score: float, threshold: float, credited: set[int], rules: Rules, otherwise: Verdict
) -> Verdict:
    """What becomes of a detection that found nothing else: the best absorbing object takes it."""
    if otherwise.hit or otherwise.ignored:
        return otherwise
    best: Object | None = None
    for candidate in seen:
        if not candidate.absorbs or not candidate.overlap >= min(threshold, candidate.limit):
            continue
        if (
            best is None
            or candidate.overlap > best.overlap
            or (candidate.overlap == best.overlap and rules.last_of_equals)
        ):
            best = candidate
    if best is None:
        return otherwise
    credit = not best.ignored and not best.last and score > rules.credit_floor and best.row not in credited
    if credit:
        credited.add(best.row)
    return Verdict(best, credit, not credit, credit)


def left_over(
    last: Sequence[Object], threshold: float, taken: set[int], rules: Rules, otherwise: Verdict, leaves_free: bool
) -> Verdict:
    """What becomes of a detection that found nothing else: the best of the objects that come last takes it.

    The detection is ignored, unless the object has taken another one before; an ignored object takes any number.
    """
    if otherwise.hit or otherwise.ignored:
        return otherwise
    best: Object | None = None
    for o in last:
        if o.absorbs or not o.overlap >= min(threshold, o.limit) or (o.row in taken and not rules.even_if_taken):
            continue
        if best is None or o.overlap > best.overlap or (o.overlap == best.overlap and rules.last_of_equals):
            best = o
    if best is None:
        return otherwise
    verdict = claim(best, taken, rules, leaves_free)
    return verdict._replace(hit=False, ignored=verdict.hit or verdict.ignored)


def better(candidate: Object, best: Object, rules: Rules, same_detection: bool) -> bool:
    """Whether a later object replaces the best one so far; of equal pairs that of the earlier detection stays."""
    if rules.prefer_counted and candidate.ignored != best.ignored:
        return best.ignored
    if candidate.overlap == best.overlap:
        return rules.last_of_equals and same_detection
    return candidate.overlap > best.overlap
