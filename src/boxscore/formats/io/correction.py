"""What a corrected table changes of the one that was read, row by row: for whoever edits the files of the latter."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from boxscore.errors import InputError
from boxscore.formats.io.files import Files
from boxscore.formats.io.label_lines import boxes_as
from boxscore.formats.io.written_boxes import with_sides
from boxscore.tables.common_images import same_images
from boxscore.tables.model import Bools, Detections, Floats, Images, Indices, Ints, Truth

Table = Truth | Detections


class Edited(NamedTuple):
    """What becomes of the files of a table: which go, which come or change, and what the user should know of that."""

    gone: frozenset[str]
    made: Mapping[str, bytes]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Correction:
    """The rows of a corrected table, and what of each is another than before."""

    before: Table
    after: Table
    box: Bools
    score: Bools
    label: Bools
    image: Bools
    image_of: Indices  # for each image of the table as it was read, its index in the corrected one; -1 where it is gone
    sizes: Floats  # (n, 2) width and height of the images of the corrected table; nan where unknown

    @property
    def lost(self) -> Bools:
        """Rows whose image or class the ground truth does not have, now that others have theirs."""
        after = self.after
        return (self.image & (after.image < 0)) | (self.label & (after.label < 0))

    @property
    def changed(self) -> Bools:
        """Rows that are another than before in anything."""
        return self.box | self.score | self.label | self.image

    @property
    def removed(self) -> Ints:
        """Positions in the source that the corrected table has no more."""
        gone: Ints = np.concatenate(
            [np.setdiff1d(self.before.position, self.after.position), self.after.position[self.lost]]
        )
        return gone

    @property
    def notes(self) -> tuple[str, ...]:
        """What is left out."""
        n = int(self.lost.sum())
        what = f"row{'s' * (n != 1)} whose image or class the ground truth does not have"
        return (f"left out: {n:,} {what}",) if n else ()

    def class_name(self, row: int) -> str:
        """The class of a row, corrected."""
        name: str = self.after.classes.name[self.after.label[row]]
        return name

    def boxes(self, form: str, relative: bool) -> Floats:
        """The corrected boxes of all rows as the source writes boxes; nan where the size of an image is not known."""
        after = self.after
        if relative == after.relative:
            xywh = form == "xywh" and not relative
            return with_sides(after.corners, after.box_area) if xywh else boxes_as(after.corners, form)
        assert not after.relative, "what was read in pixels stays so"
        sizes = np.append(self.sizes, [[np.nan, np.nan]], axis=0)[after.image]
        unknown = self.box & np.isnan(sizes).any(axis=1)
        if unknown.any():
            image = int(after.image[unknown.argmax()])
            name = after.images.key[image] if image >= 0 else "?"
            found = f"{int(unknown.sum()):,} corrected boxes on images of unknown size ('{name}')"
            raise InputError(after.source, found, "image sizes, for boxes relative to them")
        return boxes_as(after.corners / np.tile(sizes, 2), form)


def correction(before: Table, after: Table, images: Images) -> Correction:
    """What is another in a corrected table; `images` may know the sizes of images."""
    rows = np.searchsorted(before.position, after.position)
    place = same_images(after.images, before.images)
    image = np.append(place, np.int32(-1))[before.image[rows]]
    box = np.asarray((before.corners[rows] != after.corners).any(axis=1)) | (before.relative != after.relative)
    score = np.zeros(len(after), np.bool_)
    if isinstance(before, Detections) and isinstance(after, Detections):
        score = before.score[rows] != after.score
    ours, theirs = (np.array([*table.classes.name, ""], np.object_) for table in (before, after))
    label = np.asarray(ours[before.label[rows]] != theirs[after.label], np.bool_)
    return Correction(before, after, box, score, label, image != after.image, place, _sizes(after.images, images))


def _sizes(own: Images, others: Images) -> Floats:
    """The sizes of images, from a second list where the first does not know them."""
    place = same_images(others, own)
    columns = []
    for name in ("width", "height"):
        ours, theirs = getattr(own, name), getattr(others, name)
        known = np.full(len(own), np.nan) if ours is None else np.asarray(ours, np.float64)
        more = np.full(len(own), np.nan) if theirs is None else np.append(theirs, np.nan)[place]
        columns.append(np.where(np.isnan(known), more, known))
    return np.stack(columns, axis=1)


def path_in(files: Files, place: str) -> str:
    """The path of a file in its folder or archive, from how messages name it."""
    return place.removeprefix(files.name)[1:].replace(os.sep, "/")


def sibling(path: str, key: str) -> str:
    """The path beside a file that the one of another image has: its name, the ending of the file.

    >>> sibling("labels/val/100.txt", "val/7.jpg")
    'labels/val/7.txt'
    """
    folder, slash, name = path.rpartition("/")
    stem, dot, _ = key.rpartition("/")[2].rpartition(".")
    _, point, ending = name.rpartition(".")
    own = stem if dot else key.rpartition("/")[2]
    return f"{folder}{slash}{own}.{ending}" if point else f"{folder}{slash}{own}"
