"""Some images of both sides, taken apart into pairs once, so that a hundred readings of the boxes can be tried."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from boxscore.joining.align import Aligned
from boxscore.overlaps.boxes import shared_area
from boxscore.tables.model import Bools, Detections, Floats, Indices, Ints, Truth

MOST = 96  # images
PAIRS = 200  # of an image: so many of its best detections are taken
Columns = tuple[Floats, Floats, Floats, Floats]  # x0, y0, x1, y1


@dataclass(frozen=True, eq=False)
class Sample:
    """The best detections of some images, and the objects that each may be.

    Pairs stand detection by detection: those of detection i are `first[i]` to `first[i + 1]`.
    """

    aligned: Aligned
    detection: Ints  # rows of the detections
    object: Ints  # rows of the truth
    pair_object: Ints  # places in `object`
    first: Ints

    def __len__(self) -> int:
        return len(self.detection)

    @cached_property
    def pair_detection(self) -> Ints:
        """The detection of each pair, by its place in the sample."""
        return np.repeat(np.arange(len(self)), np.diff(self.first))

    @cached_property
    def found(self) -> Floats:
        """The corners of the detections."""
        return self.aligned.detections.corners[self.detection]

    @cached_property
    def objects(self) -> Floats:
        """The corners of the objects."""
        return self.aligned.truth.corners[self.object]

    @cached_property
    def image(self) -> Indices:
        """The image of each detection."""
        return self.aligned.detections.image[self.detection]

    @cached_property
    def now(self) -> Floats:
        """The overlap of each pair as it is read."""
        return overlap(self._left, self._right)

    @cached_property
    def best_now(self) -> Floats:
        """For each detection its largest overlap with any object, as it is read."""
        return self.most(self.now)

    @cached_property
    def _left(self) -> Columns:
        return columns(self.found, self.pair_detection)

    @cached_property
    def _right(self) -> Columns:
        return columns(self.objects, self.pair_object)

    def best(self, found: Floats | None = None, objects: Floats | None = None) -> Floats:
        """For each detection its largest overlap with any object; with other corners of either side, if given."""
        a = self._left if found is None else columns(found, self.pair_detection)
        b = self._right if objects is None else columns(objects, self.pair_object)
        return self.most(overlap(a, b))

    def most(self, values: Floats) -> Floats:
        """The largest value of each detection's pairs."""
        most: Floats = np.maximum.reduceat(values, self.first[:-1]) if len(self) else np.zeros(0)
        return most

    @cached_property
    def matched(self) -> tuple[Ints, Ints]:
        """The detections that fit an object by half, by place, and the pair of each with the object that fits best."""
        best = self.best_now
        at = np.flatnonzero((self.now == best[self.pair_detection]) & (self.now >= 0.5))
        at = at[np.append(True, np.diff(self.pair_detection[at]) > 0)] if len(at) else at
        return self.pair_detection[at], at


def columns(corners: Floats, rows: Ints) -> Columns:
    """The corners of some rows, each coordinate in one piece."""
    return corners[rows, 0], corners[rows, 1], corners[rows, 2], corners[rows, 3]


def overlap(a: Columns, b: Columns) -> Floats:
    """Intersection over union of boxes side by side; 0 where there is none.

    >>> overlap(columns(np.array([[0.0, 0, 2, 2]]), np.array([0])), columns(np.array([[1.0, 0, 3, 2]]), np.array([0])))
    array([0.33333333])
    """
    both = shared_area(a, b)
    whole = _area(a) + _area(b) - both
    share: Floats = both / np.maximum(whole, 1e-300)
    return share


def _area(box: Columns) -> Floats:
    area: Floats = np.maximum(box[2] - box[0], 0) * np.maximum(box[3] - box[1], 0)
    return area


def sample(
    aligned: Aligned,
    most: int = MOST,
    pairs: int = PAIRS,
    between: tuple[int, int] = (0, 1 << 31),
    every: bool = False,
) -> Sample:
    """Images that have both objects and detections, spread evenly over those with numbers in a range.

    Of each image the detections with the best scores, as many as it has objects, or every one.
    """
    truth, found, n = aligned.truth, aligned.detections, aligned.known_images
    objects, boxes = per_image(truth, n), per_image(found, n)
    both = np.flatnonzero((objects > 0) & (boxes > 0))
    both = both[(both >= between[0]) & (both < between[1])]
    chosen = both[np.linspace(0, len(both) - 1, min(most, len(both))).astype(np.int64)]
    ours, theirs = _rows(truth.image, chosen, n), _rows(found.image, chosen, n)
    theirs = theirs[np.lexsort((theirs, -found.score[theirs], found.image[theirs]))]
    of_image = np.zeros(n, np.int64)
    of_image[chosen] = np.arange(len(chosen))
    count, start = objects[chosen], np.append(0, np.cumsum(objects[chosen]))
    group = of_image[found.image[theirs]]
    place = np.arange(len(theirs)) - np.append(0, np.cumsum(np.bincount(group, minlength=len(chosen))))[group]
    kept = place < np.clip(pairs // np.maximum(count, 1), 2, np.maximum(count, 2))[group]
    theirs, group = (theirs, group) if every else (theirs[kept], group[kept])
    first = np.append(0, np.cumsum(count[group]))
    pair_object = np.arange(first[-1]) - np.repeat(first[:-1], count[group]) + np.repeat(start[group], count[group])
    return Sample(aligned, theirs, ours, pair_object, first)


def per_image(table: Truth | Detections, n: int) -> Ints:
    """How many rows each of the first n images has."""
    image = table.image
    usual = len(image) == 0 or (image.min() >= 0 and image.max() < n)
    return np.bincount(image if usual else image[(image >= 0) & (image < n)], minlength=n)


def _rows(image: Indices, chosen: Ints, n: int) -> Ints:
    """The rows of chosen images, image by image."""
    wanted: Bools = np.zeros(max(n, int(image.max(initial=0)) + 1) + 1, np.bool_)
    wanted[chosen] = True
    rows = np.flatnonzero(wanted[image])  # the last one stands for -1, and is not wanted
    return rows[np.argsort(image[rows], kind="stable")]
