"""Keypoints for the boxes of a scene, as COCO files: seventeen points of persons."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

import write_coco

if TYPE_CHECKING:
    from workloads import Scene, Size

Floats = NDArray[np.float64]

# Where the points of somebody who stands are in the box: nose, eyes, ears, shoulders, elbows, wrists, hips, knees,
# ankles, left before right.
STANDING = np.array(
    [
        [0.50, 0.08], [0.54, 0.06], [0.46, 0.06], [0.60, 0.08], [0.40, 0.08], [0.72, 0.22], [0.28, 0.22], [0.85, 0.38],
        [0.15, 0.38], [0.90, 0.52], [0.10, 0.52], [0.64, 0.52], [0.36, 0.52], [0.66, 0.74], [0.34, 0.74], [0.66, 0.95],
        [0.34, 0.95],
    ]
)  # fmt: skip


def write_keypoints(scene: Scene, size: Size, truth: Path, detections: Path) -> None:
    """Write the points of objects, of which some have none, and those of detections."""
    random = np.random.default_rng([size.seed, size.objects])
    pose = STANDING + random.normal(0.0, 0.06, (size.objects, len(STANDING), 2))
    # Two fifths of the persons have no points; of the others a third is hidden, outside, or not seen.
    seen = random.choice(3, (size.objects, len(STANDING)), p=[0.25, 0.1, 0.65])
    seen[(random.random(size.objects) < 0.4) | scene.object_crowd] = 0
    points = np.rint(_placed(pose, scene.object_box)) * (seen > 0)[:, :, None]
    written = np.concatenate([points, seen[:, :, None]], axis=2).astype(np.int64)

    def objects() -> Iterator[Iterator[str]]:
        for block in write_coco.slices(size.objects):
            yield (_object(scene, i, written[i]) for i in range(block.start, block.stop))

    write_coco.truth_of(scene, objects(), truth)

    random = np.random.default_rng([size.seed, size.detections])
    source = scene.detection_source
    own = STANDING + random.normal(0.0, 0.06, (size.detections, len(STANDING), 2))
    blur = np.exp(random.normal(np.log(0.02), 0.8, (size.detections, 1, 1)))
    near = pose[source] + blur * random.normal(size=own.shape)
    found = _placed(np.where((source >= 0)[:, None, None], near, own), scene.detection_box)
    sure = random.random((size.detections, len(STANDING), 1))
    triples = np.concatenate([found, sure], axis=2).astype(np.float32).astype(np.float64)

    def results() -> Iterator[Iterator[str]]:
        for block in write_coco.slices(size.detections):
            yield (_detection(scene, i, triples[i], size.boxed) for i in range(block.start, block.stop))

    write_coco.detections_of(results(), detections)


def _placed(pose: Floats, box: Floats) -> Floats:
    placed: Floats = box[:, None, :2] + pose * box[:, None, 2:]
    return placed


def _object(scene: Scene, i: int, triples: NDArray[np.int64]) -> str:
    return json.dumps(
        {
            "num_keypoints": int((triples[:, 2] > 0).sum()),
            "area": float(scene.object_area[i]),
            "iscrowd": int(scene.object_crowd[i]),
            "keypoints": triples.ravel().tolist(),
            "image_id": int(scene.object_image[i]),
            "bbox": scene.object_box[i].tolist(),
            "category_id": int(scene.object_category[i]),
            "id": int(scene.object_id[i]),
        }
    )


def _detection(scene: Scene, i: int, triples: Floats, boxed: bool) -> str:
    record: dict[str, Any] = {"image_id": int(scene.detection_image[i])}
    if boxed:
        record["bbox"] = scene.detection_box[i].tolist()
    record["score"] = float(scene.detection_score[i])
    record["category_id"] = int(scene.detection_category[i])
    record["keypoints"] = triples.ravel().tolist()
    return json.dumps(record)
