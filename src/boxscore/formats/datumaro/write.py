"""Datumaro JSON, written: a file as of one subset."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from boxscore.formats.datumaro.read import SCORE, TRACK
from boxscore.formats.io.rle import text_of
from boxscore.formats.io.same_images import without_extension
from boxscore.formats.io.table_rows import Table, as_json, flags_of, parts_of, rows_by_image, size_of, statements
from boxscore.formats.io.writing import Made, Writing
from boxscore.formats.io.written_boxes import with_sides
from boxscore.tables.model import Detections
from boxscore.tables.shapes import Shape

_VERSION = "1.0"
_CROWD = {"crowd": "is_crowd"}  # what Datumaro calls it


def write(table: Table, options: Writing) -> Made:
    """All images and classes; a row is a box, in one group with its polygons, masks and keypoints."""
    labels = [{"name": name, "parent": "", "attributes": []} for name in table.classes.name]
    categories = {"label": {"labels": labels, "label_groups": [], "attributes": []}}
    ids, said = _ids(table.images.key), statements(table)
    boxes = with_sides(table.corners, table.box_area).tolist()
    items: list[dict[str, Any]] = []
    for i, rows in enumerate(rows_by_image(table)):
        annotations: list[dict[str, Any]] = []
        for group, row in enumerate(rows, 1):
            parts = [part for kind, values in parts_of(table, row) for part in _part(kind, list(values))]
            common = {"group": group if parts else 0, "label_id": int(table.label[row]), "z_order": 0}
            attributes = _attributes(table, row, said.get(row, {}))
            track = {} if table.track is None or table.track[row] < 0 else {TRACK: int(table.track[row])}
            pieces: list[dict[str, Any]] = [{"type": "bbox", "attributes": attributes, "bbox": boxes[row], **track}]
            pieces += [{"attributes": {}, **part} for part in parts]
            annotations += [{"id": len(annotations) + k, **piece, **common} for k, piece in enumerate(pieces)]
        width, height = size_of(table.images, i)
        size: dict[str, Any] = {} if width is None or height is None else {"size": [height, width]}
        items.append({"id": ids[i], "annotations": annotations, "image": {"path": table.images.key[i], **size}})
    head = {"dm_format_version": _VERSION, "infos": {}, "categories": categories}
    yield "", as_json({**head, "items": items})


def _ids(keys: Sequence[str]) -> list[str]:
    """Names without extensions, as Datumaro has them; with them where several would be the same."""
    stems = [without_extension(key) for key in keys]
    often = Counter(stems)
    return [key if often[stem] > 1 else stem for key, stem in zip(keys, stems, strict=True)]


def _attributes(table: Table, row: int, said: dict[str, str]) -> dict[str, Any]:
    flags = {_CROWD.get(name, name): True for name in flags_of(table, row)}
    score = {SCORE: float(table.score[row])} if isinstance(table, Detections) else {}
    return {**said, **flags, **score}


def _part(kind: Shape, values: list[float]) -> list[dict[str, Any]]:
    """A shape beside a box, if Datumaro has its kind."""
    if kind == Shape.POLYGON:
        return [{"type": "polygon", "points": values}]
    if kind == Shape.KEYPOINTS:
        points = [value for k in range(0, len(values), 3) for value in values[k : k + 2]]
        return [{"type": "points", "points": points, "visibility": [int(value) for value in values[2::3]]}]
    if kind == Shape.RLE:
        height, width, *counts = (int(value) for value in values)
        return [{"type": "mask", "rle": {"counts": text_of(counts), "size": [height, width]}}]
    return []
