"""LabelMe, written: a JSON file per image, named after it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from boxscore.errors import InputError
from boxscore.formats.io.collected import FLAG_NAMES, hull
from boxscore.formats.io.same_images import without_extension
from boxscore.formats.io.table_rows import (
    Table,
    as_json,
    flags_of,
    hull_of,
    parts_of,
    rows_by_image,
    size_of,
    statements,
)
from boxscore.formats.io.writing import Made, Writing
from boxscore.formats.labelme.read import BOX_FLAG
from boxscore.tables.model import Detections, Truth
from boxscore.tables.oriented import corners_of
from boxscore.tables.shapes import Shape

_VERSION = "5.5.0"
_FORMS = {Shape.POLYGON: "polygon", Shape.QUAD: "oriented_rectangle"}


def write_truth(truth: Truth, how: Writing) -> Made:
    """A file per image, without the image itself."""
    return _files(truth)


def write_detections(detections: Detections, how: Writing) -> Made:
    """The same with a `score` in every shape."""
    return _files(detections)


def _files(table: Table) -> Made:
    said = statements(table)
    names = _names(table)
    for i, rows in enumerate(rows_by_image(table)):
        width, height = size_of(table.images, i)
        shapes = [shape for number, row in enumerate(rows) for shape in _shapes(table, row, number, said.get(row, {}))]
        yield names[i], as_json({
            "version": _VERSION, "flags": {}, "shapes": shapes, "imagePath": table.images.key[i].rpartition("/")[2],
            "imageData": None, "imageHeight": height, "imageWidth": width,
        })  # fmt: skip


def _names(table: Table) -> list[str]:
    """A path for each image, below the folder; images that differ in the extension only keep it."""
    taken: dict[str, None] = {}
    for key in table.images.key:
        parts = [part for part in key.split("/") if part not in ("", ".", "..")]
        if not parts or any(part.startswith(".") for part in parts):
            found = f"the image name {key!r}, whose file would be hidden"
            raise InputError(table.source, found, "names that do not begin with a point, nor their folders")
        inside = "/".join(parts)
        name = f"{without_extension(inside)}.json"
        if name in taken:
            name = f"{inside}.json"
        while name in taken:
            name = f"{name[:-5]}_.json"
        taken[name] = None
    return list(taken)


def _shapes(table: Table, row: int, number: int, said: dict[str, str]) -> list[dict[str, Any]]:
    """A row as one shape, or as a group of them: its pieces, and the box where they do not give it."""
    box = [float(v) for v in table.corners[row]]
    made = [shape for kind, values in parts_of(table, row) for shape in _part(kind, list(values))]
    hulls = [around for around, _ in made]
    if not made or hull([around[k : k + 2] for around in hulls for k in (0, 2)]) != box:
        made.insert(0, (box, {"points": [box[:2], box[2:]], "shape_type": "rectangle"}))
        boxed = len(made) > 1 or box[0] > box[2] or box[1] > box[3]  # of any two points LabelMe makes a box
    else:
        boxed = False
    score = {"score": float(table.score[row])} if isinstance(table, Detections) else {}
    plain = {name: value for name, value in said.items() if name != "description"}
    flags = {name: value == "true" for name, value in plain.items() if _is_flag(name, value)}
    flags |= dict.fromkeys(flags_of(table, row), True)
    attributes = {name: value for name, value in plain.items() if not _is_flag(name, value)}
    return [
        {
            "label": table.classes.name[table.label[row]], "points": shape["points"],
            "group_id": number if len(made) > 1 else None, "description": said.get("description", ""),
            "shape_type": shape["shape_type"],
            "flags": {**flags, BOX_FLAG: True} if boxed and place == 0 else flags,
            "mask": shape.get("mask"), **score, **({"attributes": attributes} if attributes else {}),
        }
        for place, (_, shape) in enumerate(made)
    ]  # fmt: skip


def _is_flag(name: str, value: str) -> bool:
    return value in ("true", "false") and name.casefold() not in FLAG_NAMES and name != BOX_FLAG


def _part(kind: Shape, values: list[float]) -> list[tuple[list[float], dict[str, Any]]]:
    """A shape with the box around it, if LabelMe has its kind."""
    if kind == Shape.RLE:
        return _mask(values)
    if kind == Shape.CIRCLE:
        x, y, radius = values
        around = hull_of(kind, [x, y, math.dist((x, y), (x + radius, y))])  # as it will be read
        return [(around, {"points": [[x, y], [x + radius, y]], "shape_type": "circle"})]
    if kind == Shape.ORIENTED:
        kind, values = Shape.QUAD, corners_of(np.array([values]))[0].tolist()
    if kind not in _FORMS:
        return []
    points = [values[k : k + 2] for k in range(0, len(values), 2)]
    return [(hull_of(kind, values), {"points": points, "shape_type": _FORMS[kind]})]


def _mask(values: list[float]) -> list[tuple[list[float], dict[str, Any]]]:
    from boxscore.formats.io.base64_image import png_of
    from boxscore.formats.io.mask_runs import mask_of

    pixels = mask_of(values)
    rows, columns = np.flatnonzero(pixels.any(axis=1)), np.flatnonzero(pixels.any(axis=0))
    if not len(rows):
        return []
    x0, y0, x1, y1 = int(columns[0]), int(rows[0]), int(columns[-1]), int(rows[-1])
    mask = png_of(pixels[y0 : y1 + 1, x0 : x1 + 1])
    shape = {"points": [[x0, y0], [x1, y1]], "shape_type": "mask", "mask": mask}  # the last pixel counts
    return [([float(v) for v in (x0, y0, x1 + 1, y1 + 1)], shape)]
