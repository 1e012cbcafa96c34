"""The overlap of oriented boxes: the area that two quadrilaterals share, over the area of both or of the detection."""

from __future__ import annotations

import numpy as np

from boxscore import _core
from boxscore.overlaps.record import Measured, Overlap
from boxscore.protocols import parts
from boxscore.tables.model import Detections, Floats, Ints, Truth, empty, thread_count
from boxscore.tables.oriented import box_around, corners_of_boxes, quad_areas

WITHOUT = "Evaluate boxes instead (--protocol coco), or pass files with oriented boxes or polygons of four corners."


def quads(table: Truth | Detections) -> Floats:
    """The corners of the oriented boxes of a table that has some."""
    assert table.quads is not None  # `Overlap.columns` was asked before
    return table.quads


def areas(table: Truth | Detections, rules: parts.Overlap) -> Floats:
    """The areas of the quadrilaterals; of rows that are plain boxes, what the source's arithmetic makes of them."""
    area = quad_areas(quads(table))
    if rules.box_area != "source":
        return area
    plain = (quads(table) == corners_of_boxes(table.corners)).all(axis=1)
    return np.where(plain, table.box_area, area)


def measure(
    detections: Detections, truth: Truth, detection: Ints, object_: Ints, _: parts.Overlap, threads: int
) -> Measured:
    """The areas that pairs share."""
    shared: Floats = empty(len(detection))
    _core.quad_intersections(quads(detections), quads(truth), detection, object_, shared, threads=thread_count(threads))
    return Measured(shared)


ROTATED = Overlap(
    "rotated", measure, areas, needs=("quads", "corners", "box_area"), bounds=lambda table: box_around(quads(table)),
    instead=WITHOUT,
)  # fmt: skip
