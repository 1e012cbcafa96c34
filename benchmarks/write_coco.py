"""A scene as COCO JSON, byte for byte what `json.dump` would write, several times faster."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workloads import Scene

ROWS_PER_WRITE = 50_000


@contextmanager
def whole_file(path: Path, mode: str) -> Iterator[IO[Any]]:
    """Write beside the target and rename, so that a broken-off run never leaves half a file."""
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    with beside.open(mode) as out:
        yield out
    beside.replace(path)


def truth(scene: Scene, path: Path) -> None:
    """Write images, annotations and categories."""
    images = [
        {"file_name": f"{key:012d}.jpg", "width": width, "height": height, "id": key}
        for key, width, height in zip(scene.image_id.tolist(), scene.width.tolist(), scene.height.tolist(), strict=True)
    ]
    categories = [{"supercategory": "thing", "id": key, "name": f"class {key}"} for key in scene.category_id.tolist()]
    with whole_file(path, "w") as out:
        out.write('{"info": {"description": "boxscore benchmark"}, "images": ')
        out.write(json.dumps(images))
        out.write(', "annotations": [')
        for start in range(0, len(scene.object_id), ROWS_PER_WRITE):
            out.write(", " if start else "")
            out.write(", ".join(_annotations(scene, slice(start, start + ROWS_PER_WRITE))))
        out.write('], "categories": ')
        out.write(json.dumps(categories))
        out.write("}")


def detections(scene: Scene, path: Path) -> None:
    """Write the list of detections, grouped by image."""
    with whole_file(path, "w") as out:
        out.write("[")
        for start in range(0, len(scene.detection_score), ROWS_PER_WRITE):
            out.write(", " if start else "")
            out.write(", ".join(_detections(scene, slice(start, start + ROWS_PER_WRITE))))
        out.write("]")


def _annotations(scene: Scene, rows: slice) -> Iterator[str]:
    for key, image, category, (x, y, w, h), area, crowd in zip(
        scene.object_id[rows].tolist(),
        scene.object_image[rows].tolist(),
        scene.object_category[rows].tolist(),
        scene.object_box[rows].tolist(),
        scene.object_area[rows].tolist(),
        scene.object_crowd[rows].astype(int).tolist(),
        strict=True,
    ):
        # `!r` is what json.dump writes for a float: the shortest digits that read back to the same bits.
        yield (
            f'{{"id": {key}, "image_id": {image}, "category_id": {category}, '
            f'"bbox": [{x!r}, {y!r}, {w!r}, {h!r}], "area": {area!r}, "iscrowd": {crowd}}}'
        )


def _detections(scene: Scene, rows: slice) -> Iterator[str]:
    for image, category, (x, y, w, h), score in zip(
        scene.detection_image[rows].tolist(),
        scene.detection_category[rows].tolist(),
        scene.detection_box[rows].tolist(),
        scene.detection_score[rows].tolist(),
        strict=True,
    ):
        yield (
            f'{{"image_id": {image}, "category_id": {category}, '
            f'"bbox": [{x!r}, {y!r}, {w!r}, {h!r}], "score": {score!r}}}'
        )
