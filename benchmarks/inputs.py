"""The in-memory forms that evaluators take, built from one scene before any clock starts."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workloads import Files, Scene


@dataclass(frozen=True)
class Records:
    """Dictionaries, as `json.load` gives them."""

    truth: dict[str, Any]
    detections: list[dict[str, Any]]


@dataclass(frozen=True)
class RecordsAndMatrix:
    """Truth as dictionaries, detections as an (m, 7) array: image, x, y, width, height, score, category."""

    truth: dict[str, Any]
    detections: NDArray[np.float64]


@dataclass(frozen=True)
class Columns:
    """Truth as columns with a dictionary per image and class, detections as an (m, 7) array."""

    images: list[dict[str, Any]]
    image_ids: NDArray[np.int64]
    width: NDArray[np.int64]
    height: NDArray[np.int64]
    categories: list[dict[str, Any]]
    id: NDArray[np.int64]
    image_id: NDArray[np.int64]
    category_id: NDArray[np.int64]
    box: NDArray[np.float64]
    area: NDArray[np.float64]
    crowd: NDArray[np.bool_]
    detections: NDArray[np.float64]


@dataclass(frozen=True)
class Tables:
    """Dictionaries of columns, with labels that are places in a list of classes."""

    truth: dict[str, NDArray[Any]]
    detections: dict[str, NDArray[Any]]
    classes: list[str]


def parsed(place: Files) -> Records:
    """Both files as `json.load` gives them."""
    return Records(json.loads(place.truth.read_bytes()), json.loads(place.detections.read_bytes()))


def text_and_parsed(place: Files) -> tuple[bytes, list[dict[str, Any]]]:
    """The truth as it is in its file, detections as `json.load` gives them."""
    return place.truth.read_bytes(), json.loads(place.detections.read_bytes())


def records(scene: Scene) -> Records:
    """Everything as dictionaries."""
    found = [
        {"image_id": image, "category_id": category, "bbox": box, "score": score}
        for image, category, box, score in zip(
            scene.detection_image.tolist(),
            scene.detection_category.tolist(),
            scene.detection_box.tolist(),
            scene.detection_score.tolist(),
            strict=True,
        )
    ]
    return Records(_truth_records(scene), found)


def records_and_matrix(scene: Scene) -> RecordsAndMatrix:
    """Truth as dictionaries, detections as one array."""
    return RecordsAndMatrix(_truth_records(scene), _matrix(scene))


def columns(scene: Scene) -> Columns:
    """No dictionary per object."""
    return Columns(
        images=_images(scene),
        image_ids=scene.image_id,
        width=scene.width,
        height=scene.height,
        categories=_categories(scene),
        id=scene.object_id,
        image_id=scene.object_image,
        category_id=scene.object_category,
        box=scene.object_box,
        area=scene.object_area,
        crowd=scene.object_crowd,
        detections=_matrix(scene),
    )


def tables(scene: Scene) -> Tables:
    """Columns only."""
    truth: dict[str, NDArray[Any]] = {
        "image": scene.object_image,
        "label": np.searchsorted(scene.category_id, scene.object_category),
        "boxes": scene.object_box,
        "area": scene.object_area,
        "crowd": scene.object_crowd,
        "images": scene.image_id,
    }
    found: dict[str, NDArray[Any]] = {
        "image": scene.detection_image,
        "label": np.searchsorted(scene.category_id, scene.detection_category),
        "boxes": scene.detection_box,
        "scores": scene.detection_score,
    }
    return Tables(truth, found, [category["name"] for category in _categories(scene)])


def _truth_records(scene: Scene) -> dict[str, Any]:
    objects = [
        {"id": key, "image_id": image, "category_id": category, "bbox": box, "area": area, "iscrowd": crowd}
        for key, image, category, box, area, crowd in zip(
            scene.object_id.tolist(),
            scene.object_image.tolist(),
            scene.object_category.tolist(),
            scene.object_box.tolist(),
            scene.object_area.tolist(),
            scene.object_crowd.astype(int).tolist(),
            strict=True,
        )
    ]
    return {"info": {}, "images": _images(scene), "annotations": objects, "categories": _categories(scene)}


def _images(scene: Scene) -> list[dict[str, Any]]:
    return [
        {"file_name": f"{key:012d}.jpg", "width": width, "height": height, "id": key}
        for key, width, height in zip(scene.image_id.tolist(), scene.width.tolist(), scene.height.tolist(), strict=True)
    ]


def _categories(scene: Scene) -> list[dict[str, Any]]:
    return [{"supercategory": "thing", "id": key, "name": f"class {key}"} for key in scene.category_id.tolist()]


def _matrix(scene: Scene) -> NDArray[np.float64]:
    parts = (
        scene.detection_image[:, None],
        scene.detection_box,
        scene.detection_score[:, None],
        scene.detection_category[:, None],
    )
    return np.ascontiguousarray(np.concatenate(parts, axis=1, dtype=np.float64))
