"""One text file per image: `<class> [<confidence>] <4 numbers>` a line, as in Object-Detection-Metrics.

Class names may hold spaces; numbers are taken from the right. Values are absolute (xywh or xyxy) or relative to the
image size (then always centre, width, height). A line of the truth may end with the word `difficult`.
"""

from __future__ import annotations

import numpy as np

from boxscore.diagnostics.findings import Finding, finding
from boxscore.errors import InputError
from boxscore.formats.io.box_form import CLEARLY, not_corners, undecided
from boxscore.formats.io.correction import Correction, Edited
from boxscore.formats.io.files import Files
from boxscore.formats.io.label_files import Listing
from boxscore.formats.io.line_edits import edited_lines
from boxscore.formats.io.listed_classes import by_list
from boxscore.formats.io.number_rows import Lines, NumberRows
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.io.same_images import known_names
from boxscore.formats.io.text_lines import holds, read_lines
from boxscore.formats.io.whole_pixels import in_whole_pixels
from boxscore.tables.box_forms import scaled, to_corners
from boxscore.tables.model import Classes, Detections, Flag, Floats, Images, Indices, Truth, row_numbers

_OUTSIDE = 0.05  # share of boxes beyond their image from which they are taken not to be x y width height


def read_truth(folder: Files, how: ReadOptions) -> tuple[Truth, list[Finding]]:
    """Objects: `<class> <4 numbers>`."""
    how = how.of("truth")
    keys, rows = read_lines(folder, 4, how)
    sizes = None if how.image_size is None else np.array([how.image_size])
    corners, area, relative, findings = _boxes(rows, rows.columns(4), how, sizes)
    classes, label = _classes(rows, how)
    n = len(rows)
    flags = np.where(rows.marked, np.uint16(Flag.DIFFICULT), np.uint16(0))
    return Truth(
        Images(keys), classes, rows.file, label, corners, area, row_numbers(n), folder.name, "text", rows.files,
        relative, area=np.full(n, np.nan), flags=flags,
    ), findings  # fmt: skip


def read_detections(folder: Files, how: ReadOptions, truth: Truth | None = None) -> tuple[Detections, list[Finding]]:
    """Detections: `<class> <confidence> <4 numbers>`; `truth` may know the sizes of the images."""
    how = how.of("detections")
    keys, rows = read_lines(folder, 5, how)
    values = rows.columns(5)
    sizes = _sizes(keys, rows, truth) if how.image_size is None else np.array([how.image_size])
    corners, area, relative, findings = _boxes(rows, values[:, 1:].copy(), how, sizes)
    classes, label = _classes(rows, how)
    return Detections(
        Images(keys), classes, rows.file, label, corners, area, row_numbers(len(rows)), folder.name, "text",
        rows.files, relative, score=values[:, 0].copy(),
    ), findings  # fmt: skip


def edited(folder: Files, how: ReadOptions, side: str, change: Correction, truth: Truth | None = None) -> Edited:
    """The files of a folder with a correction in their lines."""
    return edited_lines(folder, _lines(folder, how, side, truth), change)


def _lines(folder: Files, how: ReadOptions, side: str, truth: Truth | None) -> Lines:
    """The lines of a folder, and where in them the numbers of each row stand."""
    how = how.of(side)
    scored = side == "detections"
    keys, rows = read_lines(folder, 4 + scored, how)
    sizes = _sizes(keys, rows, truth) if how.image_size is None else np.array([how.image_size])
    form, coords, _ = _form(rows, rows.columns(4 + scored)[:, scored:].copy(), how, sizes)
    n, listed = len(rows), how.classes
    by_line = listed is not None and all(name.isdecimal() for name in rows.names)

    def word(name: str) -> str | None:
        if by_line and listed is not None:
            return str(listed.index(name)) if name in listed else None
        return name if holds(name, 4 + scored) else None

    score = np.zeros(n, np.int64) if scored else None
    paths = Listing(folder).labels()
    return Lines(paths, rows, np.full(n, int(scored)), np.full(n, 4), score, form, coords == "relative", word)


def _sizes(keys: list[str], rows: NumberRows, truth: Truth | None) -> Floats | None:
    """Width and height of the image of each row, if the truth knows them all."""
    if truth is None or truth.images.width is None or truth.images.height is None:
        return None
    place = {key: i for i, key in enumerate(truth.images.key)}
    known = np.array([place.get(key, -1) for key in known_names(keys, truth.images.key)], np.int64)
    used = known[rows.file]
    sizes = np.stack([truth.images.width[used], truth.images.height[used]], axis=1)
    return sizes if bool((used >= 0).all() and (sizes > 0).all()) else None


def _boxes(
    rows: NumberRows, values: Floats, how: ReadOptions, sizes: Floats | None
) -> tuple[Floats, Floats, bool, list[Finding]]:
    """Corners, areas and whether they are relative, by what the user states and what the numbers rule out."""
    form, coords, findings = _form(rows, values, how, sizes)
    if coords == "absolute" or sizes is None:
        return (*to_corners(values, form), coords == "relative", findings)
    exact, area = to_corners(scaled(values, sizes), form)
    corners, whole, findings = in_whole_pixels(exact, sizes, str(rows.files[0]), how.relative_boxes)
    return corners, area if corners is exact else whole, False, findings


def _form(rows: NumberRows, values: Floats, how: ReadOptions, sizes: Floats | None) -> tuple[str, str, list[Finding]]:
    """What the four numbers are, and whether they are absolute or relative."""
    form, coords = how.box, how.coords
    if not len(values):
        return "xywh", "absolute", []
    if coords is None:
        inside = bool(((values >= -1) & (values <= 2)).all())  # a relative box may leave its image
        if inside and form not in (None, "cxcywh"):
            raise InputError(
                rows.place(0), f"boxes as {form}, and all numbers lie between -1 and 2, as of relative boxes",
                "--coords relative (then centre, width, height and no --box) or --coords absolute (coords= in Python)",
            )  # fmt: skip
        coords = "relative" if inside else "absolute"
    if coords == "relative":
        if form not in (None, "cxcywh"):
            raise InputError(rows.files[0], f"relative boxes as {form}", "relative boxes as centre, width, height")
        return "cxcywh", coords, []
    if form is not None:
        return form, coords, []
    form, findings = _inferred(rows, values, sizes)
    return form, coords, findings


def _inferred(rows: NumberRows, values: Floats, sizes: Floats | None) -> tuple[str, list[Finding]]:
    """What the four numbers are, where one reading is impossible for many boxes."""
    no_corners = not_corners(values)
    where = f"{rows.files[0]} and its folder"
    if no_corners >= CLEARLY * len(values):
        return "xywh", [finding("BOX003", no_corners, where)]
    outside = 0 if sizes is None else int((values[:, :2] + values[:, 2:] > sizes + 1).any(axis=1).sum())
    if outside > _OUTSIDE * len(values):
        return "xyxy", [finding("BOX006", outside, where)]
    raise undecided(rows.place(0))


def _classes(rows: NumberRows, how: ReadOptions) -> tuple[Classes, Indices]:
    """Class names as they are written; with a list of names, whole numbers are lines of that list."""
    written = [" ".join(name.split()) for name in rows.names]
    classes, label = by_list(written, how.classes, lambda k: rows.place(int((rows.name == k).argmax())))
    return classes, label[rows.name]
