"""Label Studio, written: tasks to import, with annotations or with predictions; boxes are percents of the images."""

from __future__ import annotations

from typing import Any

from boxscore.errors import InputError
from boxscore.formats.io.table_rows import Table, as_json, flags_of, rows_by_image, size_of
from boxscore.formats.io.writing import Made, Writing
from boxscore.formats.io.written_boxes import with_sides
from boxscore.tables.model import Detections, Truth

_NAMES = {"from_name": "label", "to_name": "image"}  # of controls, in the usual configuration for boxes


def write_truth(truth: Truth, options: Writing) -> Made:
    """A task per image with one annotation."""
    tasks = [{**task, "annotations": [{"result": results}]} for task, results in _tasks(truth)]
    yield "", as_json(tasks)


def write_detections(detections: Detections, options: Writing) -> Made:
    """A task per image with one prediction, every region with its score."""
    tasks = [
        {**task, "predictions": [{"model_version": detections.name or "boxscore", "result": results}]}
        for task, results in _tasks(detections)
    ]
    yield "", as_json(tasks)


def _tasks(table: Table) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    boxes, made = with_sides(table.corners, table.box_area).tolist(), []
    for i, rows in enumerate(rows_by_image(table)):
        width, height = size_of(table.images, i)
        sizes = {} if width is None or height is None else {"width": width, "height": height}
        if rows and not sizes:
            found = f"boxes of {table.images.key[i]}, whose size is unknown"
            hint = "State image sizes with --sizes, --images or --image-size."
            raise InputError(table.source, found, "image sizes: Label Studio has boxes in percent", hint)
        results = [one for row in rows for one in _results(table, row, boxes[row], width or 1, height or 1)]
        made.append(({"id": i + 1, "data": {"image": table.images.key[i], **sizes}}, results))
    return made


def _results(table: Table, row: int, box: list[float], width: float, height: float) -> list[dict[str, Any]]:
    """A region, and its flags as choices of the same region."""
    x, y, w, h = box
    value = {"x": x / width * 100, "y": y / height * 100, "width": w / width * 100, "height": h / height * 100}
    name = table.classes.name[table.label[row]]
    common = {"id": str(row), "original_width": width, "original_height": height, "image_rotation": 0}
    score = {"score": float(table.score[row])} if isinstance(table, Detections) else {}
    made = [{**common, **_NAMES, "type": "rectanglelabels", **score,
             "value": {**value, "rotation": 0, "rectanglelabels": [name]}}]  # fmt: skip
    if flags := flags_of(table, row):
        choices = {"from_name": "flags", "to_name": "image", "type": "choices", "value": {**value, "choices": flags}}
        made.append({**common, **choices})
    return made
