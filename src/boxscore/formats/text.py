"""One text file per image: `<class> [<confidence>] <4 numbers>` a line, as in Object-Detection-Metrics.

Class names may hold spaces; numbers are taken from the right. Values are absolute (xywh or xyxy) or relative to the
image size (then always centre, width, height). A line of the truth may end with the word `difficult`.
"""

from __future__ import annotations

import numpy as np

from boxscore.errors import InputError
from boxscore.findings import finding
from boxscore.formats.files import Files
from boxscore.formats.joining import known_names
from boxscore.formats.reading import Reading
from boxscore.formats.text_lines import Rows, read_lines
from boxscore.geometry import scaled, to_corners
from boxscore.ledger import Finding
from boxscore.model import Classes, Detections, Flag, Floats, Images, Indices, Truth, row_numbers

_CLEARLY = 0.1  # share of boxes that cannot be corners from which a folder is taken to hold x y width height


def read_truth(folder: Files, how: Reading) -> tuple[Truth, list[Finding]]:
    """Objects: `<class> <4 numbers>`."""
    rows = read_lines(folder, 4)
    values = _numbers(rows, 4)
    sizes = None if how.image_size is None else np.array([how.image_size])
    corners, area, findings = _boxes(rows, values, how.truth_box or how.box, how.coords, sizes)
    classes, label = _classes(rows, how)
    n = len(corners)
    flags = np.zeros(n, np.uint16)
    flags[rows.difficult] = int(Flag.DIFFICULT)
    return Truth(
        Images(rows.stems), classes, np.array(rows.image, np.int32), label, corners, area, row_numbers(n),
        folder.name, "text", rows.files, area=np.full(n, np.nan), flags=flags,
    ), findings  # fmt: skip


def read_detections(folder: Files, how: Reading, truth: Truth | None = None) -> tuple[Detections, list[Finding]]:
    """Detections: `<class> <confidence> <4 numbers>`; `truth` may know the sizes of the images."""
    rows = read_lines(folder, 5)
    values = _numbers(rows, 5)
    sizes = _sizes(rows, truth) if how.image_size is None else np.array([how.image_size])
    corners, area, findings = _boxes(rows, values[:, 1:].copy(), how.detections_box or how.box, how.coords, sizes)
    classes, label = _classes(rows, how)
    return Detections(
        Images(rows.stems), classes, np.array(rows.image, np.int32), label, corners, area,
        row_numbers(len(corners)), folder.name, "text", rows.files, score=values[:, 0].copy(),
    ), findings  # fmt: skip


def _numbers(rows: Rows, n_numbers: int) -> Floats:
    values = np.array(rows.numbers, np.float64).reshape(-1, n_numbers)
    if not np.isfinite(values).all():
        row = int(np.isfinite(values).all(axis=1).argmin())
        raise InputError(rows.place(row), f"the numbers {values[row].tolist()}", "finite numbers")
    return values


def _sizes(rows: Rows, truth: Truth | None) -> Floats | None:
    """Width and height of the image of each row, if the truth knows them all."""
    if truth is None or truth.images.width is None or truth.images.height is None:
        return None
    place = {key: i for i, key in enumerate(truth.images.key)}
    known = np.array([place.get(key, -1) for key in known_names(rows.stems, truth.images.key)], np.int64)
    used = known[rows.image] if rows.image else known[:0]
    sizes = np.stack([truth.images.width[used], truth.images.height[used]], axis=1)
    return sizes if bool((used >= 0).all() and (sizes > 0).all()) else None


def _boxes(
    rows: Rows, values: Floats, form: str | None, coords: str | None, sizes: Floats | None
) -> tuple[Floats, Floats, list[Finding]]:
    """Corners and areas, by what the user states and what the numbers rule out."""
    if not len(values):
        return (*to_corners(values, "xywh"), [])
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
        if sizes is None:
            raise InputError(
                rows.files[0], "boxes relative to the image size, which is not stated",
                "--image-size WIDTH,HEIGHT (image_size= in Python)", "If they are absolute, say --coords absolute.",
            )  # fmt: skip
        return (*to_corners(scaled(values, sizes), "cxcywh"), [])
    if form is not None:
        return (*to_corners(values, form), [])
    no_corners = int(((values[:, 2] <= values[:, 0]) | (values[:, 3] <= values[:, 1])).sum())
    if no_corners < _CLEARLY * len(values):
        raise InputError(
            rows.place(0), "four numbers that can be x y width height or x y right bottom",
            "--box xywh or --box xyxy (box= in Python)",
            "The numbers alone do not tell which, and it changes the result.",
        )  # fmt: skip
    return (*to_corners(values, "xywh"), [finding("BOX003", no_corners, f"{rows.files[0]} and its folder")])


def _classes(rows: Rows, how: Reading) -> tuple[Classes, Indices]:
    """Class names as they are written; with a list of names, whole numbers are lines of that list."""
    written = [" ".join(name.split()) for name in rows.names]
    listed = how.classes
    if listed is None:
        names = sorted(set(written))
        classes = Classes(tuple(names), tuple(names))
    else:
        classes = Classes(listed, tuple(range(len(listed))))
        if written and all(name.isdecimal() for name in written):
            written = [listed[int(name)] if int(name) < len(listed) else name for name in written]
    place = {name: k for k, name in enumerate(classes.name)}
    for k, name in enumerate(written):
        if name not in place:
            expected = f"one of the {len(place)} listed classes, or a number below {len(place)}"
            raise InputError(rows.place(rows.label.index(k)), f"class '{name}'", expected)
    table = np.array([place[name] for name in written], np.int32)
    return classes, table[rows.label] if rows.label else np.zeros(0, np.int32)
