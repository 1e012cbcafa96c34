"""Truth and detections as columns: the tables that everything else works on."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import IntFlag
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from boxscore import _core
from boxscore.shapes import Attributes, Shapes
from boxscore.shapes import Floats as Floats
from boxscore.shapes import Ints as Ints
from boxscore.threads import thread_count as thread_count

Indices = npt.NDArray[np.int32]
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

    def __len__(self) -> int:
        return len(self.key)

    @property
    def order(self) -> Ints:
        """What official codes sort images by: the number where there is one, else the place in the list."""
        return self.id if self.id is not None else np.arange(len(self), dtype=np.int64)


class Mark(IntFlag):
    """What is known of a class in an image besides boxes; kept as bits in `ImageLabels.mark`."""

    POSITIVE = 1  # somebody verified that it is there
    NEGATIVE = 2  # somebody verified that it is not
    NOT_EXHAUSTIVE = 4  # it is there, and not every object of it has a box
    BLACKLISTED = 8  # this image and class are not to be evaluated


@dataclass(frozen=True, eq=False)
class ImageLabels:
    """What annotators say of classes in whole images, one row per statement."""

    image: Indices  # index into the table's images
    label: Indices  # index into the table's classes
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

    def __len__(self) -> int:
        return len(self.name)


@dataclass(frozen=True, eq=False)
class _Rows:
    """What the rows of both tables have in common; every column has one entry per row.

    An `image` or `label` of -1 is one that the table's own lists do not have; such rows are never evaluated, and the
    ledger says so. It is the only place where a number stands for "none".
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
    relative: bool = False  # corners are shares of the image's width and height instead of pixels
    shapes: Shapes | None = None  # what rows are besides boxes
    track: Ints | None = None  # number of the object in its video, the same in every frame; -1 where it has none
    attributes: Attributes | None = None  # what else the source says of rows
    rejected: tuple[tuple[str, int], ...] = ()  # rows that could not become a row: (reason, how many)

    def __post_init__(self) -> None:
        n = len(self.image)
        for f in fields(self):
            column = getattr(self, f.name)
            if isinstance(column, np.ndarray) and len(column) != n:
                raise ValueError(f"{f.name} has {len(column)} rows, image has {n}")

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
    labels: ImageLabels | None = None  # what is said of whole images
    added: tuple[tuple[str, int], ...] = ()  # rows that no source has: (reason, how many)


@dataclass(frozen=True, eq=False)
class Detections(_Rows):
    """Detections of any number of images, one row each."""

    score: Floats = field(default_factory=lambda: np.zeros(0))  # higher is surer
    name: str = ""  # what a column of results is called


Table = TypeVar("Table", Truth, Detections)


def empty(shape: int | tuple[int, ...], dtype: npt.DTypeLike = np.float64) -> npt.NDArray[Any]:
    """As `np.empty`, but large arrays begin on a cache line and stay in pages of the usual size.

    NumPy asks for huge pages from 4 MiB on. Where memory comes fresh from the host of a virtual machine, filling those
    took so much longer that whole evaluations took 1.4 times as long.
    """
    size = np.dtype(dtype).itemsize * (shape if isinstance(shape, int) else math.prod(shape))
    if size < 1 << 20:
        return np.empty(shape, dtype)
    return cast("npt.NDArray[np.uint8]", _core.memory(size)).view(dtype).reshape(shape)


def row_numbers(n: int) -> Ints:
    """0, 1, … n - 1: the positions of rows that are all there are in their source."""
    numbers: Ints = empty(n, np.int64)
    np.cumsum(np.broadcast_to(np.int64(1), n), out=numbers)  # np.arange would take memory of its own
    numbers -= 1
    return numbers


def select(table: Table, rows: npt.NDArray[Any]) -> Table:
    """The given rows (a mask or row numbers) of a table; images and classes stay as they are."""
    n, columns = len(table), {f.name: getattr(table, f.name) for f in fields(table)}
    cut: dict[str, Any] = {k: v[rows] for k, v in columns.items() if isinstance(v, np.ndarray) and len(v) == n}
    if table.shapes is not None:
        cut["shapes"] = table.shapes.take(rows)
    if table.attributes is not None:
        cut["attributes"] = table.attributes.take(rows, n)
    return replace(table, **cut)


def concatenate(tables: Sequence[Table]) -> Table:
    """Tables over the same images and classes as one; source positions go on from table to table."""
    if not tables:
        raise ValueError("there is nothing to concatenate")
    first = tables[0]
    if any(t.images is not first.images or t.classes is not first.classes for t in tables):
        raise ValueError("only tables over the same images and classes can be concatenated")
    columns = [f.name for f in fields(first) if isinstance(getattr(first, f.name), np.ndarray)]
    kept = [name for name in columns if all(getattr(t, name) is not None for t in tables)]
    joined: dict[str, Any] = {name: np.concatenate([getattr(t, name) for t in tables]) for name in kept}
    joined.update({name: None for name in ("id", "track") if hasattr(first, name) and name not in kept})
    joined.update(shapes=None, attributes=None)  # nothing that is computed needs them
    joined["rejected"] = tuple(row for t in tables for row in t.rejected)
    shifts = np.cumsum([0] + [int(t.position[-1]) + 1 if len(t) else 0 for t in tables[:-1]])
    joined["position"] = np.concatenate([t.position + shift for t, shift in zip(tables, shifts, strict=True)])
    return replace(first, **joined)


def factorise(values: Ints) -> tuple[Ints, Indices]:
    """The distinct values in ascending order, and for each row the index of its value.

    >>> factorise(np.array([30, 10, 30]))
    (array([10, 30]), array([1, 0, 1], dtype=int32))
    """
    if len(values) == 0:
        return values, np.zeros(0, np.int32)
    low, high = int(values.min()), int(values.max())
    if high - low > 4 * len(values) + (1 << 20):  # far apart: a table over the range would not pay
        distinct, codes = np.unique(values, return_inverse=True)
        return distinct, codes.astype(np.int32)
    shifted = values - low
    present = np.zeros(high - low + 1, np.bool_)
    present[shifted] = True
    table = np.cumsum(present, dtype=np.int32) - np.int32(1)
    return np.flatnonzero(present) + low, table[shifted]


def index_of(values: Ints, known: Ints, threads: int = 0) -> Indices:
    """For each value its index in `known`, -1 where it is not there; the first of equal ones counts.

    >>> index_of(np.array([7, 5, 9]), np.array([5, 7]))
    array([ 1,  0, -1], dtype=int32)
    """
    found = empty(len(values), np.int32)
    wanted, listed = (np.ascontiguousarray(column, np.int64) for column in (values, known))
    _core.index_of(wanted, listed, found, thread_count(threads))
    return found
