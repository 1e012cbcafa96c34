"""Regions of Label Studio in percent of the image, and the pixels they cover."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from boxscore.formats.io.collected import FLAG_NAMES, flat, hull
from boxscore.formats.io.json_values import Value
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.io.record_values import clean
from boxscore.tables.shapes import Shape

FORMS = ("rectangle", "polygon", "ellipse", "brush")
_WITHOUT_AREA = ("keypoint", "vector", "line")
_LABELS = "labels"  # how types of regions end that have a class, and the type of a class that stands by itself
_STATED = ("choices", "taxonomy", "textarea", "number", "rating")  # what else may be said of a region
_TURNED = "an image as it is, `image_rotation` 0"
Placed = tuple[list[float], float | None, list[tuple[Shape, list[float]]]]


@dataclass
class Region:
    """A region with all that results of the same id say of it."""

    where: Value
    form: str
    names: list[str]
    size: tuple[float, float] | None  # width and height of the image
    flags: int = 0
    said: dict[str, str] = field(default_factory=dict)

    def placed(self, size: tuple[float, float], shapes: bool) -> Placed:
        """Corners in pixels, the area where sides are given, and what is no box."""
        if math.isnan(size[0] + size[1]):
            expected = "`original_width` and `original_height`"
            raise self.where.wrong("a region of an image of unknown size", expected)
        value = _value_of(self.where)
        if self.form == "brush":
            from boxscore.formats.label_studio.brush import brushed

            return brushed(value["rle"], size, shapes)
        corners, area, parts = _GEOMETRY[self.form](value, size)
        return corners, area, parts if shapes else []


def regions_of(results: list[Value], options: ReadOptions, rejected: Counter[str]) -> Iterator[Region]:
    """The regions of an annotation; what is said of whole images or has no area is counted."""
    regions: dict[str, Region] = {}
    others: list[tuple[str, Value]] = []
    for place, one in enumerate(results):
        with options.invalid:
            form = _form(one)
            if form not in FORMS:
                others.append((form, one))
                continue
            key = one["id"].as_text() if one.has("id") else str(place)
            turned = one.get("image_rotation")
            if turned is not None and turned.number():
                raise one.wrong(f"an image turned by {turned.shown} degrees", _TURNED)
            width, height = one.size("original_width", "original_height")
            size = None if math.isnan(width + height) else (width, height)
            region = Region(one, form, _labels(one), size)
            regions[key if key not in regions else f"{key} {place}"] = region
    for form, one in others:
        with options.invalid:
            region_of = regions.get(one["id"].as_text()) if one.has("id") else None
            if region_of is None:
                rejected[f"no area: {form}" if form in _WITHOUT_AREA else f"no box: {clean(form)}"] += 1
            else:
                _say(region_of, form, one)
    yield from regions.values()


def _form(one: Value) -> str:
    """The type of a result without the ending that says that it has a class; JSON-MIN leaves types out."""
    stated = one.get("type")
    if stated is None:
        named = next((key for key in one.object() if key.endswith(_LABELS)), "rectangle" if one.has("width") else "")
        return named.removesuffix(_LABELS) or _LABELS
    text = stated.text()
    return text.removesuffix(_LABELS) or _LABELS


def _value_of(one: Value) -> Value:
    return one["value"] if "value" in one.object() else one


def _labels(one: Value) -> list[str]:
    value = _value_of(one)
    key = next((key for key in value.object() if key.endswith(_LABELS) and value.has(key)), None)
    return [] if key is None else [label.text() for label in value[key].items()]


def _say(region: Region, form: str, one: Value) -> None:
    """Adds what another result says of a region: its class, flags, anything else as text."""
    if form == _LABELS:
        region.names = region.names or _labels(one)
        return
    stated = _value_of(one).get("text" if form == "textarea" else form)
    for choice in () if stated is None else stated.items() if isinstance(stated.value, list) else (stated,):
        flag = FLAG_NAMES.get(choice.value.casefold()) if isinstance(choice.value, str) else None
        if flag is not None and form == "choices":
            region.flags |= int(flag)
        else:
            name = one["from_name"].text() if one.has("from_name") else form
            before = region.said.get(name)
            region.said[name] = choice.as_text() if before is None else f"{before}; {choice.as_text()}"


def _rectangle(value: Value, size: tuple[float, float]) -> Placed:
    left, top, width, height = value.numbers("x", "y", "width", "height")
    left, width = left / 100 * size[0], width / 100 * size[0]
    top, height = top / 100 * size[1], height / 100 * size[1]
    angle = _angle(value)
    if not angle:  # it may have been drawn from any corner, which leaves sides below 0
        corners = [*_sorted(left, left + width), *_sorted(top, top + height)]
        return [corners[0], corners[2], corners[1], corners[3]], abs(width * height), []
    cos, sin = math.cos(angle), math.sin(angle)  # about the top left corner, in pixels
    points = [[left + x * cos - y * sin, top + x * sin + y * cos] for x, y in _around(width, height)]
    return hull(points), None, [(Shape.QUAD, flat(points))]


def _around(width: float, height: float) -> list[tuple[float, float]]:
    return [(0, 0), (width, 0), (width, height), (0, height)]


def _sorted(first: float, second: float) -> tuple[float, float]:
    return (first, second) if first <= second else (second, first)


def _angle(value: Value) -> float:
    stated = value.get("rotation")
    return 0.0 if stated is None else math.radians(stated.number() % 360)


def _polygon(value: Value, size: tuple[float, float]) -> Placed:
    points = [[x / 100 * size[0], y / 100 * size[1]] for x, y in value["points"].points()]
    if len(points) < 3:
        raise value["points"].wrong(f"{len(points)} point{'s' * (len(points) != 1)}", "3 or more")
    return hull(points), None, [(Shape.POLYGON, flat(points))]


def _ellipse(value: Value, size: tuple[float, float]) -> Placed:
    x, y, across, down = value.numbers("x", "y", "radiusX", "radiusY")
    x, across, y, down = x / 100 * size[0], across / 100 * size[0], y / 100 * size[1], down / 100 * size[1]
    angle = _angle(value)
    w, h = (math.hypot(across * math.cos(t), down * math.sin(t)) for t in (angle, angle + math.pi / 2))
    if not angle:
        w, h = across, down
    return [x - w, y - h, x + w, y + h], None, [(Shape.ELLIPSE, [x, y, across, down, angle])]


_GEOMETRY = {"rectangle": _rectangle, "polygon": _polygon, "ellipse": _ellipse}
