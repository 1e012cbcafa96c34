"""Masks and keypoints for the boxes of a scene, as COCO files.

Outlines are smooth blobs, drawn as polygons of a few dozen corners; detections have the outline of their object, not
quite right, as compressed masks. pycocotools draws them, once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

import write_coco
from poses import write_keypoints

if TYPE_CHECKING:
    from workloads import Scene, Size

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

WAVES = 4  # of an outline around its ellipse, of two to five periods
CORNERS = 72  # of what a detector draws
BLOCK = 5_000


def write_masks(scene: Scene, size: Size, truth: Path, detections: Path) -> None:
    """Write polygons of objects, masks of crowds, and masks of detections."""
    random = np.random.default_rng([size.seed, size.objects])
    waves = _waves(random, size.objects)
    halves = random.random(size.objects) < 0.2  # something stands before them: two pieces
    corners = _corner_counts(random, scene.object_box[:, 2:].mean(axis=1))
    rows = np.searchsorted(scene.image_id, scene.object_image)
    sides = np.stack([scene.height[rows], scene.width[rows]], axis=1)

    def objects() -> Iterator[Iterator[str]]:
        for block in write_coco.slices(size.objects, BLOCK):
            yield (_object(scene, i, waves[i], bool(halves[i]), int(corners[i]), sides[i]) for i in _range(block))

    write_coco.truth_of(scene, objects(), truth)

    random = np.random.default_rng([size.seed, size.detections])
    rows = np.searchsorted(scene.image_id, scene.detection_image)
    sides = np.stack([scene.height[rows], scene.width[rows]], axis=1)
    source = scene.detection_source
    own = _waves(random, size.detections)
    theirs = np.where((source >= 0)[:, None, None], waves[source] + 0.15 * own, own)
    split = (source >= 0) & halves[source]

    def found() -> Iterator[Iterator[str]]:
        for block in write_coco.slices(size.detections, BLOCK):
            yield (_detection(scene, i, theirs[i], bool(split[i]), sides[i], size.boxed) for i in _range(block))

    write_coco.detections_of(found(), detections)


def _range(block: slice) -> range:
    return range(block.start, block.stop)


def _waves(random: np.random.Generator, n: int) -> Floats:
    """Sines and cosines of the waves around n outlines: (n, 2, WAVES)."""
    return random.normal(0.0, 0.28, (n, 2, WAVES)) / np.arange(2, 2 + WAVES)


def _corner_counts(random: np.random.Generator, side: Floats) -> Ints:
    """Four fifths of the outlines have 20 to 80 corners, some fewer or more; larger objects have more."""
    usual = np.clip(np.exp(random.normal(np.log(34.0), 0.45, len(side))) * (side / 60) ** 0.25, 20, 80)
    other = np.where(side < 30, random.integers(6, 20, len(side)), random.integers(80, 160, len(side)))
    return np.where(random.random(len(side)) < 0.8, usual, other).astype(np.int64)


def _outline(box: Sequence[float], waves: Floats, corners: int) -> Floats:
    """Corners (x y each) of a blob that fills a box."""
    angle = 2 * np.pi * np.arange(corners) / corners
    phase = angle * np.arange(2, 2 + WAVES)[:, None]
    radius = 1 + waves[0] @ np.sin(phase) + waves[1] @ np.cos(phase)
    points = np.stack([np.cos(angle), np.sin(angle)], axis=1) * np.maximum(radius, 0.2)[:, None]
    low, high = points.min(axis=0), points.max(axis=0)
    filled: Floats = np.array(box[:2]) + (points - low) / (high - low) * np.array(box[2:])
    return filled


def _pieces(box: Sequence[float], waves: Floats, split: bool, corners: int) -> list[Floats]:
    """One outline, or two side by side with a gap between them."""
    if not split:
        return [_outline(box, waves, corners)]
    x, y, w, h = box
    return [
        _outline((x, y, w * 0.55, h), waves, max(6, corners // 2)),
        _outline((x + w * 0.65, y, w * 0.35, h), waves[::-1], max(6, corners // 2)),
    ]


def _drawn(pieces: list[list[float]], sides: Ints) -> dict[str, Any]:
    mask = import_module("pycocotools.mask")

    height, width = sides.tolist()
    drawn: dict[str, Any] = mask.merge(mask.frPyObjects(pieces, height, width))
    return drawn


def _object(scene: Scene, i: int, waves: Floats, split: bool, corners: int, sides: Ints) -> str:
    mask = import_module("pycocotools.mask")

    outlines = _pieces(scene.object_box[i].tolist(), waves, split, corners)
    pieces = [np.round(outline, 2).ravel().tolist() for outline in outlines]
    drawn = _drawn(pieces, sides)
    every = np.concatenate(outlines)
    low, extent = every.min(axis=0), np.ptp(every, axis=0)
    crowd = bool(scene.object_crowd[i])
    return json.dumps(
        {
            "segmentation": {"counts": _counts(mask.decode(drawn)), "size": sides.tolist()} if crowd else pieces,
            "area": float(mask.area(drawn)),
            "iscrowd": int(crowd),
            "image_id": int(scene.object_image[i]),
            "bbox": np.round([*low, *extent], 2).tolist(),
            "category_id": int(scene.object_category[i]),
            "id": int(scene.object_id[i]),
        }
    )


def _detection(scene: Scene, i: int, waves: Floats, split: bool, sides: Ints, boxed: bool) -> str:
    box = scene.detection_box[i].tolist()
    pieces = [outline.ravel().tolist() for outline in _pieces(box, waves, split, CORNERS)]
    drawn = _drawn(pieces, sides)
    record: dict[str, Any] = {"image_id": int(scene.detection_image[i])}
    if boxed:
        record["bbox"] = box
    record["score"] = float(scene.detection_score[i])
    record["category_id"] = int(scene.detection_category[i])
    record["segmentation"] = {"size": sides.tolist(), "counts": drawn["counts"].decode()}
    return json.dumps(record)


def _counts(pixels: NDArray[np.uint8]) -> list[int]:
    """Runs down the columns, as COCO writes crowds."""
    flat = np.concatenate([[0], pixels.ravel(order="F"), [2]])
    counts: list[int] = np.diff(np.flatnonzero(np.diff(flat)), prepend=0).tolist()
    return counts


WRITERS: dict[str, Callable[[Any, Any, Path, Path], None]] = {"masks": write_masks, "keypoints": write_keypoints}
