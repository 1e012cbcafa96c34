"""Rules that provably cannot matter: what they apply to is not in the data, or they change the last bits only.

A proof holds for every mixture of the two protocols. Where that cannot be shown cheaply, the rule counts as one that
matters: this costs evaluations, never a wrong part.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

import numpy as np

from boxscore import overlaps
from boxscore.analysis.overlap_ties import has_equal_overlaps
from boxscore.evaluation.curves import largest_cap
from boxscore.evaluation.cuts import cuts
from boxscore.evaluation.kernel_inputs import TREATED, last_of_repeated, limits, without_keypoints
from boxscore.evaluation.maskless import maskless
from boxscore.evaluation.size_ranges import resolved
from boxscore.evaluation.sizes import sizes, unbounded
from boxscore.evaluation.verified import verified
from boxscore.joining.align import Aligned
from boxscore.metrics.summary import rows
from boxscore.protocols import Protocol
from boxscore.tables.hierarchy import ancestors
from boxscore.tables.model import Bools, Detections, Mark, Truth

NOTHING = "nothing in the data that it applies to"
LAST_BITS = "changes the last bits only"
TINY = 1e-15  # what may be added to a denominator of at least one without being seen in twelve digits


class Facts:
    """What is in the data, as far as the rules of two protocols and of all their mixtures can ask for it."""

    def __init__(self, aligned: Aligned, a: Protocol, b: Protocol) -> None:
        self.truth, self.detections, self.known_images = aligned.truth, aligned.detections, aligned.known_images
        self.pair = (a, b)

    def uses(self, field: str, *values: object) -> bool:
        """Whether one of the two has one of these values."""
        return any(getattr(p, field) in values for p in self.pair)

    def same(self, *names: str) -> bool:
        """Whether both have the same values."""
        return all(getattr(self.pair[0], name) == getattr(self.pair[1], name) for name in names)

    def flagged(self, field: str) -> bool:
        """Whether there is an object that a treatment is about."""
        return bool((self.truth.flags & int(TREATED[field])).any())

    def marked(self, mark: Mark) -> bool:
        """Whether anything is said of whole images."""
        return self.truth.labels is not None and bool((self.truth.labels.mark & int(mark)).any())

    @cached_property
    def hierarchical(self) -> bool:
        """Whether rows may be copied to classes above."""
        return self.uses("hierarchy", "truth", "both") and any(ancestors(self.truth.classes))

    @cached_property
    def repeated(self) -> bool:
        """Whether ids repeat; copies for classes above have the id of what they are copied from."""
        return self.truth.id is not None and (self.hierarchical or last_of_repeated(self.truth) is not None)

    @cached_property
    def variants(self) -> list[Protocol]:
        """Every way in which sizes may be measured in a mixture."""
        return [resolved(replace(p, box_area=q.box_area), self.truth) for p in self.pair for q in self.pair]

    def within(self, table: Truth | Detections) -> Bools:
        """Which rows lie in the headline's size range in every mixture."""
        inside = np.ones(len(table), np.bool_)
        for p in self.variants:
            if unbounded(p):
                continue
            size, at = sizes(table, replace(p, size_from=p.areas[0].of or p.size_from)), cuts(p)
            inside &= (size >= at.lowest[0]) & (size <= at.highest[0])
        return inside

    def solid(self, field: str) -> Bools:
        """Which objects (or detections) have an extent by every rule in use."""
        table = self.truth if field == "flat_objects" else self.detections
        there = np.ones(len(table), np.bool_)
        if self.uses(field, "sides"):
            there &= ((table.corners[:, 2:] - table.corners[:, :2]) > 0).all(axis=1)
        if self.uses(field, "size"):
            for p in self.variants:
                there &= sizes(table, p) > 0
        return there

    @cached_property
    def all_within(self) -> bool:
        """Whether size ranges leave nothing out."""
        return bool(self.within(self.truth).all() and self.within(self.detections).all())

    def largest_group(self, per: str) -> int:
        """The most detections that a cap of that kind may meet."""
        image, label = self.detections.image.astype(np.int64), self.detections.label
        apart = per == "cell" and not self.uses("classes", "agnostic")
        key = label if per == "class" else image * (len(self.truth.classes) + 1) + label if apart else image
        return int(np.unique(key, return_counts=True)[1].max(initial=0))

    @cached_property
    def distinct_scores(self) -> bool:
        """Whether no two detections that are ever ranked together have the same score."""
        score, label = self.detections.score, self.detections.label
        together = self.uses("averaging", "pooled") or self.uses("classes", "agnostic") or self.uses("max_per", "image")
        if together or self.hierarchical:
            label = np.zeros_like(label)
        order = np.lexsort((score, label))
        score, label = score[order], label[order]
        return not bool(((score[1:] == score[:-1]) & (label[1:] == label[:-1])).any())

    @cached_property
    def none_ignored(self) -> bool:
        """Whether every object counts in every mixture."""
        treated = any(self.flagged(f) and self.uses(f, "ignored", "region", "absorbs") for f in TREATED)
        blacklisted = self.uses("blacklist", "ignored") and self.marked(Mark.BLACKLISTED)
        unposed = self.uses("no_keypoints", "ignored") and self.unposed.any()
        return not (treated or blacklisted or unposed or self.maskless) and bool(self.within(self.truth).all())

    @cached_property
    def unposed(self) -> Bools:
        """Which objects have no labelled keypoints."""
        unposed = without_keypoints(self.truth)
        return np.zeros(len(self.truth), np.bool_) if unposed is None else unposed

    @cached_property
    def maskless(self) -> bool:
        """Whether there are objects that count by one of the two only if they have a mask."""
        mixed = (replace(p, overlap=q.overlap) for p in self.pair for q in self.pair)
        return any(maskless(self.truth, p) is not None for p in mixed)

    @cached_property
    def every_class_has_objects(self) -> bool:
        """Whether each class has an object that no rule can take away."""
        t = self.truth
        if (self.repeated and self.uses("repeated_ids", "last")) or self.marked(Mark.BLACKLISTED) or self.maskless:
            return False
        safe = (t.image >= 0) & (t.label >= 0) & (t.flags == 0) & self.within(t) & self.solid("flat_objects")
        if self.uses("no_keypoints", "ignored"):
            safe &= ~self.unposed
        return bool((np.bincount(t.label[safe], minlength=len(t.classes)) > 0).all())


