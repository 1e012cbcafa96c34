"""How large the boxes of both sides are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from boxscore.evaluation.prepare import Prepared
from boxscore.evaluation.result import Result
from boxscore.evaluation.sizes import object_sizes
from boxscore.report.views.common import numbers_of, set_names
from boxscore.tables.model import Floats, Ints, Truth

PER_OCTAVE = 4  # bins for each doubling of the side


@dataclass(frozen=True, eq=False)
class SizesView:
    """Histograms of the square root of the area, over bins that all sides share."""

    unit: str
    edges: Floats  # (bins + 1,), each a fixed multiple of the one before
    sets: tuple[str, ...]
    objects: Ints  # (bins,)
    detections: Ints  # (sets, bins)
    ranges: tuple[tuple[str, float, float, int], ...]  # name, from and to (sides), objects to find
    unmeasured: int  # boxes with no width or height, which no bin holds


def view(results: Sequence[Result]) -> SizesView:
    """The sizes of objects to find and of detections that take part."""
    first = numbers_of(results[0])
    truth = _sides(first.prepared, "truth")
    found = [_sides(numbers_of(r).prepared, "detections") for r in results]
    whole = np.concatenate([truth, *found])
    real = whole[(whole > 0) & np.isfinite(whole)]
    low, high = (math.log2(real.min()), math.log2(real.max())) if len(real) else (0.0, 1.0)
    start, end = math.floor(low * PER_OCTAVE), math.floor(high * PER_OCTAVE) + 1
    edges = np.exp2(np.arange(start, end + 1) / PER_OCTAVE)
    relative = first.prepared.truth.relative
    return SizesView(
        "of the image" if relative else "pixels",
        edges,
        set_names(results),
        _counted(truth, edges),
        np.array([_counted(one, edges) for one in found], np.int64).reshape(len(found), -1),
        () if relative else _ranges(results[0]),
        int(len(whole) - len(real)),
    )


def _sides(prepared: Prepared, side: str) -> Floats:
    """The square roots of the areas of the boxes that take part, as the protocol measures objects."""
    table = prepared.truth if side == "truth" else prepared.detections
    boxes = isinstance(table, Truth) and not prepared.protocol.of_tracks  # else ranges are not of boxes
    area = object_sizes(prepared.truth, prepared.protocol) if boxes else table.box_area
    return np.sqrt(np.maximum(area[(table.label >= 0) & (table.image >= 0)], 0))


def _counted(sides: Floats, edges: Floats) -> Ints:
    real = sides[(sides > 0) & np.isfinite(sides)]
    place = np.clip(np.searchsorted(edges, real, "right") - 1, 0, len(edges) - 2)
    return np.bincount(place, minlength=len(edges) - 1)


def _ranges(result: Result) -> tuple[tuple[str, float, float, int], ...]:
    """The size ranges of the protocol but the first, which is everything, with the objects to find in each."""
    protocol, to_find = result.protocol, result.tally.to_find
    if protocol.area_unit == "image" or protocol.of_tracks:
        return ()
    return tuple(
        (area.name, math.sqrt(max(area.low, 0)), math.sqrt(max(area.high, 0)), int(to_find[:, k].sum()))
        for k, area in enumerate(protocol.areas)
        if k
    )
