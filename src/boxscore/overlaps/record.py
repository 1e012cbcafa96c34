"""An overlap as a record: what it needs, how pairs are measured, what their overlap is a share of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from boxscore.errors import InputError
from boxscore.protocols import parts
from boxscore.tables.model import Bools, Detections, Floats, Ints, Truth

Measure = Callable[[Detections, Truth, Ints, Ints], Floats]


@dataclass(frozen=True)
class BoxRule:
    """How the kernel measures boxes as it goes."""

    pixel: float = 0.0  # added to each side
    touching: bool = False  # boxes with a gap between them never overlap, even a gap below one pixel
    single: bool = False  # single precision at every step


@dataclass(frozen=True)
class Overlap:
    """One way to measure how much a detection and an object overlap.

    Mostly that is what the two have in common (`measure`) over their union, or, for regions, over the detection alone:
    both are made of the `areas`. Where it is not, `measure` gives the overlap itself (`direct`). Boxes are measured by
    the kernel as it goes (`in_kernel`), others once for all protocols, in pairs of a class and image whose boxes meet.
    """

    name: str
    measure: Measure  # of pairs, given by the rows of both tables
    areas: Callable[[Truth | Detections, parts.Overlap], Floats] | None = None  # none where it is direct
    needs: tuple[str, ...] = ("corners",)  # columns of both tables that it looks at
    in_kernel: BoxRule | None = None
    direct: bool = False
    within_boxes: bool = True  # what has no box in common does not overlap
    areas_of_source: bool = False  # whether `box_area` may say that areas are the source's own
    in_pixels: bool = False  # whether it takes pixels, so that it is unknown of boxes in shares of the image

    def of_source(self, rules: parts.Overlap) -> bool:
        """Whether areas are those of the source instead of those of the shapes."""
        return self.areas_of_source and rules.box_area == "source"

    def of_pairs(self, shared: Floats, own: Floats, other: Floats, alone: Bools) -> Floats:
        """Overlaps of pairs from what they have in common and the areas of both; of regions over `own` alone."""
        if self.direct:
            return shared
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(shared > 0, shared / np.where(alone, own, own + other - shared), 0.0)

    def as_compared(self, thresholds: Floats) -> Floats:
        """Thresholds in the precision in which overlaps are compared with them."""
        return thresholds

    def columns(self, table: Truth | Detections) -> tuple[Any, ...]:
        """What it looks at in a table; InputError where that is missing."""
        found = tuple(getattr(table, name) for name in self.needs)
        if missing := [name for name, column in zip(self.needs, found, strict=True) if column is None]:
            side = "truth" if isinstance(table, Truth) else "detections"
            expected = f"{' and '.join(self.needs)}, of which overlap={self.name} is made"
            raise InputError(table.source or side, f"no {' or '.join(missing)}", expected)
        return found
