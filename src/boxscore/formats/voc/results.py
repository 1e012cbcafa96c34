"""Results of PASCAL VOC: a text file per class, `<image> <score> <xmin> <ymin> <xmax> <ymax>` a line."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from boxscore.diagnostics.findings import Finding
from boxscore.errors import InputError, first_few
from boxscore.formats.io.delimited import Rows, keys, numbers, stacked
from boxscore.formats.io.files import Files, none_of
from boxscore.formats.io.listed_classes import check_listed
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.io.same_images import without_extension
from boxscore.tables.box_forms import to_corners
from boxscore.tables.model import Classes, Detections, Images, Truth, row_numbers

NAMED = re.compile(r"comp\d.*_det_.+", re.IGNORECASE)  # comp4_det_test_cat.txt
_PARTS = re.compile(r"(?:comp\d.*?_)?det_([^_]+)_(.+)", re.IGNORECASE)  # split and class
_COLUMNS = ("xmin", "ymin", "xmax", "ymax")
_NUMERIC = dict(enumerate(("score", *_COLUMNS), 1))
_EXPECTED = "<image> <score> <xmin> <ymin> <xmax> <ymax>"


def read_detections(folder: Files, how: ReadOptions, truth: Truth | None = None) -> tuple[Detections, list[Finding]]:
    """Detections by class file, in the order of the names of the files; an empty file is a class without any."""
    known = how.of("detections").classes or (() if truth is None else truth.classes.name)
    files = result_files(folder, how.split)
    if not files:
        raise none_of(folder, ".txt files", "a text file per class, such as comp4_det_test_cat.txt")
    names = classes_of(files, known)
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        both = [file for file, name in zip(files, names, strict=True) if name == twice]
        raise InputError(folder.name, f"{first_few(both, len(both))} are all of class '{twice}'", "one file per class")
    check_listed(names, how.of("detections").classes, lambda k: folder.place(files[k]))
    images: dict[str, int] = {}
    parts = []
    for label, file in enumerate(files):
        for place, columns in Rows(folder.source(file), invalid=how.invalid, numeric=_NUMERIC).blocks(6, _EXPECTED):
            image, score, *corners = columns
            parts.append((
                keys(image, images, place, "image"),
                np.full(len(image), label, np.int32),
                np.stack([numbers(c, place, what) for c, what in zip(corners, _COLUMNS, strict=True)], axis=1),
                numbers(score, place, "score"),
            ))  # fmt: skip
    image_of, label_of, boxes, scores = stacked(parts)
    boxes, area = to_corners(boxes, "xyxy", in_place=True)
    return Detections(
        Images(_with_extensions(list(images), truth)), Classes(tuple(names), tuple(names)), image_of, label_of, boxes,
        area, row_numbers(len(area)),
        folder.name, "voc-results", score=scores,
    ), []  # fmt: skip


def result_files(folder: Files, split: str | None = None) -> list[str]:
    """The class files of a folder by name, those of the split if some are.

    Where some are named as PASCAL VOC names them, only those, in whichever folder they are.
    """
    texts = folder.called(".txt")
    listed = [path for path in texts if NAMED.fullmatch(_stem(path))]
    listed = listed or [path for path in texts if "/" not in path] or texts
    places = dict.fromkeys(path.rpartition("/")[0] for path in listed)
    if len(places) > 1:
        found = f"class files in the folders {first_few(places, len(places))}"
        raise InputError(folder.name, found, "the path of one of them")
    return [path for path in listed if split is not None and _split_of(path) == split] or listed


def _stem(path: str) -> str:
    name = path.rpartition("/")[2]
    return name[:-4] if name.lower().endswith(".txt") else name


def _split_of(path: str) -> str | None:
    found = _PARTS.fullmatch(_stem(path))
    return found[1] if found else None


def classes_of(paths: Sequence[str], known: Sequence[str] = ()) -> list[str]:
    """The classes of files: what follows `det_` and the split, else the whole name.

    A split may have an underscore, too: where what follows is no known class but ends with one, it is that one.

    >>> classes_of(["comp4_det_test_traffic_light.txt", "owl.txt"]), classes_of(["comp4_det_test_dev_cat.txt"], ["cat"])
    (['traffic_light', 'owl'], ['cat'])
    """
    stems = [_stem(path) for path in paths]
    written = [found[2] if (found := _PARTS.fullmatch(stem)) else stem for stem in stems]
    free = {*known} - {*written}
    return [max((k for k in free if name.endswith(f"_{k}")), key=len, default=name) if name not in known else name
            for name in written]  # fmt: skip


def _with_extensions(names: list[str], truth: Truth | None) -> list[str]:
    """Names of images as the truth has them: results leave extensions out. Where two would do, as they are."""
    if truth is None:
        return names
    there = {*truth.images.key}
    full: dict[str, list[str]] = {}
    for key in truth.images.key:
        full.setdefault(without_extension(key), []).append(key)
    return [full[name][0] if name not in there and len(full.get(name, ())) == 1 else name for name in names]
