"""TFRecord files, written: a `tf.train.Example` per image with the features of TensorFlow's object detection."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from boxscore.errors import InputError
from boxscore.formats.io.mask_runs import mask_of
from boxscore.formats.io.writing import Made, Writing
from boxscore.formats.tfrecord.columns import FLAGS, NUMBERS, SIDES
from boxscore.formats.tfrecord.container import record
from boxscore.formats.tfrecord.example import Value, example
from boxscore.tables.model import Detections, Floats, Images, Mark, Truth
from boxscore.tables.shapes import Shape

Rows = npt.NDArray[np.int64]


def write_truth(truth: Truth, how: Writing) -> Made:
    """Objects; features of flags and areas are only there if some object has them."""
    number, name = _class_numbers(truth), [text.encode() for text in truth.classes.name]
    flags = {word: flag for word, flag in FLAGS.items() if (truth.flags & flag).any()}
    areas = np.isfinite(truth.area).any()
    statements = _statements(truth)

    def features(image: int, rows: Rows) -> dict[str, Value]:
        made: dict[str, Value] = {
            "image/object/class/text": [name[k] for k in truth.label[rows]],
            "image/object/class/label": [number[k] for k in truth.label[rows]],
        }
        for word, flag in flags.items():
            made[f"image/object/{word}"] = ((truth.flags[rows] & flag) != 0).astype(int).tolist()
        if areas:
            made["image/object/area"] = truth.area[rows]
        return {**made, **statements[image], **_masks(truth, rows)}

    yield "", _content(truth, "object", features)


def write_detections(detections: Detections, how: Writing) -> Made:
    """Detections; the names of their classes stand beside the numbers, which are all that TensorFlow's have."""
    number, name = _class_numbers(detections), [text.encode() for text in detections.classes.name]

    def features(image: int, rows: Rows) -> dict[str, Value]:
        return {
            "image/detection/class/text": [name[k] for k in detections.label[rows]],
            "image/detection/label": [number[k] for k in detections.label[rows]],
            "image/detection/score": detections.score[rows],
        }

    yield "", _content(detections, "detection", features)


def _content(table: Truth | Detections, what: str, features: Callable[[int, Rows], dict[str, Value]]) -> bytes:
    shares = _shares(table)
    rows = np.flatnonzero((table.image >= 0) & (table.label >= 0))
    rows = rows[np.argsort(table.image[rows], kind="stable")]
    first = np.searchsorted(table.image[rows], np.arange(len(table.images) + 1))
    made = []
    for image in range(len(table.images)):
        own = rows[first[image] : first[image + 1]]
        boxes: dict[str, Value] = {f"image/{what}/bbox/{side}": shares[own, k] for k, side in enumerate(SIDES)}
        made.append(record(example({**_image(table.images, image), **boxes, **features(image, own)})))
    return b"".join(made)


def _shares(table: Truth | Detections) -> Floats:
    """The boxes, normalized."""
    if table.relative:
        return table.corners
    width, height = table.images.width, table.images.height
    used = np.unique(table.image[table.image >= 0])
    if len(used) and (width is None or height is None):
        raise InputError(table.source, "boxes in pixels without image sizes", "image sizes, for boxes relative to them")
    if width is None or height is None:
        return table.corners
    for k in used:
        if not (_whole(width[k]) and _whole(height[k])):
            found = f"image '{table.images.key[k]}' has the size {width[k]} x {height[k]}"
            raise InputError(table.source, found, "whole numbers, for boxes relative to them")
    return table.corners / np.stack([width, height, width, height], axis=1)[table.image]


def _whole(side: float) -> bool:
    return bool(side > 0) and float(side).is_integer()


def _image(images: Images, k: int) -> dict[str, Value]:
    made: dict[str, Value] = {"image/filename": [images.key[k].encode()], "image/source_id": [images.key[k].encode()]}
    for side, sizes in (("width", images.width), ("height", images.height)):
        if sizes is not None and _whole(sizes[k]):
            made[f"image/{side}"] = [int(sizes[k])]
    return made


def _class_numbers(table: Truth | Detections) -> list[int]:
    """The numbers of the classes: their own if they are whole numbers, else from 1."""
    own = [key for key in table.classes.id if isinstance(key, int)]
    return own if len(own) == len(table.classes) else list(range(1, len(table.classes) + 1))


def _statements(truth: Truth) -> list[dict[str, Value]]:
    """What is said of each image: classes that are there (1) and are not (0), and those with missing boxes."""
    made: list[dict[str, Value]] = [{} for _ in range(len(truth.images))]
    if truth.labels is None:
        return made
    number = _class_numbers(truth)
    seen: list[list[tuple[int, int]]] = [[] for _ in made]
    more: list[list[int]] = [[] for _ in made]
    for image, label, mark in zip(truth.labels.image, truth.labels.label, truth.labels.mark, strict=True):
        seen[image] += [(label, sure) for bit, sure in ((Mark.POSITIVE, 1), (Mark.NEGATIVE, 0)) if mark & bit]
        more[image] += [number[label]] if mark & Mark.NOT_EXHAUSTIVE else []
    names = {mark: name for name, mark in NUMBERS.items()}
    for features, said, missing in zip(made, seen, more, strict=True):
        features["image/class/text"] = [truth.classes.name[label].encode() for label, _ in said]
        features["image/class/label"] = [number[label] for label, _ in said]
        features["image/class/confidence"] = np.array([float(sure) for _, sure in said])
        features[names[Mark.NOT_EXHAUSTIVE]] = missing
    return made


def _masks(truth: Truth, rows: Rows) -> dict[str, Value]:
    """The masks as PNG files, if every object of the image has one: the feature has no place for "none"."""
    if truth.shapes is None or not len(rows):
        return {}
    masks = [next((values for kind, values in truth.shapes.of(row) if kind == Shape.RLE), None) for row in rows]
    return {"image/object/mask": [_png(values) for values in masks if values]} if all(masks) else {}


def _png(values: list[float]) -> bytes:
    import io

    from PIL import Image

    file = io.BytesIO()
    Image.fromarray(mask_of(values).astype(np.uint8)).save(file, "PNG")
    return file.getvalue()
