"""An XML file of PASCAL VOC or ImageNet by the general parser: any way of writing it, and what is wrong with it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NoReturn
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser

import numpy as np

from boxscore.errors import InputError
from boxscore.formats.io.invalid import Invalid
from boxscore.formats.words import SCORES, YES
from boxscore.tables.model import Flag
from boxscore.tables.oriented import corners_of
from boxscore.tables.shapes import Shape, ShapesMaker

FLAGS = {
    "difficult": Flag.DIFFICULT,
    "truncated": Flag.TRUNCATED,
    "occluded": Flag.OCCLUDED,
    "generated": Flag.GENERATED,  # in videos: made by a tracker, not by a person
}
CORNERS = ("xmin", "ymin", "xmax", "ymax")
ORIENTED = ("cx", "cy", "w", "h", "angle")
_FULL_TURN = 6.284  # 2 pi, rounded up: files have few digits
_NO = ("", "0", "unspecified", "false", "no")  # of a flag; some tools write an empty element
_READ = {"name", "bndbox", "polygon", "robndbox", "trackid", *FLAGS}  # what is no further statement
_DEEPEST = 100  # elements within one another, where objects of VOC have two or three
_HINTS = {"annotations": "The annotations of CVAT begin so: if they are, state the format cvat."}


@dataclass
class Objects:
    """What files hold; the lists of objects have an entry per object, `corners` four."""

    width: dict[int, float] = field(default_factory=dict)  # of each file
    height: dict[int, float] = field(default_factory=dict)
    filename: dict[int, str] = field(default_factory=dict)
    image: list[int] = field(default_factory=list)
    name: list[str] = field(default_factory=list)
    corners: list[float] = field(default_factory=list)
    flags: list[int] = field(default_factory=list)
    track: list[int] = field(default_factory=list)
    score: list[float] = field(default_factory=list)
    shapes: ShapesMaker = field(default_factory=ShapesMaker)
    attributes: list[tuple[int, str, str]] = field(default_factory=list)  # object, name, value
    without_box: int = 0
    invalid: Invalid = field(default_factory=Invalid)


class _WithoutDtd(TreeBuilder):
    """Refuses what can make a small file expand without end; annotations have no use for it."""

    def doctype(self, *_: object) -> NoReturn:
        raise ParseError("a document type declaration is not accepted")


def read_element(file: str, content: bytes, image: int, into: Objects, scored: bool, everything: bool) -> None:
    """Adds the objects of a file; `scored` ones must have a score, and `everything` keeps what is no box."""
    root = _root(file, content)
    into.width[image] = size(root.findtext("size/width"))
    into.height[image] = size(root.findtext("size/height"))
    into.filename[image] = root.findtext("filename") or ""
    for number, element in enumerate(root.findall("object")):
        with into.invalid:
            _Object(file, f"object[{number}]", element).add(image, into, scored, everything)


def _root(file: str, content: bytes) -> Element:
    parser = XMLParser(target=_WithoutDtd())
    try:
        parser.feed(content)
        root: Element = parser.close()
    except (ParseError, ValueError, LookupError) as error:  # the latter two: encodings that there are not
        raise InputError(file, f"invalid XML ({error})", "an XML file with annotations of an image") from None
    expected = "an element <annotation>, as in files of PASCAL VOC"
    if root.tag != "annotation":
        raise InputError(file, f"the element <{root.tag}>", expected, _HINTS.get(root.tag, ""))
    if root.find("imagesize/nrows") is not None:
        raise InputError(file, "an annotation of LabelMe's web page, with imagesize/nrows", f"{expected}, with size")
    return root


@dataclass(frozen=True)
class _Object:
    """An object, and how messages name it."""

    file: str
    place: str
    element: Element

    def add(self, image: int, into: Objects, scored: bool, everything: bool) -> None:
        """Adds it, unless it has no box and nothing that a box could be drawn around."""
        shapes = list(self.shapes()) if everything or self.element.find("bndbox") is None else []
        corners = self.corners(shapes)
        if corners is None:
            into.without_box += 1
            return
        name = class_name(self.element.findtext("name") or "")
        if not name:
            raise InputError(self.file, f"{self.place} has no name", "the name of its class")
        flags, track = sum(flag for word, flag in FLAGS.items() if self.flag(word)), self.track()
        if scored:
            into.score.append(self.score())
        if everything:
            row = len(into.image)
            for kind, values in shapes:
                into.shapes.add(row, kind, values)
            into.attributes += [(row, key, value) for key, value in self.attributes(SCORES if scored else ())]
        into.image.append(image)
        into.name.append(name)
        into.corners += corners
        into.flags.append(flags)
        into.track.append(track)

    def corners(self, shapes: list[tuple[Shape, list[float]]]) -> list[float] | None:
        """As they are written; without a box, those around all shapes."""
        # Boxes of parts stand deeper, and the order of elements differs from file to file.
        box = self.element.find("bndbox")
        if box is not None:
            return [self.number(corner, box.findtext(corner)) for corner in CORNERS]
        points = [point for kind, values in shapes for point in _points(kind, values)]
        if not points:
            return None
        x, y = zip(*points, strict=True)
        return [min(x), min(y), max(x), max(y)]

    def shapes(self) -> Iterator[tuple[Shape, list[float]]]:
        """Polygons (x1, y1, x2, …) and oriented boxes."""
        for polygon in self.element.findall("polygon"):
            values = [self.number(f"polygon/{point.tag}", point.text or "") for point in polygon]
            expected = [f"{axis}{k}" for k in range(1, len(values) // 2 + 1) for axis in "xy"]
            if [point.tag for point in polygon] != expected:
                found = f"a polygon of {', '.join(point.tag for point in polygon)}"
                raise InputError(self.file, f"{self.place}: {found}", "x1, y1, x2, y2, …")
            if values:
                yield Shape.POLYGON, values
        for box in self.element.findall("robndbox"):
            yield Shape.ORIENTED, self.oriented(box)

    def oriented(self, box: Element) -> list[float]:
        """Centre, sides and angle of an oriented box of roLabelImg."""
        values = [self.number(part, box.findtext(part)) for part in ORIENTED]
        for part, side in zip(ORIENTED[2:4], values[2:4], strict=True):
            if side <= 0:
                raise InputError(self.file, f"{self.place}: {part} is {side:g}", "a side above 0 in robndbox")
        if abs(values[4]) > _FULL_TURN:
            hint = "Degrees become radians when they are multiplied by pi / 180."
            raise InputError(self.file, f"{self.place}: angle is {values[4]:g}", "radians, at most a full turn", hint)
        return values

    def attributes(self, read: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Everything else that it says, by the names of elements; lists of attributes as CVAT writes them."""
        for child in self.element:
            if child.tag == "attributes" and child.find("attribute") is not None:
                for attribute in child.findall("attribute"):
                    yield attribute.findtext("name") or "", attribute.findtext("value") or ""
            elif child.tag not in _READ and child.tag not in read:
                yield from self.leaves(child)

    def leaves(self, element: Element) -> Iterator[tuple[str, str]]:
        """The texts below an element by the path of their own one, in the order of the file."""
        waiting = [(element, element.tag, 0)]
        while waiting:
            one, path, depth = waiting.pop()
            text = (one.text or "").strip()
            if not len(one) and text and (path, text) != ("pose", "Unspecified"):
                yield path, text
            if depth > _DEEPEST:
                raise InputError(self.file, f"{self.place}: XML nested too deeply", "an object of PASCAL VOC")
            waiting += [(child, f"{path}/{child.tag}", depth + 1) for child in reversed(one)]

    def flag(self, what: str) -> bool:
        """Whether a flag is set."""
        text = self.element.findtext(what)
        known = flag_of("" if text is None else text)
        return self.number(what, text) > 0 if known is None else known

    def track(self) -> int:
        """The number of the object in its video; -1 where it has none."""
        text = self.element.findtext("trackid")
        if text is None or not text.strip():
            return -1
        value = self.number("trackid", text)
        if not is_track(value):
            raise InputError(self.file, f"{self.place}: trackid is '{text.strip()}'", "a whole number")
        return int(value)

    def score(self) -> float:
        """How sure a detection is."""
        given = [word for word in SCORES if self.element.find(word) is not None]
        if not given:
            hint = "Truth comes first, then detections; were they swapped?"
            raise InputError(self.file, f"{self.place} has no score", "a <score> or <confidence> in every object", hint)
        return self.number(given[0], self.element.findtext(given[0]))

    def number(self, what: str, text: str | None) -> float:
        """A finite number."""
        try:
            value = math.nan if text is None or "_" in text else float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            found = f"no {what}" if text is None else f"{what} is '{text.strip()}'"
            raise InputError(self.file, f"{self.place}: {found}", "a finite number")
        return value


def class_name(text: str) -> str:
    """A class name without the white space around it and with single spaces in it."""
    return " ".join(text.split())


def size(text: str | None) -> float:
    """A width or height; nan where the file does not know it, for which many write 0."""
    try:
        value = math.nan if "_" in (text or "") else float(text or 0)
    except ValueError:
        return math.nan
    return value if value > 0 and math.isfinite(value) else math.nan


def flag_of(text: str) -> bool | None:
    """What the text of a flag says; None where it must be read as a number."""
    word = text.strip().lower()
    return None if word not in _NO and word not in YES else word in YES


def is_track(value: float) -> bool:
    """Whether a number can be that of a track, or -1 for none."""
    return value == math.floor(value) and -1 <= value < 2**53


def _points(kind: Shape, values: list[float]) -> list[tuple[float, float]]:
    if kind == Shape.POLYGON:
        return list(zip(values[::2], values[1::2], strict=True))
    corners = corners_of(np.array([values]))[0].tolist()
    return list(zip(corners[::2], corners[1::2], strict=True))
