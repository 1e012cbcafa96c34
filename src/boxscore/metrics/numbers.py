"""A tally with its curves: what metrics are computed from."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from boxscore import overlaps
from boxscore.errors import SizesUnknown, UnknownName, UsageError
from boxscore.evaluation.curves import Curves, Slice, curves, largest_cap
from boxscore.evaluation.match import Matching
from boxscore.evaluation.prepare import Prepared, matched
from boxscore.evaluation.tally import Tally
from boxscore.metrics.expression import Expression
from boxscore.tables.model import Bools, Floats

Made = TypeVar("Made")
FREQUENCIES = ("rare", "common", "frequent")


class NotEvaluated(UsageError):
    """A number that the protocol does not compute; the message is the reason."""


UNAVAILABLE = (NotEvaluated, SizesUnknown)  # why a number is n/a although there is something to find


class Numbers:
    """Hands out the curves of slices and draws each only once."""

    def __init__(
        self,
        tally: Tally,
        drawn: Iterable[Slice] = (),
        counted: Iterable[Slice] = (),
        threads: int = 0,
        prepared: Prepared | None = None,
    ):
        self.tally, self.protocol, self.threads = tally, tally.protocol, threads
        self._prepared = prepared
        self._curves: dict[tuple[Slice, bool], tuple[Curves, int]] = {}
        self._pairs: dict[tuple[int, int], Matching] = {}
        self._made: dict[tuple[Any, ...], Any] = {}
        first = list(dict.fromkeys(drawn))
        self._keep(curves(tally, first, [s for s in dict.fromkeys(counted) if s not in first], threads=threads))

    def _keep(self, made: Curves) -> None:
        for i, part in enumerate(made.slices):
            self._curves[part, False] = made, i
            if i < made.drawn:
                self._curves[part, True] = made, i

    def curves(self, part: Slice, drawn: bool) -> tuple[Curves, int]:
        """The curves that hold a slice, and its number in them."""
        if (part, drawn) not in self._curves:
            self._keep(curves(self.tally, [part], threads=self.threads))
        return self._curves[part, drawn]

    def pooled(self, e: Expression) -> Curves:
        """The curve of one slice with all classes of the expression ranked together."""
        keep = self.members(e) & (self.present(*self.curves(self.part(e), drawn=False)) | self._pools_empty())
        return curves(self.tally, [self.part(e)], groups=[np.flatnonzero(keep).tolist()], threads=self.threads)

    def _pools_empty(self) -> bool:
        return self.protocol.empty_class == "pooled"

    def once(self, what: tuple[Any, ...], make: Callable[[], Made]) -> Made:
        """What several metrics take their numbers from, made only once."""
        if what not in self._made:
            self._made[what] = make()
        made: Made = self._made[what]
        return made

    def tied(self) -> int:
        """How many detections share their score with another one of their class."""
        made, _ = next(iter(self._curves.values()), (None, 0))
        if made is None:
            made, _ = self.curves(self.whole, drawn=False)
        assert made.tied is not None  # None only for groups
        return int(made.tied.sum())

    @property
    def prepared(self) -> Prepared:
        """The boxes behind the verdicts; a tally alone does not have them."""
        if self._prepared is None:
            raise NotEvaluated("the boxes are needed, but a stored result keeps only the verdicts; evaluate again")
        return self._prepared

    def pairs(self, e: Expression) -> Matching:
        """The matching at the threshold and in the size range of an expression alone, with objects and overlaps.

        Its verdicts are those of the tally there, row by row; it is made only once.
        """
        threshold, area = self.thresholds(e, every=False)[0], self.part(e).area
        if (threshold, area) not in self._pairs:
            alone = replace(self.protocol, iou=(self.protocol.iou[threshold],), areas=(self.protocol.areas[area],))
            prepared = replace(self.prepared, protocol=alone)
            self._pairs[threshold, area] = matched(prepared, pairs=True, threads=self.threads)
        return self._pairs[threshold, area]

    def from_score(self, score: float | None) -> Numbers:
        """The numbers in which to count detections from a score on.

        Where pairs are made by overlap, detections below the score may have taken objects; they are matched anew.
        """
        if score is None or self.protocol.greedy_by == "score":
            return self
        prepared, detections = self.prepared, self.prepared.detections
        label = np.where(detections.score >= score, detections.label, np.int32(-1))
        prepared = replace(prepared, detections=replace(detections, label=label))
        matching = matched(prepared, threads=self.threads)
        tally = Tally.of(matching, prepared.truth, self.protocol, self.tally.unknown, self.tally.unlisted)
        return Numbers(tally, threads=self.threads, prepared=prepared)

    def by(self, **rules: Any) -> Numbers:
        """The numbers of the same rows by a protocol with other rules for matching; made only once."""

        def made() -> Numbers:
            prepared = replace(self.prepared, protocol=replace(self.protocol, **rules))
            matching = matched(prepared, threads=self.threads)
            tally = Tally.of(matching, prepared.truth, prepared.protocol, self.tally.unknown, self.tally.unlisted)
            return Numbers(tally, threads=self.threads, prepared=prepared)

        return self.once(("by", *rules.items()), made)

    def steady(self) -> Numbers:
        """These numbers, if detections below a score never change the verdicts above it."""
        if self.protocol.greedy_by != "score":
            raise NotEvaluated(
                "pairs are matched by overlap, so every score threshold would need a matching of its own"
            )
        return self

    def part(self, e: Expression) -> Slice:
        """The slice that an expression means; without words for it, the first size range and the largest cap."""
        names = [area.name for area in self.protocol.areas]
        if e.area is not None and e.area not in names:
            raise NotEvaluated(f"no size range '{e.area}' in this protocol (it has {', '.join(names)})")
        caps = self.protocol.max_detections
        if e.cap is not None and caps and e.cap not in caps:
            hint = "; `coco-fixed` takes the largest" if e.cap == self.protocol.headline_max else ""
            raise NotEvaluated(f"a limit of {e.cap} is not among max_detections ({', '.join(map(str, caps))}){hint}")
        area = names.index(e.area) if e.area else 0
        if n := self.tally.unlisted:
            what = f"{n:,} detection{'s' * (n > 1)}"
            raise NotEvaluated(f"{what} on images that the ground truth does not list: the official code stops there")
        if self.tally.unknown >> area & 1:
            raise SizesUnknown
        return Slice(area, e.cap or largest_cap(self.protocol))

    @property
    def whole(self) -> Slice:
        """The first size range and the largest cap, whether its numbers can be known or not."""
        return Slice(0, largest_cap(self.protocol))

    def thresholds(self, e: Expression, every: bool) -> list[int]:
        """The numbers of the thresholds that an expression means: all of them or the first, if it names none."""
        if e.iou is None:
            return list(range(len(self.protocol.iou))) if every else [0]
        near = [t for t, iou in enumerate(self.protocol.iou) if abs(iou - e.iou) < 1e-9]
        if not near:
            listed = ", ".join(f"{iou:.12g}" for iou in self.protocol.iou)
            named = f"{overlaps.get(self.protocol).called} {e.iou:.12g}"
            raise NotEvaluated(f"{named} is not among the protocol's thresholds ({listed})")
        return near

    def label(self, e: Expression) -> int | None:
        """The number of the class that an expression names, if it names one."""
        if e.label is None:
            return None
        names = self.tally.classes.name
        if e.label not in names:
            raise UnknownName("class", e.label, names)
        return names.index(e.label)

    def members(self, e: Expression) -> Bools:
        """Which classes an expression is about: one, those of a frequency, or all."""
        n, frequency = len(self.tally.classes), self.tally.classes.frequency
        if e.label is not None:
            one: Bools = np.arange(n) == self.label(e)
            return one
        if e.frequency is None:
            return np.ones(n, np.bool_)
        if frequency is None:
            raise NotEvaluated("the ground truth does not state how frequent its classes are")
        if e.frequency not in FREQUENCIES:
            raise UnknownName("frequency", e.frequency, FREQUENCIES)
        return np.array([f == e.frequency[0] for f in frequency], np.bool_)

    def why_undefined(self, e: Expression) -> str:
        """Why a number is nan: there is nothing to find."""
        number = self.part(replace(e, cap=None)).area  # some metrics take any cap
        area = self.protocol.areas[number]
        size = "" if area.name == "all" else f"{area.name} "
        where = f" of class {e.label}" if e.label else ""
        if e.frequency is not None:
            return f"no {size}objects of {e.frequency} classes"
        if self.tally.to_find[self.members(e), number].sum() == 0:
            return f"no {size}objects{where}"
        return f"no detections{where} to count"

    def present(self, curves: Curves, i: int) -> Bools:
        """Which classes the mean runs over."""
        if self.protocol.empty_class == "zero":
            return np.ones(len(self.tally.classes), np.bool_)
        if self.protocol.empty_class == "zero-if-undetected":
            return np.asarray((curves.objects[i] > 0) | (self.tally.detections == 0), np.bool_)
        some: Bools = curves.objects[i] > 0
        return some


def mean_of_defined(values: Floats, averaging: str = "classes") -> float:
    """The mean over what is not nan, added up in the order that a protocol names; nan where nothing is left."""
    flat = (values.T if averaging == "class-by-class" else values).ravel()
    defined = flat[~np.isnan(flat)]
    if not defined.size:
        return float("nan")
    if averaging == "classes-in-turn":
        return float(np.cumsum(defined)[-1] / defined.size)
    if averaging == "classes-with-zeros":
        return float(np.nan_to_num(flat, nan=0.0).sum() / defined.size)
    return float(defined.mean())
