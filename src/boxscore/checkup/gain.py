"""What a repair brings: AP50 before and after, on all images, and whether that is more than chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from boxscore.checkup.sampling import per_image
from boxscore.diagnostics.diagnoses import Diagnosis, Evidence, Tables
from boxscore.errors import InputError
from boxscore.evaluation.run import evaluate_tables
from boxscore.joining.align import Aligned, align
from boxscore.protocols import get, variant
from boxscore.tables.model import Bools, Detections, Truth, select

LEAST = 0.01  # by so much AP50 must rise: nobody needs a repair for less, and odd readings gain that much by luck
FLOOR = 0.05  # AP50 below which a score is unexplained; a repair that ends there explains nothing
ERRORS = 2.0  # standard errors, over groups of images, by which AP50 must rise
GROUPS = 10  # of images; each has a gain of its own
MOVES = (1 / 3, 1 / 2, 2 / 3)  # to other images, as a share of their number; neighbours may be frames of one video
ENOUGH = 60_000  # detections that are evaluated; of larger sets a part of the images
# What the repairs of single diagnoses must do to AP50 where there are detections; the others do not touch it.
CLAIMS = {
    **{f"BOX1{k:02}": "gain" for k in (1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 14, 15)}, "SCR107": "gain",
    "BOX110": "no loss", "BOX001": "no loss", "DUP101": "no loss", "DUP102": "no loss",
}  # fmt: skip
INFERRED = ("SCR107",)  # nothing but the gain speaks for it
FIFTY = variant(get("coco-fixed"), iou="0.5")


class Gain(NamedTuple):
    """AP50 as read and repaired, on how many images; what chance reaches, and the standard error of the gain."""

    now: float
    then: float
    images: int
    chance: float  # AP50 of the repaired boxes on other images than theirs
    error: float

    @property
    def real(self) -> bool:
        """Whether the repair explains the score: more than a little, more than chance, more than noise."""
        more = self.then - max(self.now, self.chance)
        return self.then >= FLOOR and more >= LEAST and self.then - self.now >= ERRORS * self.error

    def evidence(self, under: str = "") -> Evidence:
        """For a diagnosis."""
        return Evidence(f"AP50 on {self.images:,} images{under}", self.now, self.then)


def gain(before: Tables, after: Tables, chance: bool = False) -> Gain:
    """What the tables after a repair gain over those before it; with `chance`, also what it gains on other images."""
    then, now = _aligned(after), _aligned(before)
    if then is None:
        return Gain(0.0 if now is None else ap50(some(now)[0]), 0.0, 0, 0.0, 0.0)
    wanted = _with_detections(then, chosen(then)[0])
    was, became = _of(now, wanted), part(then, wanted)  # so that groups are taken of little
    low, high = ap50(was), ap50(became)
    images = int(wanted[: then.known_images].sum())
    made = Gain(low, high, images, 0.0, 0.0)
    if not made.real:
        return made
    if chance:
        elsewhere = [ap50(_of(moved, wanted)) for moved in _elsewhere(before, after, then)]
        made = made._replace(chance=max(elsewhere, default=0.0))
    return made._replace(error=_error(was, became, wanted)) if made.real else made


def ap50_of(aligned: Aligned) -> tuple[float, float]:
    """AP50 of the two sides, and the share of the images that were evaluated for it."""
    wanted, share = chosen(aligned)
    return ap50(part(aligned, _with_detections(aligned, wanted))), share


def ap50(aligned: Aligned | None) -> float:
    """AP50 with classes; 0 where the sides do not join."""
    if aligned is None or not len(aligned.detections):
        return 0.0
    value = float(evaluate_tables(aligned, FIFTY)["AP"])
    return 0.0 if np.isnan(value) else value


def some(aligned: Aligned) -> tuple[Aligned, float]:
    """The sides, or of large ones a part of the images; and the share of the images."""
    wanted, share = chosen(aligned)
    return (aligned, 1.0) if share == 1 else (part(aligned, wanted), share)


def chosen(aligned: Aligned) -> tuple[Bools, float]:
    """The images to evaluate (the last entry stands for none), and their share."""
    n = max(len(aligned.detections), len(aligned.truth))
    step = max(1, -(-n // ENOUGH))
    wanted: Bools = np.zeros(len(aligned.truth.images) + 1, np.bool_)
    wanted[:-1:step] = True
    return wanted, 1 / step


def part(aligned: Aligned, wanted: Bools) -> Aligned:
    """Some images of both sides."""
    return replace(
        aligned,
        truth=select(aligned.truth, wanted[aligned.truth.image]),
        detections=select(aligned.detections, wanted[aligned.detections.image]),
    )


def _with_detections(aligned: Aligned, wanted: Bools) -> Bools:
    """Of the images those with detections, where most with objects have none: they are another matter."""
    n = len(wanted) - 1
    objects, boxes = (per_image(table, n) > 0 for table in (aligned.truth, aligned.detections))
    return wanted & np.append(boxes, False) if (objects & boxes).sum() < 0.5 * objects.sum() else wanted


def _aligned(tables: Tables) -> Aligned | None:
    assert tables.detections is not None
    try:
        return align(tables.truth, tables.detections)
    except InputError:
        return None


def _of(aligned: Aligned | None, wanted: Bools) -> Aligned | None:
    """Some images, known by their place among the truth's; those that only one of two tables has are left out."""
    if aligned is None:
        return None
    own: Bools = np.zeros(len(aligned.truth.images) + 1, np.bool_)
    n = min(aligned.known_images, len(wanted) - 1)
    own[:n] = wanted[:n]
    return part(aligned, own)


