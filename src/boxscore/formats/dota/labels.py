"""Label files of DOTA, read: a text file per image, in a folder labelTxt or in any other."""

from __future__ import annotations

import numpy as np

from boxscore.diagnostics.findings import Finding, finding
from boxscore.errors import InputError
from boxscore.formats.dota.lines import labelled
from boxscore.formats.dota.results import TASK
from boxscore.formats.io.collected import Collected
from boxscore.formats.io.files import Files, none_of
from boxscore.formats.io.label_files import Listing, base, stem_of
from boxscore.formats.io.number_rows import text_of
from boxscore.formats.io.options import ReadOptions
from boxscore.tables.model import Flag, Floats, Ints, Truth
from boxscore.tables.oriented import box_around, quad_areas
from boxscore.tables.shapes import Shape

_FOLDER = "labeltxt"  # also labelTxt-v1.5 and the like


def read_truth(folder: Files, how: ReadOptions) -> tuple[Truth, list[Finding]]:
    """Objects with the boxes around their corners; the corners themselves are kept on request."""
    into, quads, where = Collected(), list[list[float]](), list[tuple[str, int]]()
    for key, path in label_files(folder).items():
        image, file = into.add_image(key), folder.place(path)
        into.places.append(file)
        for row in labelled(text_of(folder, path), file, how.invalid):
            parts = [(Shape.QUAD, row.quad)] if how.shapes else []
            x, y = row.quad[::2], row.quad[1::2]
            flags = int(Flag.DIFFICULT) if row.difficult else 0
            into.add(image, row.name, [min(x), min(y), max(x), max(y)], flags=flags, parts=parts)
            quads.append(row.quad)
            where.append((file, row.line))
    flat = _flat(np.array(quads, np.float64).reshape(-1, 8))
    findings = []
    if len(flat):
        file, line = where[flat[0]]
        findings.append(finding("BOX001", len(flat), f"oriented object{'s' * (len(flat) > 1)} ({file}:{line})"))
    return into.truth(folder.name, "dota", how), findings


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
