"""LabelMe: a JSON file per image, with rectangles, polygons, circles, masks and oriented rectangles as shapes.

Shapes of the same label and group are one object. Lines and points have no area and are never evaluated as boxes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from boxscore.diagnostics.findings import Finding
from boxscore.errors import InputError
from boxscore.formats.io.collected import FLAG_NAMES, Collected, flat, hull
from boxscore.formats.io.files import Files, none_of
from boxscore.formats.io.json_values import Value, load_value
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.io.record_values import clean
from boxscore.formats.words import SCORES
from boxscore.tables.model import Detections, Truth
from boxscore.tables.shapes import Shape

BOX_FLAG = "box"  # of a rectangle that is the box of its group, so that other shapes do not widen it
IGNORED = ("__ignore__", "_background_")  # labels that LabelMe's own tools take for no class
_EXPECTED = "a JSON file of LabelMe, with `shapes` and `imagePath`"
_WITHOUT_AREA = ("line", "linestrip", "point", "points")
_QUADS = ("oriented_rectangle", "rotation", "quadrilateral")
_KNOWN = ("rectangle", "polygon", "circle", "mask", *_QUADS, *_WITHOUT_AREA)
_POINTS = {"rectangle": (2, 4), "circle": (2,), "mask": (2,), **dict.fromkeys(_QUADS, (4,))}


@dataclass
class Object:
    """What the shapes of one object say together."""

    label: str
    corners: list[float]
    is_box: bool  # the corners are stated, not the hull of shapes
    flags: int
    score: float
    where: Value  # the first of the shapes
    parts: list[tuple[Shape, list[float]]] = field(default_factory=list)
    said: dict[str, str] = field(default_factory=dict)

    def join(self, other: Object, place: Value) -> None:
        """Takes in another shape of the same group."""
        if self.score != other.score:
            found = f"the scores {self.score} and {other.score} in one group"
            raise place.wrong(found, "the same score in all shapes of an object")
        if self.is_box == other.is_box:
            points = [box[k : k + 2] for box in (self.corners, other.corners) for k in (0, 2)]
            self.corners = hull(points)
        elif other.is_box:
            self.corners, self.is_box = other.corners, True
        self.flags |= other.flags
        self.parts += other.parts
        for name, value in other.said.items():
            before = self.said.get(name)
            self.said[name] = value if before in (None, value) else f"{before}; {value}"


def read_truth(files: Files, how: ReadOptions) -> tuple[Truth, list[Finding]]:
    """The objects of all JSON files, or of the one that is given."""
    return _read(files, how, scored=False).truth(files.name, "labelme", how), []


def read_detections(files: Files, how: ReadOptions, truth: Truth | None = None) -> tuple[Detections, list[Finding]]:
    """The same with a number as `score` (or `confidence`) in every shape."""
    return _read(files, how, scored=True).detections(files.name, "labelme", how), []


def _read(files: Files, how: ReadOptions, scored: bool) -> Collected:
    paths = [""] if files.is_file else files.called(".json")
    if not paths:
        raise none_of(files, "JSON files", "a JSON file of LabelMe per image")
    made = Collected()
    for path in paths:
        root = load_value(files.source(path), _EXPECTED)
        shapes = root["shapes"].items()
        name = root["imagePath"].text().replace("\\", "/").rpartition("/")[2]
        key = path.rpartition("/")[0] + "/" + name if "/" in path else name
        if key in made.key:
            found = f"the image '{key}', which {made.places[made.key[key]]} has too"
            raise InputError(files.place(path), found, "an image of its own in every file (`imagePath`)")
        image = made.add_image(key, *_size(root))
        made.places.append(files.place(path))
        for one in _objects(shapes, (made.width[image], made.height[image]), how, scored, made):
            parts = one.parts if how.shapes else ()
            with how.invalid:
                made.add(image, one.label, one.corners, None, one.flags, parts, one.said, one.where)
                made.score.append(one.score)
    return made


def _size(root: Value) -> tuple[float, float]:
    """Width and height of the image; where a file does not say them, its copy of the image does."""
    width, height = root.size("imageWidth", "imageHeight")
    if math.isnan(width + height) and (image := root.get("imageData")) is not None:
        from boxscore.formats.io.base64_image import image_size

        return image_size(image)
    return width, height


def _objects(
    shapes: list[Value], size: tuple[float, float], how: ReadOptions, scored: bool, made: Collected
) -> Iterator[Object]:
    """The objects of an image, in the order of their first shapes."""
    objects: dict[Any, Object] = {}
    for number, shape in enumerate(shapes):
        stated = shape.object()
        if stated.get("label") is None and stated.get("points") is None:
            continue  # a way of saying that there is no object
        form = "polygon" if stated.get("shape_type") is None else shape["shape_type"].text()
        if form in _WITHOUT_AREA or _no_points(shape):
            made.rejected[f"no area: {form}" if form in _WITHOUT_AREA else "no points"] += 1
            continue
        one = None
        with how.invalid:
            one = _object(shape, form, size, how, scored)
        if one is None:
            continue
        if one.label in IGNORED:
            made.rejected[f"label {one.label}"] += 1
            continue
        group = shape.get("group_id")
        same = number if group is None or group.value == "" else (one.label, _group(group))
        if same in objects:
            objects[same].join(one, shape)
        else:
            objects[same] = one
    yield from objects.values()


def _group(value: Value) -> int | str:
    return value.text() if isinstance(value.value, str) else value.whole()


def _no_points(shape: Value) -> bool:
    points = shape.object().get("points")
    return points in (None, []) or (isinstance(points, list) and all(p in (None, [], [None, None]) for p in points))


def _object(shape: Value, form: str, size: tuple[float, float], how: ReadOptions, scored: bool) -> Object:
    label, points = shape["label"].text(), shape["points"].points()
    if form not in _KNOWN:
        raise shape.wrong(f"the shape '{form}'", f"one of {', '.join(_KNOWN)}")
    allowed = _POINTS.get(form)
    if len(points) < 3 if allowed is None else len(points) not in allowed:
        expected = "3 or more" if allowed is None else " or ".join(map(str, allowed))
        raise shape["points"].wrong(f"{len(points)} point{'s' * (len(points) != 1)} of a {form}", expected)
    corners, parts = hull(points), list[tuple[Shape, list[float]]]()
    if form == "circle":
        (x, y), rim = points
        radius = math.dist((x, y), rim)
        corners, parts = [x - radius, y - radius, x + radius, y + radius], [(Shape.CIRCLE, [x, y, radius])]
    elif form == "mask":
        from boxscore.formats.io.base64_image import mask_of

        corners, counts = mask_of(shape["mask"], corners, size, how.shapes)
        parts = [(Shape.RLE, counts)]
    elif form != "rectangle":
        parts = [(Shape.POLYGON if form == "polygon" else Shape.QUAD, flat(points))]
    flags, said, is_box = _statements(shape)
    is_box = is_box and form == "rectangle" and len(points) == 2
    if is_box:
        corners = flat(points)  # as they are, even of a box that ends before it begins
    return Object(label, corners, is_box, flags, _score(shape) if scored else 0.0, shape, parts, said)


def _score(shape: Value) -> float:
    stated = next((found for name in SCORES if (found := shape.get(name)) is not None), None)
    if stated is None:
        hint = "Files of LabelMe are truth; were the two sides swapped?"
        raise shape.wrong("no `score`", "a number as `score` in every shape", hint)
    return stated.number()


def _statements(shape: Value) -> tuple[int, dict[str, str], bool]:
    """Flags with a meaning here as bits; other flags, the description and attributes as texts; the flag of boxes."""
    bits, said, is_box = 0, dict[str, str](), False
    description = shape.get("description")
    if description is not None and description.value != "":
        said["description"] = description.as_text()
    stated = shape.get("flags")
    beside = [name for name in FLAG_NAMES if name in shape.object()]  # as some tools have `difficult`
    for name, value in (
        *(() if stated is None else stated.entries()),
        *((name, Value(shape.file, shape.value[name], shape, name)) for name in beside),
    ):
        flag = FLAG_NAMES.get(name.casefold())
        if flag is not None:
            bits |= int(flag) if value.value is not None and value.truth() else 0
        elif name == BOX_FLAG:
            is_box = value.truth()
        else:
            said[clean(name)] = "true" if value.truth() else "false"
    attributes = shape.get("attributes")
    for name, value in () if attributes is None else attributes.entries():
        said[clean(name)] = value.as_text()
    return bits, said, is_box
