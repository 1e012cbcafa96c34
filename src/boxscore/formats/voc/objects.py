"""The objects of many XML files as columns: quickly where files are written in the usual way, else one by one."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore import _core
from boxscore.formats.io.files import Files
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.voc.element import CORNERS, FLAGS, Objects, class_name, flag_of, read_element
from boxscore.formats.words import SCORES
from boxscore.tables.model import Bools, Floats, Indices, Ints, Words, thread_count
from boxscore.tables.shapes import Attributes, Shapes
from boxscore.tables.strings import Names

_NUMBER, _TEXT = range(2)
_HEADER = [("filename", _TEXT), ("size/width", _NUMBER), ("size/height", _NUMBER), ("imagesize/nrows", _TEXT)]
_FIELDS = [
    ("name", _TEXT), *((f"bndbox/{corner}", _NUMBER) for corner in CORNERS), ("trackid", _NUMBER),
    *((flag, _TEXT) for flag in FLAGS),
]  # fmt: skip


@dataclass(frozen=True, eq=False)
class Columns:
    """What files hold: their own names for the image and its size, then columns with an entry per object."""

    filename: list[str]
    width: Floats
    height: Floats
    image: Indices  # which file
    name: npt.NDArray[np.object_]
    corners: Floats
    flags: Words
    track: Ints
    score: Floats
    shapes: Shapes | None
    attributes: Attributes | None
    without_box: int


def read_columns(files: Files, paths: Sequence[str], how: ReadOptions, scored: bool) -> Columns:
    """The objects of the files in order; `scored` ones must have a score."""
    n = len(paths)
    rest = np.ones(n, np.bool_)  # files for the general parser, which also says what is wrong
    filename, width, height = [""] * n, np.full(n, np.nan), np.full(n, np.nan)
    parts: list[_Rows] = []
    if not how.shapes:
        quick = _Quick(_kernel(files, paths, how, scored))
        rest = ~quick.usual
        filename, width, height = quick.filename, quick.width, quick.height
        parts = [quick.rows(~rest)]
    found = Objects(invalid=how.invalid)
    for file in np.flatnonzero(rest).tolist():
        read_element(files.place(paths[file]), files.bytes(paths[file]), file, found, scored, how.shapes)
        filename[file], width[file], height[file] = found.filename[file], found.width[file], found.height[file]
    if found.image or not parts:
        parts.append(_rows_of(found))
    columns: list[Any] = [np.concatenate(column) for column in zip(*parts, strict=True)]
    if len(parts) > 1:
        order = np.argsort(columns[0], kind="stable")
        columns = [column[order] for column in columns]
    image, name, corners, flags, track, score = columns
    row = np.array([row for row, _, _ in found.attributes], np.int64)
    said = Attributes(row, tuple(a for _, a, _ in found.attributes), tuple(v for _, _, v in found.attributes))
    return Columns(
        filename, width, height, image, name, corners, flags, track, score, found.shapes.shapes(len(image)),
        said if len(said) else None, found.without_box,
    )  # fmt: skip


_Rows = tuple[Indices, npt.NDArray[np.object_], Floats, Words, Ints, Floats]


def _rows_of(found: Objects) -> _Rows:
    """Image, name, corners, flags, track and score of what the general parser found."""
    name = np.empty(len(found.name), np.object_)
    name[:] = found.name
    score = np.array(found.score, np.float64) if found.score else np.full(len(name), np.nan)
    return (
        np.array(found.image, np.int32), name, np.array(found.corners, np.float64).reshape(-1, 4),
        np.array(found.flags, np.uint16), np.array(found.track, np.int64), score,
    )  # fmt: skip


def _kernel(files: Files, paths: Sequence[str], how: ReadOptions, scored: bool) -> Any:
    """What the compiled reader finds."""
    if files.root is None:
        pieces = [files.contents[path] for path in paths]
    else:
        root = os.fsencode(files.root)
        pieces = [root + os.fsencode(os.sep + path) if path else root for path in paths]
    ends = np.cumsum([len(piece) for piece in pieces], dtype=np.int64)
    fields = _FIELDS + [(word, _NUMBER) for word in SCORES if scored]
    on_disk = files.root is not None
    threads = thread_count(how.threads)
    return _core.xml_columns(b"".join(pieces), ends, on_disk, "annotation", "object", _HEADER, fields, threads)


class _Quick:
    """What the compiled reader finds, looked at: a file with anything odd is not `usual`."""

    def __init__(self, made: Any) -> None:
        quick, first, (name, width, height, lines), (self.names, *fields) = made
        self.file = np.repeat(np.arange(len(quick), dtype=np.int32), np.diff(first))
        self.filename: list[str] = _coded(name, str, "")[0].tolist()
        self.width, self.height = (np.where(side > 0, side, np.nan) for side in (width, height))
        self.corners = np.stack(fields[:4], axis=1)
        track, flags, scores = fields[4], fields[5 : 5 + len(FLAGS)], fields[5 + len(FLAGS) :]
        odd = np.isnan(self.corners).any(axis=1)
        self.name, lacks_name = _coded(self.names, class_name, "")
        self.track = np.where(np.isnan(track), -1, track)
        odd |= lacks_name | (self.track != np.floor(self.track)) | (self.track < -1) | (self.track >= 2**53)
        self.flags = np.zeros(len(odd), np.uint16)
        for column, flag in zip(flags, FLAGS.values(), strict=True):
            said, unknown = _coded(column, flag_of, False)
            odd |= unknown
            self.flags[said.astype(np.bool_)] |= np.uint16(flag)
        self.score = np.full(len(odd), np.nan)
        if scores:
            self.score = np.where(np.isnan(scores[0]), scores[1], scores[0])
            odd |= np.isnan(self.score)
        self.usual: Bools = quick.astype(np.bool_) & (lines[0] < 0)
        self.usual[self.file[odd]] = False

    def rows(self, of: Bools) -> _Rows:
        """Image, name, corners, flags, track and score of the objects of some files."""
        columns = (self.file, self.name, self.corners, self.flags, self.track.astype(np.int64), self.score)
        if of.all():
            return columns
        rows = of[self.file]
        return tuple(column[rows] for column in columns)  # type: ignore[return-value]


def _coded(
    column: tuple[Indices, bytes, Ints], read: Callable[[str], Any], missing: Any
) -> tuple[npt.NDArray[np.object_], Bools]:
    """What each text of a column means (`missing` where there is none), and where that is nothing."""
    codes, text, ends = column
    meanings = [*(read(one) for one in Names(text, ends)), missing]  # the last one is for -1
    meant = np.empty(len(meanings), np.object_)
    meant[:] = meanings
    nothing = np.array([value in (None, "") for value in meanings], np.bool_)
    return meant[codes], nothing[codes]
