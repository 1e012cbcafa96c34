"""Regions of VGG Image Annotator, as its JSON and CSV files both have them: a shape and attributes.

Any attribute can be the class: the only one, or the first that has a usual name.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

from boxscore.errors import InputError, first_few
from boxscore.formats.io.collected import FLAG_NAMES, Collected, hull
from boxscore.formats.io.json_values import Value
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.io.record_values import clean
from boxscore.formats.words import NO, SCORES, YES
from boxscore.tables.shapes import Shape

CLASS_NAMES = ("label", "class", "name", "type", "category", "object")
FLAGS = "flags"  # an attribute of the kind checkbox
_WITHOUT_AREA = ("polyline", "point")
_KNOWN = ("rect", "polygon", "circle", "ellipse", *_WITHOUT_AREA)
_OTHERS = {*SCORES, FLAGS, *FLAG_NAMES}
VIA_3 = "a project of VIA 3, whose regions are of another kind"


class Region(NamedTuple):
    """A region of an image."""

    image: int
    shape: Value
    attributes: Value


def add_regions(made: Collected, source: str, regions: list[Region], how: ReadOptions, scored: bool) -> None:
    """Adds a row for each region that has a class and an area."""
    which = _class_attribute(source, regions)
    named = which is not None or all(_form(region) in _WITHOUT_AREA for region in regions)
    only = "" if named else _only_class(source, regions, how)
    for region in regions:
        with how.invalid:
            _add_region(made, region, which, only, how, scored)


def _form(region: Region) -> Any:
    return None if (name := region.shape.get("name")) is None else name.value


def _add_region(made: Collected, region: Region, which: str | None, only: str, how: ReadOptions, scored: bool) -> None:
    form = region.shape["name"].text()
    if form not in _KNOWN:
        raise region.shape.wrong(f"the shape '{form}'", f"one of {', '.join(_KNOWN)}")
    if form in _WITHOUT_AREA:
        made.rejected[f"no area: {form}"] += 1
        return
    name = only if which is None else _chosen(region.attributes, which)
    if not name:
        made.rejected["no class"] += 1
        return
    corners, area, parts = _geometry(region.shape, form)
    flags, said = _statements(region.attributes, which)
    score = [_score(region.attributes)] if scored else []
    made.add(region.image, name, corners, area, flags, parts if how.shapes else (), said, region.shape)
    made.score += score


def _class_attribute(source: str, regions: Iterable[Region]) -> str | None:
    """The attribute that is the class; None where no region has any."""
    found = dict.fromkeys(name for region in regions for name in region.attributes.object())
    names = [name for name in found if name.casefold() not in _OTHERS]
    if len(names) < 2:
        return names[0] if names else None
    for usual in CLASS_NAMES:
        for name in names:
            if name.casefold() == usual:
                return name
    listed = first_few((f"'{clean(name)}'" for name in names), len(names), 10)
    expected = f"one attribute, or one that is called {', '.join(CLASS_NAMES)}"
    hint = f"Rename the attribute with the class to '{CLASS_NAMES[0]}'."
    raise InputError(source, f"regions with the attributes {listed}, any of which may be the class", expected, hint)


def _only_class(source: str, regions: list[Region], how: ReadOptions) -> str:
    if how.classes is None or len(how.classes) != 1:
        hint = "If all are of one class, state its name: --classes NAME (classes= in Python)."
        found = f"{len(regions):,} region{'s' * (len(regions) != 1)}, and no attribute that could be the class"
        raise InputError(source, found, "regions with an attribute for their class", hint)
    return how.classes[0]


def _chosen(attributes: Value, which: str) -> str:
    """The class: text, a number, or the one box that is ticked; empty where there is none."""
    value = attributes.get(which)
    if value is None or (isinstance(value.value, str) and not value.value.strip()):
        return ""
    if isinstance(value.value, dict):
        ticked = [option for option, on in value.entries() if on.truth()]
        if len(ticked) > 1:
            raise value.wrong(f"{len(ticked)} classes ({first_few(map(clean, ticked), len(ticked))})", "one class")
        return clean(ticked[0]) if ticked else ""
    return value.text() if isinstance(value.value, str) else str(value.whole())


def _geometry(shape: Value, form: str) -> tuple[list[float], float | None, list[tuple[Shape, list[float]]]]:
    """Corners, area where width and height are given, and what is no box."""
    parts: list[tuple[Shape, list[float]]] = []
    corners: list[float] = []
    if form == "polygon":
        x, y = ([value.number() for value in shape[name].items()] for name in ("all_points_x", "all_points_y"))
        if len(x) != len(y) or len(x) < 3:
            raise shape.wrong(f"a polygon of {len(x)} x and {len(y)} y", "as many of both, 3 or more")
        corners = hull(list(zip(x, y, strict=True)))
        parts = [(Shape.POLYGON, [v for point in zip(x, y, strict=True) for v in point])]
    elif form != "rect":
        x0, y0 = (shape[name].number() for name in ("cx", "cy"))
        radii = [shape[name].length() for name in (("r",) if form == "circle" else ("rx", "ry"))]
        theta = 0.0 if (stated := shape.get("theta")) is None else stated.number()
        w, h = (math.hypot(radii[0] * math.cos(t), radii[-1] * math.sin(t)) for t in (theta, theta + math.pi / 2))
        if form == "circle" or theta == 0:
            w, h = radii[0], radii[-1]
        corners = [x0 - w, y0 - h, x0 + w, y0 + h]
        kind, more = (Shape.CIRCLE, []) if form == "circle" else (Shape.ELLIPSE, [theta])
        parts = [(kind, [x0, y0, *radii, *more])]
    if corners and not shape.has("width"):
        return corners, None, parts
    left, top, width, height = shape.numbers("x", "y", "width", "height")
    return [left, top, left + width, top + height], width * height, parts


def _statements(attributes: Value, which: str | None) -> tuple[int, dict[str, str]]:
    """Attributes with a meaning here as bits, others as texts."""
    bits, said = 0, dict[str, str]()
    for name, value in attributes.entries():
        flag, plain = FLAG_NAMES.get(name.casefold()), value.value
        if name.casefold() == FLAGS and isinstance(plain, dict):
            for option, on in value.entries():
                flag = FLAG_NAMES.get(option.casefold())
                if flag is None:
                    said[clean(option)] = "true" if on.truth() else "false"
                elif on.truth():
                    bits |= int(flag)
        elif flag is not None:
            bits |= int(flag) if _yes(value) else 0
        elif name != which and name.casefold() not in SCORES and plain not in (None, "", {}):
            said[clean(name)] = value.as_text()
    return bits, said


def _yes(value: Value) -> bool:
    """A flag as true, 1, "yes", or a ticked box of any name but "no"."""
    if isinstance(value.value, dict):
        return any(on.truth() and option.casefold() not in ("no", "false", "0") for option, on in value.entries())
    if isinstance(value.value, str):
        word = value.value.strip().casefold()
        if word not in ("", *YES, *NO):
            raise value.wrong(value.shown, "yes or no")
        return word in YES
    return value.value is not None and value.truth()


def _score(attributes: Value) -> float:
    stated = next((value for name, value in attributes.entries() if name.casefold() in SCORES), None)
    if stated is None:
        hint = "Files of VIA are mostly truth; were the two sides swapped?"
        raise attributes.wrong("no `score`", "a number as `score` or `confidence` of every region", hint)
    return number_in(stated)


def number_in(value: Value) -> float:
    """A finite number, which VIA may have made text of."""
    if not isinstance(value.value, str):
        return value.number()
    try:
        number = math.nan if "_" in value.value else float(value.value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise value.wrong(value.shown, "a finite number")
    return number


def size_in(attributes: Value) -> tuple[float, float]:
    """Width and height of an image, if somebody keeps them among its attributes; VIA itself does not know them."""
    found = {name.casefold(): value for name, value in attributes.entries() if value.value not in (None, "")}
    both = [found.get("width"), found.get("height")]
    width, height = (math.nan if side is None else number_in(side) for side in both)
    return (width, height) if width > 0 and height > 0 else (math.nan, math.nan)
