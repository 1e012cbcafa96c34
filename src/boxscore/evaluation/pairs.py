"""Pairs of detections and objects that are measured before they are matched: overlaps that are not of boxes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boxscore import overlaps
from boxscore.evaluation.cells import Grouped
from boxscore.evaluation.memo import Shared
from boxscore.protocols import parts
from boxscore.protocols.rules import values_of
from boxscore.tables.model import Detections, Floats, Ints, Truth, thread_count


class MeasuredPairs(NamedTuple):
    """For detection d of the cells the objects `object[first[d] : first[d + 1]]`; with all others it shares nothing."""

    first: Ints
    object: npt.NDArray[np.uint32]
    shared: Floats  # what the two have in common, or their overlap

    def columns(self, direct: bool) -> dict[str, Any]:
        """As the kernel takes them."""
        return {"pair_first": self.first, "pair_object": self.object, "pair_shared": self.shared, "direct": direct}


NOT_MEASURED: dict[str, Any] = {"pair_first": None, "pair_object": None, "pair_shared": None, "direct": False}


def measured(by_cell: Grouped, rules: parts.Overlap, shared: Shared, threads: int) -> dict[str, Any]:
    """The pairs of the cells and what each has in common, measured once for all protocols that ask for this overlap."""
    overlap = overlaps.get(rules)
    truth, detections = by_cell.truth, by_cell.detections
    columns = (*overlap.columns(truth), *overlap.columns(detections))
    if overlap.in_kernel is not None:
        return NOT_MEASURED

    def made() -> MeasuredPairs:
        corners: tuple[Floats | None, Floats | None] = (None, None)
        if overlap.within_boxes:
            corners = detections.corners[by_cell.detection_index()], truth.corners[by_cell.object_index()]
        first, object_ = by_cell.cells.find_pairs(*corners, threads=thread_count(threads))
        detection = np.repeat(np.arange(len(first) - 1), np.diff(first))
        rows = by_cell.detection_index()[detection], by_cell.object_index()[object_]
        value = np.ascontiguousarray(overlap.measure(detections, truth, *rows), np.float64)
        kept = ~(value <= 0)  # most boxes that meet have something in common, but not all
        first = np.append(np.int64(0), np.cumsum(kept))[first]
        return MeasuredPairs(first, object_[kept], value[kept])

    pairs = shared.once(("pairs", overlap.name), (by_cell.cells, *columns), made)
    return pairs.columns(overlap.direct)


def area_column(table: Truth | Detections, rules: parts.Overlap, shared: Shared) -> Floats | None:
    """The areas that overlaps are made of, as the kernel takes them; none where it makes them itself or needs none."""
    overlap = overlaps.get(rules)
    if overlap.of_source(rules):
        return table.box_area
    if overlap.in_kernel is not None or overlap.areas is None:
        return None
    areas = overlap.areas
    key = ("areas", isinstance(table, Truth), *values_of(rules, parts.Overlap))
    return shared.once(key, overlap.columns(table), lambda: np.ascontiguousarray(areas(table, rules), np.float64))
