"""Files that a reader refuses: what they are instead, and which statement would make them readable."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from boxscore.diagnostics.diagnoses import Diagnosis, diagnosis
from boxscore.diagnostics.findings import Finding
from boxscore.errors import BoxscoreError, InputError
from boxscore.formats.io import pipes
from boxscore.formats.io.files import open_files
from boxscore.formats.io.options import BOXES, COORDS
from boxscore.formats.recognise import recognise
from boxscore.formats.registry import names
from boxscore.joining.both import Both
from boxscore.joining.read import ReadOptions, read_detections, read_truth
from boxscore.tables.model import Detections, Truth

HEAD = 4096
SHAPES = ("masks", "keypoints")  # what is looked at besides boxes
# What files begin with, what they are then, and what to do with them.
CONTAINERS: tuple[tuple[bytes, str, str], ...] = (
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook (xls)", "open it and save it as CSV"),
    (b"%PDF", "a PDF document", "give the annotations that it was made from"),
    (b"\x89PNG", "a PNG image", "give the annotations instead of the image"),
    (b"\xff\xd8\xff", "a JPEG image", "give the annotations instead of the image"),
    (b"version https://git-lfs", "a pointer of Git LFS, not the file", "run `git lfs pull` in its repository"),
    (b"<!DOCTYPE html", "a web page", "download the file itself: on GitHub, the raw one"),
    (b"<html", "a web page", "download the file itself: on GitHub, the raw one"),
    (b"SQLite format 3", "an SQLite database", "export a table as CSV"),
    (b"PAR1", "a Parquet file", "read it with pandas and give the frame to boxscore.doctor in Python"),
    (b"\x93NUMPY", "a NumPy array", "load it and give the arrays to boxscore.doctor in Python"),
    (b"\x80\x04", "a pickle of Python", "load it and give the values to boxscore.doctor in Python"),
    (b"\x1f\x8b", "a gzip file", "unpack it, or name it .tar.gz if it is an archive"),
)
Read = tuple[Truth | Detections, list[Finding]]


def attempt(
    side: str, given: Any, how: ReadOptions, truth: Truth | None
) -> tuple[Read | None, Diagnosis | None, ReadOptions]:
    """What is read of one side; where that fails, why, and what is read under a statement that helps."""
    unread: InputError | None = None
    if not how.shapes:
        try:
            return _read(side, given, replace(how, needs=SHAPES, draw=False), truth), None, how
        except InputError as error:
            unread = error
    try:
        read = _read(side, given, how, truth)
        return read, None if unread is None else _without_shapes(side, unread), how
    except InputError as error:
        if not isinstance(given, (str, os.PathLike)):
            raise
        path = str(given)
        container = _container(given)
        if container is not None:
            what, advice = container
            text = f"the {side}, {path}, is {what}"
            return None, diagnosis("FIL101", 1, text, side=side, repair=advice), how
        found, option, stated = _helped(side, given, how, truth)
        message = _message(error)
        hint = "" if found or error.hint or option else "check the path, and `boxscore rule FIL102`"
        one = diagnosis(
            "FIL102",
            1,
            f"the file of the {side} cannot be read as it is: {message}",
            side=side,
            option=option,
            repair=hint,
        )
        return found, one, stated


def _without_shapes(side: str, error: InputError) -> Diagnosis:
    """A side whose boxes can be read, and whose masks or keypoints cannot."""
    text = f"the {side} has masks, polygons or keypoints that cannot be read: {_message(error)}"
    return diagnosis("SHP107", 1, text, side=side)


def in_the_same_unit(
    truth: Truth, found: Detections, how: ReadOptions
) -> tuple[Truth, Detections | None, list[Finding], Diagnosis | None]:
    """Both sides in pixels or both in shares; without the detections where sizes are missing for that."""
    try:
        joined = Both(truth, found, (), how).joined()
        return joined.truth, joined.detections, list(joined.findings), None
    except InputError as error:
        message = _message(error)
        return truth, None, [], diagnosis("FIL102", 1, f"the two sides cannot be compared: {message}")


def _message(error: InputError) -> str:
    """What a reader says, in one line."""
    return ". ".join(line.strip() for line in str(error).splitlines())


def _read(side: str, given: Any, how: ReadOptions, truth: Truth | None) -> Read:
    return read_truth(given, how) if side == "truth" else read_detections(given, how, truth)


def at_hand(given: Any) -> Any:
    """One side, which is read again and again until it makes sense: a pipe is emptied here, once."""
    return pipes.at_hand(given) if isinstance(given, (str, os.PathLike)) and os.fspath(given) else given


def _container(path: str | os.PathLike[str]) -> tuple[str, str] | None:
    """What a file is by its first bytes, where it is nothing that holds annotations, and what to do."""
    try:
        if isinstance(path, pipes.Drained):
            head = path.content[:HEAD]
        else:
            with Path(path).open("rb") as opened:
                head = opened.read(HEAD)
    except OSError:
        return None
    if head.startswith(b"PK") and (b"[Content_Types].xml" in head or b"xl/" in head):
        return "an Excel workbook (xlsx), whatever its name says", "open it and save it as CSV"
    if not head:
        return "empty", "check how it was written"
    starts = head.lstrip(b"\xef\xbb\xbf \r\n\t")
    return next(((what, advice) for magic, what, advice in CONTAINERS if starts.startswith(magic)), None)


def _helped(
    side: str, path: str | os.PathLike[str], how: ReadOptions, truth: Truth | None
) -> tuple[Read | None, str, ReadOptions]:
    """The first statement under which the file can be read and holds boxes."""
    for field, value in _statements(side, how, _is_recognised(side, path, how)):
        changed: dict[str, Any] = {field: value}
        stated = replace(how, **changed)
        try:
            read = _read(side, path, stated, truth)
        except BoxscoreError:
            continue
        if len(read[0]):
            return read, f"--{field.replace('_', '-')} {value}", stated
    return None, "", how


def _is_recognised(side: str, path: str | os.PathLike[str], how: ReadOptions) -> bool:
    """Whether the content says which format it is: then no other one reads it rightly, whatever it takes."""
    try:
        recognise(open_files(path), side, None, how.split)
    except BoxscoreError:
        return False
    return True


def _statements(side: str, how: ReadOptions, recognised: bool) -> Iterator[tuple[str, str]]:
    for coords in COORDS:
        if how.coords is None:
            yield "coords", coords
    if getattr(how, f"{side}_format") is None and not recognised:
        yield from ((f"{side}_format", name) for name in names(side))
    if how.box is None:
        yield from ((f"{side}_box", box) for box in BOXES)
