"""COCO JSON, written: ground truth with images and categories, and lists of results."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from boxscore.errors import InputError
from boxscore.formats.writing import Made, Writing
from boxscore.model import Classes, Detections, Flag, Images, Ints, Truth
from boxscore.shapes import Shape


def write_truth(truth: Truth, how: Writing) -> Made:
    """Ground truth; what has no number gets one from 1, in the order of the table."""
    image_id, class_id = _image_ids(truth.images), _class_ids(truth.classes)
    number = np.arange(1, len(truth) + 1) if truth.id is None else truth.id
    images = [{"id": key, **_image(truth.images, i)} for i, key in enumerate(image_id.tolist())]
    rows = [
        {"id": int(number[row]), "image_id": int(image_id[truth.image[row]]),
         "category_id": int(class_id[truth.label[row]]), "bbox": _box(truth, row), "area": _area(truth, row),
         "iscrowd": int(bool(truth.flags[row] & Flag.CROWD)), **_more(truth, row)}
        for row in _known(truth)
    ]  # fmt: skip
    categories = [{"id": int(key), "name": name} for key, name in zip(class_id, truth.classes.name, strict=True)]
    yield "", _json({"images": images, "annotations": rows, "categories": categories})


def write_detections(detections: Detections, how: Writing) -> Made:
    """A list of results; numbers of images and classes are the table's own, else counted from 1."""
    image_id, class_id = _image_ids(detections.images), _class_ids(detections.classes)
    rows = [
        {"image_id": int(image_id[detections.image[row]]), "category_id": int(class_id[detections.label[row]]),
         "bbox": _box(detections, row), "score": float(detections.score[row]), **_shapes(detections, row)}
        for row in _known(detections)
    ]  # fmt: skip
    yield "", _json(rows)


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _known(table: Truth | Detections) -> Iterator[int]:
    """Rows whose image and class the table lists; the others cannot be written, and `losses` counts them."""
    if table.relative:
        found = "boxes relative to the image size, which is not known"
        raise InputError(table.source, found, "image sizes, for boxes in pixels")
    return (int(row) for row in np.flatnonzero((table.image >= 0) & (table.label >= 0)))


def _image_ids(images: Images) -> Ints:
    return np.arange(1, len(images) + 1, dtype=np.int64) if images.id is None else images.id


def _class_ids(classes: Classes) -> Ints:
    """The numbers of the classes: their own if they are whole numbers, else from 1."""
    own = all(isinstance(key, int) for key in classes.id)
    return np.array(classes.id if own else range(1, len(classes) + 1), np.int64)


def _image(images: Images, i: int) -> dict[str, Any]:
    sizes = {"width": images.width, "height": images.height}
    known = {name: float(side[i]) for name, side in sizes.items() if side is not None and np.isfinite(side[i])}
    return {"file_name": images.key[i], **{name: _whole(value) for name, value in known.items()}}


def _whole(value: float) -> float | int:
    return int(value) if value.is_integer() else value


def _box(table: Truth | Detections, row: int) -> list[float]:
    x, y, right, bottom = (float(v) for v in table.corners[row])
    return [x, y, _side(x, right), _side(y, bottom)]


def _side(start: float, end: float) -> float:
    """The width that gives the end back: the nearest difference may miss it by a bit."""
    side = end - start
    for step in (side, np.nextafter(side, np.inf), np.nextafter(side, -np.inf)):
        if start + step == end:
            return float(step)
    return side


def _area(truth: Truth, row: int) -> float:
    given = float(truth.area[row])
    return given if np.isfinite(given) else float(truth.box_area[row])


def _more(truth: Truth, row: int) -> dict[str, Any]:
    ignored = {"ignore": 1} if truth.flags[row] & Flag.IGNORE else {}
    return {**ignored, **_shapes(truth, row)}


def _shapes(table: Truth | Detections, row: int) -> dict[str, Any]:
    """Polygons, a mask and keypoints of a row."""
    if table.shapes is None:
        return {}
    found = table.shapes.of(row)
    made: dict[str, Any] = {}
    if polygons := [values for kind, values in found if kind == Shape.POLYGON]:
        made["segmentation"] = polygons
    for kind, values in found:
        if kind == Shape.RLE:
            height, width, *counts = (int(value) for value in values)
            made["segmentation"] = {"size": [height, width], "counts": counts}
        elif kind == Shape.KEYPOINTS:
            made["keypoints"] = [_whole(value) for value in values]
            made["num_keypoints"] = sum(value > 0 for value in values[2::3])
    return made
