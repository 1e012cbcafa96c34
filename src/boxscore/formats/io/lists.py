"""Lists that come with image sets: of images (`<name> [<number>]` a line) and of classes (`[<number>] <name> …`)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from os import PathLike

import numpy as np

from boxscore.errors import InputError
from boxscore.formats.io.delimited import lines_of
from boxscore.formats.io.same_images import without_extension
from boxscore.formats.io.source import Source, open_source
from boxscore.tables.model import Classes, Ints

_WHOLE = re.compile(r"-?\d{1,18}")
_WORDNET = re.compile(r"n\d{8}")


@dataclass(frozen=True, eq=False)
class ImageList:
    """The images of a list; `number` counts lines from 1 where the list has no numbers of its own."""

    source: str
    name: tuple[str, ...]
    number: Ints
    numbered: bool  # whether the list has numbers of its own


def read_image_list(path: str | PathLike[str]) -> ImageList:
    """The images of a file of ImageSets."""
    return image_list_of(open_source(path))


def image_list_of(source: Source) -> ImageList:
    """The images of a list, without the extensions that some tools write there.

    What stands behind a name is its number if all differ, as in ImageNet's lists; in those of PASCAL VOC it says
    whether a class is in the image.
    """
    rows = [_named(line.strip()) for line in lines_of(source) if line.strip()]
    names = tuple(without_extension(name.replace("\\", "/")) for name, _ in rows)
    if not names:
        raise InputError(source.name, "no images", "the name of an image on each line")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(source.name, f"the image '{twice}' twice", "different images")
    numbers = [number for _, number in rows if number is not None and number > 0]
    numbered = len(set(numbers)) == len(names)
    return ImageList(
        source.name, names, np.array(numbers if numbered else range(1, len(names) + 1), np.int64), numbered
    )


def _named(line: str) -> tuple[str, int | None]:
    words = line.rsplit(None, 1)
    return (words[0], int(words[1])) if len(words) == 2 and _WHOLE.fullmatch(words[1]) else (line, None)


def read_class_list(path: str | PathLike[str]) -> Classes:
    """The classes of a list, numbered as it says or by line from 1.

    Words that explain a WordNet id (`n01440764 tench, Tinca tinca`) are passed over.
    """
    source = open_source(path)
    names, numbers = list[str](), list[int]()
    for line in lines_of(source):
        words = line.split()
        if words:
            own = _WHOLE.fullmatch(words[0]) is not None and len(words) > 1
            numbers.append(int(words[0]) if own else len(names) + 1)
            rest = words[1:] if own else words
            names.append(rest[0] if own or _WORDNET.fullmatch(rest[0]) else " ".join(rest))
    if not names:
        raise InputError(source.name, "no classes", "the name of a class on each line")
    for what, values in (("name", names), ("number", [str(number) for number in numbers])):
        if len(set(values)) < len(values):
            twice = next(value for value in values if values.count(value) > 1)
            raise InputError(source.name, f"the {what} '{twice}' twice", "different classes")
    return Classes(tuple(names), tuple(numbers))
