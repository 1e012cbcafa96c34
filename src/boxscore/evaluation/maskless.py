"""Objects without a mask, where overlaps are those of masks: refused, left out, or compared by their boxes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from boxscore import overlaps
from boxscore.errors import InputError, first_few
from boxscore.overlaps.boxes import BOX
from boxscore.protocols import parts
from boxscore.tables.model import Bools, Detections, Floats, Ints, Truth

_BOXES = "Evaluate boxes instead (--protocol coco), or leave these rows out of the file"
_OBJECTS = (
    "; --set maskless_objects=dropped leaves such objects out, --set maskless_objects=boxes compares them by their "
    "boxes and ignores the detections that match them"
)


def maskless(truth: Truth, rules: parts.Overlap) -> Bools | None:
    """The objects that have no mask, or one without pixels; None where masks are not asked for, or refused if absent.

    Official codes that refuse objects without a mask take one without pixels for an object like any other.
    """
    if rules.maskless_objects == "refused" or truth.masks is None or "masks" not in overlaps.get(rules).needs:
        return None
    without: Bools = truth.masks.area == 0
    return without if without.any() else None


def demand_masks(table: Truth | Detections, taking_part: Callable[[], Ints], rules: parts.Overlap) -> None:
    """An InputError where a row that takes part has no mask, unless the protocol says what becomes of it."""
    is_truth = isinstance(table, Truth)
    if table.masks is None or "masks" not in overlaps.get(rules).needs:
        return
    if is_truth and rules.maskless_objects != "refused":
        return
    absent = table.masks.absent
    if not absent.any():
        return
    rows = taking_part()
    lost = np.sort(rows[absent[rows]])
    if not len(lost):
        return
    some = first_few((_named(table, row) for row in lost.tolist()), len(lost))
    what = "objects" if is_truth else "detections"
    actual = f"{len(lost):,} of {len(rows):,} {what} without a mask ({some})"
    expected = f"masks or polygons, which overlap={rules.overlap} needs"
    hint = f"{_BOXES}{_OBJECTS if is_truth else ''}."
    raise InputError(table.source or ("truth" if is_truth else "detections"), actual, expected, hint)


def _named(table: Truth | Detections, row: int) -> str:
    """An object by its id, or a row by its place in the source, and its image."""
    number = table.id[row] if isinstance(table, Truth) and table.id is not None else None
    which = f"row {table.position[row] + 1}" if number is None else f"id {number}"
    return f"{which} in image {table.images.key[table.image[row]]}"


def pair_overlaps(
    detections: Detections, truth: Truth, detection: Ints, object_: Ints, rules: parts.Overlap, alone: Bools,
    threads: int = 0,
) -> Floats:  # fmt: skip
    """The overlap of pairs as the matching sees it: some objects by their boxes, `alone` ones over the detection."""
    by_box = maskless(truth, rules)
    made = _measured(overlaps.get(rules), detections, truth, detection, object_, rules, alone, threads)
    if by_box is None:
        return made
    boxes = np.flatnonzero(by_box[object_])
    made[boxes] = _measured(BOX, detections, truth, detection[boxes], object_[boxes], rules, alone, threads)
    return made


def _measured(
    overlap: overlaps.Overlap, detections: Detections, truth: Truth, detection: Ints, object_: Ints,
    rules: parts.Overlap, alone: Bools, threads: int,
) -> Floats:  # fmt: skip
    measured = overlap.measure(detections, truth, detection, object_, rules, threads)
    if overlap.areas is None:
        return measured.shared
    own, other = overlap.areas(detections, rules)[detection], overlap.areas(truth, rules)[object_]
    return overlap.of_pairs(measured, own, other, alone[object_])
