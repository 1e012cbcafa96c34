"""The rows of two tables by class and image, and a memory for what protocols that see the same rows share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from boxscore import _core
from boxscore.model import Detections, Images, Indices, Ints, Table, Truth, empty, thread_count
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


def _least(protocol: Protocol) -> float:
    return min(min(protocol.iou), protocol.iou_ceiling)


class Grouped(NamedTuple):
    """Both tables in the order of their cells: by class and image, detections by descending score, then by row.

    What looks at cell after cell then goes through memory from front to back. Rows without class or image are left out.
    """

    cells: Any
    tied: bool  # whether a cell has equal scores
    row: npt.NDArray[np.uint32]  # where each detection stood before
    object_row: npt.NDArray[np.uint32]
    detections: Detections
    truth: Truth
    image: Indices  # of each detection: rank of its image in the official order
    object_image: Indices
    first: Ints  # (classes + 1) where the detections of each class begin


def grouped(truth: Truth, detections: Detections, shared: Shared, threads: int) -> Grouped:
    """Groups the rows of two tables over the same images and classes."""

    def made() -> Grouped:
        ranks = _ranks(truth.images)
        image, object_image = (t.image if ranks is None else ranks[t.image] for t in (detections, truth))
        cells, row, object_row, tied, first = _core.cells(
            detections.label, image, detections.score, truth.label, object_image,
            labels=len(truth.classes), images=len(truth.images), threads=thread_count(threads),
        )  # fmt: skip
        found, objects = _reordered(detections, row, threads), _reordered(truth, object_row, threads)
        image, object_image = (t.image if ranks is None else ranks[t.image] for t in (found, objects))
        return Grouped(cells, tied, row, object_row, found, objects, image, object_image, first)

    columns = [(t.label, t.image, t.corners, t.box_area, t.images) for t in (truth, detections)]
    return shared.once(("grouped",), (*columns[0], *columns[1], detections.score), made)


def _reordered(table: Table, rows: npt.NDArray[np.uint32], threads: int) -> Table:
    """The given rows of a table, as far as they are evaluated; their positions are those in it."""
    columns: dict[str, Any] = {}
    for f in fields(table):
        column: Any = getattr(table, f.name)
        if isinstance(column, np.ndarray) and f.name not in ("position", "track"):
            columns[f.name] = taken(column, rows, threads)
    columns["position"] = rows
    return replace(table, **columns, track=None, shapes=None, attributes=None)


def taken(column: npt.NDArray[Any], rows: npt.NDArray[np.uint32], threads: int) -> npt.NDArray[Any]:
    """The given rows of a column."""
    out = empty((len(rows), *column.shape[1:]), column.dtype)
    _core.take(np.ascontiguousarray(column), rows, out, threads=thread_count(threads))
    return out


def _ranks(images: Images) -> Indices | None:
    """The rank of each image in the official order, and -1 for -1; None where ranks are the numbers of the images."""
    order = images.order
    if bool(np.all(order[1:] > order[:-1])):
        return None
    ranks = np.empty(len(order) + 1, np.int32)
    ranks[np.argsort(order, kind="stable")] = np.arange(len(order), dtype=np.int32)
    ranks[-1] = -1
    return ranks
