"""What the input can have that a user should know of: stable codes, texts, and how to mend it."""

from __future__ import annotations

from typing import NamedTuple

from boxscore.ledger import Finding


class Kind(NamedTuple):
    """A kind of finding; `text` has the places {count} and {detail}."""

    severity: str
    title: str
    text: str
    advice: str


KINDS: dict[str, Kind] = {
    "BOX001": Kind(
        "warning", "boxes without extent",
        "{count} {detail} have a width or height of zero or less; they overlap nothing",
        "Often corners were written where width and height belong, or the other way round.",
    ),
    "BOX002": Kind(
        "warning", "records without a box",
        "{count} {detail} have no box and were rejected",
        "A record with `bbox: null` cannot be matched; delete it or give it a box.",
    ),
    "ID001": Kind(
        "warning", "annotation id 0",
        "{count} object has annotation id 0, which pycocotools never matches; `coco` reproduces that",
        "Number annotations from 1, or use the protocol `coco-fixed`.",
    ),
    "ID002": Kind(
        "warning", "repeated annotation ids",
        "{count} objects share their annotation id with a later one; pycocotools replaces them by it, and so does `coco`",
        "Give every annotation an id of its own, or use the protocol `coco-fixed`.",
    ),
    "ID003": Kind(
        "warning", "repeated image or category ids",
        "{count} {detail} repeat an id; the first one counts",
        "Give every image and every category an id of its own.",
    ),
    "ID004": Kind(
        "note", "ids written as text",
        "{count} ids are text where numbers are usual ({detail}); read as numbers",
        "Write ids without quotes.",
    ),
    "IMG001": Kind(
        "warning", "detections on unknown images",
        "{count} detections are on images that the truth does not list ({detail})",
        "Check that both sides are of the same split and name images alike.",
    ),
    "CLS001": Kind(
        "warning", "detections of unknown classes",
        "{count} detections are of classes that the truth does not list ({detail})",
        "Check that class ids are not shifted or of another list (COCO's 80 and 91).",
    ),
    "OBJ001": Kind(
        "warning", "objects of unlisted images or classes",
        "{count} objects name an image or a class that the truth does not list",
        "Add the missing images or categories to the file.",
    ),
    "CAP001": Kind(
        "note", "detections beyond the cap",
        "{count} detections are beyond the {detail} best of their image and class and were not looked at",
        "Raise the cap with --max-detections to see what they change.",
    ),
    "DET001": Kind(
        "warning", "no detections",
        "there are no detections, so nothing is found",
        "Check that the file is the one that you meant.",
    ),
}  # fmt: skip


def finding(code: str, count: int, detail: str = "") -> Finding:
    """A finding of the given kind.

    >>> finding("ID001", 1).severity
    'warning'
    """
    kind = KINDS[code]
    return Finding(code, kind.severity, count, kind.text.format(count=f"{count:,}", detail=detail))
