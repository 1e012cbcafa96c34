"""The shapes of CVAT: what their elements say, the box around each, and what is kept of it besides."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element

import numpy as np

from boxscore.formats.io.mask_runs import runs_of
from boxscore.tables.shapes import Shape

CORNERS = ("xtl", "ytl", "xbr", "ybr")
_CUBOID = tuple(f"{axis}{corner}{face}" for face in "12" for corner in ("tl", "bl", "tr", "br") for axis in "xy")
_NAMED = {"box": CORNERS, "ellipse": ("cx", "cy", "rx", "ry"), "cuboid": _CUBOID}
_LISTED = {"polygon": Shape.POLYGON, "polyline": Shape.POLYLINE, "points": Shape.POINTS}
TURNED = ("box", "ellipse")  # have a rotation as their last value
KINDS = (*_NAMED, *_LISTED, "mask", "skeleton")
_MOST_PIXELS = 1 << 28  # of a mask


class Wrong(ValueError):
    """What is wrong with an element, and what is expected."""

    def __init__(self, found: str, expected: str) -> None:
        super().__init__(found)
        self.found, self.expected = found, expected


class Outline(NamedTuple):
    """The box around a shape (none if nothing of it is visible), and the shape unless it is just a box."""

    box: tuple[float, float, float, float] | None
    shape: tuple[Shape, list[float]] | None


def values_of(element: Element) -> list[float]:
    """The numbers of an element: corners or centre with the rotation in degrees, or x y of each point."""
    if element.tag in _LISTED:
        return points_of(element)
    values = [number_of(element, name) for name in _NAMED[element.tag]]
    if element.tag in TURNED:
        values.append(0.0 if element.get("rotation") is None else number_of(element, "rotation"))
    if element.tag == "box" and values[4] % 360 and (values[2] <= values[0] or values[3] <= values[1]):
        raise Wrong(f"a rotated box of {values[2] - values[0]:g} x {values[3] - values[1]:g}", "sides above 0")
    return values


def number_of(element: Element, name: str) -> float:
    """An attribute that must be a finite number."""
    text = element.get(name)
    try:
        value = math.nan if text is None or "_" in text else float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise Wrong(f"no {name}" if text is None else f"{name} is '{text[:40]}'", "a finite number")
    return value


def points_of(element: Element) -> list[float]:
    """x y of each point, which are written as `x,y;x,y`."""
    text = element.get("points", "")
    pairs = [pair.split(",") for pair in text.split(";")]
    try:
        values = [float(value) for pair in pairs for value in pair]
    except ValueError:
        values = []
    if "_" in text or not all(map(math.isfinite, values)) or any(len(pair) != 2 for pair in pairs) or not values:
        raise Wrong(f"points is '{text[:40]}'", "x,y;x,y of finite numbers")
    return values


def outline_of(kind: str, values: Sequence[float]) -> Outline:
    """The box around a shape, which of a rotated one is larger than the shape itself."""
    if kind in _LISTED:
        return Outline(_hull(values), (_LISTED[kind], list(values)))
    if kind == "cuboid":
        return Outline(_hull(values), None)
    *four, rotation = values
    if kind == "ellipse":
        x, y, rx, ry = four
        cosine, sine = _turn(rotation)
        half = math.hypot(rx * cosine, ry * sine), math.hypot(rx * sine, ry * cosine)
        return Outline(_around(x, y, *half), (Shape.ELLIPSE, [*four, math.radians(rotation)]))
    x0, y0, x1, y1 = four
    if rotation % 360 == 0:
        return Outline((x0, y0, x1, y1), None)
    return turned((x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, y1 - y0, rotation)


def turned(x: float, y: float, width: float, height: float, rotation: float) -> Outline:
    """A box that is rotated about its centre, clockwise by degrees."""
    cosine, sine = _turn(rotation)
    half = (abs(width * cosine) + abs(height * sine)) / 2, (abs(width * sine) + abs(height * cosine)) / 2
    return Outline(_around(x, y, *half), (Shape.ORIENTED, [x, y, width, height, math.radians(rotation)]))


def _turn(rotation: float) -> tuple[float, float]:
    """Cosine and sine of degrees; of right angles they are exact."""
    quarters = rotation / 90
    if quarters.is_integer():
        return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[int(quarters) % 4]
    return math.cos(math.radians(rotation)), math.sin(math.radians(rotation))


def _around(x: float, y: float, across: float, down: float) -> tuple[float, float, float, float]:
    return x - across, y - down, x + across, y + down


def _hull(points: Sequence[float]) -> tuple[float, float, float, float]:
    x, y = points[::2], points[1::2]
    return min(x), min(y), max(x), max(y)


def mask_outline(element: Element, width: float, height: float, keep: bool) -> Outline:
    """The window of a mask, and its pixels if wanted; an image of unknown size ends where the mask does."""
    left, top, across, down = (_whole(element, name) for name in ("left", "top", "width", "height"))
    box = (float(left), float(top), float(left + across), float(top + down))
    if not keep:
        return Outline(box, None)
    words = element.get("rle", "").split(",")
    if not all(re.fullmatch(r"\s*\d{1,12}\s*", word) for word in words):
        raise Wrong("rle is not a list of runs", "lengths of runs, such as 3, 2, 5")
    counts = [int(word) for word in words]
    if sum(counts) != across * down or sum(counts) > _MOST_PIXELS:
        raise Wrong(f"rle has runs over {sum(counts):,} pixels", f"{across} x {down}, the size of the mask")
    size = [int(end) if math.isnan(side) else int(side) for side, end in ((height, box[3]), (width, box[2]))]
    if left < 0 or top < 0 or box[2] > size[1] or box[3] > size[0]:
        raise Wrong("the mask leaves the image", "a mask within it")
    pixels = np.repeat(np.arange(len(counts)) % 2 == 1, counts).reshape(down, across)
    return Outline(box, (Shape.RLE, runs_of(pixels, size[0], size[1], top, left)))


def _whole(element: Element, name: str) -> int:
    value = number_of(element, name)
    if not value.is_integer() or abs(value) > 1 << 31:
        raise Wrong(f"{name} is '{element.get(name)}'", "a whole number")
    return int(value)


def skeleton_outline(element: Element, names: Sequence[str]) -> Outline:
    """The box around the visible and hidden points of a skeleton; points stand in the order of the label's."""
    found: dict[str, list[float]] = {name: [0.0, 0.0, 0.0] for name in names}
    for point in element.iterfind("points"):
        x, y, *more = points_of(point)
        if more:
            raise Wrong("a point of the skeleton has several places", "x,y")
        state = 0 if point.get("outside") == "1" else 1 if point.get("occluded") == "1" else 2
        found[point.get("label", "")] = [x, y, float(state)]
    if not found:
        raise Wrong("no points", "an element <points> for each point of the skeleton")
    seen = [value for x, y, state in found.values() if state for value in (x, y)]
    values = [value for point in found.values() for value in point]
    return Outline(_hull(seen) if seen else None, (Shape.KEYPOINTS, values))
