"""What a protocol sees of the columns: roles of objects, thresholds of their own, repeated ids."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from boxscore import _core, overlaps
from boxscore.errors import UsageError
from boxscore.evaluation.maskless import maskless
from boxscore.evaluation.memo import Shared
from boxscore.protocols.parts import Matching, Roles, Treatments
from boxscore.protocols.rules import rule_fields
from boxscore.tables.keypoints import labelled_counts
from boxscore.tables.model import Bools, Flag, Floats, Ints, Truth, empty, thread_count

IGNORED, REUSABLE, VOID, ABSORBS, LAST = 1, 2, 4, 8, 16  # roles of objects in the kernel
EVERY = slice(None)
TREATED: dict[str, Flag] = {f.name: f.metadata["flag"] for f in rule_fields(Treatments) if "flag" in f.metadata}
REASONS: dict[str, str] = {f.name: f.metadata["reason"] for f in rule_fields(Treatments) if "flag" in f.metadata}


def last_of_repeated(truth: Truth) -> Ints | None:
    """For each object the row of the last object with the same annotation id; None if no id is repeated."""
    if truth.id is None or len(truth) < 2 or bool(np.all(truth.id[1:] > truth.id[:-1])):
        return None
    order = np.argsort(truth.id, kind="stable")
    ids = truth.id[order]
    ends = np.append(np.flatnonzero(ids[1:] != ids[:-1]), len(ids) - 1)
    if len(ends) == len(ids):
        return None
    last = np.empty(len(ids), np.int64)
    last[order] = np.repeat(order[ends], np.diff(ends, prepend=-1))
    return last


def rows_by_id(truth: Truth, rules: Treatments, left_out: Bools | None) -> tuple[Ints, Ints] | None:
    """The rows that the protocol sees where objects share an annotation id, and the rows that they stand for.

    None where it sees them as they are.
    """
    last = last_of_repeated(truth) if rules.repeated_ids == "last" else None
    if last is None or not len(truth.images):
        return None
    # Only listed objects that are not left out are looked up at all; what they are replaced by may be anything.
    listed = (truth.image >= 0) & (truth.label >= 0)
    asked = listed if left_out is None else listed & ~left_out
    last = np.where(asked, last, np.arange(len(truth)))
    # They are looked up image by image: an object that comes from a later image stands behind those of earlier ones.
    met = np.argsort(np.where(listed, truth.images.order[truth.image], 0), kind="stable")
    return last[met], met


def dropped_objects(truth: Truth, rules: Roles) -> Iterator[tuple[Bools, str]]:
    """Objects that the protocol leaves out for a flag or for want of a mask, and the reason."""
    for field, flag in TREATED.items():
        if getattr(rules, field) == "dropped":
            yield (truth.flags & int(flag)) != 0, f"it is {REASONS[field]}"
    if rules.maskless_objects == "dropped" and (without := maskless(truth, rules)) is not None:
        yield without, "it has no mask"


def without_keypoints(truth: Truth) -> Bools | None:
    """Objects of which no keypoint is labelled, as stated or else by the visibility; None where none has any."""
    if truth.keypoints is None:
        return None
    labelled = labelled_counts(truth.keypoints)
    if truth.labelled is not None:
        labelled = np.where(truth.labelled < 0, labelled, truth.labelled)
    return np.asarray(labelled == 0, np.bool_)


def roles(truth: Truth, rules: Roles, rows: Ints | slice = EVERY) -> npt.NDArray[np.uint8]:
    """What each object, or some of them, are for the matching: bits IGNORED, REUSABLE, VOID, ABSORBS, LAST."""
    flags = truth.flags[rows]
    role = np.zeros(len(flags), np.uint8)
    bits = {"ignored": IGNORED, "region": IGNORED | REUSABLE}
    bits["dropped"] = 0  # they are left out before
    bits["absorbs"] = ABSORBS if rules.absorbed_weight else ABSORBS | IGNORED
    if flags.any():
        for field, flag in TREATED.items():
            if (rule := getattr(rules, field)) != "ordinary":
                role[(flags & int(flag)) != 0] |= bits[rule]
    if rules.no_keypoints == "ignored" and (unposed := without_keypoints(truth)) is not None:
        role[unposed[rows]] |= IGNORED
    if rules.id_zero == "void" and truth.id is not None:
        role[truth.id[rows] == 0] |= VOID
    if (without := maskless(truth, rules)) is not None:  # those that are left out never come here
        role[without[rows]] |= LAST
    return role


def limits(truth: Truth, rules: Matching, shared: Shared | None = None, threads: int = 0) -> Floats | None:
    """What thresholds are lowered to for each object; None where they are not."""
    if not rules.iou_margin:
        return None
    # Nothing overlaps a degenerate object by more than 0: its threshold stays.

    boxes = overlaps.get(rules).in_kernel
    if boxes is None:
        raise UsageError(f"iou_margin={rules.iou_margin:g} with overlap={rules.overlap}; expected an overlap of boxes")
    how = boxes.pixel, rules.iou_margin

    def made() -> Floats:
        limit: Floats = empty(len(truth))
        _core.margin_overlaps(np.ascontiguousarray(truth.corners), *how, limit, threads=thread_count(threads))
        return limit

    return (shared or Shared()).once(("limits", *how), (truth.corners,), made)
