"""CVAT XML 1.1 for images, written; numbers with all their digits."""

from __future__ import annotations

import numpy as np

from boxscore.errors import InputError
from boxscore.formats.cvat.elements import Table, element, escaped, labels_of, said_of, shape_of
from boxscore.formats.io.writing import Made, Writing
from boxscore.tables.model import Detections, Images, Mark, Truth


def write_truth(truth: Truth, how: Writing) -> Made:
    """Objects, and a tag for each class that somebody verified to be in an image."""
    tags: list[list[str]] = [[] for _ in range(len(truth.images))]
    if truth.labels is not None:
        for image, label, mark in zip(truth.labels.image, truth.labels.label, truth.labels.mark, strict=True):
            if mark & Mark.POSITIVE:
                tags[image].append(element("tag", {"label": truth.classes.name[label], "source": "manual"}))
    yield "", _content(truth, tags, how)


def write_detections(detections: Detections, how: Writing) -> Made:
    """Detections, whose score is an attribute."""
    yield "", _content(detections, [[] for _ in range(len(detections.images))], how)


def known_rows(table: Table) -> list[int]:
    """Rows whose image and class the table lists."""
    if table.relative:
        found = "normalized boxes, and the image size is unknown"
        raise InputError(table.source, found, "image sizes, for boxes in pixels")
    return [int(row) for row in np.flatnonzero((table.image >= 0) & (table.label >= 0))]


def document(meta: str, content: list[str]) -> bytes:
    """A whole file."""
    head = '<?xml version="1.0" encoding="utf-8"?>\n<annotations>\n<version>1.1</version>\n'
    return "\n".join([f"{head}<meta>{meta}</meta>", *content, "</annotations>\n"]).encode()


def _content(table: Table, more: list[list[str]], how: Writing) -> bytes:
    said, rows = said_of(table), known_rows(table)
    lines: list[list[str]] = [[] for _ in more]
    for row in rows:
        tag, numbers, inside = shape_of(table, row)
        own, inner = said[row]
        words = {"label": table.classes.name[table.label[row]], "source": "manual", "occluded": "0"}
        inside += "".join(element("attribute", {"name": name}, escaped(value)) for name, value in inner)
        lines[table.image[row]].append(element(tag, {**words, **numbers, "z_order": "0", **own}, inside))
    images = [
        element("image", {"id": str(k), "name": key, **_split(how), **_size(table.images, k)}, "".join(part + tags))
        for k, (key, part, tags) in enumerate(zip(table.images.key, lines, more, strict=True))
    ]
    labels = labels_of(table, ((int(table.label[row]), name) for row in rows for name, _ in said[row][1]))
    meta = f"<task><size>{len(images)}</size><mode>annotation</mode>{labels}</task>"
    return document(meta, images)


def _split(how: Writing) -> dict[str, str]:
    return {"subset": how.split} if how.split else {}


def _size(images: Images, k: int) -> dict[str, str]:
    sides = {"width": images.width, "height": images.height}
    known = {name: float(side[k]) for name, side in sides.items() if side is not None and side[k] > 0}
    return {name: str(int(side)) if side.is_integer() else repr(side) for name, side in known.items()}
