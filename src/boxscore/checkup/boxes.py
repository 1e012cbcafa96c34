"""Boxes that are misread, all of them or a part: found by trying every other reading."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from boxscore.align import Aligned
from boxscore.checkup.parts import CLEAR, Part, cut_at, cuts, everything, kinds, misread_parts
from boxscore.checkup.readings import Reading, double, factors, lengths, near, scaled_by, single
from boxscore.checkup.sample import Sample, sample
from boxscore.diagnosis import Diagnosis, Evidence, Tables, diagnosis
from boxscore.model import Bools, Detections, Floats, Ints, Truth

BETTER = 0.12  # by so much the mean best overlap must rise
GOOD = 0.7  # mean best overlap from which no further reading is tried
POOR = 0.55  # below it, mistakes on top of one another are tried
_ANNOTATED = 0.02  # truth is wrong more rarely than detections are
_PARTLY = 0.01  # parts are wrong more rarely than the whole
_INSIDE = 0.2  # what speaks for boxes that lie in their images
SIDES = ("detections", "truth")


class Tried(NamedTuple):
    """A reading that was tried on one side: the best overlap of each detection under it, and what speaks for it."""

    reading: Reading
    side: str
    best: Floats
    worth: Floats


class Explanation(NamedTuple):
    """A reading of some of the boxes, and what it is worth over all detections of the sample."""

    tried: Tried
    part: Part
    worth: float


def misread(made: Sample) -> Diagnosis | None:
    """The reading of all boxes, or of a part, under which boxes fit much better."""
    if len(made) < 3:
        return None
    attempt = Attempt(made)
    attempt.add(single(), SIDES)
    chosen = attempt.explanation()
    if attempt.reached(chosen) < GOOD:
        attempt.search()
        chosen = attempt.explanation()
        if attempt.reached(chosen) < POOR:
            attempt.add(double(), SIDES[:1])
            chosen = attempt.explanation()
    return None if chosen is None else _said(made, _with_exact_cut(made, chosen))


class Attempt:
    """The readings tried so far on a sample."""

    def __init__(self, made: Sample) -> None:
        self.made = made
        self.rows = {"detections": made.detection, "truth": made.object}
        tables: dict[str, Truth | Detections] = {"detections": made.aligned.detections, "truth": made.aligned.truth}
        self.corners = {side: table.corners[self.rows[side]] for side, table in tables.items()}
        self.sizes = {side: sizes_of(made.aligned, table, self.rows[side]) for side, table in tables.items()}
        self.inside = {side: _inside(self.corners[side], self.sizes[side]) for side in SIDES}
        self.tried: list[Tried] = []

    def add(self, readings: Iterable[Reading], sides: Iterable[str]) -> None:
        """Tries readings on sides."""
        for side in sides:
            sizes = self.sizes[side]
            unknown = np.ones((len(self.rows[side]), 2))
            for reading in readings:
                if reading.sized and sizes is None:
                    continue
                undone = reading.undo(self.corners[side], unknown if sizes is None else sizes)
                best = self.made.best(**{"found" if side == "detections" else "objects": undone})
                more = _inside(undone, sizes) - self.inside[side]
                worth = best - self.made.best_now + _INSIDE * (more if side == "detections" else more.mean())
                self.tried.append(Tried(reading, side, best, worth - reading.cost - _ANNOTATED * (side == "truth")))

    def search(self) -> None:
        """Tries lengths and factors that nobody knows, then ever closer around the best of each."""
        known = list(lengths()) if self.sizes["detections"] is not None else []
        begin = len(self.tried)
        self.add((family(length, True) for family, length in known), SIDES[:1])
        means = [float(one.worth.mean()) for one in self.tried[begin:]]
        tops = [max(range(begin, begin + len(known)), key=lambda i: means[i - begin], default=0)] if known else []
        tops += [i + begin for i in np.argsort(means)[::-1][:2].tolist() if i + begin not in tops]
        for top in tops:
            family, length = known[top - begin]
            self.add(near(family, length, 0.05), SIDES[:1])
            self.add(near(family, length, 0.01), SIDES[:1])
        begin = len(self.tried)
        self.add([scaled_by(factor) for factor in factors()], SIDES[:1])
        best = max(self.tried[begin:], key=lambda one: float(one.worth.mean()))
        factor = float(best.reading.text.rpartition(" ")[2])
        self.add([scaled_by(round(factor * (1 + k / 200), 3)) for k in range(-8, 9)], SIDES[:1])

    def explanation(self) -> Explanation | None:
        """What explains most: a reading of everything, else of a part whose rest fits as it is read."""
        made, worths = self.made, np.stack([one.worth for one in self.tried])
        whole = everything(made)
        top = int(worths.mean(axis=1).argmax())
        best = Explanation(self.tried[top], whole, float(worths[top].mean()))
        if not self._clear(best):
            best = best._replace(worth=0.0)
        found = [pair for kind in kinds(made) for pair in misread_parts(made, kind, worths)]
        for r, part in (*found, *cuts(made, worths)):
            share = float(part.members.mean())
            worth = float(worths[r][part.members].sum()) / len(made) - _PARTLY
            one = Explanation(self.tried[r], part, worth)
            if (
                worth > max(best.worth / (0.93 if not best.part.title else 1.0), 0.0)
                and share < 0.93
                and self._clear(one)
            ):
                best = one
        return best if best.worth > 0 else None

    def _clear(self, one: Explanation) -> bool:
        """Whether boxes fit so much better that chance is no explanation."""
        now, then = (float(v[one.part.members].mean()) for v in (self.made.best_now, one.tried.best))
        if not one.part.title:
            return then - now > BETTER and then > 1.3 * now
        return then - now > CLEAR and then > max(1.5 * now, 0.35)

    def reached(self, one: Explanation | None) -> float:
        """The mean best overlap, under an explanation if there is one."""
        best = self.made.best_now
        return float((best if one is None else np.where(one.part.members, one.tried.best, best)).mean())


def _with_exact_cut(made: Sample, one: Explanation) -> Explanation:
    """An explanation whose part begins or ends at an image, with that image looked for between those of the sample."""
    side, at = one.part.cut
    if not side:
        return one
    low, high = max([-1, *made.image[made.image < at].tolist()]) + 1, at
    while high > low:
        closer = sample(made.aligned, between=(low, high))
        if not len(closer):
            break
        attempt = Attempt(closer)
        attempt.add([one.tried.reading], [one.tried.side])
        sign = 1 if side == "from" else -1
        order = np.unique(closer.image)
        gains = np.array([float(attempt.tried[0].worth[closer.image == i].sum()) * sign for i in order.tolist()])
        after = np.append(np.cumsum(gains[::-1])[::-1], 0.0)  # what the images from each on gain
        cut = int(after.argmax())
        low, high = (int(order[cut - 1]) + 1 if cut else low), (int(order[cut]) if cut < len(order) else high)
        if len(closer.aligned.truth.images) and len(order) < 2:
            break
    return one._replace(part=cut_at(made, side, high))


def sizes_of(aligned: Aligned, table: Truth | Detections, rows: Ints) -> Floats | None:
    """Width and height of the image of each row; None where they are not all known."""
    images = aligned.truth.images
    if images.width is None or images.height is None:
        return None
    sizes = np.stack([images.width, images.height], axis=1)[table.image[rows]]
    return sizes if bool(np.isfinite(sizes).all() and (sizes > 0).all()) else None


def _inside(box: Floats, sizes: Floats | None) -> Floats:
    """Which boxes lie in their images, where sizes are known; most right ones do."""
    if sizes is None:
        return np.zeros(len(box))
    real = (box[:, 2:] > box[:, :2]).all(axis=1)
    fits = np.logical_and.reduce([real, (box[:, :2] > -2).all(axis=1), (box[:, 2:] < sizes + 2).all(axis=1)])
    return np.asarray(fits, np.float64)


def _said(made: Sample, one: Explanation) -> Diagnosis:
    reading, side, best, _ = one.tried
    members = cut_members(made, one.part)
    now, then = made.best_now[members], best[members]
    evidence = (
        Evidence("mean overlap with the nearest object", float(now.mean()), float(then.mean())),
        Evidence("share of boxes that fit (overlap 0.5)", float((now >= 0.5).mean()), float((then >= 0.5).mean())),
    )
    table: Truth | Detections = made.aligned.truth if side == "truth" else made.aligned.detections
    rows = one.part.rows(table)
    part = f" {one.part.title}" if one.part.title else ""
    return diagnosis(
        reading.code, int(rows.sum()), f"the boxes of the {side}{part} are {reading.text}", side=side,
        evidence=evidence, examples=_examples(made, one, members),
        option=f"--{side}-box {reading.option}" if reading.option and not part else "",
        fix=partial(undone, side=side, rows=rows, undo=reading.undo),
    )  # fmt: skip


def cut_members(made: Sample, part: Part) -> Bools:
    """The members of a part, at least one."""
    return part.members if part.members.any() else np.ones(len(made), np.bool_)


def _examples(made: Sample, one: Explanation, members: Bools) -> tuple[str, ...]:
    """Boxes that fit well the other way, before and after."""
    side = one.tried.side
    table: Truth | Detections = made.aligned.truth if side == "truth" else made.aligned.detections
    chosen = np.flatnonzero(members & (one.tried.best > 0.5))
    chosen = chosen[np.argsort(-one.tried.worth[chosen], kind="stable")][:3]
    if side == "truth":
        return ()
    rows = made.detection[chosen]
    sizes = sizes_of(made.aligned, table, rows)
    after = one.tried.reading.undo(table.corners[rows], np.ones((len(rows), 2)) if sizes is None else sizes)
    keys = made.aligned.truth.images.key
    return tuple(
        f"record {int(table.position[row])}, image {keys[table.image[row]]}: corners "
        f"{_numbers(table.corners[row])} become {_numbers(box)}"
        for row, box in zip(rows.tolist(), after, strict=True)
    )


def _numbers(box: Floats) -> str:
    return " ".join(f"{value:.5g}" for value in box)


def undone(tables: Tables, side: str, rows: Bools, undo: Callable[[Floats, Floats], Floats]) -> Tables:
    """The tables with a reading of some rows undone."""
    truth, found = tables
    table: Truth | Detections | None = truth if side == "truth" else found
    assert table is not None
    images = truth.images
    unknown = np.ones(len(images) + 1)
    width = unknown if images.width is None else np.append(images.width, 1.0)
    height = unknown if images.height is None else np.append(images.height, 1.0)
    place = table.image[rows]
    place = np.where((place >= 0) & (place < len(images)), place, len(images))
    corners = table.corners.copy()
    corners[rows] = undo(table.corners[rows], np.stack([width[place], height[place]], axis=1))
    area = (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1])
    made = replace(table, corners=corners, box_area=np.where(rows, area, table.box_area))
    return Tables(made, found) if isinstance(made, Truth) else Tables(truth, made)
