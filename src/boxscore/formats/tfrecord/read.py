"""TFRecord files of TensorFlow's object detection: one or several, with objects, detections or both.

Boxes are normalized coordinates, written with 32 bits. They are multiplied by the size as they are and
not rounded: what was 349 pixels of 500 comes back as 348.99998 or 349.00003.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boxscore.diagnostics.findings import Finding, finding
from boxscore.errors import InputError
from boxscore.formats.io.files import Files
from boxscore.formats.io.listed_classes import unlisted
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.tfrecord.classes import Named, classes_of
from boxscore.formats.tfrecord.columns import Columns
from boxscore.formats.tfrecord.container import records
from boxscore.formats.tfrecord.files import record_files
from boxscore.tables.model import Classes, Detections, Floats, ImageLabels, Images, Truth, row_numbers


def read_truth(files: Files, how: ReadOptions) -> tuple[Truth, list[Finding]]:
    """The objects of all records, and what they say of whole images."""
    how = how.of("truth")
    columns = _columns(files, how, "object")
    said = [*columns.named, *(named for _, named, _ in columns.statements)]
    classes, index = classes_of(said, how)
    labels, findings = _labels(columns, index[len(columns.named) :], files.name)
    table = _table(files, how, columns, classes, index[: len(columns.named)])
    area, flags = np.array(columns.area, np.float64), np.array(columns.flags, np.uint16)
    return Truth(**table, area=area, flags=flags, labels=labels), findings


def read_detections(files: Files, how: ReadOptions, truth: Truth | None = None) -> tuple[Detections, list[Finding]]:
    """The detections of all records; classes are numbers, whose names a label map, the objects or the truth know."""
    how = how.of("detections")
    columns = _columns(files, how, "detection")
    classes, index = classes_of(columns.named, how, [*columns.known, *_numbered(truth)])
    return Detections(**_table(files, how, columns, classes, index), score=np.array(columns.score, np.float64)), []


def _numbered(truth: Truth | None) -> list[Named]:
    listed = [] if truth is None else list(zip(truth.classes.name, truth.classes.id, strict=True))
    return [(name, key) for name, key in listed if isinstance(key, int)]


def _columns(files: Files, how: ReadOptions, what: str) -> Columns:
    columns = Columns(what, invalid=how.invalid)
    for path in record_files(files, how.split):
        source = files.source(path)
        for number, record in enumerate(records(source)):
            columns.add(source.name, number, record, how.shapes)
    if columns.filename and what not in columns.any_of and (what == "detection" or columns.any_of):
        found = f"records without features image/{what}/…"
        others = "the objects" if what == "detection" else "the detections"
        hint = f"They hold {others} only." if columns.any_of else ""
        raise InputError(files.name, found, f"TFRecords with {what}s", hint)
    return columns


def _table(files: Files, how: ReadOptions, columns: Columns, classes: Classes, label: list[int]) -> dict[str, Any]:
    """What both tables have."""
    if -1 in label:
        row = label.index(-1)
        name, number = columns.named[row]
        at = columns.image[row]
        raise unlisted(f"{columns.file[at]}: {columns.place(at)}", name or str(number), len(classes))
    width, height = np.array(columns.width, np.float64), np.array(columns.height, np.float64)
    if how.image_size is not None:
        width[np.isnan(width)], height[np.isnan(height)] = how.image_size
    image, shares = np.array(columns.image, np.int32), np.concatenate(columns.shares)
    relative = bool(np.isnan(width[image]).any())
    corners: Floats = shares if relative else shares * np.stack([width, height, width, height], axis=1)[image]
    return {
        "images": Images(_keys(columns), None, width, height),
        "classes": classes,
        "image": image,
        "label": np.array(label, np.int32),
        "corners": corners,
        "box_area": (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1]),
        "position": row_numbers(len(corners)),
        "source": files.name,
        "format": "tfrecord",
        "places": columns.file,
        "relative": relative,
        "shapes": columns.shapes.shapes(len(corners)),
    }


def _keys(columns: Columns) -> list[str]:
    """The names of the images: of their files, and where several have the same, what `image/source_id` says."""
    several = _repeated([name or other for name, other in zip(columns.filename, columns.source_id, strict=True)])
    pairs = zip(columns.filename, columns.source_id, strict=True)
    keys = [other if (name or other) in several and other else name or other for name, other in pairs]
    twice = _repeated(keys)
    for image, key in enumerate(keys):
        if key in twice and key in keys[:image]:
            first = keys.index(key)
            where = columns.place(first) if columns.file[first] == columns.file[image] else columns.file[first]
            found = f"{columns.place(image)}: image '{key}' again, after {where}"
            raise InputError(columns.file[image], found, "a record for each image, with a name of its own")
    return [key.replace("\\", "/") for key in keys]


def _repeated(names: list[str]) -> set[str]:
    seen, twice = set[str](), set[str]()
    for name in names:
        (twice if name in seen else seen).add(name)
    return twice


def _labels(columns: Columns, index: list[int], source: str) -> tuple[ImageLabels | None, list[Finding]]:
    if not columns.statements:
        return None, []
    rows = [(image, k, mark) for (image, _, mark), k in zip(columns.statements, index, strict=True) if k >= 0]
    image, label, mark = np.array(rows, np.int64).reshape(-1, 3).T
    labels = ImageLabels(image.astype(np.int32), label.astype(np.int32), mark.astype(np.uint8))
    left_out = len(columns.statements) - len(rows)
    return labels, [finding("LBL001", left_out, source)] if left_out else []
