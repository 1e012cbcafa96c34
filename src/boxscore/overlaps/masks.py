"""Overlaps of masks: pixels in common, over the pixels of both or, for regions, of the detection alone."""

from __future__ import annotations

import numpy as np

from boxscore import _core
from boxscore.overlaps.record import Measured, Overlap
from boxscore.protocols import parts
from boxscore.tables.masks import EMPTY_RUN, Masks
from boxscore.tables.model import Bools, Detections, Floats, Ints, Truth, thread_count

WITHOUT = "Evaluate boxes instead (--protocol coco), or pass files whose records have masks or polygons."


def masks(table: Truth | Detections) -> Masks:
    """The masks of a table that has some."""
    assert table.masks is not None  # `Overlap.columns` was asked before
    return table.masks


def boxes(table: Truth | Detections) -> Floats:
    """The smallest boxes around the pixels: those that a source states may be others."""
    return masks(table).box


def pixels(table: Truth | Detections, _: parts.Overlap) -> Floats:
    """How many pixels each mask has."""
    return masks(table).area


def measure(
    detections: Detections, truth: Truth, detection: Ints, object_: Ints, _: parts.Overlap, threads: int
) -> Measured:
    """The pixels that pairs have in common; masks of different sizes have none."""
    own, other = masks(detections), masks(truth)
    shared = np.empty(len(detection))
    union = np.empty(len(detection)) if _has_empty_runs(own) or _has_empty_runs(other) else None
    intersections(own, other, detection, object_, shared, union, threads)
    if union is None:
        return Measured(shared)
    # pycocotools stops where both masks come to an empty run at once: what it has counted until then is its overlap.
    return Measured(shared, np.where(shared > 0, shared / np.where(shared > 0, union, 1.0), 0.0))


def intersections(
    own: Masks, other: Masks, detection: Ints, object_: Ints, shared: Floats, union: Floats | None, threads: int
) -> None:
    """The pixels of pairs of masks in common, and where asked, in either, into the given arrays."""
    _core.mask_intersections(
        own.runs.letters, own.runs.begin, own.runs.end, other.runs.letters, other.runs.begin, other.runs.end,
        own.size, other.size, detection, object_, shared, union, threads=thread_count(threads),
    )  # fmt: skip


def bounded(table: Truth | Detections) -> bool:
    """Whether areas bound overlaps: not where pycocotools may stop early."""
    return not _has_empty_runs(masks(table))


def _has_empty_runs(some: Masks) -> bool:
    return bool((some.fault == EMPTY_RUN).any())


def measure_pixels(
    detections: Detections, truth: Truth, detection: Ints, object_: Ints, _: parts.Overlap, threads: int
) -> Measured:
    """The pixels that pairs have in common, and nothing else."""
    shared = np.empty(len(detection))
    intersections(masks(detections), masks(truth), detection, object_, shared, None, threads)
    return Measured(shared)


class _Single(Overlap):
    """Single precision, as TensorFlow divides: unions of at least 1e-7, and 1e-7 added to the area of a detection."""

    def of_pairs(self, measured: Measured, own: Floats, other: Floats, alone: Bools) -> Floats:
        both, a, b = (values.astype(np.float32) for values in (measured.shared, own, other))
        least = np.float32(1e-7)
        return (both / np.where(alone, a + least, np.maximum(a + b - both, least))).astype(np.float64)


# Masks are pixels even where boxes are in normalized coordinates.
MASK = Overlap("mask", measure, pixels, needs=("masks",), bounds=boxes, bounded=bounded, instead=WITHOUT)
SINGLE = _Single("mask-single", measure_pixels, pixels, needs=("masks",), bounds=boxes, rounded=True, instead=WITHOUT)
