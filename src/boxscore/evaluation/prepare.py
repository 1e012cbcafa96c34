"""Both sides as a protocol sees them: who is left out, copied, relabelled or excused before anything is matched."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore import overlaps
from boxscore.evaluation.detection_roles import detection_roles, leaving_free
from boxscore.evaluation.kernel_inputs import dropped_objects, rows_by_id
from boxscore.evaluation.match import Matching, match
from boxscore.evaluation.memo import Shared
from boxscore.evaluation.ranking import ranks_under_caps
from boxscore.evaluation.size_ranges import resolved
from boxscore.evaluation.sizes import sizes
from boxscore.evaluation.verified import marked, verified
from boxscore.joining.align import Aligned, known_only
from boxscore.joining.merged import with_merged_classes
from boxscore.joining.tracks import as_tracks
from boxscore.protocols import Protocol
from boxscore.protocols.parts import Sizes, Tracks, Treatments
from boxscore.protocols.rules import values_of
from boxscore.tables.box_forms import count_flat
from boxscore.tables.hierarchy import expanded_labels, with_ancestors
from boxscore.tables.model import Bools, Classes, Detections, Indices, Ints, Mark, Table, Truth, select

_DEGENERATE = {"sides": "its width or height is not above zero", "size": "its size is not above zero"}
Reasons = tuple[tuple[str, int], ...]


@dataclass(frozen=True, eq=False)
class Prepared:
    """Two tables over the same images and classes, ready to be matched, and what was done to make them.

    Rows that take no part have the label -1; the reasons say how many and why. Row numbers of the tables that came in
    are in `object_row` and `detection_row`, where rows were copied or moved.
    """

    aligned: Aligned
    protocol: Protocol
    truth: Truth
    detections: Detections
    excused: npt.NDArray[np.uint8] | None = None  # roles of detections
    blacklisted: Bools | None = None  # objects that do not count
    rank: Indices | None = None  # of each detection, where caps hold for whole images or classes
    object_row: Ints | None = None
    detection_row: Ints | None = None
    objects_replaced: int = 0  # by a later object with the same id
    objects_dropped: Reasons = ()
    objects_added: Reasons = ()
    detections_dropped: Reasons = ()
    detections_added: Reasons = ()
    unlisted: int = 0  # detections on images that the truth does not list, where the protocol refuses these


def prepare(aligned: Aligned, protocol: Protocol, shared: Shared | None = None, threads: int = 0) -> Prepared:
    """Applies the rules of a protocol that come before matching."""
    shared = shared or Shared()
    if protocol.merged_classes == "merged" and aligned.truth.classes.merged is not None:
        merged = partial(with_merged_classes, aligned)
        aligned = shared.once(("merged classes",), (aligned.truth, aligned.detections), merged)
    if overlaps.get(protocol).tracks and aligned.truth.tubes is None:
        made = partial(as_tracks, aligned, protocol, threads)
        aligned = shared.once(("tracks", *values_of(protocol, Tracks)), (aligned.truth, aligned.detections), made)
    protocol = resolved(protocol, aligned.truth)
    objects, found = _Side(aligned.truth), _Side(aligned.detections)
    if protocol.hierarchy != "unused" and aligned.truth.classes.parents is not None:
        objects.copied(_with_ancestors(objects.table, shared), "copies for the classes above")
        objects.table = replace(objects.table, labels=expanded_labels(aligned.truth))
        if protocol.hierarchy == "both":
            found.copied(_with_ancestors(found.table, shared), "copies for the classes above")
    flat = None
    if protocol.flat_objects != "counted":
        flat = _flat(objects.table, protocol, protocol.flat_objects, shared)
    flat, replaced = objects.by_id(protocol, flat)
    if flat is not None:
        objects.drop(flat, _DEGENERATE[protocol.flat_objects])
    for these, reason in dropped_objects(objects.table, protocol):
        objects.drop(these, reason)

    if protocol.unlabelled_objects == "dropped" and objects.table.labels is not None:
        there = marked(objects.table, objects.table, Mark.POSITIVE)
        said = objects.table.labels.image[(objects.table.labels.mark & int(Mark.POSITIVE)) != 0]
        objects.drop(np.isin(objects.table.image, said) & ~there, "its class is not its image's label")

    if protocol.unknown_images == "dropped" and aligned.account.only_detections:
        # They are no images of this evaluation: rates per image must not count them. Other protocols that leave them
        # out get the same columns, by which they know what they share.
        columns = (aligned.truth.images, found.table.image, found.table.label)
        images, image, label = shared.once(("known images",), columns, lambda: known_only(aligned, found.table))
        found.drop(found.table.image >= aligned.known_images, "its image is not in the ground truth", label)
        objects.table = replace(objects.table, images=images)
        found.table = replace(found.table, images=images, image=image)
    if protocol.score_floor > -np.inf:
        found.drop(found.table.score <= protocol.score_floor, f"its score is not above {protocol.score_floor:g}")
    rank = None
    if protocol.max_per != "cell":
        rank = ranks_under_caps(found.table, protocol)
        if protocol.max_detections:
            what = f"over the limit of {max(protocol.max_detections)} detections per {protocol.max_per}"
            found.drop(rank >= max(protocol.max_detections), what)
    if protocol.flat_detections != "counted":
        degenerate = _flat(found.table, protocol, protocol.flat_detections, shared)
        found.drop(degenerate, _DEGENERATE[protocol.flat_detections])
    if protocol.unverified == "dropped":
        found.drop(~verified(objects.table, found.table), "its class is not verified in its image")

    excused = blacklisted = None
    if objects.table.labels is not None and protocol.not_exhaustive == "ignored":
        excused = marked(objects.table, found.table, Mark.NOT_EXHAUSTIVE)
    if objects.table.labels is not None and protocol.blacklist == "ignored":
        blacklisted = marked(objects.table, objects.table, Mark.BLACKLISTED)
        theirs = marked(objects.table, found.table, Mark.BLACKLISTED)
        excused = theirs if excused is None else excused | theirs
    leaving = leaving_free(aligned, protocol)
    if leaving is not None and found.row is not None:
        leaving = leaving[found.row]
    if protocol.classes == "agnostic":
        order = objects.as_one_class(), found.as_one_class()
        blacklisted = None if blacklisted is None else blacklisted[order[0]]
        excused = None if excused is None else excused[order[1]]
        rank = None if rank is None else rank[order[1]]
        leaving = None if leaving is None else leaving[order[1]]
    return Prepared(
        aligned,
        protocol,
        objects.table,
        found.table,
        detection_roles(excused, leaving),
        blacklisted,
        rank,
        objects.row,
        found.row,
        replaced,
        tuple(objects.dropped),
        tuple(objects.added),
        tuple(found.dropped),
        tuple(found.added),
        int((found.table.image >= aligned.known_images).sum()) if protocol.unknown_images == "undefined" else 0,
    )


class _Side:
    """A table on its way through the rules, and the account of what happened to its rows."""

    def __init__(self, table: Any) -> None:
        self.table: Any = table
        self.row: Ints | None = None
        self.dropped: list[tuple[str, int]] = []
        self.added: list[tuple[str, int]] = []

    def drop(self, these: Bools, reason: str, label: Indices | None = None) -> None:
        """Leaves rows out; `label` is what their column becomes, if it is known."""
        if not these.any():
            return
        these = these & (self.table.label >= 0) & (self.table.image >= 0)
        if count := int(these.sum()):
            label = np.where(these, np.int32(-1), self.table.label) if label is None else label
            self.table = replace(self.table, label=label)
            self.dropped.append((reason, count))

    def copied(self, made: tuple[Table, Ints], reason: str) -> None:
        table, rows = made
        if count := len(table) - len(self.table):
            self.table, self.row = table, rows if self.row is None else self.row[rows]
            self.added.append((reason, count))

    def by_id(self, rules: Treatments, left_out: Bools | None) -> tuple[Bools | None, int]:
        """Gives objects that share an id the form in which the protocol sees them.

        Returns who is left out in the order of the rows then, and how many are replaced.
        """
        seen = rows_by_id(self.table, rules, left_out)
        if seen is None:
            return left_out, 0
        rows, stands_for = seen
        self.table = replace(select(self.table, rows), position=self.table.position)
        self.row = rows if self.row is None else self.row[rows]
        # Who is replaced is nobody's replacement.
        return None if left_out is None else left_out[stands_for], len(rows) - len(np.unique(rows))

    def as_one_class(self) -> Ints:
        """Gives all rows one class; they stand in the order of their classes, as pycocotools takes them."""
        rows = np.argsort(self.table.label, kind="stable")
        table = select(self.table, rows)
        self.table = replace(
            table, classes=Classes(("object",), (1,)), label=np.where(table.label >= 0, np.int32(0), np.int32(-1))
        )
        self.row = rows if self.row is None else self.row[rows]
        return rows


def _with_ancestors(table: Table, shared: Shared) -> tuple[Table, Ints]:
    """The table with copies for the classes above, which are the same columns for every protocol that wants them."""
    columns = tuple(getattr(table, f.name) for f in fields(table))
    return shared.once(("ancestors",), columns, lambda: with_ancestors(table))


def flat_count(table: Truth | Detections, shared: Shared | None = None) -> int:
    """How many boxes have a side that is not above 0."""
    return (shared or Shared()).once(("flat",), (table.corners,), lambda: count_flat(table.corners))


def _flat(table: Truth | Detections, rules: Sizes, rule: str, shared: Shared | None) -> Bools:
    if rule == "size":
        small: Bools = ~(sizes(table, rules) > 0)
        return small
    if not flat_count(table, shared):
        return np.zeros(len(table), np.bool_)
    sides = table.corners[:, 2:] - table.corners[:, :2]
    return np.asarray((sides <= 0).any(axis=1), np.bool_)


def matched(prepared: Prepared, *, pairs: bool = False, threads: int = 0, shared: Shared | None = None) -> Matching:
    """Matches what was prepared."""
    made = match(
        prepared.truth,
        prepared.detections,
        prepared.protocol,
        excused=prepared.excused,
        blacklisted=prepared.blacklisted,
        pairs=pairs,
        threads=threads,
        shared=shared,
    )
    return made if prepared.rank is None else replace(made, rank=prepared.rank[made.row])
