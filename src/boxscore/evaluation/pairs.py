"""Pairs of detections and objects that are measured before they are matched: overlaps that are not of boxes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boxscore import overlaps
from boxscore.evaluation.cells import Grouped
from boxscore.evaluation.kernel_inputs import ABSORBS, REUSABLE
from boxscore.evaluation.maskless import demand_masks, maskless, pair_overlaps
from boxscore.evaluation.memo import Shared
from boxscore.overlaps.record import Bounds, corners
from boxscore.protocols import Protocol, parts
from boxscore.protocols.rules import values_of
from boxscore.tables.model import Bools, Detections, Floats, Indices, Ints, Truth, thread_count


class Within(NamedTuple):
    """Which detections are measured: the pairs of the others would decide nothing."""

    rank: Indices  # when the turn of each detection in its cell comes
    cap: int  # of the protocol
    largest: int  # of all protocols that share the pairs


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
        first, kept = _of_detections(self.first, rank < cap)
        return MeasuredPairs(
            first, self.object[kept], self.shared[kept], None if self.overlap is None else self.overlap[kept]
        )


NOT_MEASURED: dict[str, Any] = {**{f"pair_{name}": None for name in MeasuredPairs._fields}, "direct": False}


def measured(
    by_cell: Grouped, rules: Protocol, role: npt.NDArray[np.uint8], shared: Shared, threads: int, within: Within
) -> dict[str, Any]:
    """The pairs of the cells and what each has in common, measured once for all protocols that ask for this overlap."""
    overlap = overlaps.get(rules)
    truth, detections = by_cell.truth, by_cell.detections
    columns = (*overlap.columns(truth), *overlap.columns(detections))
    if overlap.in_kernel is not None:
        return NOT_MEASURED
    demand_masks(truth, by_cell.object_index, rules)
    demand_masks(detections, by_cell.detection_index, rules)
    floor = shared.floor(rules) if _is_bounded(overlap, by_cell) else 0.0
    above = overlap.measure_above
    least = shared.floor(rules) if above else 0.0

    def made() -> MeasuredPairs:
        areas = [area_column(table, rules, shared) if floor else None for table in (detections, truth)]
        first, object_ = _meeting(by_cell, overlap.bounds, threads, areas=areas, floor=floor)
        if within.largest < by_cell.cells.largest:
            first, kept = _of_detections(first, within.rank < within.largest)
            object_ = object_[kept]
        detection, rows = _rows(by_cell, first, object_)
        pairs = (detections, truth, detection, rows, rules, threads)
        return _that_overlap(first, object_, *(overlap.measure(*pairs) if above is None else above(*pairs, least)))

    def made_by_role() -> MeasuredPairs:
        by_boxes = maskless(truth, rules)
        first, object_ = _meeting(by_cell, overlap.bounds, threads)
        if by_boxes is not None:
            first, object_ = _united((first, object_), _meeting(by_cell, corners, threads, by_boxes))
        detection, rows = _rows(by_cell, first, object_)
        alone = (role & (REUSABLE | ABSORBS)) != 0
        return _that_overlap(
            first, object_, pair_overlaps(detections, truth, detection, rows, rules, alone, threads), None
        )

    what = (overlap.name, *(getattr(rules, name) for name in overlap.fields))
    if overlap.rounded or maskless(truth, rules) is not None:
        key = ("pairs by role", *what, *values_of(rules, parts.Overlap), role.tobytes())
        columns = (*columns, truth.corners, detections.corners, truth.box_area, detections.box_area)
        return shared.once(key, (by_cell.cells, *columns), made_by_role).columns(direct=True)
    pairs = shared.once(("pairs", floor, least, *what, within.largest), (by_cell.cells, *columns), made)
    if within.cap < min(within.largest, by_cell.cells.largest):
        pairs = pairs.within(within.rank, within.cap)
    return pairs.columns(overlap.direct)


def _is_bounded(overlap: overlaps.Overlap, by_cell: Grouped) -> bool:
    """Whether bounds and areas of both tables bound the overlaps of their rows."""
    bounded = overlap.bounded
    return bounded is not None and bounded(by_cell.truth) and bounded(by_cell.detections)


def _meeting(
    by_cell: Grouped, bounds: Bounds | None, threads: int, objects: Bools | None = None,
    areas: Sequence[Floats | None] = (None, None), floor: float = 0.0,
) -> tuple[Ints, npt.NDArray[np.uint32]]:  # fmt: skip
    """The pairs of the cells whose bounds meet, of all objects or of some, and may overlap by the floor."""
    both: tuple[Floats | None, Floats | None] = (None, None)
    if bounds is not None:
        of_objects = bounds(by_cell.truth)
        if objects is not None:
            of_objects = np.where(objects[:, None], of_objects, [np.inf, np.inf, -np.inf, -np.inf])
        both = bounds(by_cell.detections), of_objects
    n = len(by_cell.truth)
    first, object_ = by_cell.cells.find_pairs(
        *both, **by_cell.rows_in_tables(), d_area=areas[0], o_area=areas[1],
        floor=np.full(n, floor) if floor else None, over=(by_cell.truth.flags != 0).view(np.uint8) if floor else None,
        threads=thread_count(threads),
    )  # fmt: skip
    return first, object_


def _of_detections(first: Ints, inside: Bools) -> tuple[Ints, Bools]:
    """Where the pairs of some detections begin once those of the others are gone, and which pairs are theirs."""
    counts = np.diff(first)
    return np.append(np.int64(0), np.cumsum(np.where(inside, counts, 0))), np.repeat(inside, counts)


def _rows(by_cell: Grouped, first: Ints, object_: npt.NDArray[np.uint32]) -> tuple[Ints, Ints]:
    """Where the detections and objects of pairs stand in their tables."""
    laid_out = by_cell.laid_out
    detection = np.repeat(np.arange(len(by_cell.row), dtype=np.uint32) if laid_out else by_cell.row, np.diff(first))
    return detection.astype(np.int64), (object_ if laid_out else by_cell.object_row[object_]).astype(np.int64)


def _united(*some: tuple[Ints, npt.NDArray[np.uint32]]) -> tuple[Ints, npt.NDArray[np.uint32]]:
    """Lists of pairs as one, without what is in several of them."""
    n = len(some[0][0]) - 1
    pairs = np.unique(
        np.concatenate([np.stack([np.repeat(np.arange(n), np.diff(f)), o.astype(np.int64)]) for f, o in some], axis=1),
        axis=1,
    )
    first = np.append(np.int64(0), np.cumsum(np.bincount(pairs[0], minlength=n), dtype=np.int64))
    return first, pairs[1].astype(np.uint32)


def _that_overlap(first: Ints, object_: npt.NDArray[np.uint32], shared: Floats, value: Floats | None) -> MeasuredPairs:
    """Pairs without those that have nothing in common: most bounds that meet have something inside, but not all."""
    kept = ~(shared <= 0)
    if kept.all():
        return MeasuredPairs(first, object_, shared, value)
    first = np.append(np.int64(0), np.cumsum(kept, dtype=np.int64))[first]
    return MeasuredPairs(first, object_[kept], shared[kept], None if value is None else value[kept])


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
