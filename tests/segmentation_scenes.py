"""Ground truth and results with masks in every form that COCO files have, drawn from a seed."""

from __future__ import annotations

from typing import Any

import numpy as np
from pycocotools import mask as official

Record = dict[str, Any]


def scene(seed: int, boxed: bool, empty_runs: bool = False) -> tuple[Record, list[Record]]:
    """Truth and results of a few small images; results have boxes or not, all of them.

    Scores and overlaps tie; there are crowds, annotation ids of 0, masks without pixels, shapes that leave the image,
    images without objects. With `empty_runs` some masks have runs of length 0, as no official code makes them.
    """
    rng = np.random.default_rng(seed)
    images = [
        {"id": int(key), "width": int(rng.integers(12, 60)), "height": int(rng.integers(12, 60)), "file_name": f"{key}"}
        for key in rng.choice(50, int(rng.integers(1, 4)), replace=False)
    ]
    classes = [3, 1, 7][: int(rng.integers(1, 4))]
    first = int(rng.integers(0, 2))
    annotations, results = list[Record](), list[Record]()
    for number in range(int(rng.integers(1, 9))):
        image, label = images[rng.integers(len(images))], classes[rng.integers(len(classes))]
        polygons, pixels = _shape(rng, image)
        crowd = bool(rng.random() < 0.2)
        annotations.append(
            {
                "id": first + number, "image_id": image["id"], "category_id": label, "iscrowd": int(crowd),
                "segmentation": _written(rng, polygons, pixels, crowd, empty_runs), "bbox": _box(pixels),
                "area": float(rng.choice([pixels.sum(), 1024, 9216, 50])),
            }
        )  # fmt: skip
        for _ in range(int(rng.integers(0, 4))):
            moved = np.roll(pixels, rng.integers(-2, 3, 2), (0, 1)) if rng.random() < 0.7 else pixels.copy()
            if rng.random() < 0.3:
                moved[:, : int(rng.integers(0, pixels.shape[1]))] = 0
            results.append(_result(rng, image, label, moved, boxed, empty_runs))
    for _ in range(int(rng.integers(0 if results else 1, 4))):
        image = images[rng.integers(len(images))]
        _, pixels = _shape(rng, image)
        results.append(_result(rng, image, classes[rng.integers(len(classes))], pixels, boxed, empty_runs))
    named = [{"id": key, "name": f"class {key}"} for key in classes]
    return {"images": images, "annotations": annotations, "categories": named}, results


def _shape(rng: np.random.Generator, image: Record) -> tuple[list[list[float]], np.ndarray]:
    """Polygons of one or two pieces, some beyond the image, and their pixels."""
    height, width = image["height"], image["width"]
    pieces = []
    for _ in range(int(rng.integers(1, 3))):
        centre, radius = rng.uniform(0, (width, height)), rng.uniform(1, 20)
        turns = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 9))))
        corners = centre + radius * rng.uniform(0.5, 1, (len(turns), 1)) * np.stack([np.cos(turns), np.sin(turns)], 1)
        pieces.append(np.round(corners, int(rng.integers(0, 3))).ravel().tolist())
    pixels = official.decode(official.merge(official.frPyObjects(pieces, height, width)))
    return pieces, np.ascontiguousarray(pixels)


def _written(rng: np.random.Generator, polygons: list[list[float]], pixels: np.ndarray, crowd: bool, odd: bool) -> Any:
    """A segmentation as polygons, as a list of runs or as their text."""
    way = rng.integers(1 if crowd else 0, 3)
    if way == 0:
        return polygons
    counts = _counts(pixels, rng if odd else None)
    if way == 1:
        return {"size": list(pixels.shape), "counts": counts}
    return _text(pixels.shape, counts)


def _result(rng: np.random.Generator, image: Record, label: int, pixels: np.ndarray, boxed: bool, odd: bool) -> Record:
    if rng.random() < 0.05:
        pixels = np.zeros_like(pixels)
    made = {"image_id": image["id"], "category_id": label, "score": float(rng.choice([0.1, 0.3, 0.3, 0.5, 0.9]))}
    made["segmentation"] = _text(pixels.shape, _counts(pixels, rng if odd else None))
    return made | ({"bbox": [round(v + rng.uniform(0, 3), 1) for v in _box(pixels)]} if boxed else {})


def _counts(pixels: np.ndarray, rng: np.random.Generator | None) -> list[int]:
    flat = np.concatenate([[0], pixels.T.ravel(), [1 - pixels.T.ravel()[-1]]])
    counts = np.diff(np.concatenate([[-1], np.flatnonzero(flat[1:] != flat[:-1]) - 0])).astype(int)
    counts[0] = int(np.argmax(np.append(pixels.T.ravel(), 1)))
    runs = [int(c) for c in counts]
    if rng is not None and len(runs) > 2 and rng.random() < 0.5:
        at = int(rng.integers(1, len(runs)))
        if runs[at] > 1:  # the same pixels, with a run of nothing in between
            cut = int(rng.integers(1, runs[at]))
            runs[at : at + 1] = [cut, 0, runs[at] - cut]
    return runs


def _text(size: tuple[int, ...], counts: list[int]) -> Record:
    made = official.frPyObjects({"size": list(size), "counts": counts}, *size)
    return {"size": list(size), "counts": made["counts"].decode()}


def _box(pixels: np.ndarray) -> list[float]:
    box: list[float] = official.toBbox(official.encode(np.asfortranarray(pixels))).tolist()
    return box