def _caps(f: Facts) -> bool:
    if f.hierarchical and f.uses("hierarchy", "both"):
        return False
    caps = ((p.max_per, min(rows(p)[0].expression.cap or largest_cap(p), largest_cap(p))) for p in f.pair)
    return all(f.largest_group(per) <= cap for per, cap in caps)


def _sizes(f: Facts) -> bool:
    if f.uses("outside", "nearest"):  # an object that is ignored anyway speaks for detections, too
        return False
    by_size = f.uses("flat_objects", "size") or f.uses("flat_detections", "size")
    return f.all_within and (not by_size or bool(f.solid("flat_objects").all() and f.solid("flat_detections").all()))


def _groups(f: Facts) -> bool:
    absorbing = any(f.flagged(field) and f.uses(field, "absorbs") for field in TREATED)
    return (f.same("group_of") or not f.flagged("group_of")) and (
        f.same("absorbed_weight", "absorbed_floor") or not absorbing
    )


def _margin(f: Facts) -> bool:
    highest = max(min(t, p.iou_ceiling) for p in f.pair for t in p.iou)
    found = [limits(f.truth, replace(p, overlap=q.overlap)) for p in f.pair for q in f.pair]
    return all(limit is None or bool((limit >= highest).all()) for limit in found)


def _unverified(f: Facts) -> bool:
    t, d = f.truth, f.detections
    if (
        f.hierarchical
        or (f.repeated and f.uses("repeated_ids", "last"))
        or f.maskless
        or not f.solid("flat_objects").all()
    ):
        return False
    if any(f.flagged(field) and f.uses(field, "dropped") for field in TREATED):
        return False
    return bool(verified(t, d)[(d.image >= 0) & (d.label >= 0)].all())


