"""VIA (VGG Image Annotator), written: the JSON and the CSV files of VIA 2."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from boxscore.formats.io.table_rows import Table, as_json, flags_of, parts_of, rows_by_image, size_of, statements
from boxscore.formats.io.writing import Made, Writing
from boxscore.formats.io.written_boxes import with_sides
from boxscore.formats.via.csv import COLUMNS
from boxscore.formats.via.regions import CLASS_NAMES, FLAGS
from boxscore.formats.words import SCORES
from boxscore.tables.model import Detections
from boxscore.tables.shapes import Shape

_UNKNOWN = -1  # bytes of an image file that VIA did not load
_ROUND = {Shape.CIRCLE: ("circle", ("cx", "cy", "r")), Shape.ELLIPSE: ("ellipse", ("cx", "cy", "rx", "ry", "theta"))}


def write_json(table: Table, how: Writing) -> Made:
    """Annotations of all images; the class is the attribute `label`, the score `score`."""
    made = {
        f"{key}{_UNKNOWN}": {"filename": key, "size": _UNKNOWN, "regions": regions, "file_attributes": attributes}
        for key, attributes, regions in _entries(table)
    }
    yield "", as_json(made)


def write_csv(table: Table, how: Writing) -> Made:
    """A row per region, and one for each image without any."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(COLUMNS)
    for key, attributes, regions in _entries(table):
        start = (key, _UNKNOWN, _text(attributes), len(regions))
        for number, region in enumerate(regions):
            rows.writerow((*start, number, _text(region["shape_attributes"]), _text(region["region_attributes"])))
        if not regions:
            rows.writerow((*start, 0, "{}", "{}"))
    yield "", text.getvalue().encode()


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _entries(table: Table) -> list[tuple[str, dict[str, Any], list[dict[str, Any]]]]:
    """Name, attributes and regions of each image."""
    said, boxes, made = statements(table), with_sides(table.corners, table.box_area).tolist(), []
    for i, rows in enumerate(rows_by_image(table)):
        sizes = zip(("width", "height"), size_of(table.images, i), strict=True)
        regions = [
            {"shape_attributes": _shape(table, row, boxes[row]),
             "region_attributes": _attributes(table, row, said.get(row, {}))}
            for row in rows
        ]  # fmt: skip
        made.append((table.images.key[i], {name: str(side) for name, side in sizes if side is not None}, regions))
    return made


def _shape(table: Table, row: int, box: list[float]) -> dict[str, Any]:
    """The shape of a row, always with its box: that of a polygon may be another one than that around its corners."""
    stated = dict(zip(("x", "y", "width", "height"), box, strict=True))
    parts = parts_of(table, row)
    if len(parts) == 1:
        kind, values = parts[0]
        if kind == Shape.POLYGON:
            return {"name": "polygon", "all_points_x": values[::2], "all_points_y": values[1::2], **stated}
        if kind in _ROUND:
            name, names = _ROUND[kind]
            return {"name": name, **dict(zip(names, values, strict=True)), **stated}
    return {"name": "rect", **stated}


def _attributes(table: Table, row: int, said: dict[str, str]) -> dict[str, Any]:
    ours = {CLASS_NAMES[0]: table.classes.name[table.label[row]]}
    flags = dict.fromkeys(flags_of(table, row), True)
    score = {SCORES[0]: float(table.score[row])} if isinstance(table, Detections) else {}
    return {**ours, **said, **ours, **score, **({FLAGS: flags} if flags else {})}
