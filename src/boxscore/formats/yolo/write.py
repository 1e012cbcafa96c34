"""YOLO, written as Ultralytics has it: data.yaml, and a file per image in the folder `labels`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import chain

import numpy as np

from boxscore.formats.io.label_lines import Table, file_names, image_sizes, relative_boxes, rows_of_images, text
from boxscore.formats.io.table_rows import hull_of
from boxscore.formats.io.writing import Made, Writing
from boxscore.formats.yolo.poses import poses_of
from boxscore.tables.model import Detections, Floats, Truth
from boxscore.tables.oriented import corners_of
from boxscore.tables.shapes import Shape

_SAME = 1e-12  # of the image size: what rounding makes of a polygon that has the box of its object
_POLYGONS = (Shape.POLYGON, Shape.QUAD, Shape.ORIENTED)


def write_truth(truth: Truth, how: Writing) -> Made:
    """Objects: boxes, polygons that have the same box, or boxes with keypoints."""
    poses = poses_of(truth, how)
    yield "data.yaml", _sheet(truth, how, poses)
    yield from _files(truth, how, [text(row) for row in _geometry(truth, how, poses)])


def write_detections(detections: Detections, how: Writing) -> Made:
    """Detections, the confidence at the end unless it is wanted behind the class."""
    poses = poses_of(detections, how)
    yield "data.yaml", _sheet(detections, how, poses)
    lines = zip(_geometry(detections, how, poses), detections.score.tolist(), strict=True)
    first = how.confidence == "first"
    yield from _files(detections, how, [text([score, *row] if first else [*row, score]) for row, score in lines])


def _sheet(table: Table, how: Writing, poses: Floats | None) -> bytes:
    import yaml

    names, place = list(table.classes.name), f"images/{how.split}" if how.split else "images"
    places = {name: place for name in ("train", "val", how.split) if name}  # Ultralytics demands the first two
    described = {**places, "nc": len(names), "names": names}
    if poses is not None:
        described["kpt_shape"] = [poses.shape[1], 3]
    return bytes(yaml.safe_dump(described, encoding="utf-8", allow_unicode=True, sort_keys=False, width=1000))


def _files(table: Table, how: Writing, numbers: list[str]) -> Made:
    folder = "".join(f"{part}/" for part in ("labels", how.split) if part)
    lines = [f"{label} {row}\n" for label, row in zip(table.label.tolist(), numbers, strict=True)]
    for name, rows in zip(file_names(table), rows_of_images(table), strict=True):
        yield folder + name, "".join([lines[row] for row in rows.tolist()]).encode()


def _geometry(table: Table, how: Writing, poses: Floats | None) -> Iterator[list[float]]:
    """Centre, width, height of each row, or the points of its polygon where these give the same box.

    Readers take the box around the points. It may be another one than the box of the table, which is what is
    evaluated; so points go only before it where the user says so.
    """
    boxes = relative_boxes(table).tolist()
    if poses is not None:
        points = poses.reshape(len(poses), -1).tolist()
        return (box if math.isnan(own[0]) else box + own for box, own in zip(boxes, points, strict=True))
    if table.shapes is None or how.rows == "box":
        return iter(boxes)
    sizes = np.ones((len(table.images), 2)) if table.relative else image_sizes(table)
    shares = table.corners / np.tile(np.append(sizes, [[1.0, 1.0]], axis=0), 2)[table.image]

    def chosen(row: int) -> list[float]:
        points = _polygon(table, row, sizes)
        same = points and np.allclose(hull_of(Shape.POLYGON, points), shares[row], rtol=0, atol=_SAME)
        return points if same or (points and how.rows == "polygon") else boxes[row]

    return map(chosen, range(len(table)))


def _polygon(table: Table, row: int, sizes: Floats) -> list[float]:
    """The corners of a row's shape as normalized coordinates; empty where it has none.

    Several polygons become one: lines there and back, which enclose nothing, join the first corners.
    """
    assert table.shapes is not None
    rings = [_corners(kind, values) for kind, values in table.shapes.of(row) if kind in _POLYGONS]
    if not rings or table.image[row] < 0:
        return []
    joined = rings[0] if len(rings) == 1 else [*chain.from_iterable([*ring, *ring[:2]] for ring in rings)]
    shares: list[float] = (np.array(joined).reshape(-1, 2) / sizes[table.image[row]]).reshape(-1).tolist()
    return shares


def _corners(kind: Shape, values: list[float]) -> list[float]:
    if kind != Shape.ORIENTED:
        return values
    corners: list[float] = corners_of(np.array([values]))[0].tolist()
    return corners
