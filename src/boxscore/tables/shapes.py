"""What rows have besides a box: polygons, masks, keypoints, oriented boxes as flat arrays, and further statements."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore.tables.runs import Ints as Ints
from boxscore.tables.runs import Runs

Floats = npt.NDArray[np.float64]


class Shape(IntEnum):
    """The kinds of shapes, and what their values are; coordinates are in the unit of the table's boxes."""

    POLYGON = 1  # x y of each corner; an object in several pieces has several polygons
    RLE = 2  # height width; the runs stand in `Shapes.runs`
    QUAD = 3  # x y of the four corners of an oriented box
    KEYPOINTS = 4  # x y visibility of each point (0 not labelled, 1 hidden, 2 visible)
    POLYLINE = 5  # x y of each point
    POINTS = 6  # x y of each point
    CIRCLE = 7  # centre x y, radius
    ELLIPSE = 8  # centre x y, radii, angle in radians
    ORIENTED = 9  # centre x y, width, height, angle in radians, clockwise as seen


@dataclass(frozen=True, eq=False)
class Shapes:
    """The shapes of the rows of a table: row r has the parts `part[r]` to `part[r + 1]`.

    Part p is of kind `kind[p]` and has the numbers `values[value[p] : value[p + 1]]`, a mask also `runs`. Most rows
    have none or one.
    """

    part: Ints  # (rows + 1,)
    kind: npt.NDArray[np.uint8]  # (parts,) of `Shape`
    value: Ints  # (parts + 1,)
    values: Floats
    runs: Runs | None = None  # of each part; none where no part is a mask

    def of(self, row: int) -> list[tuple[Shape, list[float]]]:
        """The shapes of one row; the numbers of a mask go on with the lengths of its runs.

        >>> made = ShapesMaker()
        >>> made.add(1, Shape.POLYGON, [0, 0, 4, 0, 4, 3])
        >>> made.shapes(2).of(1)
        [(<Shape.POLYGON: 1>, [0.0, 0.0, 4.0, 0.0, 4.0, 3.0])]
        """
        return [(Shape(self.kind[p]), self.numbers(p)) for p in range(self.part[row], self.part[row + 1])]

    def numbers(self, part: int) -> list[float]:
        """The numbers of one part; those of a mask are height, width and the lengths of its runs."""
        values: list[float] = self.values[self.value[part] : self.value[part + 1]].tolist()
        if self.runs is not None and self.kind[part] == Shape.RLE:
            values += map(float, self.runs.counts(part))
        return values

    def __len__(self) -> int:
        return len(self.part) - 1

    def __iter__(self) -> Iterator[list[tuple[Shape, list[float]]]]:
        return (self.of(row) for row in range(len(self)))

    def take(self, rows: npt.NDArray[Any]) -> Shapes:
        """The shapes of the given rows, a mask or row numbers."""
        chosen = np.arange(len(self))[rows]
        parts = _within(self.part[chosen], self.part[chosen + 1])
        counts = self.part[chosen + 1] - self.part[chosen]
        lengths = self.value[parts + 1] - self.value[parts]
        values = self.values[_within(self.value[parts], self.value[parts + 1])]
        runs = None if self.runs is None else self.runs.take(parts)
        return Shapes(_offsets(counts), self.kind[parts], _offsets(lengths), values, runs)

    @staticmethod
    def beside(first: Shapes | None, second: Shapes) -> Shapes:
        """What the same rows have in one and in the other."""
        if first is None:
            return second
        both = Shapes.joined([(first, len(first)), (second, len(second))])
        assert both is not None
        n = len(first)
        of = np.repeat(np.arange(2 * n) % n, np.diff(both.part))  # the row of each part
        order = np.argsort(of, kind="stable")
        parts = replace(both, part=np.arange(len(both.kind) + 1)).take(order)
        return replace(parts, part=_offsets(np.bincount(of, minlength=n)))

    @staticmethod
    def joined(some: Sequence[tuple[Shapes | None, int]]) -> Shapes | None:
        """The shapes of several tables one after the other, each with its number of rows."""
        if all(one is None for one, _ in some):
            return None
        none = (np.zeros(1, np.int64), np.zeros(0, np.uint8), np.zeros(1, np.int64), np.zeros(0))
        all_ = [Shapes(np.zeros(n + 1, np.int64), *none[1:]) if one is None else one for one, n in some]
        return Shapes(
            _offsets(np.concatenate([np.diff(one.part) for one in all_])),
            np.concatenate([one.kind for one in all_]),
            _offsets(np.concatenate([np.diff(one.value) for one in all_])),
            np.concatenate([one.values for one in all_]),
            Runs.joined([(one.runs, len(one.kind)) for one in all_]),
        )


