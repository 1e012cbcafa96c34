"""The rows of two tables by class and image."""

from __future__ import annotations

import math
from dataclasses import fields, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boxscore import _core
from boxscore.evaluation.memo import Shared
from boxscore.tables.masks import Masks
from boxscore.tables.model import (
    Detections,
    Floats,
    Images,
    Indices,
    Ints,
    Table,
    Truth,
    arrays_of,
    empty,
    others_of,
    thread_count,
)
from boxscore.tables.shapes import Attributes, Shapes
from boxscore.tables.tubes import Tubes

_ROW_BYTES = (1, 2, 4, 8, 32)  # of columns that the kernel moves; few tables have others


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

    def detection_index(self) -> Ints:
        """Where each detection of the cells stands in `detections`."""
        return np.arange(len(self.row)) if self.laid_out else self.row.astype(np.int64)

    def object_index(self) -> Ints:
        """Where each object of the cells stands in `truth`."""
        return np.arange(len(self.object_row)) if self.laid_out else self.object_row.astype(np.int64)

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

    columns = [getattr(table, f.name) for table in (truth, detections) for f in fields(table)]
    moved = tuple(
        column for column in columns if isinstance(column, (np.ndarray, Shapes, Masks, Tubes, Attributes, Images))
    )
    return shared.once(("grouped", len(truth.classes)), moved, made)


def _laid_out(
    table: Table, rows: npt.NDArray[np.uint32], threads: int, known: dict[str, npt.NDArray[Any] | None]
) -> Table:
    """The given rows of a table; some columns are `known`. Positions are those in the table that they come from."""
    columns: dict[str, Any] = {"position": rows}
    for name, column in arrays_of(table).items():
        if name != "position":
            made = known.get(name)
            columns[name] = taken(column, rows, threads) if made is None else made
    return replace(table, **columns, **others_of(table, rows))


def taken(column: npt.NDArray[Any], rows: npt.NDArray[np.uint32], threads: int) -> npt.NDArray[Any]:
    """The given rows of a column."""
    if column.itemsize * math.prod(column.shape[1:]) not in _ROW_BYTES:
        return column[rows]
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
