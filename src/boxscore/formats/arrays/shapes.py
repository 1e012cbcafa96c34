"""Masks, polygons and oriented boxes out of arrays and lists, as the shapes of rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from boxscore import _core
from boxscore.errors import InputError
from boxscore.formats.arrays.values import Array, array_of, at, numbers
from boxscore.formats.io.rle import FAULTS
from boxscore.tables.masks import EMPTY_RUN, FINE, masks_of, measured_masks
from boxscore.tables.model import Floats, Ints
from boxscore.tables.oriented import corners_of
from boxscore.tables.runs import Runs
from boxscore.tables.shapes import Shape, Shapes, ShapesMaker
from boxscore.tables.threads import thread_count

KINDS = "bitmaps (n, height, width), COCO's run lengths, or polygons"
_RLE = '{"size": [height, width], "counts"}'
_POLYGON = "x and y of at least three corners, flat or of shape (corners, 2)"
_HALF = 0.5  # what networks give as shares of a pixel is inside above that, as torchvision and Ultralytics have it


def masks_from(value: Any, place: str) -> Shapes:
    """The shapes behind the masks of some rows: one array of bitmaps, or a list with one entry per row."""
    if isinstance(value, Shapes):
        return value
    if not isinstance(value, (list, tuple)):
        array = array_of(value, place)
        if array.dtype.kind != "O":
            return _bitmaps(array, place)
        value = array.tolist()
    if value and all(isinstance(one, Mapping) for one in value):
        return _run_lengths(value, place)
    made = [_entry(one, f"{place}[{row}]") for row, one in enumerate(value)]
    joined = Shapes.joined([(one, 1) for one in made])
    return _none(len(made)) if joined is None else joined


def _entry(one: Any, place: str) -> Shapes | None:
    """The shape of one row."""
    if one is None:
        return None
    if isinstance(one, Mapping):
        return _run_lengths([one], place)
    if not isinstance(one, (list, tuple)):
        array = array_of(one, place)
        if array.dtype.kind == "b" or array.dtype == np.uint8:
            return _bitmaps(array[None] if array.ndim == 2 else array, place)
        return _polygons([array], place)
    flat = bool(one) and all(np.ndim(number) == 0 for number in one)
    return _polygons([one] if flat else one, place)


def _polygons(some: Sequence[Any], place: str) -> Shapes | None:
    maker = ShapesMaker()
    for k, one in enumerate(some):
        where = f"{place}[{k}]" if len(some) > 1 else place
        array = array_of(one, where)
        if not array.size:
            continue
        pairs = array.ndim == 1 or (array.ndim == 2 and array.shape[1] == 2)
        if not pairs or array.size % 2 or array.size < 6:
            found = f"an array of shape {array.shape}" if array.ndim > 1 else f"{array.size} numbers"
            raise InputError(where, found, _POLYGON)
        maker.add(0, Shape.POLYGON, numbers(array, at(where)).ravel().tolist())
    return maker.shapes(1)


def _bitmaps(pixels: Array, place: str) -> Shapes:
    if pixels.ndim == 4 and pixels.shape[1] == 1:  # as torchvision gives them
        pixels = pixels[:, 0]
    if pixels.size == 0:
        return _none(len(pixels))
    if pixels.ndim != 3:
        raise InputError(place, f"an array of shape {pixels.shape}", KINDS)
    inside = _inside(pixels, place)
    letters, ends = _core.rle_of_bitmaps(np.ascontiguousarray(inside).view(np.uint8), threads=thread_count(0))
    n, height, width = inside.shape
    return _shapes(Runs.ending(letters, ends), np.repeat(np.array([[height, width]], np.int64), n, axis=0))


def _inside(pixels: Array, place: str) -> Array:
    """Which pixels belong to the objects; whatever is neither a bitmap nor a share of each pixel is refused."""
    kind = pixels.dtype.kind
    if kind == "b":
        return pixels
    if kind not in "iuf":
        raise InputError(place, f"values of type {pixels.dtype}", KINDS)
    low, high = pixels.min(), pixels.max()
    if not (low >= 0 and (high <= 1 or (kind != "f" and high == 255))):  # nan is neither
        found = "values that are not finite" if not np.isfinite([low, high]).all() else f"values from {low} to {high}"
        raise InputError(place, found, "bitmaps of 0 and 1 (or 255), one for each object, or shares from 0 to 1")
    return pixels > _HALF if kind == "f" else pixels > 0


def _run_lengths(some: Sequence[Mapping[str, Any]], place: str) -> Shapes:
    texts, size = list[bytes](), np.zeros((len(some), 2), np.int64)
    for row, one in enumerate(some):
        where = f"{place}[{row}]" if len(some) > 1 else place
        size[row] = _size(one, where)
        texts.append(text_of(one["counts"], where))
    ends = np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)))
    runs = Runs.ending(np.frombuffer(b"".join(texts), np.uint8), ends)
    fault = measured_masks(runs, size).fault
    bad = np.flatnonzero((fault != FINE) & (fault != EMPTY_RUN))
    if len(bad):
        row = int(bad[0])
        where = f"{place}[{row}]" if len(some) > 1 else place
        height, width = size[row].tolist()
        odd = f"runs of {sum(runs.counts(row)):,} pixels, and a size of {height} x {width}"
        raise InputError(
            where, f"`counts`: {FAULTS.get(int(fault[row]), odd)}", f"runs of {height * width:,} pixels in all"
        )
    return _shapes(runs, size)


def _size(one: Mapping[str, Any], place: str) -> Ints:
    if "size" not in one or "counts" not in one:
        raise InputError(place, f"a mapping with {', '.join(map(str, one)) or 'nothing'}", _RLE)
    size = array_of(one["size"], f"{place}: size")
    if size.shape != (2,) or size.dtype.kind not in "iu" or not (size > 0).all() or int(size[0]) * int(size[1]) >> 32:
        raise InputError(f"{place}: size", f"{one['size']!r}", f"height and width in {_RLE}")
    return size.astype(np.int64)


def text_of(counts: Any, place: str) -> bytes:
    """The runs of one mask as COCO's text, from text, bytes or numbers."""
    if isinstance(counts, bytes):
        return counts
    if isinstance(counts, str):
        return counts.encode("utf-8", "replace")
    lengths = array_of(counts, f"{place}: counts")
    whole = lengths.ndim == 1 and (lengths.dtype.kind in "iu" or not lengths.size)
    if not whole or (lengths.size and not 0 <= int(lengths.min()) <= int(lengths.max()) < 1 << 32):
        shown = lengths.tolist() if lengths.size < 9 else f"values of type {lengths.dtype}"
        raise InputError(f"{place}: counts", f"{shown}", "runs, as whole numbers or as COCO's text")
    return Runs.of_counts(lengths.tolist())


