"""DOTA, written: label files by image in the folder labelTxt, result files by class."""

from __future__ import annotations

import numpy as np

from boxscore.errors import InputError
from boxscore.formats.dota.lines import holds
from boxscore.formats.io.label_lines import Table, file_names, rows_of_images, text
from boxscore.formats.io.same_images import without_extension
from boxscore.formats.io.writing import Made, Writing
from boxscore.tables.model import Detections, Flag, Floats, Truth
from boxscore.tables.oriented import box_around, quads_of


def write_truth(truth: Truth, how: Writing) -> Made:
    """Objects by their corners, those of the box where they have no others; difficult ones are marked."""
    classes, quads = truth.classes.name, _quads(truth, how).tolist()
    for name in (classes[k] for k in np.unique(truth.label[(truth.label >= 0) & (truth.image >= 0)]).tolist()):
        if not holds(name):
            found = f"the class name {name!r}, which a line of text cannot hold"
            raise InputError(truth.source, found, "words with single spaces between")
    difficult = ((truth.flags & Flag.DIFFICULT) != 0).tolist()
    for name, rows in zip(file_names(truth), rows_of_images(truth), strict=True):
        lines = [f"{text(quads[row])} {classes[truth.label[row]]} {int(difficult[row])}\n" for row in rows.tolist()]
        yield f"labelTxt/{name}", "".join(lines).encode()


def write_detections(detections: Detections, how: Writing) -> Made:
    """Results of task 1 (four corners) where some detections are oriented, else of task 2 (boxes); as stated before."""
    source, names = detections.source, [without_extension(key) for key in detections.images.key]
    for key, name in zip(detections.images.key, names, strict=True):
        if name.split() != [name]:
            raise InputError(source, f"the image name {key!r}", "names without white space, which separates values")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(source, f"several images {twice!r} but for the extension", "images with names of their own")
    oriented = how.rows == "polygon" or (how.rows is None and quads_of(detections.shapes)[0].size > 0)
    values = np.column_stack([detections.score, _quads(detections, how) if oriented else _boxes(detections)]).tolist()
    order = np.argsort(detections.label, kind="stable")
    order = order[(detections.label[order] >= 0) & (detections.image[order] >= 0)]
    ends = np.cumsum(np.bincount(detections.label[order], minlength=len(detections.classes)))
    for k, label in enumerate(detections.classes.name):
        if not label or "/" in label or "\0" in label or not label.isprintable():
            raise InputError(source, f"the class {label!r}", "names that a file can have")
        rows = order[ends[k - 1] if k else 0 : ends[k]].tolist()
        lines = [f"{names[detections.image[row]]} {text(values[row])}\n" for row in rows]
        yield f"Task{1 if oriented else 2}_{label}.txt", "".join(lines).encode()


def _boxes(table: Table) -> Floats:
    if table.relative:
        found = "normalized boxes, and the image size is unknown"
        raise InputError(table.source, found, "image sizes, for boxes in pixels")
    return table.corners


def _quads(table: Table, how: Writing) -> Floats:
    """Four corners of each row: its own where the box around them is its box or the user says so, else those of it.

    The box is what is evaluated, and readers take the one around the corners.
    """
    boxes = _boxes(table)
    made = boxes[:, [0, 1, 2, 1, 2, 3, 0, 3]]
    rows, quads = quads_of(table.shapes)
    if how.rows != "box" and len(rows):
        same = np.isclose(box_around(quads), boxes[rows], rtol=1e-12, atol=1e-9).all(axis=1)  # angles are rounded
        kept = same | (how.rows == "polygon")
        made[rows[kept]] = quads[kept]
    return made
