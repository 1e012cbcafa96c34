"""Attempts to read boxes another way: every reading on a sample, and what explains most."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from boxscore.checkup.parts import CLEAR, FEW, AnyInts, Part, cuts, everything, kinds, misread_parts
from boxscore.checkup.readings import Reading, factors, lengths, near, scaled_by, stretched
from boxscore.checkup.sampling import Sample
from boxscore.checkup.sound import ODD, believable, odd_boxes
from boxscore.joining.align import Aligned
from boxscore.tables.model import Bools, Detections, Floats, Ints, Truth

BETTER = 0.12  # by so much the mean best overlap must rise
POOR = 0.45  # mean best overlap below which readings that are rare are tried
BAD = 0.4  # the same for a part
_ANNOTATED = 0.02  # truth is wrong more rarely than detections are
_PARTLY = 0.01  # parts are wrong more rarely than the whole
_INSIDE = 0.2  # what speaks for boxes that lie in their images
_ENDED = 0.3  # what speaks against width and height read as corners where no box ends before it begins
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


class Attempt:
    """The readings tried so far on a sample.

    `agreeing` also tries truth that is sound as it is read, to say how the sides would agree.
    """

    def __init__(self, made: Sample, agreeing: bool = False) -> None:
        self.made, self.agreeing = made, agreeing
        self.rows = {"detections": made.detection, "truth": made.object}
        self.tables: dict[str, Truth | Detections] = {
            "detections": made.aligned.detections, "truth": made.aligned.truth,
        }  # fmt: skip
        self.corners = {side: table.corners[self.rows[side]] for side, table in self.tables.items()}
        self.sizes = {side: sizes_of(made.aligned, table, self.rows[side]) for side, table in self.tables.items()}
        self.odd = {side: self._odd(side, self.corners[side]) for side in SIDES}
        self.inside = {side: _inside(self.corners[side], self.sizes[side]) for side in SIDES}
        self.ended = {side: int((c[:, 2:] < c[:, :2]).any(axis=1).sum()) for side, c in self.corners.items()}
        self.tried: list[Tried] = []

    def add(self, readings: Iterable[Reading], sides: Iterable[str]) -> None:
        """Tries readings on sides."""
        for side in sides:
            if side == "truth" and not self.odd[side].any() and not self.agreeing:
                continue  # truth that is sound is right
            sizes = self.sizes[side]
            unknown = np.ones((len(self.rows[side]), 2))
            for reading in readings:
                if reading.sized and sizes is None:
                    continue
                undone = reading.undo(self.corners[side], unknown if sizes is None else sizes)
                best = self.made.best(**{"found" if side == "detections" else "objects": undone})
                more = _inside(undone, sizes) - self.inside[side]
                worth = best - self.made.best_now + _INSIDE * (more if side == "detections" else more.mean())
                cost = reading.cost + _ANNOTATED * (side == "truth")
                if reading.code == "BOX103" and self.ended[side] < 3:
                    cost += _ENDED  # larger boxes always overlap more
                self.tried.append(Tried(reading, side, best, worth - cost))

    def search(self) -> None:
        """Tries lengths and factors that nobody knows, then ever closer around the best of each."""
        known = list(lengths()) if self.sizes["detections"] is not None else []
        begin = len(self.tried)
        self.add((family(length, True) for family, length in known), SIDES[:1])
        gained = [_gained(one) for one in self.tried[begin:]]
        for top in np.argsort(gained)[::-1][:3].tolist():
            family, length = known[top]
            self.add(near(family, length, 0.05), SIDES[:1])
            self.add(near(family, length, 0.01), SIDES[:1])
        self._search_frames()
        begin = len(self.tried)
        self.add([scaled_by(factor) for factor in factors()], SIDES[:1])
        best = max(self.tried[begin:], key=_gained)
        factor = float(best.reading.text.rpartition(" ")[2])
        self.add([scaled_by(round(factor * (1 + k / 200), 3)) for k in range(-8, 9)], SIDES[:1])

    def _search_frames(self) -> None:
        """Tries to stretch images to a width and a height, first those that make boxes lie as objects do."""
        sizes = self.sizes["detections"]
        objects, whole = self.corners["truth"], self.sizes["truth"]
        if sizes is None or whole is None:
            return
        usual = np.quantile(objects[:, 2:] / whole, (0.5, 0.8, 0.95), axis=0)
        for members in self._bad_parts():
            there = np.quantile(self.corners["detections"][members, 2:], (0.5, 0.8, 0.95), axis=0)
            width, height = np.median(there / np.maximum(usual, 1e-9), axis=0).tolist()
            if min(width, height) < 8:
                continue
            for step, reach in ((0.08, 2), (0.03, 1), (0.01, 1)):
                begin, turns = len(self.tried), range(-reach, reach + 1)
                frames = [(width * (1 + step * i), height * (1 + step * j)) for i in turns for j in turns]
                self.add([stretched(float(round(w)), float(round(h)), True) for w, h in frames], SIDES[:1])
                gained = [float(one.worth[members].sum()) for one in self.tried[begin:]]
                width, height = frames[int(np.argmax(gained))]

    def _bad_parts(self) -> list[Bools]:
        """All detections, and of each division the largest part that fits badly."""
        best, parts = self.made.best_now, list[Bools]()
        for of, count in self._divisions():
            size = np.bincount(of[of >= 0], minlength=count)
            means = np.bincount(of[of >= 0], weights=best[of >= 0], minlength=count) / np.maximum(size, 1)
            bad = np.flatnonzero((size >= FEW) & (means < BAD))
            parts += [of == k for k in bad[np.argsort(-size[bad], kind="stable")][:1].tolist()]
        return [np.ones(len(best), np.bool_), *parts]

    def _divisions(self) -> list[tuple[AnyInts, int]]:
        """The sample by quarters of the images, by class and by folder."""
        quarter = np.argsort(np.argsort(self.made.image, kind="stable")) * 4 // max(len(self.made), 1)
        return [(quarter, 4), *((kind.of, kind.count) for kind in kinds(self.made))]

    def explanation(self) -> Explanation | None:
        """What explains most: a reading of everything, else of a part whose rest fits as it is read.

        Where the truth alone cannot be right as it is, its readings come first.
        """
        if not self.sound("truth") and self.sound("detections"):
            one = self._best([t for t in self.tried if t.side == "truth"])
            if one is not None:
                return one
        return self._best(self.tried)

    def _best(self, tried: list[Tried]) -> Explanation | None:
        if not tried:
            return None
        made, worths = self.made, np.stack([one.worth for one in tried])
        best, means = None, worths.mean(axis=1)
        for top in np.argsort(-means, kind="stable").tolist():
            one = Explanation(tried[top], everything(made), float(means[top]))
            if one.worth <= 0 or self._believed(one):
                best = one if one.worth > 0 and self._clear(one) else None
                break
        found = [pair for kind in kinds(made) for pair in misread_parts(made, kind, worths)]
        for r, part in (*found, *cuts(made, worths)):
            share = float(part.members.mean())
            worth = float(worths[r][part.members].sum()) / len(made) - _PARTLY
            one = Explanation(tried[r], part, worth)
            least = 0.0 if best is None else best.worth / (1.0 if best.part.title else 0.93)
            if worth > least and share < 0.93 and self._clear(one) and self._believed(one):
                best = one
        return best

    def sound(self, side: str) -> bool:
        """Whether the boxes of a side can be right as they are read."""
        return float(self.odd[side].sum()) <= ODD * len(self.odd[side])

    def _odd(self, side: str, corners: Floats, rows: Bools | None = None) -> Bools:
        """Which boxes of a side cannot be right, with these corners; of some rows of the sample."""
        some: Bools = np.ones(len(self.rows[side]), np.bool_) if rows is None else rows
        table, sizes = self.tables[side], self.sizes[side]
        area = table.area[self.rows[side]][some] if isinstance(table, Truth) and not table.relative else None
        return odd_boxes(corners, None if sizes is None else sizes[some], side, area)

    def _believed(self, one: Explanation) -> bool:
        """Whether boxes are no odder read so."""
        side, sizes = one.tried.side, self.sizes[one.tried.side]
        rows = one.part.rows(self.tables[side])[self.rows[side]]
        if not rows.any():
            return False
        corners = self.corners[side][rows]
        undone = one.tried.reading.undo(corners, np.ones((len(corners), 2)) if sizes is None else sizes[rows])
        now, then = (float(self._odd(side, c, rows).mean()) for c in (corners, undone))
        return then <= ODD if self.agreeing else believable(side, now, then)

    def _clear(self, one: Explanation) -> bool:
        """Whether boxes fit so much better that chance is no explanation."""
        now, then = (float(v[one.part.members].mean()) for v in (self.made.best_now, one.tried.best))
        if not one.part.title:
            return then - now > BETTER and then > 1.3 * now
        return then - now > CLEAR and then > max(1.5 * now, 0.35)

    def reached(self, one: Explanation | None) -> Floats:
        """The best overlap of each detection, under an explanation if there is one."""
        best = self.made.best_now
        return best if one is None else np.where(one.part.members, one.tried.best, best)

    def poor(self, one: Explanation | None) -> bool:
        """Whether boxes of all, or of any part, still fit badly."""
        best = self.reached(one)
        if best.mean() < POOR or (one is not None and one.tried.reading.code in ("BOX108", "BOX109")):
            return True
        for of, count in self._divisions():
            size = np.bincount(of[of >= 0], minlength=count)
            means = np.bincount(of[of >= 0], weights=best[of >= 0], minlength=count) / np.maximum(size, 1)
            if ((size >= FEW) & (means < BAD)).any():
                return True
        return False


def _gained(one: Tried) -> float:
    """What the detections gain that a reading helps; it may be meant for a part of them."""
    return float(np.maximum(one.worth, 0).sum())


def sizes_of(aligned: Aligned, table: Truth | Detections, rows: Ints) -> Floats | None:
    """Width and height of the image of each row; None where they are not all known."""
    images = aligned.truth.images
    if table.relative:
        return np.ones((len(rows), 2))
    if images.width is None or images.height is None:
        return None
    sizes = np.stack([images.width, images.height], axis=1)[table.image[rows]]
    return sizes if bool(np.isfinite(sizes).all() and (sizes > 0).all()) else None


def _inside(box: Floats, sizes: Floats | None) -> Floats:
    """Which boxes lie in their images, where sizes are known; most right ones do."""
    if sizes is None:
        return np.zeros(len(box))
    x0, y0, x1, y1 = box.T
    fits = (x1 > x0) & (y1 > y0) & (x0 > -2) & (y0 > -2) & (x1 < sizes[:, 0] + 2) & (y1 < sizes[:, 1] + 2)
    return np.asarray(fits, np.float64)
