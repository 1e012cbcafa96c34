"""A scene as COCO JSON, byte for byte what `json.dump` would write, several times faster."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
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
    blocks = (_annotations(scene, rows) for rows in slices(len(scene.object_id)))
    truth_of(scene, blocks, path)


def truth_of(scene: Scene, annotations: Iterable[Iterable[str]], path: Path) -> None:
    """Write images and categories of a scene around blocks of written annotations."""
    images = [
        {"file_name": f"{key:012d}.jpg", "width": width, "height": height, "id": key}
        for key, width, height in zip(scene.image_id.tolist(), scene.width.tolist(), scene.height.tolist(), strict=True)
    ]
    categories = [{"supercategory": "thing", "id": key, "name": f"class {key}"} for key in scene.category_id.tolist()]
    with whole_file(path, "w") as out:
        out.write('{"info": {"description": "boxscore benchmark"}, "images": ')
        out.write(json.dumps(images))
        out.write(', "annotations": ')
        _write_list(out, annotations)
        out.write(', "categories": ')
        out.write(json.dumps(categories))
        out.write("}")


def detections(scene: Scene, path: Path) -> None:
    """Write the list of detections, grouped by image."""
    detections_of((_detections(scene, rows) for rows in slices(len(scene.detection_score))), path)


def detections_of(records: Iterable[Iterable[str]], path: Path) -> None:
    """Write blocks of written detections as a list."""
    with whole_file(path, "w") as out:
        _write_list(out, records)


def slices(n: int, size: int = ROWS_PER_WRITE) -> Iterator[slice]:
    """Rows 0 to n, a block at a time."""
    return (slice(start, min(n, start + size)) for start in range(0, n, size))


def _write_list(out: IO[str], blocks: Iterable[Iterable[str]]) -> None:
    out.write("[")
    for number, block in enumerate(blocks):
        out.write(", " if number else "")
        out.write(", ".join(block))
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
