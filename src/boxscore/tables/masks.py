"""The masks of rows, one each, as overlaps take them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from boxscore import _core
from boxscore.tables.runs import Ints, Runs
from boxscore.tables.shapes import Floats, Shape, Shapes
from boxscore.tables.threads import thread_count

Faults = npt.NDArray[np.uint8]
Sizes = npt.NDArray[np.int32]
FINE, EMPTY_RUN = 0, 6  # of what `rle_check` says of a mask; all else is wrong


@dataclass(frozen=True, eq=False)
class Masks:
    """The mask of each row, and what is known of it; a row without a mask has the size 0 x 0."""

    runs: Runs
    size: Sizes  # (rows, 2) height and width
    area: Floats  # pixels
    box: Floats  # (rows, 4) corners of the smallest box around the pixels
    fault: Faults  # what `rle_check` says

    def __len__(self) -> int:
        return len(self.area)

    @property
    def absent(self) -> npt.NDArray[np.bool_]:
        """Which rows have no mask."""
        absent: npt.NDArray[np.bool_] = self.size[:, 0] == 0
        return absent

    @property
    def empty(self) -> npt.NDArray[np.bool_]:
        """Which masks have no pixel."""
        empty: npt.NDArray[np.bool_] = self.area == 0
        return empty & ~self.absent

    def take(self, rows: npt.NDArray[Any]) -> Masks:
        """The masks of the given rows, a mask of rows or their numbers."""
        return Masks(self.runs.take(rows), self.size[rows], self.area[rows], self.box[rows], self.fault[rows])

    @staticmethod
    def joined(some: Sequence[Masks | None]) -> Masks | None:
        """The masks of several tables one after the other; none where a table has none."""
        kept = [one for one in some if one is not None]
        runs = Runs.joined([(one.runs, len(one)) for one in kept])
        if len(kept) < len(some) or runs is None:
            return None
        columns = ("size", "area", "box", "fault")
        return Masks(runs, *(np.concatenate([getattr(one, name) for one in kept]) for name in columns))


class MaskParts(NamedTuple):
    """What masks are made of: row r has the parts `part[r]` to `part[r + 1]`, of kind `kind[p]` each.

    Polygon p has the coordinates `value[p]` to `value[p + 1]`, in pixels or (as whole numbers of 32 bits) on the fine
    grid on which polygons are drawn; mask p has its height and width there, and its runs.
    """

    part: Ints  # (rows + 1,)
    kind: npt.NDArray[np.uint8]  # (parts,) of `Shape`
    value: Ints  # (parts + 1,)
    values: Floats | Sizes
    runs: Runs | None  # of each part; none where no part is a mask

    def __len__(self) -> int:
        return len(self.part) - 1

    def sizes(self, parts: Ints) -> Sizes:
        """Height and width of the given parts, which are masks."""
        first = self.value[parts]
        return sizes_of(np.stack([self.values[first], self.values[first + 1]], axis=1))


def sizes_of(sides: npt.NDArray[Any]) -> Sizes:
    """Heights and widths as the kernels take them; no image has sides beyond."""
    most = np.iinfo(np.int32).max
    return sides if sides.dtype == np.int32 else np.clip(sides, -most, most).astype(np.int32)


def masks_of(shapes: Shapes | MaskParts, size: npt.NDArray[Any], threads: int = 0) -> Masks:
    """The polygons and masks of each row as one mask; `size` is height and width of the image of each row.

    Polygons are drawn on the image; a mask keeps its own size. Rows with neither have no mask.

    >>> from boxscore.tables.shapes import ShapesMaker
    >>> made = ShapesMaker()
    >>> made.add(0, Shape.POLYGON, [1, 1, 4, 1, 4, 3, 1, 3])
    >>> masks = masks_of(made.shapes(2), np.array([[5, 5], [5, 5]]))
    >>> masks.area.tolist(), masks.box[0].tolist(), masks.absent.tolist()
    ([6.0, 0.0], [1.0, 1.0, 4.0, 3.0], [False, True])
    """
    if isinstance(shapes, Shapes):
        shapes = MaskParts(shapes.part, shapes.kind, shapes.value, shapes.values, shapes.runs)
    n, kind = shapes.part.size - 1, shapes.kind
    rows = np.repeat(np.arange(n), np.diff(shapes.part))
    counts = np.bincount(rows[(kind == Shape.POLYGON) | (kind == Shape.RLE)], minlength=n)
    own = sizes_of(np.where(counts[:, None] > 0, size, 0))
    masks = np.flatnonzero(kind == Shape.RLE)
    own[rows[masks]] = shapes.sizes(masks)
    if shapes.runs is not None and len(masks) == n and bool((counts == 1).all()):  # as the file holds them
        return measured_masks(shapes.runs.take(masks) if len(masks) < len(kind) else shapes.runs, own, threads)
    nothing = np.zeros(len(kind), np.int64)
    runs = Runs(np.zeros(0, np.uint8), nothing, nothing) if shapes.runs is None else shapes.runs
    fine = shapes.values.dtype == np.int32
    in_pixels = None if fine else cast("Floats", shapes.values)
    on_grid = cast("Sizes", shapes.values) if fine else None
    letters, ends = _core.rle_join(
        shapes.part, kind, shapes.value, in_pixels, on_grid, runs.begin, runs.end, runs.letters, own,
        threads=thread_count(threads),
    )  # fmt: skip
    return measured_masks(Runs.ending(letters, ends), own, threads)


def measured_masks(runs: Runs, size: npt.NDArray[Any], threads: int = 0) -> Masks:
    """Masks with their areas and boxes."""
    n, size = len(runs), np.ascontiguousarray(sizes_of(size))
    area, box, fault = np.empty(n), np.empty((n, 4)), np.empty(n, np.uint8)
    begin, end = np.ascontiguousarray(runs.begin), np.ascontiguousarray(runs.end)
    _core.rle_check(runs.letters, begin, end, size, area, box, fault, threads=thread_count(threads))
    return Masks(Runs(runs.letters, begin, end), size, area, box, fault)
