"""The rows of two tables by class and image, and a memory for what protocols that see the same rows share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from boxscore import _core
from boxscore.model import Detections, Floats, Indices, Ints, Truth, empty, thread_count
from boxscore.protocols import Protocol

Made = TypeVar("Made")


class Shared:
    """A memory of pure functions: what is asked for again over the same columns is not made again.

    With several protocols to come, also what pays only then is made, for thresholds from the lowest of them on.
    """

    def __init__(self, protocols: Sequence[Protocol] = ()) -> None:
        self.several = len(protocols) > 1
        self.least = min(map(_least, protocols), default=0.0)
        self.lowering = [p for p in protocols if p.iou_margin]  # those with thresholds of an object's own
        self._made: dict[tuple[Any, ...], tuple[tuple[Any, ...], Any]] = {}

    def serves(self, protocol: Protocol) -> bool:
        """Whether a protocol looks at no pair below the thresholds that this was made for."""
        own = (protocol.iou_margin, protocol.overlap)
        known = not protocol.iou_margin or own in [(p.iou_margin, p.overlap) for p in self.lowering]
        return not self.several or (_least(protocol) >= self.least and known)

    def once(self, what: tuple[Any, ...], columns: tuple[Any, ...], make: Callable[[], Made]) -> Made:
        """The value of `make`, which depends on nothing but `what` and the columns."""
        if (known := self.known(what, columns)) is None:
            known = self.keep(what, columns, make())
        made: Made = known
        return made

    def known(self, what: tuple[Any, ...], columns: tuple[Any, ...]) -> Any:
        """What was made before; None if nothing was."""
        return self._made.get((*what, *map(id, columns)), (None, None))[1]

    def keep(self, what: tuple[Any, ...], columns: tuple[Any, ...], made: Made) -> Made:
        """Remembers a value; the columns are kept too, so that no others get their identity."""
        self._made[(*what, *map(id, columns))] = columns, made
        return made


class Rows(NamedTuple):
    """Detections in the order (class, image, descending score, row)."""

    row: npt.NDArray[np.uint32]
    image: Indices  # rank of the image in the official order
    score: Floats

    @staticmethod
    def empty(n: int) -> Rows:
        """Room for so many."""
        return Rows(empty(n, np.uint32), empty(n, np.int32), empty(n))

    def cut(self, n: int) -> Rows:
        """The first n."""
        return Rows(self.row[:n], self.image[:n], self.score[:n])


def _least(protocol: Protocol) -> float:
    return min(min(protocol.iou), protocol.iou_ceiling)


def cells(truth: Truth, detections: Detections, shared: Shared, floor: Callable[[], Floats], threads: int) -> Any:
    """The cells of two tables: the rows of each class in each image, detections by descending score.

    `floor` gives the lowest threshold of each object that anybody will ask for.
    """

    def made() -> Any:
        grouped = _core.cells(
            detections.label, ranked(detections.image, truth), detections.score,
            truth.label, ranked(truth.image, truth),
            labels=len(truth.classes), images=len(truth.images), threads=thread_count(threads),
        )  # fmt: skip
        if shared.several:
            grouped.find_meets(
                detections.corners, detections.box_area, truth.corners, truth.box_area, floor(),
                (truth.flags != 0).view(np.uint8), threads=thread_count(threads),
            )  # fmt: skip
        return grouped

    columns = (detections.label, detections.image, detections.score, truth.label, truth.image, truth.images)
    return shared.once(("cells",), (*columns, detections.corners, truth.corners), made)


def ranked(image: Indices, truth: Truth) -> Indices:
    """Image numbers as ranks in the official order; -1 stays."""
    order = truth.images.order
    if bool(np.all(order[1:] > order[:-1])):
        return image
    ranks = np.empty(len(order) + 1, np.int32)
    ranks[np.argsort(order, kind="stable")] = np.arange(len(order), dtype=np.int32)
    ranks[-1] = -1
    return ranks[image]


class Order(NamedTuple):
    """The rows of each class as they are ranked, and how many of them share their score with another one."""

    row: npt.NDArray[np.uint32]
    tied: Ints


def order_of(
    first: Ints, score: Floats, image: Indices, tie: Ints | None, later_image: bool, shared: Shared, threads: int
) -> Order | None:
    """The ranking of each class; None where making it beforehand does not pay."""
    if not shared.several:
        return None

    def made() -> Order:
        order = Order(empty(len(score), np.uint32), np.empty(len(first) - 1, np.int64))
        other = shared.known(("any order",), (score,))  # by other rules for equal scores
        _core.rank(
            first, score, image, tie, later_image, None if other is None else other.row, order.row, order.tied,
            threads=thread_count(threads),
        )  # fmt: skip
        return shared.keep(("any order",), (score,), order)

    return shared.once(("order", later_image), (score, image, tie), made)
