"""VoTT CSV: a row per object with image, corners and label; detectors add a confidence and the image size."""

from __future__ import annotations

import math

import numpy as np

from boxscore.diagnostics.findings import Finding, finding
from boxscore.errors import InputError
from boxscore.formats.io.collected import Collected
from boxscore.formats.io.csv_table import Header, read_header
from boxscore.formats.io.delimited import Rows, keys, numbers
from boxscore.formats.io.listed_classes import as_names
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.io.source import Source
from boxscore.formats.vott.json import decoded
from boxscore.formats.words import SCORE_COLUMNS
from boxscore.tables.model import Detections, Truth

COLUMNS = ("image", "xmin", "ymin", "xmax", "ymax", "label")
_SIZES = (("x_size", "width"), ("y_size", "height"))
_PATH = "image_path"  # says nothing that `image` does not say
_SWAPPED = "Truth comes first, then detections; were they swapped?"


def read_truth(source: Source, how: ReadOptions) -> tuple[Truth, list[Finding]]:
    """Objects; images without any are not in such files."""
    how = how.of("truth")
    made, findings = _read(source, how, scored=False)
    return made.truth(source.name, "vott-csv", how), findings


def read_detections(source: Source, how: ReadOptions, truth: Truth | None = None) -> tuple[Detections, list[Finding]]:
    """Detections: the same with a column `confidence` or `score`."""
    how = how.of("detections")
    made, findings = _read(source, how, scored=True)
    return made.detections(source.name, "vott-csv", how), findings


def _read(source: Source, how: ReadOptions, scored: bool) -> tuple[Collected, list[Finding]]:
    header = read_header(source)
    expected = ", ".join((*COLUMNS, SCORE_COLUMNS[0]) if scored else COLUMNS)
    image, *corners, label = (header.need(name, expected=expected) for name in COLUMNS)
    score = header.need(*SCORE_COLUMNS[:2], expected=expected, hint=_SWAPPED) if scored else None
    sides = [header.find(*names) for names in _SIZES]
    made, images, labels = Collected(), dict[str, int](), dict[str, int]()
    numeric = {at: header.names[at] for at in (*corners, *([] if score is None else [score]))}
    for place, columns in Rows(source, header.delimiter, 1, how.invalid, numeric).blocks(
        len(header.names), f"as many values as columns ({len(header.names)})"
    ):
        of_image = keys(columns[image], images, place, COLUMNS[0]).tolist()
        of_label = keys(columns[label], labels, place, COLUMNS[-1]).tolist()
        boxes = np.stack([numbers(columns[at], place, header.names[at]) for at in corners], axis=1).tolist()
        if score is not None:
            made.score += numbers(columns[score], place, header.names[score]).tolist()
        size = [None if at is None else numbers(columns[at], place, header.names[at]).tolist() for at in sides]
        known, classes = list(images), list(labels)
        for row, (key, box) in enumerate(zip(of_image, boxes, strict=True)):
            if key == len(made.key):
                made.add_image(known[key], *(math.nan if side is None else side[row] for side in size))
            made.add(key, classes[of_label[row]], box)
    made.key = _decoded(source, made.key)
    made.name = _names(made.name, how)
    used = {image, label, *corners, score, *sides, header.find(_PATH)}
    return made, _unused(header, used)


def _decoded(source: Source, keys: dict[str, int]) -> dict[str, int]:
    names = {decoded(key): number for key, number in keys.items()}
    if len(names) < len(keys):
        both = next(key for key, number in keys.items() if names[decoded(key)] != number)
        found = f"images of the name '{decoded(both)}', with percent signs and without"
        raise InputError(source.name, found, "one way of writing names")
    return names


def _names(names: list[str], how: ReadOptions) -> list[str]:
    """Class names as they are written; with a list of names, whole numbers are lines of that list."""
    return names if how.classes is None or set(names) <= set(how.classes) else [*as_names(names, how.classes)]


def _unused(header: Header, used: set[int | None]) -> list[Finding]:
    others = [name for at, name in enumerate(header.names) if at not in used]
    return [finding("COL001", len(others), ", ".join(others))] if others else []
