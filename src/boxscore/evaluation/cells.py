"""The rows of two tables by class and image, and a memory for what protocols that see the same rows share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from boxscore import _core
from boxscore.protocols import Protocol
from boxscore.tables.model import Detections, Floats, Images, Indices, Ints, Table, Truth, empty, thread_count

Made = TypeVar("Made")


class Shared:
    """A memory of pure functions: what is asked for again over the same columns is not made again.

    With several protocols to come, also what pays only then is made, for thresholds from the lowest of them on. Where
    these are many, there is `room` for the latest values of each kind only.
    """

    def __init__(self, protocols: Sequence[Protocol] = (), room: int | None = None) -> None:
        self.several = len(protocols) > 1
        self.least = min(map(_least, protocols), default=0.0)
        self.lowering = [p for p in protocols if p.iou_margin]  # those with thresholds of an object's own
        self._room = room
        self._made: dict[str, dict[tuple[Any, ...], tuple[tuple[Any, ...], Any]]] = {}  # by kind; the latest last

    def serves(self, protocol: Protocol) -> bool:
        """Whether a protocol looks at no pair below the thresholds that this was made for, in double precision."""
        own = (protocol.iou_margin, protocol.overlap)
        known = not protocol.iou_margin or own in [(p.iou_margin, p.overlap) for p in self.lowering]
        return not self.several or (_least(protocol) >= self.least and known and protocol.overlap != "single")

    def once(self, what: tuple[Any, ...], columns: tuple[Any, ...], make: Callable[[], Made]) -> Made:
        """The value of `make`, which depends on nothing but `what` and the columns."""
        if (known := self.known(what, columns)) is None:
            known = self.keep(what, columns, make())
        made: Made = known
        return made

    def known(self, what: tuple[Any, ...], columns: tuple[Any, ...]) -> Any:
        """What was made before; None if nothing was."""
        of_kind, key = self._made.get(what[0], {}), (*what, *map(id, columns))
        if key not in of_kind:
            return None
        of_kind[key] = of_kind.pop(key)
        return of_kind[key][1]

    def keep(self, what: tuple[Any, ...], columns: tuple[Any, ...], made: Made) -> Made:
        """Remembers a value; the columns are kept too, so that no others get their identity."""
        of_kind = self._made.setdefault(what[0], {})
        of_kind[(*what, *map(id, columns))] = columns, made
        if self._room is not None and len(of_kind) > self._room:
            del of_kind[next(iter(of_kind))]
        return made


def _least(protocol: Protocol) -> float:
    return min(min(protocol.iou), protocol.iou_ceiling)


class Grouped(NamedTuple):
    """Two tables by cells: their rows by class and image, detections by descending score, then by row.

    Where several protocols are to come, the tables themselves are brought into this order (they are `laid_out`): what
    looks at cell after cell then goes through memory from front to back. Rows without class or image are left out.
    """

    cells: Any
    tied: bool  # whether a cell has equal scores
    row: npt.NDArray[np.uint32]  # where each detection stands, or stood, in its table
    object_row: npt.NDArray[np.uint32]
    first: Ints  # (classes + 1) where the detections of each class begin
    image: Indices  # of each detection: rank of its image in the official order
    score: Floats
    object_image: Indices
    object_label: Indices
    detections: Detections
    truth: Truth
    laid_out: bool

    def rows_in_tables(self) -> dict[str, Any]:
        """Where the kernel finds each detection and object in the columns of the tables."""
        return {"d_rows": None if self.laid_out else self.row, "o_rows": None if self.laid_out else self.object_row}


def grouped(truth: Truth, detections: Detections, shared: Shared, threads: int) -> Grouped:
    """Groups the rows of two tables over the same images and classes."""

    def made() -> Grouped:
        ranks = _ranks(truth.images)
        image, object_image = (t.image if ranks is None else ranks[t.image] for t in (detections, truth))
        cells, row, object_row, tied, first = _core.cells(
            detections.label, image, detections.score, truth.label, object_image,
            labels=len(truth.classes), images=len(truth.images), threads=thread_count(threads),
        )  # fmt: skip
        row_image, score = taken(image, row, threads), taken(detections.score, row, threads)
        objects = {"image": taken(object_image, object_row, threads), "label": taken(truth.label, object_row, threads)}
        tables: tuple[Detections, Truth] = detections, truth
        if shared.several:
            numbers = {} if ranks is None else {"image": None}  # ranks are not the numbers of the images
            tables = (
                _laid_out(detections, row, threads, {"image": row_image, "score": score, **numbers}),
                _laid_out(truth, object_row, threads, {**objects, **numbers}),
            )
        return Grouped(
            cells, tied, row, object_row, first, row_image, score, objects["image"], objects["label"], *tables,
            laid_out=shared.several,
        )  # fmt: skip

    columns = [(t.label, t.image, t.corners, t.box_area, t.images) for t in (truth, detections)]
    own = (truth.flags, truth.area, truth.id, detections.score)
    return shared.once(("grouped", len(truth.classes)), (*columns[0], *columns[1], *own), made)


def _laid_out(
    table: Table, rows: npt.NDArray[np.uint32], threads: int, known: dict[str, npt.NDArray[Any] | None]
) -> Table:
    """The given rows of a table, as far as they are evaluated; some columns are `known`. Positions are those in it."""
    columns: dict[str, Any] = {"position": rows}
    for f in fields(table):
        column: Any = getattr(table, f.name)
        if isinstance(column, np.ndarray) and f.name not in ("position", "track"):
            made = known.get(f.name)
            columns[f.name] = taken(column, rows, threads) if made is None else made
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
