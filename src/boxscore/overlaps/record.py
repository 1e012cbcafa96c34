"""An overlap as a record: what it needs, how pairs are measured, what their overlap is a share of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from boxscore.errors import InputError
from boxscore.protocols import parts
from boxscore.tables.model import Bools, Detections, Floats, Ints, Truth


class Measured(NamedTuple):
    """What pairs have in common."""

    shared: Floats  # in the unit of the areas, or (direct) the overlap itself; 0 where the two do not overlap
    overlap: Floats | None = None  # of ordinary objects, where that is not what they have in common over their union


# Pairs by the rows of both tables; the rules, of which it reads `fields` only; threads.
Measure = Callable[[Detections, Truth, Ints, Ints, parts.Overlap, int], Measured]
MeasureAbove = Callable[[Detections, Truth, Ints, Ints, parts.Overlap, int, float], Measured]
Bounds = Callable[[Truth | Detections], Floats]


WORDS = {
    "quads": "oriented boxes",
    "end_boxes": "relations",
    "end_labels": "relations",
}  # columns whose names are not what people call them


@dataclass(frozen=True)
class BoxRule:
    """How the kernel measures boxes as it goes."""

    pixel: float = 0.0  # added to each side
    touching: bool = False  # boxes with a gap between them never overlap, even a gap below one pixel
    single: bool = False  # single precision at every step


def corners(table: Truth | Detections) -> Floats:
    """The boxes of the rows."""
    return table.corners


@dataclass(frozen=True)
class Overlap:
    """One way to measure how much a detection and an object overlap.

    Mostly that is what the two have in common (`measure`) over their union, or, for regions, over the detection alone:
    both are made of the `areas`. Where it is not, `measure` gives the overlap itself (`direct`). Boxes are measured by
    the kernel as it goes (`in_kernel`), others once for all protocols, in pairs of a class and image whose `bounds`
    meet.
    """

    name: str
    measure: Measure
    areas: Callable[[Truth | Detections, parts.Overlap], Floats] | None = None  # none where it is direct
    needs: tuple[str, ...] = ("corners",)  # columns of both tables that it looks at
    fields: tuple[str, ...] = ()  # fields of the protocol, besides the overlap's name, by which pairs are measured
    in_kernel: BoxRule | None = None
    direct: bool = False
    rounded: bool = False  # `of_pairs` is not what the kernel makes of areas in double precision: it gets overlaps
    measure_above: MeasureAbove | None = None  # likewise, but 0 for pairs of which it sees that they are below a floor
    bounds: Bounds | None = corners  # what has no bounds in common does not overlap; none: there is no such bound
    # Whether what a row of the table shares is within its bounds and at most its area, so that these bound the overlap;
    # none: never.
    bounded: Callable[[Truth | Detections], bool] | None = None
    areas_of_source: bool = False  # whether `box_area` may say that areas are the source's own
    in_pixels: bool = False  # whether it takes pixels, so that it is unknown of boxes in normalized coordinates
    of_frames: tuple[str, ...] = ()  # columns of frames, of which the tubes that it needs are made
    tracks: bool = False  # whether rows are tracks and images their videos, instead of boxes and frames
    called: str = "IoU"  # as people name the number
    instead: str = ""  # what to do where a column that it needs is missing

    def of_source(self, rules: parts.Overlap) -> bool:
        """Whether areas are those of the source instead of those of the shapes."""
        return self.areas_of_source and rules.box_area == "source"

    def of_pairs(self, measured: Measured, own: Floats, other: Floats, alone: Bools) -> Floats:
        """Overlaps of pairs from what they have in common and the areas of both; of regions over `own` alone."""
        shared = measured.shared
        if self.direct:
            return shared
        with np.errstate(divide="ignore", invalid="ignore"):
            made = np.where(shared > 0, shared / np.where(alone, own, own + other - shared), 0.0)
        return made if measured.overlap is None else np.where(alone | ~(shared > 0), made, measured.overlap)

    def as_compared(self, thresholds: Floats) -> Floats:
        """Thresholds in the precision in which overlaps are compared with them."""
        return thresholds

    def columns(self, table: Truth | Detections) -> tuple[Any, ...]:
        """What it looks at in a table; InputError where that is missing."""
        columns = tuple(getattr(table, name) for name in self.needs)
        side = "truth" if isinstance(table, Truth) else "detections"
        if missing := [name for name, column in zip(self.needs, columns, strict=True) if column is None]:
            words = " and ".join(dict.fromkeys(WORDS.get(name, name) for name in missing))
            raise InputError(table.source or side, f"no {words}", f"{words}, for overlap={self.name}", self.instead)
        if table.end_boxes is not None and "end_boxes" not in self.needs:
            expected = f"single boxes, for overlap={self.name}"
            hint = "Relations have protocols of their own: --protocol openimages-vrd."
            raise InputError(table.source or side, "relations of two boxes", expected, hint)
        return columns
