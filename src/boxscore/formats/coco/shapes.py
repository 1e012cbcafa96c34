"""What COCO's records have besides boxes: polygons, masks and keypoints, and the boxes around them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from boxscore.formats.io.placed_records import Placed
from boxscore.formats.io.record_values import Values, described, kind
from boxscore.formats.io.rle import box_of, counts_of
from boxscore.tables.keypoints import keypoints_of
from boxscore.tables.shapes import Floats, Shape, Shapes, ShapesMaker

Part = tuple[Shape, list[float]]
_POLYGON = "x and y of each corner"
SIGMAS = ("sigmas", "keypoint_sigmas")  # of a category
_MASK = '{"size": [height, width], "counts"}'


def add_shapes(take: Values, rows: list[Placed], maker: ShapesMaker, first: int) -> None:
    """Adds the shapes of some rows, whose first has a number."""
    for row, placed in enumerate(rows, first):
        for shape, values in [*_segments(take, placed), *_keypoints(take, placed)]:
            maker.add(row, shape, values)


def box_around(take: Values, placed: Placed, form: str, detected: bool) -> list[float]:
    """The box of a record that states none: around its pixels or corners, else its keypoints.

    Of detections all points count, as for pycocotools; of objects those that are labelled, if any is.
    """
    parts = _segments(take, placed) or _keypoints(take, placed)
    if not parts:
        take.wrong.add(placed[0], "no `bbox`, and nothing to put one around", "[x, y, width, height]")
        return [0.0] * 4
    if parts[0][0] == Shape.RLE:
        height, _, *counts = (int(value) for value in parts[0][1])
        x, y, w, h = box_of(counts, height)
    else:
        step = 3 if parts[0][0] == Shape.KEYPOINTS else 2
        if step == 3 and not detected and any(seen > 0 for seen in parts[0][1][2::3]):
            parts = [(Shape.KEYPOINTS, _labelled(parts[0][1]))]
        xs, ys = ([value for _, values in parts for value in values[axis::step]] for axis in (0, 1))
        x, y = min(xs), min(ys)
        w, h = max(xs) - x, max(ys) - y
    forms = {"xywh": [x, y, w, h], "xyxy": [x, y, x + w, y + h], "cxcywh": [x + w / 2, y + h / 2, w, h]}
    return forms[form]


def mask_area(take: Values, placed: Placed) -> float:
    """The pixels of the mask of a record; nan where it has none."""
    value = placed[1].get("segmentation")
    values = _mask(take, placed[0], value) if isinstance(value, dict) else []
    return sum(values[3::2]) if values else math.nan


def extents(shapes: Shapes, boxes: Floats) -> Floats:
    """The sizes of results as pycocotools has them if the first states no box: those of the boxes around all points."""
    size: Floats = boxes[:, 2] * boxes[:, 3]
    if (points := keypoints_of(shapes)) is not None:
        posed = ~np.isnan(points[:, :, 0]).all(axis=1)
        low, high = np.nanmin(points[posed, :, :2], axis=1), np.nanmax(points[posed, :, :2], axis=1)
        size[posed] = (high[:, 0] - low[:, 0]) * (high[:, 1] - low[:, 1])
    return size


def class_sigmas(take: Values, categories: Iterable[Placed]) -> list[tuple[float, ...]]:
    """The sigmas of the keypoints of each class; [] where no class has any."""
    made: list[tuple[float, ...]] = []
    for place, record in categories:
        key = next((key for key in SIGMAS if record.get(key)), "")
        made.append(tuple(_numbers(take, place, key, record[key], 1, "one for each keypoint") if key else ()))
    return made if any(made) else []


def _labelled(points: list[float]) -> list[float]:
    return [value for k in range(0, len(points), 3) if points[k + 2] > 0 for value in points[k : k + 3]]


def _segments(take: Values, placed: Placed) -> list[Part]:
    place, record = placed
    value = record.get("segmentation")
    if value is None or value in ([], "", [[]]):
        return []
    if isinstance(value, dict):
        values = _mask(take, place, value)
        return [(Shape.RLE, values)] if values else []
    if not isinstance(value, list):
        take.wrong.add(place, f"`segmentation` is {kind(value)}", f"a list of polygons or {_MASK}")
        return []
    flat = not any(isinstance(item, list) for item in value)  # one polygon without a list around, as VIA writes
    parts = [_numbers(take, place, "segmentation", item, 2, _POLYGON) for item in ([value] if flat else value)]
    return [(Shape.POLYGON, part) for part in parts if part]


def _keypoints(take: Values, placed: Placed) -> list[Part]:
    place, record = placed
    value = record.get("keypoints")
    points = _numbers(take, place, "keypoints", value, 3, "x, y and visibility of each point") if value else []
    return [(Shape.KEYPOINTS, points)] if points else []


def _numbers(take: Values, place: str, key: str, value: Any, step: int, expected: str) -> list[float]:
    """Finite numbers in groups; nothing, and a complaint, if it is not that."""
    if isinstance(value, list) and len(value) % step == 0 and all(type(v) in (int, float) for v in value):
        try:
            numbers = [float(v) for v in value]
        except OverflowError:  # a whole number of hundreds of digits
            numbers = [math.inf]
        if all(map(math.isfinite, numbers)):
            return numbers
    take.wrong.add(place, described(key, value), f"finite numbers, {expected}, as `{key}`")
    return []


def _mask(take: Values, place: str, value: dict[str, Any]) -> list[float]:
    """Height, width and the runs of a mask; nothing, and a complaint, where they do not fit."""
    size, counts = value.get("size"), value.get("counts")
    sides = [side for side in size if type(side) is int and 0 < side < 1 << 31] if isinstance(size, list) else []
    if len(sides) != 2 or sides != size:
        take.wrong.add(place, described("size", size), f"height and width in {_MASK}")
        return []
    height, width = sides
    if height * width >= 1 << 32:
        take.wrong.add(place, f"a mask of {height} x {width}", f"less than {1 << 32:,} pixels")
        return []
    if isinstance(counts, str):
        try:
            counts = counts_of(counts)
        except ValueError as error:
            take.wrong.add(place, f"`counts` cannot be read ({error})", "COCO's compressed runs")
            return []
    if not isinstance(counts, list) or not all(type(count) is int and 0 <= count < 1 << 62 for count in counts):
        take.wrong.add(place, described("counts", counts), "runs, as a list or as COCO's text")
        return []
    if sum(counts) != height * width:
        found = f"a mask of {sum(counts):,} pixels, and a size of {height} x {width}"
        take.wrong.add(place, found, f"runs of {height * width:,} pixels in all")
        return []
    return [float(height), float(width), *map(float, counts)]
