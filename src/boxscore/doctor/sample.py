"""Some images of both sides, taken apart into pairs once, so that a hundred readings of the boxes can be tried at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from boxscore.align import Aligned
from boxscore.model import Floats, Indices, Ints

MOST = 160  # images
LONG = 40  # objects of an image beyond which only some are looked at


@dataclass(frozen=True, eq=False)
class Sample:
    """The best detections of some images, as many as there are objects, and the objects that each may be.

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

    def best(self, found: Floats | None = None, objects: Floats | None = None) -> Floats:
        """For each detection its largest overlap with any object; with other corners of either side, if given."""
        return np.maximum.reduceat(self.overlaps(found, objects), self.first[:-1]) if len(self) else np.zeros(0)

    def overlaps(self, found: Floats | None = None, objects: Floats | None = None) -> Floats:
        """The overlap of each pair."""
        a, b = self.found if found is None else found, self.objects if objects is None else objects
        return overlap(a[self.pair_detection], b[self.pair_object])


def overlap(a: Floats, b: Floats) -> Floats:
    """Intersection over union of boxes side by side; 0 where there is none.

    >>> overlap(np.array([[0.0, 0.0, 2.0, 2.0]]), np.array([[1.0, 0.0, 3.0, 2.0]]))
    array([0.33333333])
    """
    w = np.minimum(a[:, 2], b[:, 2]) - np.maximum(a[:, 0], b[:, 0])
    h = np.minimum(a[:, 3], b[:, 3]) - np.maximum(a[:, 1], b[:, 1])
    both = np.maximum(w, 0) * np.maximum(h, 0)
    whole = _area(a) + _area(b) - both
    return np.divide(both, whole, out=np.zeros(len(both)), where=whole > 0)


def _area(box: Floats) -> Floats:
    area: Floats = np.maximum(box[:, 2] - box[:, 0], 0) * np.maximum(box[:, 3] - box[:, 1], 0)
    return area


def sample(aligned: Aligned, most: int = MOST, image_of: Ints | None = None) -> Sample:
    """Images that have both objects and detections, spread evenly.

    `image_of` gives detections other images than their own, to try whether they fit there.
    """
    truth, found = aligned.truth, aligned.detections
    own = found.image if image_of is None else image_of
    n = len(truth.images)
    objects = np.bincount(truth.image[truth.image >= 0], minlength=n)
    boxes = np.bincount(own[(own >= 0) & (own < n)], minlength=n)
    both = np.flatnonzero((objects > 0) & (boxes > 0))
    chosen = (
        both[np.unique(np.linspace(0, len(both) - 1, min(most, len(both))).astype(np.int64))] if len(both) else both
    )
    wanted = np.zeros(n + 1, np.bool_)
    wanted[chosen] = True
    by_image = _rows_by_image(truth.image, wanted, n)
    rows = np.flatnonzero(wanted[np.where((own >= 0) & (own < n), own, n)])
    rows = rows[np.lexsort((rows, -found.score[rows], own[rows]))]
    starts = np.flatnonzero(np.append(True, own[rows][1:] != own[rows][:-1])) if len(rows) else rows
    place = np.arange(len(rows)) - np.repeat(starts, np.diff(np.append(starts, len(rows))))
    rows = rows[place < np.minimum(objects[own[rows]], LONG)]
    pairs = [by_image[image] for image in own[rows].tolist()]
    first = np.append(0, np.cumsum([len(p) for p in pairs], dtype=np.int64))
    objects_of, place_of = np.unique(np.concatenate(pairs) if pairs else np.zeros(0, np.int64), return_inverse=True)
    return Sample(aligned, rows, objects_of, place_of, first)


def _rows_by_image(image: Indices, wanted: np.ndarray[tuple[int], np.dtype[np.bool_]], n: int) -> dict[int, Ints]:
    rows = np.flatnonzero(wanted[np.where(image >= 0, image, n)])
    rows = rows[np.argsort(image[rows], kind="stable")]
    edges = np.flatnonzero(np.append(True, image[rows][1:] != image[rows][:-1])) if len(rows) else rows
    parts = np.split(rows, edges[1:])
    return {int(image[part[0]]): part for part in parts if len(part)}
