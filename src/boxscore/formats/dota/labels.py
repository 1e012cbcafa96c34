"""Label files of DOTA, read: a text file per image, in a folder labelTxt or in any other."""

from __future__ import annotations

import numpy as np

from boxscore.diagnostics.findings import Finding, finding
from boxscore.errors import InputError
from boxscore.formats.dota.lines import labelled
from boxscore.formats.dota.results import TASK
from boxscore.formats.io.files import Files, none_of
from boxscore.formats.io.label_files import Listing, base, stem_of
from boxscore.formats.io.listed_classes import labels_of
from boxscore.formats.io.number_rows import text_of
from boxscore.formats.io.options import ReadOptions
from boxscore.tables.box_forms import to_corners
from boxscore.tables.model import Classes, Flag, Floats, Images, Ints, Truth, row_numbers
from boxscore.tables.oriented import box_around, quad_areas, quad_shapes

_FOLDER = "labeltxt"  # also labelTxt-v1.5 and the like


def read_truth(folder: Files, how: ReadOptions) -> tuple[Truth, list[Finding]]:
    """Objects with the boxes around their corners; the corners themselves are kept on request."""
    files = label_files(folder)
    places = [folder.place(path) for path in files.values()]
    rows = labelled([text_of(folder, path) for path in files.values()], places, how.invalid)
    listed = how.of("truth").classes or tuple(sorted(set(rows.name)))
    classes = Classes(listed, listed)
    label = labels_of(rows.name, classes, lambda row: f"{places[rows.file[row]]}:{rows.line[row]}")
    corners, area = to_corners(box_around(rows.quad), "xyxy", in_place=True)
    n = len(area)
    flags = np.where(np.array(rows.difficult, np.bool_), np.uint16(Flag.DIFFICULT), np.uint16(0))
    truth = Truth(
        Images(list(files)), classes, rows.file, label, corners, area, row_numbers(n), folder.name,
        "dota", places, shapes=quad_shapes(rows.quad) if how.shapes and n else None, area=np.full(n, np.nan),
        flags=flags,
    )  # fmt: skip
    flat = _flat(rows.quad)
    if not len(flat):
        return truth, []
    where = f"{places[rows.file[flat[0]]]}:{rows.line[flat[0]]}"
    return truth, [finding("BOX001", len(flat), f"oriented object{'s' * (len(flat) > 1)} ({where})")]


def _flat(quads: Floats) -> Ints:
    """The rows whose corners enclose no area although the box around them has one; others are counted elsewhere."""
    around = box_around(quads)
    has_box = (around[:, 2] > around[:, 0]) & (around[:, 3] > around[:, 1])
    return np.flatnonzero((quad_areas(quads) == 0) & has_box)


def label_files(folder: Files) -> dict[str, str]:
    """The label files by the names of their images; where some are in a folder labelTxt, only those.

    Where there are several such folders (train/labelTxt, val/labelTxt), names tell which.
    """
    listed = [path for path in Listing(folder).labels() if not TASK.fullmatch(base(path))]
    inside = {path: found for path in listed if (found := _inside(path)) is not None}
    if inside:
        above = len({start for start, _ in inside.values()}) > 1
        named = [(f"{start}/{rest}" if above and start else rest, path) for path, (start, rest) in inside.items()]
    else:
        named = [(path, path) for path in listed]
    if not named:
        raise none_of(folder, ".txt files", "a text file per image, in it or in its folder labelTxt")
    made: dict[str, str] = {}
    for name, path in named:
        key = stem_of(name)
        if key in made:
            raise InputError(folder.name, f"{made[key]} and {path} are both of image '{key}'", "one file per image")
        made[key] = path
    return made


def _inside(path: str) -> tuple[str, str] | None:
    """What stands above and below labelTxt; None for a path that is not in one.

    >>> _inside("train/labelTxt-v1.0/labelTxt/P0001.txt"), _inside("P0001.txt")
    (('train', 'P0001.txt'), None)
    """
    *folders, name = path.split("/")
    at = [i for i, part in enumerate(folders) if part.lower().startswith(_FOLDER)]
    return ("/".join(folders[: at[0]]), "/".join([*folders[at[-1] + 1 :], name])) if at else None
