"""What a table holds besides boxes: how many rows have which shape, and how large and how fine those are."""

from __future__ import annotations

import numpy as np

from boxscore.errors import InputError
from boxscore.joining.geometry import DERIVED, rows_with
from boxscore.tables.masks import Masks
from boxscore.tables.model import Detections, Floats, Truth
from boxscore.tables.shapes import Shape, Shapes

KINDS = {
    "masks": (Shape.RLE,),
    "polygons": (Shape.POLYGON,),
    "keypoints": (Shape.KEYPOINTS,),
    "oriented boxes": (Shape.QUAD, Shape.ORIENTED),
}


def rows_by_shape(table: Truth | Detections) -> tuple[tuple[str, int], ...]:
    """How many rows have masks, polygons, keypoints, oriented boxes; what no row has is left out."""
    if table.shapes is None:
        return (("masks", int((~table.masks.absent).sum())),) if table.masks is not None else ()
    counts = ((name, int(rows_with(table.shapes, *kinds).sum())) for name, kinds in KINDS.items())
    return tuple((name, n) for name, n in counts if n)


def measures(table: Truth | Detections) -> dict[str, Floats]:
    """Numbers of shapes by name: the pixels of masks, their share of the box, corners of polygons, labelled points."""
    made: dict[str, Floats] = {}
    masks = table.masks or _drawn(table)
    if masks is not None and not masks.absent.all():
        there = ~masks.absent
        made["mask pixels"] = masks.area[there]
        real = there & (table.box_area > 0)
        made["mask / box"] = masks.area[real] / table.box_area[real]
    if table.shapes is not None:
        made.update(_finer(table.shapes))
    return made


def _drawn(table: Truth | Detections) -> Masks | None:
    """Masks and polygons as pixels; None where image sizes are missing for that."""
    if table.shapes is None or table.relative:
        return None
    try:
        masks: Masks | None = DERIVED["masks"](table, 0)
    except InputError:
        return None
    return masks


def _finer(shapes: Shapes) -> dict[str, Floats]:
    made, length = dict[str, Floats](), np.diff(shapes.value)
    if (outlines := shapes.kind == Shape.POLYGON).any():
        made["corners per polygon"] = length[outlines] / 2
    points = np.flatnonzero((shapes.kind == Shape.KEYPOINTS) & (length % 3 == 0))
    if len(points):
        seen = [int((shapes.values[shapes.value[p] + 2 : shapes.value[p + 1] : 3] > 0).sum()) for p in points.tolist()]
        made["labelled keypoints"] = np.array(seen, np.float64)
    return made
