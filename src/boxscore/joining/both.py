"""Both sides, read and joined: the only way from paths or arrays to tables over the same images and classes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from boxscore.diagnostics.findings import Finding
from boxscore.formats.io.options import ReadOptions
from boxscore.joining.align import Aligned, align
from boxscore.joining.geometry import with_geometry
from boxscore.joining.read import read_detections, read_truth
from boxscore.joining.units import in_one_unit
from boxscore.tables.model import Detections, Truth


@dataclass(frozen=True, eq=False)
class Joined:
    """Both sides in one unit, what is odd about them, and (`aligned`) joined when asked."""

    truth: Truth
    detections: Detections
    findings: tuple[Finding, ...]
    options: ReadOptions

    @cached_property
    def aligned(self) -> Aligned:
        """Both sides over the same images and classes; raises InputError where they have nothing in common."""
        how = self.options
        return with_geometry(align(self.truth, self.detections), how.needs, how.shapes, how.threads)


@dataclass(frozen=True, eq=False)
class Both:
    """Both sides as they were read, perhaps in different units, and what is odd about them."""

    truth: Truth
    detections: Detections
    findings: tuple[Finding, ...]
    options: ReadOptions

    def joined(self) -> Joined:
        """Both sides in one unit; raises InputError where image sizes are missing for that."""
        truth, detections, more = in_one_unit(self.truth, self.detections, self.options)
        return Joined(truth, detections, (*self.findings, *more), self.options)


def read_both(truth: Any, detections: Any, options: ReadOptions) -> Joined:
    """Both sides behind paths, tables, COCO values or arrays, read and joined.

    >>> truth = [{"boxes": [[0, 0, 10, 10]], "labels": [1]}]
    >>> found = [{"boxes": [[0, 0, 10, 9]], "labels": [1], "scores": [0.9]}]
    >>> read_both(truth, found, ReadOptions(box="xyxy")).aligned.account.matched
    1
    """
    return read_beside(read_truth(truth, options), detections, options).joined()


def read_beside(truth: tuple[Truth, list[Finding]], detections: Any, options: ReadOptions) -> Both:
    """Detections beside what `read_truth` gave: commands read it once for several detection sets, and say so first."""
    table, findings = truth
    found, more = read_detections(detections, options, table)
    return Both(table, found, (*findings, *more), replace(options, tell=None))  # whose progress ends with the reading
