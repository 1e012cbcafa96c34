"""The accounts of the ledger: where objects and detections went, and what a user should know of a comparison."""

from __future__ import annotations

import numpy as np

from boxscore.diagnostics.findings import Finding, finding
from boxscore.errors import first_few
from boxscore.evaluation.detection_roles import any_excused
from boxscore.evaluation.kernel_inputs import (
    IGNORED,
    LAST,
    REASONS,
    TREATED,
    last_of_repeated,
    roles,
    without_keypoints,
)
from boxscore.evaluation.keypoint_findings import keypoint_findings
from boxscore.evaluation.ledger import Account, account
from boxscore.evaluation.maskless import maskless
from boxscore.evaluation.match import Matching
from boxscore.evaluation.memo import Shared
from boxscore.evaluation.prepare import Prepared, flat_count
from boxscore.evaluation.tally import Tally
from boxscore.formats.io.invalid import INVALID
from boxscore.formats.registry import of_table
from boxscore.joining.align import Aligned
from boxscore.joining.geometry import of_another_size
from boxscore.metrics import Numbers
from boxscore.protocols import Protocol
from boxscore.tables.model import Detections, Truth
from boxscore.tables.strings import labels


def objects_account(read: Truth, prepared: Prepared, numbers: Numbers) -> Account:
    """Where the objects went, at the protocol's first size range."""
    used, protocol = prepared.truth, prepared.protocol
    n_listed = len(numbers.tally.object_label)
    dropped = sum(count for _, count in prepared.objects_dropped)
    imageless = 0 if n_listed == len(used) else int((used.image < 0).sum())
    unclassed = len(used) - n_listed - imageless - dropped
    rows = [
        ("dropped", "its image is not listed", imageless),
        ("dropped", "its class is not listed", unclassed),
        *(("dropped", reason, count) for reason, count in prepared.objects_dropped),
    ]
    # Few objects have flags, and only these can be ignored, but for blacklisted ones and those without mask or points.
    unposed = without_keypoints(used) if protocol.no_keypoints == "ignored" else None
    others = [these for these in (prepared.blacklisted, maskless(used, protocol), unposed) if these is not None]
    some = np.flatnonzero(np.logical_or.reduce([used.flags != 0, *others]) if others else used.flags)
    role, flags = roles(used, protocol, some), used.flags[some]
    rest = (used.image[some] >= 0) & (used.label[some] >= 0)
    ignored = 0
    if prepared.blacklisted is not None:
        these = rest & prepared.blacklisted[some]
        rows.append(("ignored", "blacklisted", ignored := int(these.sum())))
        rest &= ~these
    without = rest & ((role & LAST) != 0)
    rows.append(("ignored", "no mask", int(without.sum())))
    ignored += int(without.sum())
    rest &= ~without & ((role & IGNORED) != 0)
    ignored += int(rest.sum())
    for field, flag in TREATED.items():
        if getattr(protocol, field) != "ordinary":
            these = rest & ((flags & int(flag)) != 0)
            rows.append(("ignored", REASONS[field].removeprefix("a "), int(these.sum())))
            rest &= ~these
    if unposed is not None:
        rows.append(("ignored", "without labelled keypoints", int((rest & unposed[some]).sum())))
    unsized = numbers.tally.unknown & 1  # where sizes are unknown, nobody is left out for one
    to_find = n_listed - ignored if unsized else int(numbers.tally.to_find[:, 0].sum())
    outside = n_listed - ignored - to_find
    rows.append(("ignored", f"size outside of the range '{protocol.areas[0].name}'", outside))
    rows += [
        ("dropped", "a later object has its annotation id", prepared.objects_replaced),
        ("added", "copies of that later object", prepared.objects_replaced),
        *(("added", reason, count) for reason, count in (*read.added, *prepared.objects_added)),
        *(("rejected", reason, count) for reason, count in read.rejected),
    ]
    total = len(read) - sum(count for _, count in read.added) + sum(count for _, count in read.rejected)
    return account("objects", total, [("evaluated", "", to_find), *rows])


def detections_account(aligned: Aligned, prepared: Prepared, matching: Matching, numbers: Numbers) -> Account:
    """Where the detections went, at the protocol's first threshold, first size range and largest cap."""
    read, used, tally, protocol = aligned.detections, prepared.detections, numbers.tally, prepared.protocol
    dropped = sum(count for _, count in prepared.detections_dropped)
    unlisted = 0 if len(tally) == len(used) else int((aligned.detections.image < 0).sum())
    unclassed = len(used) - len(tally) - unlisted - dropped
    # All but the ignored ones are true or false positives; those of classes without objects take part in no mean.
    made, first = numbers.curves(numbers.whole, drawn=False)
    judged = made.true_positives[first, 0] + made.false_positives[first, 0]
    pooled = protocol.empty_class == "pooled" or (protocol.averaging == "pooled" and protocol.empty_class == "zero")
    hopeless = 0 if pooled else int(judged[tally.to_find[:, 0] == 0].sum())
    excused = ", or its class is not judged in its image" if any_excused(prepared.excused) else ""
    ignored = len(tally) - matching.cut - int(judged.sum())
    if tally.unknown & 1:  # who is matched to an ignored object cannot be known either
        rows = [("evaluated", "or ignored, which cannot be told without image sizes", len(tally) - matching.cut)]
    else:
        rows = [
            ("evaluated", "", int(judged.sum()) - hopeless),
            ("ignored", f"matched to an ignored object, or outside of the size range{excused}", ignored),
            ("ignored", "its class has no objects, so it has no AP", hopeless),
        ]
    rows += [
        ("dropped", f"over the limit of {max(protocol.max_detections, default=0)} detections per image and class",
         matching.cut),
        ("dropped", "its image is not listed", unlisted),
        ("dropped", "its class is not in the ground truth", unclassed),
        *(("dropped", reason, count) for reason, count in prepared.detections_dropped),
        *(("added", reason, count) for reason, count in prepared.detections_added),
        *(("rejected", reason, count) for reason, count in read.rejected),
    ]  # fmt: skip
    return account("detections", len(read) + sum(count for _, count in read.rejected), rows)


