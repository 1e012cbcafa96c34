"""What remains of matched images: no boxes, mergeable in any order to the same bits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore.evaluation.cuts import cuts
from boxscore.evaluation.match import NO_CAP, Matching, cell_cap
from boxscore.evaluation.ranking import Order
from boxscore.protocols import Protocol
from boxscore.tables.model import Bools, Classes, Floats, Indices, Ints, Truth


@dataclass(frozen=True, eq=False)
class Tally:
    """The verdicts on the detections of some images, and what there was to find in them.

    Detections stand in the order (class, image, descending score, position), so a tally is the same whatever it was
    merged from.
    """

    protocol: Protocol
    classes: Classes
    images: Ints  # ascending: what the official code sorts images by
    first: Ints  # (classes + 1,) rows of each class
    image: Indices  # index into images
    score: Floats
    tie: Ints | None  # what decides between equal scores of a class, ascending; None where the order of rows does
    rank: Indices  # when its turn came in its cell; one that is not below a cap does not count under it
    hits: npt.NDArray[np.unsignedinteger[Any]]  # (n, ranges) bit per threshold
    ignored: npt.NDArray[np.unsignedinteger[Any]]
    credits: npt.NDArray[np.unsignedinteger[Any]] | None  # hits with a weight of their own; None without such
    object_image: Indices
    object_label: Indices
    object_counted: npt.NDArray[np.unsignedinteger[Any]]  # bit per range
    to_find: Ints  # (classes, ranges)
    absorbing: Ints | None  # (classes, ranges) how many of those have a weight of their own
    unknown: int = 0  # bit per range whose numbers cannot be known, because image sizes are not
    order: Order | None = None  # the rows of each class as they are ranked; None: not sorted yet
    unlisted: int = 0  # detections on images that the truth does not list, where the protocol refuses these
    partly: npt.NDArray[np.uint8] | None = None  # (n, ranges) those that count by a share where they are false

    def __len__(self) -> int:
        return len(self.score)

    @staticmethod
    def of(matching: Matching, truth: Truth, protocol: Protocol, unknown: int = 0, unlisted: int = 0) -> Tally:
        """The tally of one matching; `truth` is the table that was matched, `unknown` as `pixels.unknown_ranges`."""
        order = truth.images.order
        ascending = bool(np.all(order[1:] > order[:-1]))
        return Tally(
            protocol,
            truth.classes,
            order if ascending else np.sort(order),
            matching.first,
            matching.image,
            matching.score,
            matching.tie,
            matching.rank,
            matching.hits,
            matching.ignored,
            matching.credits,
            matching.object_image,
            matching.object_label,
            matching.counted,
            matching.to_find,
            matching.absorbing,
            unknown,
            matching.order,
            unlisted,
            matching.partly,
        )

    @property
    def detections(self) -> Ints:
        """How many detections of each class take part: those that are not beyond every cap."""
        counts: Ints = np.diff(self.first)
        if (cap := cell_cap(self.protocol)) < NO_CAP:
            beyond = np.flatnonzero(self.rank >= cap)
            counts -= np.bincount(np.searchsorted(self.first, beyond, "right") - 1, minlength=len(counts))
        return counts

    @property
    def label(self) -> Indices:
        """The class of each detection."""
        return np.repeat(np.arange(len(self.classes), dtype=np.int32), np.diff(self.first))

    @cached_property
    def shares(self) -> Floats | None:
        """What each detection counts in each range where it is false, (n, ranges); None where every one counts 1.

        In an image with objects, the share of these that are outside of the range. In one without, the share of all
        objects that are inside, as if every image without objects had one of size 0.
        """
        if self.partly is None:
            return None
        ranges, at = len(self.protocol.areas), cuts(self.protocol)
        n = np.bincount(self.object_image, minlength=len(self.images))
        made = np.ones(self.partly.shape)
        for a in range(ranges):
            within = (self.object_counted >> self.object_counted.dtype.type(a) & self.object_counted.dtype.type(1)) != 0
            inside = np.bincount(self.object_image[within], minlength=len(self.images))
            empty, zero = int((n == 0).sum()), at.lowest[a] <= 0 <= at.highest[a]
            everywhere = (int(inside.sum()) + empty * zero) / max(len(self.object_image) + empty, 1)
            share = np.where(n > 0, (n - inside) / np.maximum(n, 1), everywhere)
            made[:, a] = np.where(self.partly[:, a] != 0, share[self.image], 1.0)
        return made

    def __add__(self, other: Tally) -> Tally:
        """Both together. They must follow the same rules and have no image in common."""
        if self.protocol != other.protocol:
            raise ValueError(f"{self.protocol.signature()} and {other.protocol.signature()} do not merge")
        if self.classes != other.classes:
            raise ValueError("tallies over different classes do not merge")
        images = self.images if np.array_equal(self.images, other.images) else np.union1d(self.images, other.images)
        a, b = self._over(images), other._over(images)
        shared = a._used() & b._used()
        if shared.any():
            raise ValueError(f"{int(shared.sum())} images are in both tallies, the first is {images[shared.argmax()]}")
        label = np.concatenate([a.label, b.label])
        image, rank = np.concatenate([a.image, b.image]), np.concatenate([a.rank, b.rank])
        order = np.lexsort((image, label))  # stable: cells are whole in one of the two, and keep their order
        objects = np.concatenate([a.object_image, b.object_image])
        object_label = np.concatenate([a.object_label, b.object_label])
        counted = np.concatenate([a.object_counted, b.object_counted])
        by_place = np.lexsort((counted, object_label, objects))

        def joined(name: str) -> npt.NDArray[Any]:
            column: npt.NDArray[Any] = np.concatenate([getattr(a, name), getattr(b, name)])[order]
            return column

        return Tally(
            self.protocol,
            self.classes,
            images,
            a.first + b.first,
            image[order],
            joined("score"),
            None if self.tie is None else joined("tie"),
            rank[order],
            joined("hits"),
            joined("ignored"),
            _credits(a, b)[order] if a.credits is not None or b.credits is not None else None,
            objects[by_place],
            object_label[by_place],
            counted[by_place],
            a.to_find + b.to_find,
            _sum(a.absorbing, b.absorbing),
            a.unknown | b.unknown,
            unlisted=a.unlisted + b.unlisted,
            partly=None if self.partly is None else joined("partly"),
        )

    def _over(self, images: Ints) -> Tally:
        """The same over a longer list of images."""
        if np.array_equal(images, self.images):
            return self
        place = np.append(np.searchsorted(images, self.images), -1).astype(np.int32)
        return replace(self, images=images, image=place[self.image], object_image=place[self.object_image])

    def _used(self) -> Bools:
        """Which images have anything in this tally."""
        used = np.zeros(len(self.images) + 1, np.bool_)
        used[self.image] = True
        used[self.object_image] = True
        return used[:-1]


def _credits(a: Tally, b: Tally) -> npt.NDArray[np.unsignedinteger[Any]]:
    parts = [np.zeros_like(t.hits) if t.credits is None else t.credits for t in (a, b)]
    return np.concatenate(parts)


def _sum(a: Ints | None, b: Ints | None) -> Ints | None:
    return b if a is None else a if b is None else a + b
