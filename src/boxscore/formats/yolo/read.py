"""YOLO: a text file per image, `<class> <cx> <cy> <width> <height>` per line, normalized.

Layouts of darknet, Ultralytics and Roboflow, or labels alone; polygons, poses and oriented boxes give the box around
them. An image whose file is empty or absent has no objects.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from boxscore.diagnostics.findings import Finding, finding
from boxscore.errors import InputError, first_few
from boxscore.formats.io.correction import Correction, Edited
from boxscore.formats.io.files import Files
from boxscore.formats.io.invalid import Invalid
from boxscore.formats.io.label_files import Listing
from boxscore.formats.io.line_edits import edited_lines
from boxscore.formats.io.number_rows import Lines, NumberRows, Row, read_rows
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.words import as_number
from boxscore.formats.yolo.agreement import overlaps_with
from boxscore.formats.yolo.confidence import Overlaps
from boxscore.formats.yolo.config import Config, read_config
from boxscore.formats.yolo.dataset import DataSet, open_data_set
from boxscore.formats.yolo.layout import layout_of
from boxscore.formats.yolo.rows import BadRows, Parts, parts_of_detections, parts_of_truth, too_short
from boxscore.formats.yolo.shapes import boxes_of, shapes_of
from boxscore.tables.model import Classes, Detections, Images, Indices, Truth, row_numbers

_FEWEST = 4  # numbers of a row: those of a box
_CLASS = re.compile(r"(\d+)(?:\.0*)?")


def read_truth(folder: Files, how: ReadOptions) -> tuple[Truth, list[Finding]]:
    """Objects of all images, or of one split."""
    how = how.of("truth")
    made, rows = _read(folder, how)
    rows, parts = _parts(parts_of_truth, rows, how, made)
    columns, findings = _columns(folder, how, made, rows, parts)
    keys = zip(made.layout.keys, made.layout.labels, strict=True)
    n, without = len(rows), [key for key, label in keys if label is None]
    findings += [finding("NEG001", len(without), first_few(without, len(without)))] if without else []
    return Truth(**columns, area=np.full(n, np.nan), flags=np.zeros(n, np.uint16)), findings


def read_detections(folder: Files, how: ReadOptions, truth: Truth | None = None) -> tuple[Detections, list[Finding]]:
    """Detections: rows with a confidence, at the end or behind the class."""
    how = how.of("detections")
    made, rows = _read(folder, how)
    made = made._replace(layout=made.layout.labelled())  # plots and drawn images say nothing about detections
    rows, parts = _parts(parts_of_detections, rows, how, made, truth)
    columns, findings = _columns(folder, how, made, rows, parts)
    assert parts.score is not None
    return Detections(**columns, track=parts.track, score=parts.score), [*findings, *parts.findings]


def edited(folder: Files, how: ReadOptions, side: str, change: Correction, truth: Truth | None = None) -> Edited:
    """The files of a folder with a correction in their lines."""
    return edited_lines(folder, _lines(folder, how, side, truth), change)


def _lines(folder: Files, how: ReadOptions, side: str, truth: Truth | None) -> Lines:
    """The lines of a folder, and where in them the numbers of each row stand."""
    how = how.of(side)
    made, rows = _read(folder, how)
    config, layout = made.config, made.layout
    scored = side == "detections"
    overlaps = overlaps_with(truth, layout) if scored else None
    parts = (parts_of_detections if scored else parts_of_truth)(rows, how, config.keypoints, overlaps)
    at = parts.begin - rows.first[:-1]
    ids = {} if truth is None else dict(zip(truth.classes.name, truth.classes.id, strict=True))

    def word(name: str) -> str | None:
        if config.names is not None:
            return str(config.names.index(name)) if name in config.names else None
        written = str(ids.get(name, name))
        return written if _CLASS.fullmatch(written) else None

    paths = [path for path in layout.labels if path is not None]
    score = np.where(at > 0, 0, parts.length) if scored else None
    return Lines(paths, rows, at, parts.length, score, "cxcywh", True, word, parts.keypoints is not None)


def _read(given: Files, how: ReadOptions) -> tuple[DataSet, NumberRows]:
    if given.is_file:
        made = open_data_set(given, how.classes, how.split)
    else:
        listing = Listing(given)
        config = read_config(listing, how.classes)
        made = DataSet(given, config, layout_of(listing, config, how.split))
    paths = [path for path in made.layout.labels if path is not None]
    rows = read_rows(made.folder, paths, 0, partial(_careful, how.invalid), how.threads)
    if how.skip_invalid and bool((short := np.diff(rows.first) < _FEWEST).any()):
        rows = _without(rows, BadRows(short, partial(too_short, rows)), how)
    return made, rows


def _parts(
    parts_of: Callable[[NumberRows, ReadOptions, tuple[int, int] | None, Overlaps | None], Parts], rows: NumberRows,
    how: ReadOptions, made: DataSet, truth: Truth | None = None,
) -> tuple[NumberRows, Parts]:  # fmt: skip
    """The rows that can be used, and what their numbers are."""
    overlaps = overlaps_with(truth, made.layout) if how.confidence is None else None
    while True:
        try:
            return rows, parts_of(rows, how, made.config.keypoints, overlaps)
        except BadRows as error:
            if not how.skip_invalid:
                raise
            rows = _without(rows, error, how)


def _without(rows: NumberRows, bad: BadRows, how: ReadOptions) -> NumberRows:
    for row in np.flatnonzero(bad.rows).tolist():
        how.invalid.add(bad.error_of(row))
    return rows.take(~bad.rows)


def _columns(
    given: Files, how: ReadOptions, made: DataSet, rows: NumberRows, parts: Parts
) -> tuple[dict[str, Any], list[Finding]]:  # fmt: skip
    """What both sides have."""
    folder, config, layout, _ = made
    classes, label = _classes(config, rows)
    images, findings = _images(made, how)
    corners, area = boxes_of(rows.numbers, parts, how.image_size)
    of_file = np.flatnonzero([path is not None for path in layout.labels]).astype(np.int32)
    places = [folder.place(label or image or "") for label, image in zip(layout.labels, layout.images, strict=True)]
    oriented = how.rows == "oriented"
    return {
        "images": images, "classes": classes, "image": of_file[rows.file], "label": label,
        "corners": corners, "box_area": area, "position": row_numbers(len(rows)), "source": given.name,
        "format": "yolo", "places": places, "relative": how.image_size is None,
        "shapes": shapes_of(rows.numbers, parts, how.image_size, oriented) if how.shapes else None,
    }, [*made.findings, *findings]  # fmt: skip


def _images(made: DataSet, how: ReadOptions) -> tuple[Images, list[Finding]]:
    """The images, with their sizes where image files lie beside the labels and nobody states others."""
    layout, there = made.layout, [path for path in made.layout.images if path is not None]
    if not there or how.states_sizes:
        return Images(layout.keys), []
    from boxscore.formats.io.image_sizes import headers_of  # where there are images

    headers = headers_of(made.folder, there, how.threads)
    sizes = np.array([headers[path][:2] if path in headers else (np.nan, np.nan) for path in layout.images], np.float64)
    broken = [made.folder.place(path) for path in there if path not in headers]
    findings = [finding("SIZ003", len(broken), first_few(broken, len(broken)))] if broken else []
    if len(broken) == len(there):
        return Images(layout.keys), findings
    return Images(layout.keys, None, sizes[:, 0].copy(), sizes[:, 1].copy()), findings


def _careful(invalid: Invalid, text: str, file: str) -> Iterator[Row]:
    """Lines of a file that is not written in the usual way; a comma may stand behind a value."""
    for number, line in enumerate(text.splitlines(), 1):
        words = [word.rstrip(",;") for word in line.split()]
        if words and not words[0].startswith("#"):
            values = None
            with invalid:
                values = [_value(f"{file}:{number}", word) for word in words[1:]]
            if values is not None:
                yield Row(number, words[0], values)


def _value(place: str, word: str) -> float:
    value = as_number(word)
    if value is None or not math.isfinite(value):
        hint = "Values are separated by spaces; decimals have a point." if "," in word else ""
        raise InputError(place, f"'{word}' is no finite number", "<class> <cx> <cy> <width> <height>", hint)
    return value


def _classes(config: Config, rows: NumberRows) -> tuple[Classes, Indices]:
    """Classes by number: the names that are listed, or the numbers that are used."""
    numbers = [_class_number(rows, k, name) for k, name in enumerate(rows.names)]
    if config.names is None:
        used = sorted(set(numbers))
        classes = Classes(tuple(map(str, used)), tuple(used))
        place = {number: k for k, number in enumerate(used)}
    else:
        n = len(config.names)
        if beyond := [k for k, number in enumerate(numbers) if number >= n]:
            row = int(np.isin(rows.name, beyond).argmax())
            listed = f"{config.named_by} lists" if config.named_by else "there are"
            raise InputError(
                rows.place(row), f"class {numbers[rows.name[row]]}", f"a number below {n}: {listed} {n} classes"
            )
        classes = Classes(config.names, tuple(range(n)))
        place = {number: number for number in numbers}
    return classes, np.array([place[number] for number in numbers], np.int32)[rows.name]


def _class_number(rows: NumberRows, k: int, name: str) -> int:
    number = _CLASS.fullmatch(name)
    if number is None or len(number[1]) > 9:
        row = int((rows.name == k).argmax())
        raise InputError(
            rows.place(row), f"class '{name}'", "the number of a class, from 0",
            "Class names are of the format text.",
        )  # fmt: skip
    return int(number[1])
