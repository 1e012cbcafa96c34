"""The overlap of masks and of their boundaries, whichever is less (Cheng et al. 2021, Boundary IoU)."""

from __future__ import annotations

import numpy as np

from boxscore import _core
from boxscore.overlaps import masks
from boxscore.overlaps.record import Measured, Overlap
from boxscore.protocols import parts
from boxscore.tables.masks import Masks, measured_masks
from boxscore.tables.model import Bools, Detections, Floats, Ints, Truth, thread_count
from boxscore.tables.runs import Runs


def boundaries(some: Masks, rows: Bools, width: float, threads: int) -> Masks:
    """The boundaries of some masks; of the others an empty one."""
    begin, end = some.runs.begin, np.where(rows, some.runs.end, some.runs.begin)
    size = np.where(rows[:, None], some.size, np.int32(0))
    letters, ends = _core.mask_boundaries(some.runs.letters, begin, end, size, width, threads=thread_count(threads))
    return measured_masks(Runs.ending(letters, ends), size, threads)


def measure(
    detections: Detections, truth: Truth, detection: Ints, object_: Ints, rules: parts.Overlap, threads: int
) -> Measured:
    """The pixels that masks of pairs have in common, and the lesser of both overlaps."""
    shared, overlap = masks.measure(detections, truth, detection, object_, rules, threads)
    whole = [masks.masks(table) for table in (detections, truth)]
    edges = [
        boundaries(one, _chosen(len(one), rows[shared > 0]), rules.boundary_width, threads)
        for one, rows in zip(whole, (detection, object_), strict=True)
    ]
    common = np.empty(len(detection))
    masks.intersections(edges[0], edges[1], detection, object_, common, None, threads)
    rows = detection, object_
    of_masks = _ratio(shared, whole, rows) if overlap is None else overlap
    return Measured(shared, np.minimum(of_masks, _ratio(common, edges, rows)))


def _chosen(n: int, rows: Ints) -> Bools:
    chosen = np.zeros(n, np.bool_)
    chosen[rows] = True
    return chosen


def _ratio(shared: Floats, both: list[Masks], rows: tuple[Ints, Ints]) -> Floats:
    own, other = (one.area[row] for one, row in zip(both, rows, strict=True))
    union = own + other - shared
    return np.where(shared > 0, shared / np.where(shared > 0, union, 1.0), 0.0)


BOUNDARY = Overlap(
    "boundary", measure, masks.pixels, needs=("masks",), fields=("boundary_width",), bounds=masks.boxes,
    bounded=masks.bounded,
    instead=masks.WITHOUT,
)  # fmt: skip
