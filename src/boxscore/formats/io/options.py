"""How to read what the content does not say."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from numbers import Integral, Real
from typing import Any

from boxscore.errors import UnknownName, UsageError
from boxscore.formats.io.invalid import Invalid
from boxscore.formats.io.pipes import at_hand
from boxscore.formats.registry import find, names
from boxscore.tables.arguments import TEXT, WHOLE, a, checked_fields, maybe
from boxscore.tables.model import thread_count

BOXES = ("xywh", "xyxy", "cxcywh")
ALIASES = {"xyrb": "xyxy"}  # x y right bottom, as Object-Detection-Metrics calls it
COORDS = ("absolute", "relative")
CONFIDENCES = ("first", "last")
ROWS = ("box", "polygon", "oriented", "pose")
RELATIVE_BOXES = ("exact", "whole")
FILES = (
    "image_labels", "masks", "hierarchy", "label_map", "blacklist", "image_list", "class_list", "images", "sizes",
    "map_classes",
)  # fmt: skip
_CLASSES = ("classes", "truth_classes", "detections_classes")
_COLUMNS = ("truth_columns", "detections_columns")


class Numbered(tuple[str, ...]):
    """Names of classes whose numbers do not count from 0: `ids` has the number of each."""

    ids: tuple[int, ...] = ()


@checked_fields(split=maybe(TEXT), threads=WHOLE, skip_invalid=a("True or False", bool))
@dataclass(frozen=True)
class ReadOptions:
    """What the user states about the input; None where the content must say it."""

    box: str | None = None
    truth_box: str | None = None  # where the two sides differ
    detections_box: str | None = None
    coords: str | None = None
    truth_coords: str | None = None  # where the two sides differ
    detections_coords: str | None = None
    relative_boxes: str | None = None  # exact, or rounded to whole pixels as the 2021 toolkit rounds them
    image_size: tuple[float, float] | None = None
    classes: tuple[str, ...] | None = None  # names by number; may be given as the path of a list
    truth_classes: tuple[str, ...] | None = None  # where the two sides differ
    detections_classes: tuple[str, ...] | None = None
    truth_columns: tuple[str, ...] | None = None  # what the columns of plain arrays are, as x1 y1 x2 y2 label
    detections_columns: tuple[str, ...] | None = None
    confidence: str | None = None  # first or last of the numbers, in rows of YOLO
    rows: str | None = None  # what rows of YOLO and DOTA hold: box, polygon, oriented, pose
    split: str | None = None  # which part of a data set with several
    shapes: bool = False  # keep what is no box; most evaluations have no use for it
    needs: tuple[str, ...] = ()  # the columns, besides boxes, of which an evaluation's overlaps are made
    draw: bool | None = None  # whether a reader may make masks at once, of its own image sizes, and leave out shapes
    skip_invalid: bool = False  # leave records out that cannot be used, instead of refusing the whole file
    threads: int = 0
    tell: Callable[[int, int], None] | None = field(default=None, compare=False, repr=False)  # files read, of how many
    truth_format: str | None = None
    detections_format: str | None = None
    image_labels: str | os.PathLike[str] | None = None  # what is known of whole images
    masks: str | os.PathLike[str] | None = None  # Open Images: the masks of boxes
    hierarchy: str | os.PathLike[str] | None = None  # Open Images: which class stands above which
    label_map: str | os.PathLike[str] | None = None  # Open Images: the classes
    blacklist: str | os.PathLike[str] | None = None  # what is not to be evaluated, by ids of images and classes
    image_list: str | os.PathLike[str] | None = None  # VOC, ImageNet: the images, by line
    class_list: str | os.PathLike[str] | None = None  # VOC, ImageNet: the classes, by line
    images: str | os.PathLike[str] | None = None  # the folder of the images, for their sizes
    sizes: str | os.PathLike[str] | None = None  # a table of image sizes
    map_classes: str | os.PathLike[str] | None = None  # which class of the detections is which of the truth
    invalid: Invalid = field(default_factory=Invalid, compare=False, repr=False)  # what a reader has left out

    def __post_init__(self) -> None:
        thread_count(self.threads)
        for name in _CLASSES:
            object.__setattr__(self, name, _names(name, getattr(self, name)))
        for name in _COLUMNS:
            object.__setattr__(self, name, _columns(name, getattr(self, name)))
        for name in ("box", "truth_box", "detections_box"):
            value = getattr(self, name)
            meant = ALIASES.get(value, value) if isinstance(value, str) else value
            object.__setattr__(self, name, meant)
            if value is not None and not (isinstance(meant, str) and meant in BOXES):
                raise UsageError(f"{name}={value!r}; expected one of {', '.join(BOXES)}")
        for name, words in (
            ("coords", COORDS),
            ("truth_coords", COORDS),
            ("detections_coords", COORDS),
            ("confidence", CONFIDENCES),
            ("rows", ROWS),
            ("relative_boxes", RELATIVE_BOXES),
        ):
            value = getattr(self, name)
            if value is not None and not (isinstance(value, str) and value in words):
                raise UsageError(f"{name}={value!r}; expected one of {', '.join(words)}")
        for name, side in (("truth_format", "truth"), ("detections_format", "detections")):
            value = getattr(self, name)
            form = find(value) if isinstance(value, str) else None
            if value is not None and (form is None or not getattr(form, side)):
                raise UnknownName(name, str(value), names(side))
        for name in FILES:
            value = getattr(self, name)
            if value is None:
                continue
            if not isinstance(value, (str, os.PathLike)) or not os.fspath(value) or "\0" in os.fspath(value):
                raise UsageError(f"{name}={value!r}; expected the path of a file")
            object.__setattr__(self, name, at_hand(value))  # both sides may need it, and a pipe is empty after one
        for name in ("label_map", "class_list"):
            if self.classes is not None and getattr(self, name) is not None:
                raise UsageError(f"classes and {name} both list the classes; expected one of them")
        size = self.image_size
        if size is not None and not _is_size(size):
            raise UsageError(f"image_size={size!r}; expected width and height, both above 0")
        for name in _CLASSES:
            listed = getattr(self, name) or ()
            if len(set(listed)) < len(listed):
                twice = next(value for value in listed if listed.count(value) > 1)
                raise UsageError(f"{name} has '{twice}' twice; expected different names")

    def fresh(self) -> ReadOptions:
        """The same for one more reading, of which nothing is left out yet."""
        return replace(self, invalid=Invalid(self.skip_invalid))

    def of(self, side: str) -> ReadOptions:
        """What holds for one side: its own statements stand before the common ones.

        >>> ReadOptions(box="xywh", detections_box="xyxy").of("detections").box
        'xyxy'
        """
        own = {name: getattr(self, f"{side}_{name}") for name in ("box", "coords", "classes")}
        stated = {name: value for name, value in own.items() if value is not None}
        draw = "masks" in self.needs and not self.shapes and not self.states_sizes if self.draw is None else self.draw
        return replace(self, **stated, shapes=self.shapes or bool(self.needs), draw=draw)

    @property
    def states_sizes(self) -> bool:
        """Whether the user says where sizes of images are to be had."""
        return any(value is not None for value in (self.image_size, self.sizes, self.images))

    @property
    def everything(self) -> bool:
        """Whether a reader is to keep all that rows have, not only what overlaps are made of."""
        return self.shapes and not self.needs


def _is_size(size: Any) -> bool:
    if isinstance(size, str) or not isinstance(size, Iterable):
        return False
    sides = _listed(size)
    return len(sides) == 2 and all(isinstance(s, Real) and 0 < float(s) < math.inf for s in sides)


def _names(name: str, given: Any) -> tuple[str, ...] | None:
    """Names of classes by number: a list, a mapping from numbers to names, or the path of a file that lists them."""
    if given is None or isinstance(given, Numbered):
        return given
    if isinstance(given, (str, os.PathLike)):
        from boxscore.formats.io.class_lists import read_class_names

        return read_class_names(given)
    if isinstance(given, Mapping):
        return _by_number(name, given)
    listed = _listed(given)
    if not all(isinstance(one, str) for one in listed):
        shown = next(one for one in listed if not isinstance(one, str))
        raise UsageError(f"{name}={shown!r}; expected names, or the path of a file that lists them")
    return listed


def _listed(given: Any) -> tuple[Any, ...]:
    """The values of a list; those that are none are their own."""
    try:
        return tuple(given)
    except TypeError:  # no iterable, or an array without axes
        return (given,)


def _by_number(name: str, given: Mapping[Any, Any]) -> tuple[str, ...]:
    wrong = [key for key, one in given.items() if not _is_number(key) or not isinstance(one, str)]
    if wrong:
        raise UsageError(f"{name}={{{wrong[0]!r}: {given[wrong[0]]!r}}}; expected names by number, as {{1: 'cat'}}")
    pairs = sorted((int(key), one) for key, one in given.items())
    numbers, names = tuple(key for key, _ in pairs), tuple(one for _, one in pairs)
    if numbers == tuple(range(len(numbers))):
        return names
    made = Numbered(names)
    made.ids = numbers
    return made


def _is_number(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _columns(name: str, given: Any) -> tuple[str, ...] | None:
    """Names of columns: a list, or one text with spaces or commas between them."""
    if given is None:
        return None
    named = given.replace(",", " ").split() if isinstance(given, str) else given
    words = _listed(named)
    if not all(isinstance(word, str) for word in words):
        raise UsageError(f"{name}={given!r}; expected names of columns, such as 'x1 y1 x2 y2 score label'")
    if len(set(words)) < len(words):
        raise UsageError(f"{name}={given!r} has a column twice; expected different names")
    return words


Reading = ReadOptions  # its older name
NAMES = tuple(
    f.name for f in fields(ReadOptions) if f.name not in ("invalid", "needs", "draw")
)  # what functions take as keywords
