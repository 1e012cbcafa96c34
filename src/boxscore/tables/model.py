"""Truth and detections as columns: the tables that everything else works on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import IntFlag
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from boxscore.tables.arguments import Kind, checked
from boxscore.tables.columns import Indices as Indices
from boxscore.tables.columns import empty as empty
from boxscore.tables.columns import factorise as factorise
from boxscore.tables.columns import index_of as index_of
from boxscore.tables.columns import row_numbers as row_numbers
from boxscore.tables.masks import Masks
from boxscore.tables.shapes import Attributes, Shapes
from boxscore.tables.shapes import Floats as Floats
from boxscore.tables.shapes import Ints as Ints
from boxscore.tables.threads import thread_count as thread_count
from boxscore.tables.tubes import Tubes

Bools = npt.NDArray[np.bool_]
Words = npt.NDArray[np.uint16]


class Flag(IntFlag):
    """What an annotation says of an object besides its box; kept as bits in the column `flags`."""

    CROWD = 1
    DIFFICULT = 2
    GROUP_OF = 4
    IGNORE = 8
    OCCLUDED = 16
    TRUNCATED = 32
    DEPICTION = 64
    INSIDE = 128
    GENERATED = 256
    OUTSIDE = 512


@dataclass(frozen=True, eq=False)
class Images:
    """The images of a table, in the order of the source.

    `key` is the relative path (or the id as text); `id` the number that the source uses, if it uses numbers.
    """

    key: Sequence[str]
    id: Ints | None = None
    width: Floats | None = None  # nan where unknown
    height: Floats | None = None
    video: Sequence[str] | None = None  # the name of the video that each is a frame of
    frame: Ints | None = None  # its number there, as the source counts
    rank: Ints | None = None  # what official codes sort images by, where that is not the number (ids that are text)
    videos: Sequence[str] | None = None  # all videos that the source lists, those without frames here too

    def __len__(self) -> int:
        return len(self.key)

    @property
    def order(self) -> Ints:
        """What official codes sort images by: their text or number where there is one, else the place in the list."""
        if self.rank is not None:
            return self.rank
        return self.id if self.id is not None else np.arange(len(self), dtype=np.int64)


class Mark(IntFlag):
    """What is known of a class in an image besides boxes; kept as bits in `ImageLabels.mark`."""

    POSITIVE = 1  # somebody verified that it is there
    NEGATIVE = 2  # somebody verified that it is not
    NOT_EXHAUSTIVE = 4  # it is there, and not every object of it has a box
    BLACKLISTED = 8  # this image and class are not to be evaluated


@dataclass(frozen=True, eq=False)
class ImageLabels:
    """Image-level labels, one row per statement."""

    image: Indices  # index into the table's images
    label: Indices  # index into the table's classes; of relations, into its `end_classes`
    mark: npt.NDArray[np.uint8]  # bits of `Mark`

    def __len__(self) -> int:
        return len(self.image)


@dataclass(frozen=True)
class Classes:
    """The classes of a table, in the order in which they are reported."""

    name: tuple[str, ...]
    id: tuple[int | str, ...]
    frequency: tuple[str, ...] | None = None  # how often each occurs: "r", "c" or "f", as LVIS counts
    parents: tuple[tuple[int, ...], ...] | None = None  # the classes directly above each, in a hierarchy
    sigmas: tuple[tuple[float, ...], ...] | None = None  # of the keypoints of each; empty where the source has none
    merged: tuple[int, ...] | None = None  # the class as which each is counted where protocols merge classes, as TAO

    def __len__(self) -> int:
        return len(self.name)


@dataclass(frozen=True, eq=False)
class _Rows:
    """What the rows of both tables have in common; every column has one entry per row.

    An `image` or `label` of -1 is one that the table's own lists do not have; such rows are never evaluated, and the
    ledger says so. It is the only place where a number stands for "none". The class of a relation is what holds between
    its two ends (`on`, `holds`), its box the one around both.
    """

    images: Images
    classes: Classes
    image: Indices  # index into images
    label: Indices  # index into classes
    corners: Floats  # (n, 4) absolute x0 y0 x1 y1
    box_area: Floats  # w * h in the source's own arithmetic: COCO's overlap is bit-exact only with it
    position: Ints  # row in the source, ascending
    source: str = ""  # file or description, for messages
    format: str = ""
    places: Sequence[str] | None = field(default=None, compare=False)  # file of each image, where every image has one
    relative: bool = False  # corners are normalized coordinates instead of pixels
    shapes: Shapes | None = None  # what rows are besides boxes, as the source has it
    masks: Masks | None = None  # what overlaps are made of; none where nobody asked for it
    quads: Floats | None = None  # (n, 8) x y of the four corners of oriented boxes
    # (n, points, 3) x y visibility, of detections perhaps as singles; nan for points that a row's class does not have
    keypoints: Floats | None = None
    end_boxes: Floats | None = None  # (n, 8) of relations: corners of the subject's box, then of the object's
    end_labels: Indices | None = None  # (n, 2) of relations: classes of subject and object, indices into `end_classes`
    end_classes: Classes | None = None
    track: Ints | None = None  # number of the object in its video, the same in every frame; -1 where it has none
    tubes: Tubes | None = None  # the boxes of each row, where rows are tracks and images their videos
    attributes: Attributes | None = None  # what else the source says of rows
    rejected: tuple[tuple[str, int], ...] = ()  # rows that could not become a row: (reason, how many)

    def __post_init__(self) -> None:
        n = len(self.image)
        for f in fields(self):
            column = getattr(self, f.name)
            if not isinstance(column, np.ndarray):
                continue
            if len(column) != n:
                raise ValueError(f"{f.name} has {len(column)} rows, image has {n}")
            if not column.flags.c_contiguous:  # the kernels go through memory row by row
                object.__setattr__(self, f.name, np.ascontiguousarray(column))

    def __len__(self) -> int:
        return len(self.image)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Rows as dictionaries, for people who look at a few."""
        for i in range(len(self)):
            yield {
                "image": self.images.key[self.image[i]] if self.image[i] >= 0 else None,
                "class": self.classes.name[self.label[i]] if self.label[i] >= 0 else None,
                "box": tuple(float(v) for v in self.corners[i]),
                **{f.name: getattr(self, f.name)[i].item() for f in fields(self) if f.name in ("score", "flags")},
            }


