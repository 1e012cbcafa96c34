"""The whole way in one function: read, align, match, tally, result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from boxscore.align import Aligned, align
from boxscore.errors import UsageError, first_few
from boxscore.findings import finding
from boxscore.formats import Reading, read_detections, read_truth
from boxscore.geometry import count_flat
from boxscore.ledger import Account, Finding, Ledger, account
from boxscore.match import IGNORED, Matching, last_of_repeated, match, roles, with_repeated_ids
from boxscore.metrics import Expression, Numbers
from boxscore.model import Detections, Flag, Truth
from boxscore.protocols import Protocol, get
from boxscore.result import Result
from boxscore.summary import wanted
from boxscore.tally import Tally


def evaluate(
    truth: Any,
    detections: Any,
    *,
    protocol: str | Protocol = "coco",
    box: str | None = None,
    classes: Sequence[str] | None = None,
    metrics: Iterable[str] = (),
    threads: int = 0,
    **reading: Any,
) -> Result:
    """Evaluates detections against truth by a protocol.

    Each side is a path, a table (`Truth`, `Detections`), a mapping of columns, or a list with one mapping per image
    (`boxes`, `labels`, `scores`, flags). Arrays need `box`: xywh, xyxy or cxcywh.

    >>> truth = [{"boxes": [[0, 0, 10, 10]], "labels": [1]}]
    >>> found = [{"boxes": [[0, 0, 10, 9]], "labels": [1], "scores": [0.9]}]
    >>> result = evaluate(truth, found, box="xyxy", protocol="coco-fixed")
    >>> result["AP50"], result["AP"]
    (1.0, 0.9)
    """
    if isinstance(classes, str):
        raise UsageError(f"classes={classes!r}; expected a list of names")
    how = Reading(box=box, classes=None if classes is None else tuple(classes), threads=threads, **reading)
    objects, findings = read_truth(truth, how)
    found, more = read_detections(detections, how, objects)
    return evaluate_tables(align(objects, found), get(protocol), [*findings, *more], metrics, threads)


def evaluate_tables(
    aligned: Aligned,
    protocol: Protocol,
    findings: Sequence[Finding] = (),
    metrics: Iterable[str] = (),
    threads: int = 0,
) -> Result:
    """Evaluates two tables that `align` has joined."""
    truth = with_repeated_ids(aligned.truth, protocol)
    detections = aligned.detections
    if protocol.unknown_images == "dropped" and aligned.account.only_detections:
        image = np.where(detections.image < aligned.known_images, detections.image, np.int32(-1))
        detections = replace(detections, image=image)
    matching = match(truth, detections, protocol, threads=threads)
    numbers = Numbers(Tally.of(matching, truth, protocol), *wanted(protocol), threads=threads)
    ledger = Ledger(
        aligned.account,
        _objects(aligned.truth, truth, protocol, numbers),
        _detections(aligned, detections, matching, numbers),
        (*findings, *_findings(aligned, matching, protocol)),
    )
    return Result.of(numbers, ledger, aligned.truth, aligned.detections, metrics)


def _objects(read: Truth, used: Truth, protocol: Protocol, numbers: Numbers) -> Account:
    """Where the objects went, at the protocol's first size range."""
    listed = (used.image >= 0) & (used.label >= 0)
    rows = []
    if not listed.all():
        rows += [
            ("dropped", "its image is not listed", int((used.image < 0).sum())),
            ("dropped", "its class is not listed", int(((used.image >= 0) & (used.label < 0)).sum())),
        ]
    role = roles(used, protocol)
    rest = listed & ((role & IGNORED) != 0)
    for flag, reason, rule in (
        (Flag.CROWD, "crowd", protocol.crowd),
        (Flag.DIFFICULT, "difficult", protocol.difficult),
        (Flag.IGNORE, "flagged with ignore", protocol.ignore_flag),
    ):
        if rule != "ordinary" and rest.any():
            these = rest & ((used.flags & int(flag)) != 0)
            rows.append(("ignored", reason, int(these.sum())))
            rest &= ~these
    to_find = int(numbers.tally.to_find[:, 0].sum())
    n_role = int((listed & ((role & IGNORED) != 0)).sum())
    outside = int(listed.sum()) - n_role - to_find
    replaced = 0
    if read is not used:
        replaced = int((with_repeated(read) != np.arange(len(read))).sum())
        rows += [
            ("dropped", "a later object has its annotation id", replaced),
            ("added", "copies of that later object", replaced),
        ]
    rejected = [("rejected", reason, count) for reason, count in read.rejected]
    total = len(read) + sum(count for _, count in read.rejected)
    size = ("ignored", f"size outside of the range '{protocol.areas[0].name}'", outside)
    return account("objects", total, [("evaluated", "", to_find), *rows, size, *rejected])


