"""VoTT, written: the JSON export of a project, and the CSV export."""

from __future__ import annotations

import csv
import hashlib
import io
from typing import Any
from urllib.parse import quote

import numpy as np

from boxscore.formats.io.table_rows import Table, as_json, parts_of, rows_by_image, size_of, whole
from boxscore.formats.io.writing import Made, Writing
from boxscore.formats.io.written_boxes import with_sides
from boxscore.formats.vott.csv import COLUMNS
from boxscore.formats.words import SCORE_COLUMNS
from boxscore.tables.model import Detections, Truth
from boxscore.tables.shapes import Shape

_VERSION = "2.2.0"
_AS_IS = "/()!'*,;:@&=+$-_.~"  # what VoTT leaves in names, besides letters and digits
_VISITED, _TAGGED, _IMAGE = 1, 2, 1  # states, and a type of assets
_COLOUR = "#5db300"


def write_json(truth: Truth, how: Writing) -> Made:
    """A project with all images; those without objects as visited."""
    boxes, assets = with_sides(truth.corners, truth.box_area).tolist(), {}
    for i, rows in enumerate(rows_by_image(truth)):
        name = quote(truth.images.key[i], safe=_AS_IS)
        number = hashlib.md5(f"file:{name}".encode(), usedforsecurity=False).hexdigest()
        width, height = size_of(truth.images, i)
        about = {
            "format": name.rpartition(".")[2], "id": number, "name": name, "path": f"file:{name}",
            "size": {"width": width or 0, "height": height or 0}, "state": _TAGGED if rows else _VISITED,
            "type": _IMAGE,
        }  # fmt: skip
        regions = [_region(truth, row, boxes[row]) for row in rows]
        assets[number] = {"asset": about, "regions": regions, "version": _VERSION}
    tags = [{"name": name, "color": _COLOUR} for name in truth.classes.name]
    yield "", as_json({"name": "boxscore", "tags": tags, "version": _VERSION, "assets": assets})


def _region(truth: Truth, row: int, box: list[float]) -> dict[str, Any]:
    left, top, width, height = box
    polygons = [values for kind, values in parts_of(truth, row) if kind == Shape.POLYGON]
    x0, y0, x1, y1 = truth.corners[row].tolist()
    corners = polygons[0] if len(polygons) == 1 else [x0, y0, x1, y0, x1, y1, x0, y1]
    return {
        "id": str(row), "type": "POLYGON" if len(polygons) == 1 else "RECTANGLE",
        "tags": [truth.classes.name[truth.label[row]]],
        "boundingBox": {"height": height, "width": width, "left": left, "top": top},
        "points": [{"x": x, "y": y} for x, y in zip(corners[::2], corners[1::2], strict=True)],
    }  # fmt: skip


def write_csv(table: Table, how: Writing) -> Made:
    """A row per object; with detections, a column `confidence`."""
    scored = isinstance(table, Detections)
    text = io.StringIO()
    rows = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    rows.writerow((*COLUMNS, SCORE_COLUMNS[0]) if scored else COLUMNS)
    for i, of_image in enumerate(rows_by_image(table)):
        name = quote(table.images.key[i], safe=_AS_IS)
        for row in of_image:
            score = [float(table.score[row])] if isinstance(table, Detections) else []
            corners = [whole(value) for value in np.asarray(table.corners[row]).tolist()]
            rows.writerow((name, *corners, table.classes.name[table.label[row]], *score))
    yield "", text.getvalue().encode()
