"""CSV files of TensorFlow's Object Detection tools, written: corners in pixels, a box a row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from boxscore.errors import InputError
from boxscore.formats.io.csv_write import csv_text, names_of, written_numbers, written_rows
from boxscore.formats.io.writing import Made, Writing
from boxscore.tables.box_forms import scaled
from boxscore.tables.model import Detections, Truth

_COLUMNS = ("filename", "width", "height", "class", "xmin", "ymin", "xmax", "ymax")


def write_truth(truth: Truth, how: Writing) -> Made:
    """Objects; images without any have no place in the file, and sizes that are not known stay empty."""
    yield "", csv_text(_COLUMNS, *_columns(truth))


def write_detections(detections: Detections, how: Writing) -> Made:
    """Detections, with a column for the score."""
    score = written_numbers(detections.score[written_rows(detections)])
    yield "", csv_text((*_COLUMNS, "confidence"), *_columns(detections), score)


def _columns(table: Truth | Detections) -> Sequence[list[str]]:
    rows = written_rows(table)
    image, corners = table.image[rows], table.corners[rows]
    unknown = np.full(len(table.images), np.nan)
    sizes = [unknown if side is None else side for side in (table.images.width, table.images.height)]
    if table.relative and len(rows):
        sides = np.stack([side[image] for side in sizes], axis=1)
        if not (sides > 0).all():
            found = "normalized boxes, and the image size is unknown"
            raise InputError(table.source, found, "image sizes, for boxes in pixels")
        corners = scaled(corners, sides)
    images, labels = names_of(table, rows)
    width, height = (written_numbers(side[image]) for side in sizes)
    return images, width, height, labels, *(written_numbers(corners[:, k]) for k in range(4))