def with_repeated(truth: Truth) -> Any:
    """The row that each object is replaced by, its own where it is not."""
    last = last_of_repeated(truth)
    own = np.arange(len(truth))
    return own if last is None else np.where((truth.image >= 0) & (truth.label >= 0), last, own)


def _detections(aligned: Aligned, used: Detections, matching: Matching, numbers: Numbers) -> Account:
    """Where the detections went, at the protocol's first threshold, first size range and largest cap."""
    rows: list[tuple[str, str, int]] = []
    read, tally = aligned.detections, numbers.tally
    total = len(read) + sum(count for _, count in read.rejected)
    unlisted = int((used.image < 0).sum()) if aligned.account.only_detections else 0
    unclassed = int(((used.label < 0) & (used.image >= 0)).sum()) if aligned.unknown_classes else 0
    # All but the ignored ones are true or false positives; those of classes without objects take part in no mean.
    made, first = numbers.curves(numbers.part(Expression("AR")), drawn=False)
    judged = made.true_positives[first, 0] + made.false_positives[first, 0]
    hopeless = int(judged[tally.to_find[:, 0] == 0].sum())
    rows.append(("evaluated", "", int(judged.sum()) - hopeless))
    rows.append(
        ("ignored", "matched to an ignored object, or outside of the size range", len(tally) - int(judged.sum()))
    )
    rows.append(("ignored", "its class has no objects, so it has no AP", hopeless))
    rows.append(("dropped", f"beyond the {max(tally.protocol.max_detections, default=0)} best of its image and class",
                 int(matching.cut.sum())))  # fmt: skip
    rows.append(("dropped", "its image is not in the truth", unlisted))
    rows.append(("dropped", "its class is not in the truth", unclassed))
    rows += [("rejected", reason, count) for reason, count in read.rejected]
    return account("detections", total, rows)


def _findings(aligned: Aligned, matching: Matching, protocol: Protocol) -> list[Finding]:
    """What a user should know of this comparison."""
    truth, detections, found = aligned.truth, aligned.detections, []
    if truth.id is not None and (zeros := int((truth.id == 0).sum())):
        found.append(finding("ID001", zeros))
    if truth.id is not None and (repeated := int((with_repeated(truth) != np.arange(len(truth))).sum())):
        found.append(finding("ID002", repeated))
    for what, table in (("objects", truth), ("detections", detections)):
        flat = count_flat(table.corners)
        if flat:
            found.append(finding("BOX001", flat, what))
        if table.rejected:
            found.append(finding("BOX002", sum(count for _, count in table.rejected), what))
    if unlisted := int(((truth.image < 0) | (truth.label < 0)).sum()):
        found.append(finding("OBJ001", unlisted))
    if aligned.account.only_detections:
        names = first_few(aligned.unknown_images, aligned.account.only_detections)
        if on_unknown := int((detections.image >= aligned.known_images).sum()):
            found.append(finding("IMG001", on_unknown, names))
    if aligned.unknown_classes:
        names = first_few(aligned.unknown_classes, len(aligned.unknown_classes))
        found.append(finding("CLS001", int((detections.label < 0).sum()), names))
    if len(matching.cut) and (cut := int(matching.cut.sum())):
        found.append(finding("CAP001", cut, str(max(protocol.max_detections))))
    if not len(detections):
        found.append(finding("DET001", 0))
    return found