def findings(aligned: Aligned, matching: Matching, tally: Tally, shared: Shared) -> list[Finding]:
    """What a user should know of this comparison."""
    truth, detections, protocol, found = aligned.truth, aligned.detections, tally.protocol, []
    boxes = truth.tubes is None  # ids of tracks begin anew in each video
    if boxes and truth.id is not None and (zeros := int((truth.id == 0).sum())):
        found.append(finding("ID001", zeros))
    if boxes and truth.id is not None and (repeated := _replaced(truth)):
        found.append(finding("ID002", repeated))
    for what, table in (("objects", truth), ("detections", detections)):
        flat = flat_count(table, shared)
        if flat:
            found.append(finding("BOX001", flat, what))
        if table.masks is not None:
            found += odd_masks(table, what)
        if boxless := sum(count for reason, count in table.rejected if not reason.startswith(INVALID)):
            found.append(finding("BOX002", boxless, what))
    if tally.unknown:
        ranges = [area.name for i, area in enumerate(protocol.areas) if tally.unknown >> i & 1]
        what = f"numbers of the size ranges {', '.join(ranges)}" if len(ranges) < len(protocol.areas) else "all numbers"
        found.append(finding("BOX005", 0, what))
    if unlisted := int(((truth.image < 0) | (truth.label < 0)).sum()):
        found.append(finding("OBJ001", unlisted))
    if aligned.account.only_detections:
        names = first_few(aligned.unknown_images, aligned.account.only_detections)
        if on_unknown := int((detections.image >= aligned.known_images).sum()):
            found.append(finding("IMG001" if boxes else "VID002", on_unknown, names))
    if aligned.unknown_classes:
        shown = labels([*aligned.unknown_classes, *truth.classes.name])
        names = first_few((shown[name] for name in aligned.unknown_classes), len(aligned.unknown_classes))
        found.append(finding("CLS001", int((detections.label < 0).sum()), names))
    if beyond := _beyond_benchmark(aligned):
        found.append(finding("CLS005", len(beyond), first_few(beyond, len(beyond))))
    if cut := matching.cut:
        found.append(finding("CAP001", cut, str(max(protocol.max_detections))))
    if not len(detections):
        found.append(finding("DET001", 0))
    if protocol.overlap == "keypoints":
        found += keypoint_findings(truth, detections)
    return [*found, *_of_protocol(truth, protocol)]


def odd_masks(table: Truth | Detections, what: str) -> list[Finding]:
    """Masks that can match nothing: of another size than their image, or without a pixel."""
    assert table.masks is not None
    there = ~table.masks.absent & (table.image >= 0)
    odd = {"SHP001": there & of_another_size(table), "SHP002": there & table.masks.empty}
    return [finding(code, int(rows.sum()), what) for code, rows in odd.items() if rows.any()]


def _of_protocol(truth: Truth, protocol: Protocol) -> list[Finding]:
    """What keeps the numbers from being the official ones: rules that are approximate, or have nothing to go by."""
    found = []
    if some := protocol.approximations:
        listed = "; ".join(f"{d.approximation} ({d.code})" for d in some)
        found.append(finding("PRO001", len(some), listed))
    missing = {}
    if protocol.unverified == "dropped" and truth.labels is None:
        in_images = protocol.not_exhaustive == "ignored"
        missing["image-level labels"] = "neg_category_ids of the images" if in_images else "--image-labels"
    if protocol.hierarchy != "unused" and truth.classes.parents is None:
        missing["a hierarchy"] = "--hierarchy"
    if missing:
        needs = "both" if len(missing) > 1 else "it" if "a hierarchy" in missing else "them"
        text = f"{' and without '.join(missing)}; the official number needs {needs} ({', '.join(missing.values())})"
        found.append(finding("PRO002", len(missing), text))
    return found


def _beyond_benchmark(aligned: Aligned) -> list[str]:
    """Classes that files have beside those of their benchmark, as PASCAL VOC's do, and that nobody detects."""
    truth, names = aligned.truth, aligned.truth.classes.name
    form = of_table(truth.format)
    official = set() if form is None else set(form.benchmark)
    if not official & set(names) or set(names) <= official:
        return []
    objects, detections = (
        np.bincount(t.label[t.label >= 0], minlength=len(names)) for t in (truth, aligned.detections)
    )
    return [
        name
        for k, name in enumerate(names)
        if name not in official and objects[k] and not detections[k] and detections.any()
    ]


def _replaced(truth: Truth) -> int:
    """How many objects have the annotation id of a later one."""
    last = last_of_repeated(truth)
    if last is None:
        return 0
    return int(((truth.image >= 0) & (truth.label >= 0) & (last != np.arange(len(truth)))).sum())