@dataclass(frozen=True, eq=False)
class Truth(_Rows):
    """Annotated objects of any number of images, one row each."""

    area: Floats = field(default_factory=lambda: np.zeros(0))  # as given; nan where the source gives none
    flags: Words = field(default_factory=lambda: np.zeros(0, np.uint16))
    id: Ints | None = None  # the source's own number of the object
    sides: Floats | None = None  # (n, 2) width and height as the source states them; none where corners say them
    labelled: Ints | None = None  # how many keypoints the source says are labelled; -1 where it does not
    labels: ImageLabels | None = None  # what is said of whole images
    added: tuple[tuple[str, int], ...] = ()  # rows that no source has: (reason, how many)


@dataclass(frozen=True, eq=False)
class Detections(_Rows):
    """Detections of any number of images, one row each."""

    score: Floats = field(default_factory=lambda: np.zeros(0))  # higher is surer
    track_score: Floats | None = None  # of the whole track of a row, where the source states one; else nan
    area: Floats | None = None  # where the source has no boxes: the area of what the boxes were put around
    unscaled: int = 0  # rows that are still shares of their image, whose size is unknown, where the others are not
    name: str = ""  # what a column of results is called


Table = TypeVar("Table", Truth, Detections)


TABLE = Kind(lambda value: isinstance(value, (Truth, Detections)), "a table (Truth or Detections)")
_TABLES = Kind(lambda value: isinstance(value, Sequence) and all(map(TABLE.fits, value)), "a list of tables")


@checked(table=TABLE)
def select(table: Table, rows: npt.NDArray[Any]) -> Table:
    """The given rows (a mask or row numbers) of a table; images and classes stay as they are."""
    columns = {name: column[rows] for name, column in arrays_of(table).items()}
    return replace(table, **columns, **others_of(table, rows))


def arrays_of(table: _Rows) -> dict[str, Any]:
    """The columns that are arrays, by name."""
    columns = ((f.name, getattr(table, f.name)) for f in fields(table))
    return {name: column for name, column in columns if isinstance(column, np.ndarray)}


def others_of(table: _Rows, rows: npt.NDArray[Any]) -> dict[str, Any]:
    """What the given rows of a table (a mask or row numbers) have besides arrays, by name."""
    made: dict[str, Any] = {}
    if table.shapes is not None:
        made["shapes"] = table.shapes.take(rows)
    if table.masks is not None:
        made["masks"] = table.masks.take(rows)
    if table.tubes is not None:
        made["tubes"] = table.tubes.take(rows)
    if table.attributes is not None:
        made["attributes"] = table.attributes.take(rows, len(table))
    return made


@checked(tables=_TABLES)
def concatenate(tables: Sequence[Table]) -> Table:
    """Tables over the same images and classes as one; source positions go on from table to table."""
    if not tables:
        raise ValueError("there is nothing to concatenate")
    first = tables[0]
    if any(t.images is not first.images or t.classes is not first.classes for t in tables):
        raise ValueError("only tables over the same images and classes can be concatenated")
    columns = [arrays_of(t) for t in tables]
    joined: dict[str, Any] = {
        name: np.concatenate([arrays[name] for arrays in columns])
        if all(name in arrays for arrays in columns)
        else None
        for name in dict.fromkeys(name for arrays in columns for name in arrays)
    }
    joined["tubes"] = Tubes.joined([t.tubes for t in tables])
    joined["masks"] = Masks.joined([t.masks for t in tables])
    joined["shapes"] = Shapes.joined([(t.shapes, len(t)) for t in tables])
    joined["attributes"] = Attributes.joined([(t.attributes, len(t)) for t in tables])
    joined["rejected"] = tuple(row for t in tables for row in t.rejected)
    shifts = np.cumsum([0] + [int(t.position[-1]) + 1 if len(t) else 0 for t in tables[:-1]])
    joined["position"] = np.concatenate([t.position + shift for t, shift in zip(tables, shifts, strict=True)])
    return replace(first, **joined)
