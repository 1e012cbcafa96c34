"""Polygons and masks of COCO records in the usual form: the columns of the kernel as shapes."""

from __future__ import annotations

from typing import Any

import numpy as np

from boxscore.tables.masks import EMPTY_RUN, FINE, Masks, masks_of, measured_masks
from boxscore.tables.model import Floats
from boxscore.tables.runs import Runs
from boxscore.tables.shapes import Shape, Shapes

FIELDS = {"masks": {"segmentation": "shape"}, "quads": {"segmentation": "shape"}}


def fields_for(needs: tuple[str, ...]) -> dict[str, str]:
    """What records are asked for, where overlaps need so much."""
    return {name: kind for column in needs for name, kind in FIELDS.get(column, {}).items()}


def usual_shapes(column: tuple[Any, Any, Any] | None) -> Shapes | None:
    """The shapes of all records; None where no record was asked for any, or has one."""
    if column is None:
        return None
    ends, _, (kind, value_ends, values, letter_ends, letters) = column
    if not len(kind):
        return None
    runs = Runs.ending(letters, letter_ends) if (kind == Shape.RLE).any() else None
    return Shapes(np.append(np.int64(0), ends), kind, np.append(np.int64(0), value_ends), values, runs)


def is_sound(shapes: Shapes | None, threads: int) -> bool:
    """Whether the runs of every mask fill its image; else the careful reader says which does not."""
    if shapes is None or shapes.runs is None:
        return True
    parts = np.flatnonzero(shapes.kind == Shape.RLE)
    first = shapes.value[parts]
    size = np.stack([shapes.values[first], shapes.values[first + 1]], axis=1).astype(np.int64)
    return all_sound(measured_masks(shapes.runs.take(parts), size, threads))


def all_sound(masks: Masks) -> bool:
    """Whether the runs of every mask fill its image."""
    return bool(((masks.fault == FINE) | (masks.fault == EMPTY_RUN) | masks.absent).all())


def one_mask_each(shapes: Shapes | None, n: int, threads: int) -> Masks | None:
    """The masks of records that all have just one; None where some have none, or polygons."""
    if shapes is None or len(shapes.kind) != n or not (shapes.kind == Shape.RLE).all():
        return None
    if (np.diff(shapes.part) != 1).any():
        return None
    return masks_of(shapes, np.zeros((n, 2), np.int64), threads)


def boxes_around(masks: Masks) -> Floats:
    """x y width height of the smallest boxes around masks, made anew."""
    boxes = masks.box.copy()
    boxes[:, 2:] -= boxes[:, :2]
    return boxes
