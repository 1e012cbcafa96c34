"""What detection libraries return, one object per image, as mappings of columns; none of them is imported.

supervision's `Detections` and Ultralytics' `Results` are known by their attributes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from boxscore.errors import InputError
from boxscore.formats.arrays.images import Listed
from boxscore.formats.arrays.shapes import masks_from
from boxscore.formats.arrays.values import Array, array_of
from boxscore.formats.io.options import ReadOptions
from boxscore.tables.masks import masks_of
from boxscore.tables.model import Truth
from boxscore.tables.shapes import Shape, Shapes

_SUPERVISION = ("xyxy", "confidence", "class_id")
_ULTRALYTICS = ("boxes", "orig_shape", "names")


def is_result(one: Any) -> bool:
    """Whether it is an object of a library that is known."""
    return not isinstance(one, Mapping) and any(
        all(hasattr(one, name) for name in names) for names in (_SUPERVISION, _ULTRALYTICS)
    )


def by_image(side: Any) -> bool:
    """Whether it is a mapping from the names of images to what is on each."""
    if not isinstance(side, Mapping) or not side:
        return False
    return all(
        is_result(one) or (isinstance(one, Mapping) and "labels" in one) or getattr(one, "ndim", 0) == 2
        for one in side.values()
    )


def as_mappings(side: Any, name: str, truth: Truth | None, how: ReadOptions) -> list[Any]:
    """One mapping per image, whatever stands for it; what is none of the known objects stays as it is."""
    named = truth is not None and how.classes is None and _has_names(truth)
    if isinstance(side, Mapping):
        rows = [_mapping(one, f"{name}[{key!r}]", name, how, named) for key, one in side.items()]
        return [{**row, "image": key} for key, row in zip(side, rows, strict=True)]
    rows = [_mapping(one, f"{name}[{i}]", name, how, named) for i, one in enumerate(side)]
    paths = [row.get("image") for row, one in zip(rows, side, strict=True) if is_result(one)]
    in_order = truth is not None and isinstance(truth.images.key, Listed) and not truth.images.key.named
    if in_order or len(set(paths)) < len(paths):  # arrays in memory are all called image0.jpg
        return [_without_path(row, one) for row, one in zip(rows, side, strict=True)]
    return rows


def _without_path(row: Any, one: Any) -> Any:
    return {key: value for key, value in row.items() if key != "image"} if is_result(one) else row


def _has_names(truth: Truth) -> bool:
    classes = truth.classes
    return any(str(key) != name for key, name in zip(classes.id, classes.name, strict=True))


def is_array(one: Any) -> bool:
    """Whether it is an array without names for its columns: NumPy's, or a tensor."""
    return hasattr(one, "shape") and hasattr(one, "dtype") and not hasattr(one, "columns")


def as_columns(one: Any, place: str, side: str, how: ReadOptions) -> dict[str, Array]:
    """An array as a mapping, by the names that are stated for its columns."""
    values, names = array_of(one, place), getattr(how, f"{side}_columns")
    example = "'x1 y1 x2 y2 score label'" if side == "detections" else "'x1 y1 x2 y2 label'"
    if names is None:
        expected = f"a mapping with boxes and labels, or the names of its columns: {side}_columns={example}"
        raise InputError(place, f"an array of shape {values.shape}", expected)
    if not values.size:
        values = np.zeros((0, len(names)))
    if values.ndim != 2 or values.shape[1] != len(names):
        expected = f"{len(names)} columns, as {side}_columns has"
        raise InputError(place, f"an array of shape {values.shape}", expected)
    return {name: values[:, k] for k, name in enumerate(names)}


def _mapping(one: Any, place: str, side: str, how: ReadOptions, named: bool) -> Any:
    if is_array(one):
        return as_columns(one, place, side, how)
    if not is_result(one):
        return one
    known, read = ("Detections", _supervision) if hasattr(one, "xyxy") else ("Results", _ultralytics)
    try:
        return read(one, place, named)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:  # of what only looks like one
        found = f"a value of type {type(one).__name__} that is not like {known} ({error})"
        raise InputError(place, found, "`Detections` of supervision or `Results` of Ultralytics") from None


def _supervision(one: Any, place: str, named: bool) -> dict[str, Any]:
    """`supervision.Detections`: truth has no confidence."""
    data = getattr(one, "data", None) or {}
    labels = data["class_name"] if named and "class_name" in data else one.class_id
    if labels is None:
        raise InputError(place, "no `class_id`", "the class of each detection")
    made = {**_corners(array_of(one.xyxy, f"{place}: xyxy")), "labels": labels}
    if one.confidence is not None:
        made["scores"] = one.confidence
    if getattr(one, "mask", None) is not None:
        made["masks"] = one.mask
    elif "xyxyxyxy" in data:
        made["quads"] = data["xyxyxyxy"]
    return made


def _ultralytics(one: Any, place: str, named: bool) -> dict[str, Any]:
    """`ultralytics.engine.results.Results`: boxes or oriented boxes, with masks or keypoints beside them."""
    found = one.boxes if one.boxes is not None else getattr(one, "obb", None)
    if found is None:
        raise InputError(place, "neither `boxes` nor `obb`", "results of detection, segmentation, pose or OBB models")
    number = _host(found.cls).astype(np.int64)
    labels: Any = [str(one.names[k]) for k in number.tolist()] if named else number
    made: dict[str, Any] = {**_corners(_host(found.xyxy)), "labels": labels, "scores": _host(found.conf)}
    if one.boxes is None:
        made["quads"] = _host(found.xyxyxyxy)
    if getattr(one, "masks", None) is not None:
        made["masks"] = _masks(one.masks, tuple(one.orig_shape[:2]), f"{place}: masks")
    if getattr(one, "keypoints", None) is not None and len(number):
        made["keypoints"] = _host(one.keypoints.data)
    if getattr(one, "path", None):
        made["image"] = str(one.path)
    return made


def _corners(boxes: Array) -> dict[str, Any]:
    """Columns whose names say that boxes are corners."""
    columns = boxes.reshape(-1, 4).T
    return dict(zip(("xmin", "ymin", "xmax", "ymax"), columns, strict=True))


def _host(value: Any) -> Array:
    """An array in main memory, of a tensor on any device."""
    return array_of(value, "a tensor")


def _masks(masks: Any, size: tuple[int, ...], place: str) -> Any:
    """Bitmaps where they are as large as the image; else polygons, as those are of the network's input."""
    pixels = _host(masks.data)
    if pixels.shape[1:] == size:
        return pixels
    shapes = masks_from([np.asarray(one) if len(one) > 2 else None for one in masks.xy], place)
    drawn = masks_of(shapes, np.repeat(np.array([size], np.int64), len(shapes), axis=0))
    there = ~drawn.absent  # a few pixels may have an outline that is no polygon
    n = int(there.sum())
    part = np.append(np.int64(0), np.cumsum(there, dtype=np.int64)).astype(np.int64)
    value = 2 * np.arange(n + 1)
    values = np.repeat(np.array([size], np.float64), n, axis=0).ravel()
    return Shapes(part, np.full(n, int(Shape.RLE), np.uint8), value, values, drawn.runs.take(there))
