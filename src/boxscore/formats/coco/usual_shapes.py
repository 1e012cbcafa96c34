"""Polygons and masks of COCO records in the usual form: the columns of the kernel as shapes, or as masks at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from boxscore.tables.masks import EMPTY_RUN, FINE, MaskParts, Masks, Sizes, masks_of, measured_masks, sizes_of
from boxscore.tables.model import Bools, Floats, Indices
from boxscore.tables.runs import Runs
from boxscore.tables.shapes import Shape, Shapes

FIELDS = {"masks": {"segmentation": "shape"}, "quads": {"segmentation": "shape"}}
DRAWN = {"masks": {"segmentation": "mask"}}  # where shapes are left out


class Geometry(NamedTuple):
    """What records have besides boxes: shapes, or masks; neither where no record was asked for any, or has one."""

    shapes: Shapes | None = None
    masks: Masks | None = None


def fields_for(needs: tuple[str, ...], draw: bool | None) -> dict[str, str]:
    """What records are asked for, where overlaps need so much."""
    fields = {**FIELDS, **DRAWN} if draw and "quads" not in needs else FIELDS
    return {name: kind for column in needs for name, kind in fields.get(column, {}).items()}


def usual_geometry(
    column: tuple[Any, Any, Any] | None, sizes: Callable[[Bools], Sizes | None], threads: int
) -> Geometry | None:
    """The shapes or masks of all records; None where the careful reader must look.

    `sizes` are the sizes of the images of all records, if those of the given records are known.
    """
    if column is None or not len(column[2][0]):
        return Geometry()
    ends, _, (kind, value_ends, values, letter_ends, letters) = column
    part, value = np.append(np.int64(0), ends), np.append(np.int64(0), value_ends)
    runs = Runs.ending(letters, letter_ends) if (kind == Shape.RLE).any() else None
    if values.dtype == np.float64:
        shapes = Shapes(part, kind, value, values, runs)
        return Geometry(shapes) if _is_sound(shapes, threads) else None
    drawn = np.zeros(len(ends), np.bool_)
    some = part[1:] > part[:-1]
    drawn[some] = kind[part[:-1][some]] == Shape.POLYGON  # all parts of a record are of one kind
    size = sizes(drawn)
    if size is None:
        return None
    masks = masks_of(MaskParts(part, kind, value, values, runs), size, threads)
    return Geometry(masks=masks) if all_sound(masks) else None


def one_mask_each(column: tuple[Any, Any, Any] | None, threads: int) -> Masks | None:
    """The masks of records that all have just one; None where some have none, or polygons."""
    if column is None:
        return None
    ends, missing, (kind, _, values, letter_ends, letters) = column
    if missing is not None or len(kind) != len(ends) or not len(kind) or not (kind == Shape.RLE).all():
        return None
    return measured_masks(
        Runs.ending(letters, letter_ends), values.astype(np.int32, copy=False).reshape(-1, 2), threads
    )


def image_sizes(image: Indices, width: Floats | None, height: Floats | None, drawn: Bools) -> Sizes | None:
    """Height and width of the image of each record, 0 where unknown; None where a record is drawn on such an image."""
    if width is None or height is None:
        return None if drawn.any() else np.zeros((len(image), 2), np.int32)
    sides = np.append(np.stack([height, width], axis=1), [[0.0, 0.0]], axis=0)
    sides[~(sides > 0).all(axis=1)] = 0.0  # nan is not above 0 either
    size = sizes_of(sides)[image]
    return None if (drawn & (image >= 0) & (size[:, 0] == 0)).any() else size


def _is_sound(shapes: Shapes, threads: int) -> bool:
    """Whether the runs of every mask fill its image; else the careful reader says which does not."""
    if shapes.runs is None:
        return True
    parts = np.flatnonzero(shapes.kind == Shape.RLE)
    made = MaskParts(shapes.part, shapes.kind, shapes.value, shapes.values, shapes.runs)
    return all_sound(measured_masks(shapes.runs.take(parts), made.sizes(parts), threads))


def all_sound(masks: Masks) -> bool:
    """Whether the runs of every mask fill its image."""
    return bool(((masks.fault == FINE) | (masks.fault == EMPTY_RUN) | masks.absent).all())


def boxes_around(masks: Masks) -> Floats:
    """x y width height of the smallest boxes around masks, made anew."""
    boxes = masks.box.copy()
    boxes[:, 2:] -= boxes[:, :2]
    return boxes
