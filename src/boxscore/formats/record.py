"""What a format says about itself: its names, how it looks, what it can hold, where its functions are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple

SURE, LIKELY, POSSIBLE = "sure", "likely", "possible"
BOTH = ("truth", "detections")
TRUTH = ("truth",)
DETECTIONS = ("detections",)
JSON, XML, CSV, TEXT, RECORD, PICTURE, OTHER = "JSON", "XML", "CSV", "text", "record", "picture", "other"
IMAGE, FILE, CLASS, PARTS = "image", "file", "class", "parts"
FLAGS = ("crowd", "difficult", "group_of", "ignore", "occluded", "truncated", "depiction", "inside", "generated")
SHAPES = ("polygon", "rle", "oriented", "keypoints", "other_shapes")
FROM_LISTS = ("image_list", "class_list")


class Boxes(NamedTuple):
    """How a format writes its boxes."""

    form: str
    coords: str  # empty where the user may say it
    text: str
    stated: bool = False  # whether what the user states for one side counts all the same


PIXELS = Boxes("xyxy", "absolute", "corners in pixels")
SIDES = Boxes("xywh", "absolute", "x y width height in pixels")


class Sign(NamedTuple):
    """What shows a file to be of a format: all of it must hold. The first sign of a format that is met counts.

    `paths` are keys of JSON as `json_keys.has` takes them; `columns` are names in the header of a table, `a|b` where
    one has two names; `unless` are keys or columns that must not be there. A word in the last characters of a file
    (`end`) counts instead where the file is too long to be looked at; `far` is a word there that has the whole file
    searched for it.
    """

    paths: tuple[str, ...] = ()
    sides: tuple[str, ...] = TRUTH
    level: str = SURE
    unless: tuple[str, ...] = ()
    complete: bool = False  # only where all of the file was looked at
    end: str = ""
    far: str = ""
    reason: str = ""  # in place of the list of paths or columns
    columns: tuple[str, ...] = ()
    scores: tuple[str, ...] = ()  # columns of which one makes a table one of detections, whatever `sides` says
    only: bool = False  # whether there may be no columns but these and a score
    folder: str = ""  # of pictures
    named: tuple[str, ...] = ()  # how files end whose content says nothing: empty and broken ones


class Packed(NamedTuple):
    """An archive by its bytes and something else by its use."""

    holds: tuple[str, ...]  # any of these files
    title: str


class Seen(NamedTuple):
    """A format that a file fits, and the reason."""

    name: str
    level: str
    reason: str
    sides: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Known:
    """What recognition knows a format by."""

    name: str
    title: str
    home: str  # the module of the record; functions are named `module:function` from there, `:function` in it
    kind: str  # what its files are
    signs: tuple[Sign, ...] = ()
    before: str = ""  # a format whose signs it meets as well, so that it is asked first
    look: str = ""  # what judges that signs cannot say it: for text a `TextLook`, else a function (see `content`)
    why_not: str = ""  # function that says why XML is not of this format; empty where it cannot say more than others
    columns: tuple[str, ...] = ()  # of a table: columns that it must have, as `Sign` takes them
    listed: int = 500  # where lists of formats name it: those that are used most come first

    def at(self, place: str) -> Any:
        """What stands at a place of the record."""
        module, _, name = place.partition(":")
        return getattr(import_module(f"{self.home}.{module}" if module else self.home), name)

    def function(self, place: str) -> Callable[..., Any]:
        """The function at a place of the record."""
        found: Callable[..., Any] = self.at(place)
        return found


@dataclass(frozen=True, kw_only=True)
class Format(Known):
    """A way in which files hold objects or detections; readers and writers are imported when needed."""

    looks: str  # how it looks on a disk
    per: str  # what a file is for: an image, a class, the whole set, or a part of the set
    lacks: str = ""  # what files of this kind lack that are not of this format
    truth: str = ""  # function that reads, empty where the format cannot hold that side
    detections: str = ""
    write_truth: str = ""  # function that writes
    write_detections: str = ""
    folder: bool | None = False  # whether it is a folder (True), one file (False) or either (None)
    sheets: tuple[str, ...] = ()  # how files end that describe a folder and may be given instead of it
    boxes: Boxes | None = None  # how boxes are written; None where the user may say it
    options: tuple[str, ...] = ()  # files of `ReadOptions` that tell more about it
    keeps: tuple[str, ...] = ()  # of what `holding` lists, what the writer keeps
    edit: str = ""  # function that writes a corrected table into the files that it was read from
    splits: bool = False  # whether its reader finds the files of a split by itself
    parts: tuple[str, ...] = ()  # how files end that together are one set with the others of their folder
    open: tuple[str, ...] = ()  # what the writer may be told of `Writing`, and the reader must then be told as well
    glance: str = ""  # function that knows a file of this format at once by its first and last bytes
    values: str = ""  # function that makes a source of Python values of this format, None if they are not
    after: str = ""  # function that adds to the truth what options tell about it
    tables: tuple[str, ...] = ()  # what its tables are called, if not as the format
    tells: tuple[str, ...] = ()  # options that say what its files say themselves
    numbered: tuple[str, ...] = ()  # of its tables, those whose classes are ids that a list of the user can name
    from_zero: bool = False  # whether class ids are numbers from 0, which lists of detections may count otherwise
    benchmark: tuple[str, ...] = ()  # the classes of its benchmark, where files hold others as well
    fallback: str = ""  # function that says what the reader can tell more about than recognition: its broken files

    def reader(self, side: str) -> Callable[..., Any]:
        """What reads one side."""
        return self.function(self.truth if side == "truth" else self.detections)

    def editor(self) -> Callable[..., Any]:
        """What writes a corrected table into the files that it was read from."""
        return self.function(self.edit)

    def writer(self, side: str) -> Callable[..., Any]:
        """What writes one side."""
        return self.function(self.write_truth if side == "truth" else self.write_detections)


@dataclass(frozen=True, kw_only=True)
class Foreign(Known):
    """What is no input here, and what to do with it; `title` goes after "this is"."""

    advice: str
    companion: bool = False  # whether it goes with annotations, so that a folder that holds both is not called by it
    packed: tuple[Packed, ...] = ()  # archives that are it
    weak: bool = False  # whether names of files tell more than content that looks like it
    told: str = ""  # function that says what to do where it is all there is, None where `advice` does
