"""Columns of which overlaps other than those of boxes are made, out of the shapes of rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore.errors import InputError, first_few
from boxscore.joining.align import Aligned
from boxscore.joining.keypoints import check_counts, keypoints_column
from boxscore.tables.masks import Masks, masks_of, measured_masks
from boxscore.tables.model import Bools, Detections, Floats, Images, Ints, Table, Truth
from boxscore.tables.oriented import corners_of_boxes, quads_of
from boxscore.tables.runs import Runs
from boxscore.tables.shapes import Shape, Shapes

_SIZES = "Pass --images FOLDER, --sizes FILE or --image-size WIDTH,HEIGHT (images=, sizes=, image_size= in Python)."


def with_geometry(aligned: Aligned, needs: Sequence[str], keep: bool, threads: int) -> Aligned:
    """Both sides with the columns that overlaps need; what rows have of it is no longer in `shapes` unless kept."""
    if not needs:
        return aligned
    truth = _derived(aligned.truth, needs, keep, threads)
    made = replace(aligned, truth=truth, detections=_derived(aligned.detections, needs, keep, threads))
    if "keypoints" in needs:
        check_counts(made.truth, made.detections)
    return made


def _derived(table: Table, needs: Sequence[str], keep: bool, threads: int) -> Table:
    columns: dict[str, Any] = {}
    for name in needs:
        if getattr(table, name) is None and (table.shapes is not None or not len(table)):
            columns[name] = DERIVED[name](table, threads)
    return replace(table, **columns, shapes=table.shapes if keep else None)


def rows_with(shapes: Shapes, *kinds: Shape) -> Bools:
    """Which rows have a part of one of these kinds."""
    row = np.repeat(np.arange(len(shapes)), np.diff(shapes.part))
    has = np.zeros(len(shapes), np.bool_)
    has[row[np.isin(shapes.kind, kinds)]] = True
    return has


def _masks(table: Truth | Detections, threads: int) -> Masks | None:
    if not len(table):  # nothing lacks a mask
        nothing = np.zeros(0, np.int64)
        return measured_masks(Runs(np.zeros(0, np.uint8), nothing, nothing), np.zeros((0, 2), np.int64), 1)
    if table.shapes is None:
        return None
    drawn = rows_with(table.shapes, Shape.POLYGON)
    if not (drawn | rows_with(table.shapes, Shape.RLE)).any():
        return None
    few = (table.shapes.kind == Shape.POLYGON) & (np.diff(table.shapes.value) < 6)
    if few.any():
        rows = np.repeat(np.arange(len(table)), np.diff(table.shapes.part))[few]
        which = _keys(table.images, np.unique(table.image[rows]))
        actual, hint = (
            f"{len(rows):,} polygon{'s' * (len(rows) > 1)} with fewer than three points (in {which})",
            "Or evaluate boxes instead: --protocol coco.",
        )
        raise InputError(_name(table), actual, "at least three points per polygon", hint)
    if table.relative and drawn.any():
        raise InputError(_name(table), "polygons in normalized coordinates", "image sizes, to rasterize them", _SIZES)
    return masks_of(table.shapes, _sizes(table, drawn), threads)


def _sizes(table: Truth | Detections, drawn: Bools) -> Ints:
    """Height and width of the image of each row, 0 where they are not needed; InputError where they are unknown."""
    images = table.images
    width, height = (np.full(len(images), np.nan) if side is None else side for side in (images.width, images.height))
    by_row = np.append(np.stack([height, width], axis=1), [[np.nan, np.nan]], axis=0)[table.image]
    unknown = np.isnan(by_row).any(axis=1)
    if len(lost := np.flatnonzero(drawn & unknown & (table.image >= 0))):
        which = _keys(images, np.unique(table.image[lost]))
        raise InputError(_name(table), f"unknown size of images with polygons ({which})",
                         "image sizes, to rasterize them", _SIZES)  # fmt: skip
    return np.where(unknown[:, None], 0, by_row).astype(np.int64)


def of_another_size(table: Truth | Detections) -> Bools:
    """Which rows have a mask that is not as large as their image, whose size is known."""
    images, masks = table.images, table.masks
    if masks is None or images.width is None or images.height is None:
        return np.zeros(len(table), np.bool_)
    sides = np.append(np.stack([images.height, images.width], axis=1), [[np.nan, np.nan]], axis=0)[table.image]
    odd: Bools = (np.isfinite(sides) & (sides != masks.size)).any(axis=1) & ~masks.absent
    return odd


def _keys(images: Images, which: Ints) -> str:
    return first_few((images.key[i] for i in which.tolist()), len(which))


def _name(table: Truth | Detections) -> str:
    return table.source or ("truth" if isinstance(table, Truth) else "detections")


def _quads(table: Truth | Detections, _: int) -> Floats | None:
    """The corners of oriented boxes; of a row without one, those of its box."""
    rows, corners = quads_of(table.shapes, polygons=True)
    if not len(rows) and len(table):
        return None
    quads = corners_of_boxes(table.corners)
    quads[rows] = corners
    return quads


def _nothing(columns: int, kind: npt.DTypeLike) -> Callable[[Truth | Detections, int], npt.NDArray[Any] | None]:
    """What no shape says: only a table without rows lacks none."""
    return lambda table, _: None if len(table) else np.zeros((0, columns), kind)


def _no_tubes(table: Truth | Detections, _: int) -> None:
    """Frames have none: `joining.tracks` makes tables of tracks."""


DERIVED: dict[str, Callable[[Any, int], Any]] = {
    "masks": _masks,
    "quads": _quads,
    "keypoints": keypoints_column,
    "end_boxes": _nothing(8, np.float64),
    "end_labels": _nothing(2, np.int32),
    "tubes": _no_tubes,
}
