"""Masks, polygons and keypoints that disagree with their boxes, their areas or their images."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from boxscore.checkup.tables import place
from boxscore.diagnostics.diagnoses import Diagnosis, diagnosis
from boxscore.errors import InputError
from boxscore.joining.geometry import DERIVED, of_another_size
from boxscore.tables.model import Bools, Detections, Floats, Ints, Truth
from boxscore.tables.shapes import Shape, Shapes

NEAR = 3.0  # pixels by which a box may miss the pixels of its mask: they end between pixels, and slivers vanish
SHARE = 0.1  # of the box's longer side by which it may, too; also of the area
FEW = {"truth": 0.03, "detections": 0.5}  # share of rows that may disagree: annotators slip, and networks are coarse
CROSSED = 0.2  # share of polygons that cross themselves without a word: those of real data sets often do a little
LOOKED_AT, CORNERS = 2000, 400  # polygons, and corners of one, that are searched for crossings


def faults(table: Truth | Detections, side: str) -> Iterator[Diagnosis]:
    """All checks of the shapes of one side."""
    if table.relative:
        return
    if table.shapes is not None:
        yield from _polygons(table, table.shapes, side)
    yield from _keypoints(table, side)
    if table.masks is None and table.shapes is not None:
        try:
            table = replace(table, masks=DERIVED["masks"](table, 0))
        except InputError:  # no image sizes: polygons cannot be drawn
            return
    if table.masks is None:
        return
    odd, empty = of_another_size(table), table.masks.empty & (table.image >= 0)
    there = ~table.masks.absent & (table.image >= 0)
    yield from _said("SHP001", table, side, odd & there, "have a mask of another size than their image")
    for one in _said("SHP002", table, side, empty, "have a mask without a single pixel"):
        yield one if side == "truth" else replace(one, severity="note")  # a network may find a box and nothing in it
    yield from _boxes(table, side, there & ~odd & ~empty)
    if isinstance(table, Truth):
        yield from _areas(table, there & ~odd & ~empty)


def _said(
    code: str, table: Truth | Detections, side: str, rows: Bools, what: str, few: float = 0.0
) -> Iterator[Diagnosis]:
    """A diagnosis of some rows, if they are more than may be."""
    count = int(rows.sum())
    if count > few * len(table) and (count > 3 or not few):
        examples = tuple(place(table, int(row)) for row in np.flatnonzero(rows)[:3])
        text = f"{count:,} of {len(table):,} rows of the {side} {what}"
        yield diagnosis(code, count, text, side=side, examples=examples)


def _boxes(table: Truth | Detections, side: str, there: Bools) -> Iterator[Diagnosis]:
    """Boxes that are not those around the pixels."""
    assert table.masks is not None
    if isinstance(table, Detections) and table.area is not None:  # boxes were made of the masks
        return
    longer = (table.corners[:, 2:] - table.corners[:, :2]).max(axis=1, initial=0)
    beside = np.abs(table.masks.box - table.corners).max(axis=1, initial=0)
    if table.shapes is not None:
        beside = np.minimum(beside, _beside_polygons(table.shapes, table.corners))
    rows = there & (beside > NEAR) & (beside > SHARE * longer)
    what = f"have a box that ends more than {NEAR:g} pixels and {SHARE:.0%} of its side beside their mask"
    yield from _said("SHP101", table, side, rows, what, FEW[side])


def _beside_polygons(shapes: Shapes, corners: Floats) -> Floats:
    """How far boxes end beside their polygons, which need not touch a pixel; infinity where there are none."""
    row = np.repeat(np.arange(len(shapes)), np.diff(shapes.part))
    length = np.where(shapes.kind == Shape.POLYGON, np.diff(shapes.value), 0)
    owner = np.repeat(row, length)
    inside = np.repeat(shapes.kind == Shape.POLYGON, np.diff(shapes.value))
    turn = np.arange(len(shapes.values)) - np.repeat(shapes.value[:-1], np.diff(shapes.value))
    values, turn = shapes.values[inside], turn[inside]
    low, high = np.full((len(shapes), 2), np.inf), np.full((len(shapes), 2), -np.inf)
    np.minimum.at(low, (owner, turn % 2), values)
    np.maximum.at(high, (owner, turn % 2), values)
    far: Floats = np.abs(np.concatenate([low, high], axis=1) - corners).max(axis=1, initial=0)
    return far


def _areas(truth: Truth, there: Bools) -> Iterator[Diagnosis]:
    assert truth.masks is not None

    def off(area: Floats) -> Bools:
        odd: Bools = np.abs(truth.area - area) > np.maximum(2 * SHARE * area, NEAR * NEAR)
        return odd

    rows = there & np.isfinite(truth.area) & off(truth.masks.area) & off(truth.box_area)
    what = "have an area that is neither that of the mask nor of the box"
    yield from _said("SHP104", truth, "truth", rows, what, FEW["truth"])


def _polygons(table: Truth | Detections, shapes: Shapes, side: str) -> Iterator[Diagnosis]:
    row = np.repeat(np.arange(len(shapes)), np.diff(shapes.part))
    outline, length = shapes.kind == Shape.POLYGON, np.diff(shapes.value)
    short = _rows(len(shapes), row[outline & (length < 6)])
    yield from _said("SHP103", table, side, short, "have a polygon of less than three corners")
    searched = np.flatnonzero(outline & (length >= 8) & (length <= 2 * CORNERS))
    searched = searched[:: max(1, len(searched) // LOOKED_AT)]
    crossed = [part for part in searched.tolist() if _crosses(shapes, part)]
    if len(crossed) > max(3, CROSSED * len(searched)):
        text = f"{len(crossed):,} of {len(searched):,} polygons of the {side} that were looked at cross themselves"
        examples = tuple(place(table, int(row[part])) for part in crossed[:3])
        yield diagnosis("SHP102", len(crossed), text, side=side, examples=examples)


def _rows(n: int, some: Ints) -> Bools:
    rows = np.zeros(n, np.bool_)
    rows[some] = True
    return rows


def _crosses(shapes: Shapes, part: int) -> bool:
    """Whether two edges of a polygon that are no neighbours cross: the ends of each lie on both sides of the other."""
    a = shapes.values[shapes.value[part] : shapes.value[part + 1]].reshape(-1, 2)
    a = a[np.append(True, (a[1:] != a[:-1]).any(axis=1))]
    b = np.roll(a, -1, axis=0)

    def side(p: Floats) -> Floats:
        along = (b - a)[:, None]
        to = p[None] - a[:, None]
        signs: Floats = np.sign(along[..., 0] * to[..., 1] - along[..., 1] * to[..., 0])
        return signs

    apart = side(a) * side(b) < 0
    return bool((apart & apart.T).any())


def _points(table: Truth | Detections) -> tuple[Ints, Floats]:
    """All keypoints (x y visibility), and the row of each."""
    if table.keypoints is not None:
        return np.repeat(np.arange(len(table)), table.keypoints.shape[1]), table.keypoints.reshape(-1, 3)
    shapes = table.shapes
    if shapes is None:
        return np.zeros(0, np.int64), np.zeros((0, 3))
    chosen = np.flatnonzero((shapes.kind == Shape.KEYPOINTS) & (np.diff(shapes.value) % 3 == 0))
    row = np.repeat(np.arange(len(shapes)), np.diff(shapes.part))
    parts = [shapes.values[shapes.value[p] : shapes.value[p + 1]].reshape(-1, 3) for p in chosen.tolist()]
    owner = np.repeat(row[chosen], [len(part) for part in parts])
    return owner, np.concatenate([np.zeros((0, 3)), *parts])


def _keypoints(table: Truth | Detections, side: str) -> Iterator[Diagnosis]:
    owner, points = _points(table)
    if not len(points):
        return
    owner, at = owner[points[:, 2] > 0], points[points[:, 2] > 0, :2]
    images = table.images
    if images.width is not None and images.height is not None:
        size = np.append(np.stack([images.width, images.height], axis=1), [[np.nan] * 2], axis=0)[table.image[owner]]
        beyond = ((at < -NEAR) | (at > size + NEAR)).any(axis=1)
        few = 0.0 if side == "truth" else FEW[side]
        rows = _rows(len(table), owner[beyond])
        yield from _said("SHP105", table, side, rows, "have keypoints outside of their image", few)
    box = table.corners[owner]
    margin = np.maximum((box[:, 2:] - box[:, :2]).max(axis=1, keepdims=True, initial=0) / 2, NEAR)
    far = ((at < box[:, :2] - margin) | (at > box[:, 2:] + margin)).any(axis=1)
    what = "have keypoints outside of their box by more than half of its side"
    yield from _said("SHP106", table, side, _rows(len(table), owner[far]), what, FEW[side])