@dataclass
class ShapesMaker:
    """Collects shapes row by row, in ascending order of rows."""

    row: array[int] = field(default_factory=lambda: array("q"))
    kind: array[int] = field(default_factory=lambda: array("B"))
    length: array[int] = field(default_factory=lambda: array("q"))
    values: array[float] = field(default_factory=lambda: array("d"))
    letters: bytearray = field(default_factory=bytearray)
    end: array[int] = field(default_factory=lambda: array("q"))

    def add(self, row: int, kind: Shape, values: Sequence[float]) -> None:
        """One more shape of a row, with its numbers; those of a mask are height, width and the lengths of its runs."""
        if kind == Shape.RLE:
            self.add_mask(row, *values[:2], text=Runs.of_counts(values[2:]))
        else:
            self._add(row, kind, values)

    def add_mask(self, row: int, height: float, width: float, *, text: bytes) -> None:
        """One more mask of a row, its runs as COCO's text."""
        self.letters += text
        self._add(row, Shape.RLE, (height, width))

    def _add(self, row: int, kind: Shape, values: Sequence[float]) -> None:
        self.row.append(row)
        self.kind.append(int(kind))
        self.length.append(len(values))
        self.values.extend(values)
        self.end.append(len(self.letters))

    def shapes(self, n_rows: int) -> Shapes | None:
        """All of them; None if there is none."""
        if not self.row:
            return None
        counts = np.bincount(np.array(self.row, np.int64), minlength=n_rows)
        return Shapes(
            _offsets(counts), np.array(self.kind, np.uint8), _offsets(np.array(self.length, np.int64)),
            np.frombuffer(self.values) if self.values else np.zeros(0), self._runs(),
        )  # fmt: skip

    def _runs(self) -> Runs | None:
        if int(Shape.RLE) not in self.kind:
            return None
        return Runs.ending(np.frombuffer(bytes(self.letters), np.uint8), np.array(self.end, np.int64))


@dataclass(frozen=True, eq=False)
class Attributes:
    """Further statements about rows, one entry each: rows ascend, names and values are texts."""

    row: Ints
    name: tuple[str, ...]
    value: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.row)

    def take(self, rows: npt.NDArray[Any], n: int) -> Attributes:
        """The statements about the given rows (a mask or row numbers) of `n`, under their new numbers."""
        chosen = np.arange(n)[rows]
        first, end = (np.searchsorted(self.row, chosen, side) for side in ("left", "right"))
        kept = _within(first, end).tolist()
        row = np.repeat(np.arange(len(chosen)), end - first)
        return Attributes(row, tuple(self.name[k] for k in kept), tuple(self.value[k] for k in kept))

    @staticmethod
    def joined(some: Sequence[tuple[Attributes | None, int]]) -> Attributes | None:
        """The statements of several tables one after the other, each with its number of rows."""
        if all(one is None for one, _ in some):
            return None
        shifts = np.cumsum([0, *(n for _, n in some)])
        there = [(one, shift) for (one, _), shift in zip(some, shifts, strict=False) if one is not None]
        return Attributes(
            np.concatenate([one.row + shift for one, shift in there]),
            tuple(name for one, _ in there for name in one.name),
            tuple(value for one, _ in there for value in one.value),
        )


def _offsets(counts: Ints) -> Ints:
    return np.append(np.int64(0), np.cumsum(counts, dtype=np.int64))


def _within(first: Ints, end: Ints) -> Ints:
    """All numbers from each first to before its end.

    >>> _within(np.array([5, 0]), np.array([7, 1]))
    array([5, 6, 0])
    """
    counts = end - first
    numbers: Ints = np.repeat(first - (np.cumsum(counts) - counts), counts)
    numbers += np.arange(len(numbers))
    return numbers