def _box_areas(f: Facts) -> bool:
    sides = ((table, table.corners[:, 2:] - table.corners[:, :2]) for table in (f.truth, f.detections))
    return all(np.array_equal(table.box_area, side[:, 0] * side[:, 1]) for table, side in sides)


INERT: dict[str, Callable[[Facts], bool]] = {
    "box_area": _box_areas,
    "ignored_last": lambda f: f.none_ignored,
    "equal_overlaps": lambda f: not has_equal_overlaps(f.truth, f.detections, f.pair, f.hierarchical or f.repeated),
    "iou_margin": _margin,
    "matched_first": lambda f: f.distinct_scores,
    "equal_scores": lambda f: f.distinct_scores,
    "score_floor": lambda f: bool((f.detections.score > max(p.score_floor for p in f.pair)).all()),
    "max_detections": _caps,
    "areas": _sizes,
    "crowd": lambda f: not f.flagged("crowd"),
    "difficult": lambda f: not f.flagged("difficult"),
    "group_of": _groups,
    "ignore_flag": lambda f: not f.flagged("ignore_flag"),
    "id_zero": lambda f: f.truth.id is None or not bool((f.truth.id == 0).any()),
    "repeated_ids": lambda f: not f.repeated,
    "flat_objects": lambda f: bool(f.solid("flat_objects").all()),
    "flat_detections": lambda f: bool(f.solid("flat_detections").all()),
    "no_keypoints": lambda f: not f.unposed.any(),
    "unknown_images": lambda f: not bool((f.detections.image >= f.known_images).any()),
    "unverified": _unverified,
    "not_exhaustive": lambda f: not f.marked(Mark.NOT_EXHAUSTIVE),
    "blacklist": lambda f: not f.marked(Mark.BLACKLISTED),
    "hierarchy": lambda f: not f.hierarchical,
    "recall_levels": lambda f: (
        f.pair[0].recall_levels == f.pair[1].recall_levels == 0
        and (f.pair[0].level_sum == "mean") == (f.pair[1].level_sum == "mean")
    ),
    "averaging": lambda f: (
        {p.averaging for p in f.pair} <= {"cells", "classes"}
        and f.pair[0].recall_levels == f.pair[1].recall_levels == 0
    ),
    "empty_class": lambda f: (
        not (f.uses("empty_class", "zero", "zero-if-undetected") or f.uses("averaging", "pooled"))
        or f.every_class_has_objects
    ),
}

# Sums in another order, or a denominator that is longer by less than a last bit: below 1e-12 in any mixture.
ROUNDING: dict[str, Callable[[Facts], bool]] = {
    "precision_epsilon": lambda f: max(p.precision_epsilon for p in f.pair) <= TINY,
    "averaging": lambda f: not f.uses("averaging", "pooled"),
    "recall_levels": lambda f: (
        not any(p.recall_levels for p in f.pair)
        or (f.same("recall_levels", "recall_grid") and (f.same("level_sum") or not f.uses("level_sum", "trapezoid")))
    ),
}


def why_not(rule: str, facts: Facts) -> str:
    """Why a rule in which two protocols differ cannot matter on this data; "" where it may."""
    of_tracks = any(overlaps.get(p).tracks for p in facts.pair)  # the facts are of their boxes, and prove nothing
    if rule in INERT and not of_tracks and INERT[rule](facts):
        return NOTHING
    return LAST_BITS if rule in ROUNDING and ROUNDING[rule](facts) else ""
