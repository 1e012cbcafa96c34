"""Text files, written: one per image, `<class> [<confidence>] <4 numbers>` a line."""

from __future__ import annotations

import numpy as np

from boxscore.errors import InputError
from boxscore.formats.io.label_lines import Table, boxes_as, file_names, relative_boxes, rows_of_images, text
from boxscore.formats.io.text_lines import holds
from boxscore.formats.io.writing import Made, Writing
from boxscore.formats.io.written_boxes import with_sides
from boxscore.tables.model import Detections, Flag, Floats, Truth


def write_truth(truth: Truth, how: Writing) -> Made:
    """Objects; difficult ones are marked if boxes are corners, as in the files that have such marks."""
    mark = (truth.flags & Flag.DIFFICULT) != 0 if how.box == "xyxy" else np.zeros(len(truth), np.bool_)
    return _files(truth, _boxes(truth, how), [" difficult" if marked else "" for marked in mark.tolist()], 4)


def write_detections(detections: Detections, how: Writing) -> Made:
    """Detections, the confidence behind the class."""
    numbers = np.column_stack([detections.score, _boxes(detections, how)])
    return _files(detections, numbers, [""] * len(detections), 5)


def _boxes(table: Table, how: Writing) -> Floats:
    coords = how.coords or ("relative" if table.relative else "absolute")
    if coords == "absolute":
        if table.relative:
            found = "normalized boxes, and the image size is unknown"
            raise InputError(table.source, found, "image sizes, or coords=relative")
        if how.box in (None, "xywh"):
            return with_sides(table.corners, table.box_area)
        return boxes_as(table.corners, how.box)
    if how.box not in (None, "cxcywh"):
        raise InputError(table.source, f"relative boxes as {how.box}", "relative boxes as centre, width, height")
    return relative_boxes(table)


def _files(table: Table, numbers: Floats, ends: list[str], n_numbers: int) -> Made:
    classes = table.classes.name
    used = np.unique(table.label[(table.label >= 0) & (table.image >= 0)]).tolist()
    for name in (classes[k] for k in used):
        if not holds(name, n_numbers):
            found = f"the class name {name!r}, which a line of text cannot hold"
            raise InputError(table.source, found, "words with single spaces between")
    lines = [f"{classes[k]} {text(row)}{end}\n" for k, row, end in zip(
        table.label.tolist(), numbers.tolist(), ends, strict=True
    )]  # fmt: skip
    for name, rows in zip(file_names(table), rows_of_images(table), strict=True):
        yield name, "".join([lines[row] for row in rows.tolist()]).encode()
