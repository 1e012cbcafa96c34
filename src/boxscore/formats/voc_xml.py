"""PASCAL VOC and ImageNet: an XML file per image, alone in a folder or in the `Annotations` of a development kit.

Corners are kept as they are written, first and last pixel of the box; whether the last one counts is for the protocol.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NoReturn
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser

import numpy as np

from boxscore.errors import InputError, first_few
from boxscore.formats.files import Files, none_of
from boxscore.formats.lists import ImageList, read_class_list, read_image_list
from boxscore.formats.reading import Reading
from boxscore.ledger import Finding
from boxscore.model import Classes, Flag, Images, Truth, row_numbers

FLAGS = {
    "difficult": Flag.DIFFICULT,
    "truncated": Flag.TRUNCATED,
    "occluded": Flag.OCCLUDED,
    "generated": Flag.GENERATED,  # in videos: made by a tracker, not by a person
}
CORNERS = ("xmin", "ymin", "xmax", "ymax")
_NO = ("", "0", "unspecified", "false", "no")  # of a flag; some tools write an empty element
_YES = ("1", "true", "yes")


@dataclass
class Objects:
    """What the files hold; the lists from `image` on have an entry per object, `corners` four."""

    width: list[float] = field(default_factory=list)  # of each image
    height: list[float] = field(default_factory=list)
    image: list[int] = field(default_factory=list)
    name: list[str] = field(default_factory=list)
    corners: list[float] = field(default_factory=list)
    flags: list[int] = field(default_factory=list)
    without_box: int = 0


def read_truth(folder: Files, how: Reading) -> tuple[Truth, list[Finding]]:
    """Objects of all XML files, or of those that `image_list` names.

    With listed classes, objects of any other are rows without a class, which are never evaluated.
    """
    listed = None if how.image_list is None else read_image_list(how.image_list)
    annotations = folder.below("Annotations")
    inside = annotations if annotations.paths else folder
    keys, paths = _files(inside, listed)
    if not paths:
        raise none_of(folder, "XML files", "an XML file per image, in it or in its folder Annotations")
    objects = Objects()
    for image, path in enumerate(paths):
        _read_file(inside.place(path), inside.bytes(path), image, objects)
    classes = _classes(objects, how)
    place = {name: k for k, name in enumerate(classes.name)}
    corners = np.array(objects.corners, np.float64).reshape(-1, 4)
    n = len(corners)
    own = listed.number if listed is not None and listed.numbered else None
    return Truth(
        Images(keys, own, np.array(objects.width, np.float64), np.array(objects.height, np.float64)),
        classes,
        np.array(objects.image, np.int32),
        np.array([place.get(name, -1) for name in objects.name], np.int32),
        corners,
        (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1]),
        row_numbers(n),
        folder.name,
        "voc-xml",
        [inside.place(path) for path in paths],
        rejected=(("no box", objects.without_box),) if objects.without_box else (),
        area=np.full(n, np.nan),
        flags=np.array(objects.flags, np.uint16),
    ), []


def _classes(objects: Objects, how: Reading) -> Classes:
    if how.class_list is not None:
        return read_class_list(how.class_list)
    names = tuple(sorted(set(objects.name))) if how.classes is None else how.classes
    return Classes(names, names)


def _files(folder: Files, listed: ImageList | None) -> tuple[list[str], list[str]]:
    """The names of the images and the paths of their files."""
    if listed is not None:
        paths, there = [f"{name}.xml" for name in listed.name], {*folder.paths}
        missing = [name for name, path in zip(listed.name, paths, strict=True) if path not in there]
        if missing:
            found = f"no XML file for {first_few(missing, len(missing))}"
            raise InputError(folder.name, found, f"one for each of the {len(paths):,} images of {listed.source}")
        return list(listed.name), paths
    paths = folder.ending(".xml")
    return [path[:-4] for path in paths], paths


class _WithoutDtd(TreeBuilder):
    """Refuses what can make a small file expand without end; annotations have no use for it."""

    def doctype(self, *_: object) -> NoReturn:
        raise ParseError("a document type declaration is not accepted")


def _root(file: str, content: bytes) -> Element:
    parser = XMLParser(target=_WithoutDtd())
    try:
        parser.feed(content)
        root: Element = parser.close()
    except (ParseError, ValueError, LookupError) as error:  # the latter two: encodings that there are not
        raise InputError(file, f"invalid XML ({error})", "an XML file with annotations of an image") from None
    if root.tag != "annotation":
        raise InputError(file, f"the element <{root.tag}>", "an element <annotation>, as in files of PASCAL VOC")
    return root


def _read_file(file: str, content: bytes, image: int, objects: Objects) -> None:
    root = _root(file, content)
    objects.width.append(_size(root.findtext("size/width")))
    objects.height.append(_size(root.findtext("size/height")))
    for number, element in enumerate(root.findall("object")):
        # Boxes of parts stand deeper, and the order of elements differs from file to file.
        box = element.find("bndbox")
        if box is None:
            objects.without_box += 1
            continue
        place = f"object[{number}]"
        name = " ".join((element.findtext("name") or "").split())
        if not name:
            raise InputError(file, f"{place} has no name", "the name of its class")
        objects.image.append(image)
        objects.name.append(name)
        objects.corners += [_number(file, place, corner, box.findtext(corner)) for corner in CORNERS]
        objects.flags.append(
            sum(flag for word, flag in FLAGS.items() if _flag(file, place, word, element.findtext(word)))
        )


def _size(text: str | None) -> float:
    """A width or height; nan where the file does not know it, for which many write 0."""
    try:
        value = float(text or 0)
    except ValueError:
        return math.nan
    return value if value > 0 and math.isfinite(value) else math.nan


def _number(file: str, place: str, what: str, text: str | None) -> float:
    try:
        value = math.nan if text is None or "_" in text else float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        found = f"no {what}" if text is None else f"{what} is '{text.strip()}'"
        raise InputError(file, f"{place}: {found}", "a finite number")
    return value


def _flag(file: str, place: str, what: str, text: str | None) -> bool:
    word = "" if text is None else text.strip().lower()
    if word in _NO or word in _YES:
        return word in _YES
    return _number(file, place, what, text) > 0
