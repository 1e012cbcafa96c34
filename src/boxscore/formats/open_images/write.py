"""Open Images, written: boxes with their flags, and predictions, both normalized."""

from __future__ import annotations

import numpy as np

from boxscore.errors import InputError, first_few
from boxscore.formats.io.csv_write import csv_text, names_of, written_rows
from boxscore.formats.io.writing import Made, Writing
from boxscore.formats.open_images.csv import FLAGS
from boxscore.tables.model import Detections, Floats, Ints, Truth

_TRUTH = ("ImageID", "Source", "LabelName", "Confidence", "XMin", "XMax", "YMin", "YMax", *FLAGS)
_DETECTIONS = ("ImageID", "LabelName", "Score", "XMin", "XMax", "YMin", "YMax")


def write_truth(truth: Truth, how: Writing) -> Made:
    """The 13 columns of files of boxes; images without boxes have no place in them."""
    rows = written_rows(truth)
    images, labels = names_of(truth, rows, "xclick,{},1")
    used, kind = np.unique(truth.flags[rows], return_inverse=True)
    texts = [",".join("1" if bits & flag else "0" for flag in FLAGS.values()) for bits in used.tolist()]
    yield "", csv_text(_TRUTH, images, labels, *_sides(truth, rows), [texts[k] for k in kind.tolist()])


def write_detections(detections: Detections, how: Writing) -> Made:
    """Predictions, one a row."""
    rows = written_rows(detections)
    images, labels = names_of(detections, rows)
    score = [*map(repr, detections.score[rows].tolist())]
    yield "", csv_text(_DETECTIONS, images, labels, score, *_sides(detections, rows))


def _sides(table: Truth | Detections, rows: Ints) -> list[list[str]]:
    """XMin, XMax, YMin, YMax of rows as texts that give the same numbers back."""
    corners = shares(table, rows, table.corners[rows])
    return [[*map(repr, corners[:, k].tolist())] for k in (0, 2, 1, 3)]


def shares(table: Truth | Detections, rows: Ints, corners: Floats) -> Floats:
    """Boxes of the given rows as shares of their images."""
    if table.relative or not len(rows):
        return corners
    images, used = table.images, table.image[rows]
    unknown = np.full(len(images), np.nan)
    sides = [unknown if side is None else side for side in (images.width, images.height)]
    sizes = np.stack([side[used] for side in sides], axis=1)
    missing = ~(sizes > 0).all(axis=1)
    if missing.any():
        keys = list(dict.fromkeys(images.key[i] for i in used[missing].tolist()))
        found = f"boxes in pixels, and no size of {first_few(keys, len(keys))}"
        raise InputError(table.source, found, "image sizes, for boxes relative to them")
    return np.asarray(corners / np.tile(sizes, 2))
