"""Results of PASCAL VOC: a text file per class, `<image> <score> <xmin> <ymin> <xmax> <ymax>` a line."""

from __future__ import annotations

import re

import numpy as np

from boxscore.errors import InputError, first_few
from boxscore.formats.delimited import Rows, keys, numbers, stacked
from boxscore.formats.files import Files, none_of
from boxscore.formats.reading import Reading
from boxscore.ledger import Finding
from boxscore.model import Classes, Detections, Images, Truth, row_numbers

NAMED = re.compile(r"comp\d.*_det_.+\.txt", re.IGNORECASE)  # comp4_det_test_cat.txt
_COLUMNS = ("xmin", "ymin", "xmax", "ymax")
_EXPECTED = "<image> <score> <xmin> <ymin> <xmax> <ymax>"


def read_detections(folder: Files, how: Reading, truth: Truth | None = None) -> tuple[Detections, list[Finding]]:
    """Detections by class file, in the order of the names of the files; an empty file is a class without any."""
    known = how.classes or (() if truth is None else truth.classes.name)
    files = result_files(folder)
    if not files:
        raise none_of(folder, ".txt files", "a text file per class, such as comp4_det_test_cat.txt")
    names = [class_of(file, known) for file in files]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        both = [file for file, name in zip(files, names, strict=True) if name == twice]
        raise InputError(folder.name, f"{first_few(both, len(both))} are all of class '{twice}'", "one file per class")
    images: dict[str, int] = {}
    parts = []
    for label, file in enumerate(files):
        for place, columns in Rows(folder.source(file)).blocks(6, _EXPECTED):
            image, score, *corners = columns
            parts.append((
                keys(image, images, place, "image"),
                np.full(len(image), label, np.int32),
                np.stack([numbers(c, place, what) for c, what in zip(corners, _COLUMNS, strict=True)], axis=1),
                numbers(score, place, "score"),
            ))  # fmt: skip
    image_of, label_of, boxes, scores = stacked(parts)
    return Detections(
        Images(list(images)), Classes(tuple(names), tuple(names)), image_of, label_of, boxes,
        (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]), row_numbers(len(boxes)),
        folder.name, "voc-results", score=scores,
    ), []  # fmt: skip


def result_files(folder: Files) -> list[str]:
    """The class files of a folder by name; where some are named as PASCAL VOC names them, only those."""
    listed = [path for path in folder.ending(".txt") if "/" not in path]
    return [name for name in listed if NAMED.fullmatch(name)] or listed


def class_of(file: str, known: tuple[str, ...] = ()) -> str:
    """The class of a file: the longest known name that its own ends with, else what follows the last underscore.

    >>> class_of("comp4_det_test_traffic_light.txt", ("light", "traffic_light")), class_of("comp3_det_val_cat.txt")
    ('traffic_light', 'cat')
    """
    stem = file[:-4]
    fitting = [name for name in known if stem == name or stem.endswith(f"_{name}")]
    return max(fitting, key=len, default=stem.rpartition("_")[2])
