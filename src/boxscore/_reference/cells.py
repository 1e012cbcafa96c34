"""Cells, defined: the rows of each class in each image, detections by descending score."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boxscore._reference.overlap import Pairs, measured, size_of

Array = npt.NDArray[Any]


class Cell(NamedTuple):
    """One class in one image: its detections and its objects, as places in the order of the cells."""

    label: int
    detections: range
    objects: range


@dataclass(frozen=True)
class Cells:
    """All cells with detections, in the order (class, image)."""

    all: list[Cell]
    objects_first: list[int]  # (classes + 1) where the objects of each class begin

    @property
    def largest(self) -> int:
        """Detections in the fullest cell."""
        return max((len(cell.detections) for cell in self.all), default=0)

    def find_meets(
        self, d_corners: Array, d_area: Array, o_corners: Array, o_area: Array, floor: Array, over: Array,
        threads: int = 1,
    ) -> None:  # fmt: skip
        """The compiled cells remember which boxes may overlap enough; here every pair is looked at each time."""

    def find_pairs(
        self, d_corners: Array | None, o_corners: Array | None, d_rows: Array | None = None,
        o_rows: Array | None = None, d_area: Array | None = None, o_area: Array | None = None,
        floor: Array | None = None, over: Array | None = None, threads: int = 1,
    ) -> tuple[Array, Array]:  # fmt: skip
        """Where the objects of each detection begin, and these: all of its cell, or those that may overlap it.

        Boxes must meet; with `floor`, the overlap that boxes and areas allow must not be below it either. `rows` are
        where the rows of the cells stand in the columns.
        """

        def may(d: int, o: int) -> bool:
            if d_corners is None or o_corners is None:
                return True
            d, o = (i if rows is None else int(rows[i]) for i, rows in ((d, d_rows), (o, o_rows)))
            meet = _meet(d_corners[d], o_corners[o])
            if not meet or floor is None:
                return meet
            assert d_area is not None
            assert o_area is not None
            assert over is not None
            sides = np.minimum(d_corners[d][2:], o_corners[o][2:]) - np.maximum(d_corners[d][:2], o_corners[o][:2])
            both = min(sides[0] * sides[1], d_area[d], o_area[o])
            whole = d_area[d] if over[o] else d_area[d] + o_area[o] - both
            return bool(both >= floor[o] * (1 - 1e-9) * whole)

        found: list[list[int]] = [[] for cell in self.all for _ in cell.detections]
        for cell in self.all:
            for d in cell.detections:
                found[d] = [o for o in cell.objects if may(d, o)]
        first = np.cumsum([0, *map(len, found)], dtype=np.int64)
        return first, np.array([o for some in found for o in some], np.uint32)

    def none_within(
        self, d_corners: Array, d_area: Array | None, d_size: Array | None, o_corners: Array, o_area: Array | None,
        o_size: Array | None, o_role: Array, pair_first: Array | None, pair_object: Array | None,
        pair_shared: Array | None, pair_overlap: Array | None, direct: bool, pixel: float, touching: bool,
        overlaps: Array, sizes: Array, threads: int = 1,
    ) -> bool:  # fmt: skip
        """Whether no overlap of a pair and no size lies in these intervals, the second end of each left out."""
        pairs = measured(pair_first, pair_object, pair_shared, pair_overlap, direct)
        both = Pairs(d_corners, d_area, o_corners, o_area, o_role, pixel, touching, single=False, measured=pairs)
        of_pairs = [both.overlap(d, g) for cell in self.all for d in cell.detections for g in cell.objects]
        of_boxes = [
            size_of(column, corners, row)
            for column, corners in ((d_size, d_corners), (o_size, o_corners))
            for row in range(len(corners))
        ]
        return not any(
            low <= value and not value >= high  # which may be no number: nothing is above it
            for values, intervals in ((of_pairs, overlaps), (of_boxes, sizes))
            for value in values
            for low, high in intervals.tolist()
        )

    def turns(self, score: Array, last_first: bool, rank: Array, threads: int = 1) -> None:
        """When each detection's turn in its cell comes: by descending score, the first or last of equal ones first."""
        for cell in self.all:
            for turn, d in enumerate(in_turn(cell, score, last_first)):
                rank[d] = turn

    def earliest(self, position: Array, least: Array, threads: int = 1) -> None:
        """For each detection the least of the positions in its cell."""
        for cell in self.all:
            least[list(cell.detections)] = min(position[list(cell.detections)])


def _meet(a: Array, b: Array) -> bool:
    """Whether two boxes have a point in common."""
    return bool(min(a[2], b[2]) >= max(a[0], b[0]) and min(a[3], b[3]) >= max(a[1], b[1]))


def in_turn(cell: Cell, score: Array, last_first: bool) -> list[int]:
    """The detections of a cell as they choose."""
    return sorted(cell.detections[::-1] if last_first else cell.detections, key=lambda d: -score[d])  # stable


def cells(
    d_label: Array, d_image: Array, d_score: Array, o_label: Array, o_image: Array, labels: int, images: int,
    threads: int = 1,
) -> tuple[Cells, Array, Array, bool, Array]:  # fmt: skip
    """Cells, the rows of both tables in their order, whether a cell has equal scores, and where classes begin."""
    detections, objects = rows_of(d_label, d_image), rows_of(o_label, o_image)
    made: list[Cell] = []
    order: list[int] = []
    object_order: list[int] = []
    first, objects_first = [0], [0]
    tied = False
    for k in range(labels):
        for i in range(images):
            rows = sorted(detections[k, i], key=lambda r: -d_score[r])  # stable: equal scores keep the order of rows
            tied = tied or len({float(d_score[r]) for r in rows}) < len(rows)
            begin, objects_begin = len(order), len(object_order)
            order += rows
            object_order += objects[k, i]
            if rows:
                made.append(Cell(k, range(begin, len(order)), range(objects_begin, len(object_order))))
        first.append(len(order))
        objects_first.append(len(object_order))
    rows_in_order = np.array(order, np.uint32), np.array(object_order, np.uint32)
    return Cells(made, objects_first), *rows_in_order, tied, np.array(first, np.int64)


def rows_of(label: Array, image: Array) -> defaultdict[tuple[int, int], list[int]]:
    """The rows of each (class, image), ascending; rows without class or image are in none."""
    found: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for r in range(len(label)):
        if label[r] >= 0 and image[r] >= 0:
            found[int(label[r]), int(image[r])].append(r)
    return found