def _elsewhere(before: Tables, after: Tables, then: Aligned) -> Iterator[Aligned]:
    """The repaired rows on other images: what they reach there is chance."""
    n = then.known_images
    objects = changed(before.truth, after.truth)
    assert before.detections is not None
    assert after.detections is not None
    found = changed(before.detections, after.detections)
    for by in dict.fromkeys(round(n * share) for share in MOVES):
        if not 0 < by < n:
            continue
        yield replace(
            then,
            truth=replace(then.truth, image=_moved(then.truth, objects, by, n)),
            detections=replace(then.detections, image=_moved(then.detections, found, by, n)),
        )


def _moved(table: Truth | Detections, rows: Bools, by: int, n: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    known = rows & (table.image >= 0) & (table.image < n)
    return np.where(known, (table.image + by) % n, table.image).astype(np.int32)


def changed(a: Truth | Detections, b: Truth | Detections) -> Bools:
    """Which rows differ in box, class, image or score; all of them where classes or images are other lists."""
    if a is b:
        return np.zeros(len(b), np.bool_)
    if len(a) != len(b) or a.classes is not b.classes or a.images is not b.images:
        return np.ones(len(b), np.bool_)
    differ: Bools = (a.corners != b.corners).any(axis=1) | (a.label != b.label) | (a.image != b.image)
    return differ | (a.score != b.score) if isinstance(a, Detections) and isinstance(b, Detections) else differ


def _error(now: Aligned | None, then: Aligned, wanted: Bools) -> float:
    """The standard error of the gain, from its values on groups of images; 0 where there are less than three."""
    with_objects = np.bincount(then.truth.image[then.truth.image >= 0], minlength=len(wanted) - 1) > 0
    images = np.flatnonzero(with_objects & wanted[:-1])
    groups = min(GROUPS, len(images))
    if groups < 3:
        return 0.0
    gains = []
    for k in range(groups):
        group: Bools = np.zeros(len(wanted), np.bool_)
        group[images[k::groups]] = True
        gains.append(ap50(_of(then, group)) - ap50(_of(now, group)))
    return float(np.std(gains, ddof=1)) / float(np.sqrt(groups))


def confirmed(found: Sequence[Diagnosis], now: Tables, aligned: Aligned | None) -> list[Diagnosis]:
    """The diagnoses, without the repairs that do not gain what they claim."""
    if aligned is None or now.detections is None:
        return list(found)
    return [one for one in (_confirmed(one, now) for one in found) if one is not None]


def _confirmed(one: Diagnosis, now: Tables) -> Diagnosis | None:
    if one.fix is None or not one.mends:
        return one
    claim = CLAIMS.get(one.code, "")
    if not claim:
        return one
    made = gain(now, one.fix(now))
    if claim == "gain" and made.real:
        return replace(one, evidence=(made.evidence(), *one.evidence))
    if claim == "no loss" and made.then >= made.now:
        return one
    return None if one.code in INFERRED else replace(one, fix=None, option="")
