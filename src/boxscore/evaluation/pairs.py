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
from boxscore.tables.model import Detections, Floats, Indices, Ints, Truth, thread_count


class MeasuredPairs(NamedTuple):
    """For detection d of the cells the objects `object[first[d] : first[d + 1]]`; with all others it shares nothing."""

    first: Ints
    object: npt.NDArray[np.uint32]
    shared: Floats  # what the two have in common, or their overlap
    overlap: Floats | None  # of ordinary objects, where it is not made of that

    def columns(self, direct: bool) -> dict[str, Any]:
        """As the kernel takes them."""
        return {**{f"pair_{name}": column for name, column in self._asdict().items()}, "direct": direct}

    def within(self, rank: Indices, cap: int) -> MeasuredPairs:
        """Those of the detections whose turn comes before the cap."""
        inside = rank < cap
        kept = np.repeat(inside, np.diff(self.first))
        first = np.append(np.int64(0), np.cumsum(np.where(inside, np.diff(self.first), 0)))
        return MeasuredPairs(
            first, self.object[kept], self.shared[kept], None if self.overlap is None else self.overlap[kept]
        )


NOT_MEASURED: dict[str, Any] = {**{f"pair_{name}": None for name in MeasuredPairs._fields}, "direct": False}


def measured(
    by_cell: Grouped, rules: parts.Overlap, shared: Shared, threads: int, rank: Indices, cap: int, largest_cap: int
) -> dict[str, Any]:
    """The pairs of the cells and what each has in common, measured once for all protocols that ask for this overlap.

    Detections beyond the cap have none; those within the largest cap of all these protocols are measured.
    """
    overlap = overlaps.get(rules)
    truth, detections = by_cell.truth, by_cell.detections
    columns = (*overlap.columns(truth), *overlap.columns(detections))
    if overlap.in_kernel is not None:
        return NOT_MEASURED

    def made() -> MeasuredPairs:
        bounds: tuple[Floats | None, Floats | None] = (None, None)
        if overlap.bounds is not None:
            of_both = overlap.bounds(detections), overlap.bounds(truth)
            bounds = of_both[0][by_cell.detection_index()], of_both[1][by_cell.object_index()]
        first, object_ = by_cell.cells.find_pairs(*bounds, threads=thread_count(threads))
        del bounds
        if largest_cap < by_cell.cells.largest:
            none = np.zeros(len(object_))
            first, object_, *_ = MeasuredPairs(first, object_, none, None).within(rank, largest_cap)
        detection = np.repeat(by_cell.detection_index(), np.diff(first))
        shared, value = overlap.measure(detections, truth, detection, by_cell.object_index()[object_], threads)
        kept = ~(shared <= 0)  # most boxes that meet have something in common, but not all
        if kept.all():
            return MeasuredPairs(first, object_, shared, value)
        first = np.append(np.int64(0), np.cumsum(kept))[first]
        return MeasuredPairs(first, object_[kept], shared[kept], None if value is None else value[kept])

    largest_cap, cap = (min(value, by_cell.cells.largest) for value in (largest_cap, cap))
    key = ("pairs", overlap.name, largest_cap, *overlap.settings)
    turn = () if largest_cap == by_cell.cells.largest else (rank,)
    pairs = shared.once(key, (by_cell.cells, *turn, *columns), made)
    if cap < largest_cap:
        pairs = shared.once(("pairs within", cap), (pairs,), lambda: pairs.within(rank, cap))
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
