"""Truth and detections of a few images, in any form that boxscore or an official code reads."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from boxscore.tables.box_forms import to_corners
from boxscore.tables.masks import masks_of
from boxscore.tables.model import Classes, Detections, Flag, Floats, Images, Indices, Ints, Table, Truth, index_of
from boxscore.tables.oriented import corners_of_boxes
from boxscore.tables.shapes import Shape, Shapes, ShapesMaker
from boxscore.tables.tubes import MaskTubes, Tubes

Box = tuple[float, float, float, float]  # x y width height
_Columns = tuple[Images, Classes, Indices, Indices, Floats, Floats, Ints]
NO_FLAGS = Flag(0)
_KINDS = (Flag.CROWD, Flag.DIFFICULT, Flag.IGNORE, Flag.GROUP_OF)


@dataclass(frozen=True)
class Object:
    """An annotated object; `image` and `label` are ids."""

    image: int
    label: int
    box: Box
    id: int
    area: float
    flags: Flag = NO_FLAGS


@dataclass(frozen=True)
class Detection:
    """A detection; `image` and `label` are ids."""

    image: int
    label: int
    box: Box
    score: float


@dataclass(frozen=True)
class Scene:
    """Truth and detections of a few images, in any form that boxscore or an official code reads."""

    images: tuple[int, ...]  # ids, in the order of the file
    classes: tuple[tuple[int, str], ...]  # ids and names, in the order of the file
    objects: tuple[Object, ...]
    detections: tuple[Detection, ...]

    def truth(self) -> dict[str, Any]:
        """The truth as COCO writes it, made anew for each caller."""
        return {
            "images": [{"id": i, "file_name": f"{i}.jpg", "width": 640, "height": 480} for i in self.images],
            "annotations": [
                {
                    "id": o.id, "image_id": o.image, "category_id": o.label, "bbox": list(o.box), "area": o.area,
                    "iscrowd": int(Flag.CROWD in o.flags), "ignore": int(Flag.IGNORE in o.flags),
                }
                for o in self.objects
            ],
            "categories": [{"id": key, "name": name} for key, name in self.classes],
        }  # fmt: skip

    def results(self) -> list[dict[str, Any]]:
        """The detections as a COCO results list, made anew for each caller."""
        return [
            {"image_id": d.image, "category_id": d.label, "bbox": list(d.box), "score": d.score}
            for d in self.detections
        ]

    def write(self, folder: Path) -> tuple[Path, Path]:
        """Both sides as COCO files in a folder; returns their paths."""
        truth, results = folder / "truth.json", folder / "results.json"
        truth.write_text(json.dumps(self.truth()))
        results.write_text(json.dumps(self.results()))
        return truth, results

    def columns(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Both sides as mappings of arrays for `evaluate(..., box="xywh", classes=scene.names)`.

        Labels are places in `names`, so every row must have a listed image and class.
        """
        truth, detections = self.tables()
        both: list[dict[str, Any]] = [
            {
                "image": np.array([row.image for row in rows], np.int64),
                "labels": label.astype(np.int64),
                "boxes": np.array([row.box for row in rows]).reshape(-1, 4),
            }
            for rows, label in ((self.objects, truth.label), (self.detections, detections.label))
        ]
        flags = {str(f.name).lower(): (truth.flags & int(f)) != 0 for f in _KINDS}
        both[0] |= {"images": np.array(self.images), "area": truth.area, "id": truth.id, **flags}
        both[1] |= {"scores": detections.score}
        return both[0], both[1]

    @property
    def names(self) -> tuple[str, ...]:
        """Class names by ascending id, the order in which official codes report them."""
        return tuple(name for _, name in sorted(self.classes))

    def tables(self) -> tuple[Truth, Detections]:
        """Both sides as tables over the same images and classes; rows that name others have -1 there."""
        ids = np.array(self.images, np.int64)
        n = len(self.images)
        images = Images([f"{i}.jpg" for i in self.images], ids, np.full(n, 640.0), np.full(n, 480.0))
        classes = Classes(self.names, tuple(sorted(key for key, _ in self.classes)))
        class_ids = np.array(classes.id, np.int64)

        def rows(items: tuple[Object, ...] | tuple[Detection, ...]) -> _Columns:
            boxes = np.array([item.box for item in items], np.float64).reshape(-1, 4)
            image = index_of(np.array([item.image for item in items], np.int64), ids)
            label = index_of(np.array([item.label for item in items], np.int64), class_ids)
            return images, classes, image, label, *to_corners(boxes, "xywh"), np.arange(len(items), dtype=np.int64)

        truth = Truth(
            *rows(self.objects),
            area=np.array([o.area for o in self.objects], np.float64),
            flags=np.array([int(o.flags) for o in self.objects], np.uint16),
            id=np.array([o.id for o in self.objects], np.int64),
        )
        found = Detections(*rows(self.detections), score=np.array([d.score for d in self.detections], np.float64))
        return _with_geometry(truth), _with_geometry(found)


def _with_geometry(table: Table) -> Table:
    """A table whose boxes are masks and oriented boxes, too, with 17 keypoints in each; every fifth row labels none."""
    made = ShapesMaker()
    for row, (x0, y0, x1, y1) in enumerate(table.corners.tolist()):
        made.add(row, Shape.POLYGON, [x0, y0, x0, y1, x1, y1, x1, y0])
    shapes = made.shapes(len(table)) or Shapes(*_NO_SHAPES)
    table = replace(table, masks=masks_of(shapes, np.full((len(table), 2), (480, 640)), 1))
    quads, points = corners_of_boxes(table.corners), _points(table.corners)
    return replace(table, quads=quads, keypoints=points, tubes=_tubes(table))


def _tubes(table: Truth | Detections) -> Tubes:
    """Every box a track of one frame."""
    row = np.arange(len(table), dtype=np.int64)
    masks = table.masks
    pixels = None if masks is None else MaskTubes(masks, masks.area, masks.box)
    return Tubes(row, row + 1, np.zeros_like(row), table.corners, table.box_area, table.box_area, pixels)


def _points(corners: Floats) -> Floats:
    at, rows = np.arange(17), np.arange(len(corners))[:, None]
    share = np.stack([at / 16, at * 5 % 17 / 16], axis=1)
    points = corners[:, None, :2] * (1 - share) + corners[:, None, 2:] * share
    labelled = np.where(rows % 5 == 4, 0, (at + rows) % 3)
    return np.concatenate([points, labelled[:, :, None]], axis=2)


_NO_SHAPES = (np.zeros(1, np.int64), np.zeros(0, np.uint8), np.zeros(1, np.int64), np.zeros(0))