def _shapes(runs: Runs, size: Ints) -> Shapes:
    """Shapes of rows that have one mask each."""
    n = len(runs)
    part = np.arange(n + 1)
    return Shapes(part, np.full(n, int(Shape.RLE), np.uint8), 2 * part, size.astype(np.float64).ravel(), runs)


def _none(n: int) -> Shapes:
    return Shapes(np.zeros(n + 1, np.int64), np.zeros(0, np.uint8), np.zeros(1, np.int64), np.zeros(0))


def oriented_from(values: Floats) -> Shapes:
    """Shapes of rows (n, 5) of centre x y, width, height, angle, or (n, 8) of four corners."""
    n, k = values.shape
    kind = Shape.ORIENTED if k == 5 else Shape.QUAD
    part = np.arange(n + 1)
    return Shapes(part, np.full(n, int(kind), np.uint8), k * part, np.ascontiguousarray(values).ravel())


def boxes_around(shapes: Shapes, place: str) -> tuple[Floats, Floats]:
    """The smallest boxes around the shapes of rows, and the areas of what they are around."""
    n = len(shapes)
    box, area = np.zeros((n, 4)), np.zeros(n)
    row = np.repeat(np.arange(n), np.diff(shapes.part))
    if len(lost := np.flatnonzero(np.bincount(row, minlength=n) == 0)):
        raise InputError(f"{place}[{int(lost[0])}]", "no `boxes`, and nothing to put one around", KINDS)
    masks = shapes.kind == Shape.RLE
    if masks.any():
        made = masks_of(shapes, np.zeros((n, 2), np.int64))
        whole = np.unique(row[masks])
        box[whole], area[whole] = made.box[whole], made.area[whole]
    for first in np.flatnonzero(np.diff(np.append(-1, row)) > 0).tolist():
        if masks[first]:
            continue
        points = shapes.values[shapes.value[first] : shapes.value[shapes.part[row[first] + 1]]]
        if shapes.kind[first] == Shape.ORIENTED:
            points = corners_of(points[None])[0]
        x, y = points[::2], points[1::2]
        box[row[first]] = x.min(), y.min(), x.max(), y.max()
        area[row[first]] = (x.max() - x.min()) * (y.max() - y.min())
    return box, area


def sizes_of(shapes: Shapes, place: str) -> tuple[float, float] | None:
    """Height and width of the masks of one image; None where there are none."""
    masks = shapes.kind == Shape.RLE
    if not masks.any():
        return None
    first = shapes.value[:-1][masks]
    sizes = np.unique(np.stack([shapes.values[first], shapes.values[first + 1]], axis=1), axis=0)
    if len(sizes) > 1:
        two = " and ".join(f"{int(h)} x {int(w)}" for h, w in sizes[:2].tolist())
        raise InputError(place, f"masks of different sizes ({two})", "masks of the size of their image")
    return float(sizes[0, 0]), float(sizes[0, 1])
