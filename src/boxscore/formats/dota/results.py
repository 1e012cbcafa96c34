"""Results of DOTA: a text file per class, `<image> <score>` and four corners (task 1) or a box (task 2) per line."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from boxscore.diagnostics.findings import Finding
from boxscore.errors import InputError, first_few
from boxscore.formats.dota.lines import CORNERS
from boxscore.formats.io.delimited import Rows, keys, numbers, stacked
from boxscore.formats.io.files import Files, none_of
from boxscore.formats.io.label_files import Listing, base, stem_of
from boxscore.formats.io.listed_classes import check_listed
from boxscore.formats.io.options import ReadOptions
from boxscore.tables.box_forms import to_corners
from boxscore.tables.model import Classes, Detections, Images, Truth, row_numbers
from boxscore.tables.oriented import box_around, quad_shapes

TASK = re.compile(r"task([12])_(.+?)(\.txt)?", re.IGNORECASE)  # Task1_plane.txt
_COLUMNS = {"1": ("score", *CORNERS), "2": ("score", "xmin", "ymin", "xmax", "ymax")}
_ROWS = {"1": "oriented", "2": "box"}


def read_detections(folder: Files, how: ReadOptions, truth: Truth | None = None) -> tuple[Detections, list[Finding]]:
    """Detections by class file, in the order of the names of the files; an empty file is a class without any."""
    task, files = result_files(folder, how)
    names = [_class_of(file) for file in files]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        both = [file for file, name in zip(files, names, strict=True) if name == twice]
        raise InputError(folder.name, f"{first_few(both, len(both))} are all of class '{twice}'", "one file per class")
    check_listed(names, how.of("detections").classes, lambda k: folder.place(files[k]))
    columns, images, parts = _COLUMNS[task], dict[str, int](), []
    numeric, expected = dict(enumerate(columns, 1)), " ".join(f"<{name}>" for name in ("image", *columns))
    for label, file in enumerate(files):
        rows = Rows(folder.source(file), invalid=how.invalid, numeric=numeric)
        for place, (image, *fields) in rows.blocks(1 + len(columns), expected):
            parts.append((
                keys(image, images, place, "image"),
                np.full(len(image), label, np.int32),
                np.stack([numbers(f, place, what) for f, what in zip(fields, columns, strict=True)], axis=1),
            ))  # fmt: skip
    image_of, label_of, found = stacked(parts)
    values = np.ascontiguousarray(found[:, 1:])
    boxes, area = to_corners(box_around(values) if task == "1" else values, "xyxy")
    shapes = quad_shapes(values) if task == "1" and how.shapes else None
    listed = tuple(names)
    return Detections(
        Images(list(images)), Classes(listed, listed), image_of, label_of, boxes, area, row_numbers(len(area)),
        folder.name, "dota", score=found[:, 0].copy(), shapes=shapes,
    ), []  # fmt: skip


def result_files(folder: Files, how: ReadOptions) -> tuple[str, list[str]]:
    """The task and its class files by name: those that are named so in whichever folder they are, else all."""
    texts = Listing(folder).labels()
    named = [(found[1], path) for path in texts if (found := TASK.fullmatch(base(path)))]
    tasks = sorted({task for task, _ in named})
    wanted = [task for task in tasks if how.rows in (None, _ROWS[task])] or tasks
    if len(wanted) > 1:
        expected = "--rows oriented for task 1 or --rows box for task 2 (rows= in Python)"
        raise InputError(folder.name, "files of both tasks of DOTA", expected)
    files = [path for task, path in named if task in wanted] or texts
    if not files:
        raise none_of(folder, ".txt files", "a text file per class, such as Task1_plane.txt")
    places = dict.fromkeys(path.rpartition("/")[0] for path in files)
    if len(places) > 1:
        found_in = f"class files in the folders {first_few(places, len(places))}"
        raise InputError(folder.name, found_in, "the path of one of them")
    return (wanted[0] if wanted else _task_of(folder, files)), files


def _task_of(folder: Files, files: Sequence[str]) -> str:
    """The task of files whose names do not tell it, by the first line that says anything."""
    for file in files:
        for line in folder.source(file).beginning().splitlines():
            if line.strip():
                return "2" if len(line.split()) == 1 + len(_COLUMNS["2"]) else "1"
    return "1"


def _class_of(path: str) -> str:
    found = TASK.fullmatch(base(path))
    return found[2] if found else stem_of(base(path))
