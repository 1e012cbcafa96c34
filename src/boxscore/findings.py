"""What the input can have that a user should know of: stable codes, texts, and how to mend it."""

from __future__ import annotations

from typing import NamedTuple

from boxscore.ledger import Finding


class Kind(NamedTuple):
    """A kind of finding; `text` has the places {count}, {detail}, and for the grammar {s}, {are}, {have}."""

    severity: str
    title: str
    text: str
    advice: str


KINDS: dict[str, Kind] = {
    "BOX001": Kind(
        "warning", "boxes without extent",
        "{count} {detail} {have} a width or height of zero or less",
        "Often corners were written where width and height belong, or the other way round.",
    ),
    "BOX002": Kind(
        "warning", "records without a box",
        "{count} {detail} {have} no box and {were} rejected",
        "A record with `bbox: null` cannot be matched; delete it or give it a box.",
    ),
    "BOX003": Kind(
        "note", "form of the boxes inferred",
        "{detail}: read as x y width height, because as corners {count} box{es} would end before beginning",
        "State it with --box to be sure.",
    ),
    "BOX004": Kind(
        "note", "statement not used",
        "{detail}",
        "A format that says how its boxes are written is read that way; truth_box and detections_box overrule COCO's.",
    ),
    "BOX005": Kind(
        "warning", "relative boxes under rules in pixels",
        "the boxes of {count} object{s} are shares of the image, and {detail} of this protocol count in pixels",
        "Use a protocol without such rules (tf-voc, openimages-v2, …), or boxes in pixels.",
    ),
    "BOX010": Kind(
        "note", "boxes made of shapes",
        "{count} {detail} {have} no box but a mask, polygons or keypoints; the box around them was taken",
        "State `bbox` to be sure.",
    ),
    "ID001": Kind(
        "warning", "annotation id 0",
        "{count} object{s} {have} annotation id 0, which pycocotools never matches; `coco` reproduces that",
        "Number annotations from 1, or use the protocol `coco-fixed`.",
    ),
    "ID002": Kind(
        "warning", "repeated annotation ids",
        "{count} object{s} {have} the annotation id of a later one, which pycocotools and `coco` put in place of both",
        "Give every annotation an id of its own, or use the protocol `coco-fixed`.",
    ),
    "ID003": Kind(
        "warning", "repeated image or category ids",
        "{count} {detail} {have} the id of an earlier one and {are} left out",
        "Give every image and every category an id of its own.",
    ),
    "ID004": Kind(
        "note", "ids written as text",
        "{count} id{s} {are} text where numbers are usual ({detail}); read as numbers",
        "Write ids without quotes.",
    ),
    "IMG001": Kind(
        "warning", "detections on unknown images",
        "{count} detection{s} {are} on images that the truth does not list ({detail})",
        "Check that both sides are of the same split and name images alike.",
    ),
    "IMG002": Kind(
        "note", "images joined without folder or extension",
        "{count} image name{s} unlike the truth's in folder or extension only {were} joined ({detail})",
        "Name images alike on both sides to be sure.",
    ),
    "IMG010": Kind(
        "warning", "files listed twice",
        "{count} image{s} {have} the file name of another one ({detail}); each is evaluated on its own",
        "List every file once; detections that name files go to the first.",
    ),
    "CLS001": Kind(
        "warning", "detections of unknown classes",
        "{count} detection{s} {are} of classes that the truth does not list ({detail})",
        "Check that class ids are not shifted or of another list (COCO's 80 and 91).",
    ),
    "CLS002": Kind(
        "warning", "repeated class names",
        "{count} class{es} {have} the name of another one ({detail}); each is evaluated on its own",
        "Merge the classes, or give them different names.",
    ),
    "CLS003": Kind(
        "warning", "labels unknown to the hierarchy",
        "{count} label{s} of boxes or images {are} not in the hierarchy and {have} no classes above ({detail})",
        "Check that the hierarchy is of the same release; the official expansion stops at such a label.",
    ),
    "CLS010": Kind(
        "note", "classes without names",
        "the file lists no categories, so that the ids of its {count} class{es} are their names",
        "Add `categories` to the file to see names.",
    ),
    "LBL001": Kind(
        "warning", "labels of whole images of unlisted classes",
        "{count} label{s} of whole images {are} of classes that the truth does not list (in {detail}); left out",
        "Add the missing categories to the file, or take their ids out of the lists of the images.",
    ),
    "COL001": Kind(
        "note", "columns that are not used",
        "{count} column{s} {are} not used ({detail})",
        "Leave them out, or give them one of the names that are understood.",
    ),
    "OBJ001": Kind(
        "warning", "objects of unlisted images or classes",
        "{count} object{s} {are} of an image or a class that the truth does not list",
        "Add the missing images or categories to the file.",
    ),
    "CAP001": Kind(
        "note", "detections beyond the cap",
        "{count} detection{s} {are} beyond the {detail} best of an image and class and {were} not looked at",
        "Raise the cap with --max-detections to see what they change.",
    ),
    "OPT001": Kind(
        "note", "file not used",
        "{detail}",
        "Leave the option out, or check that truth and detections are in the format that it belongs to.",
    ),
    "DET001": Kind(
        "warning", "no detections",
        "there are no detections, so nothing is found",
        "Check that the file is the one that you meant.",
    ),
}  # fmt: skip


_ONE = {"objects": "object", "detections": "detection", "images": "image", "categories": "category"}
_GRAMMAR = {"s": ("", "s"), "es": ("", "es"), "are": ("is", "are"), "have": ("has", "have"), "were": ("was", "were")}


def finding(code: str, count: int, detail: str = "") -> Finding:
    """A finding of the given kind.

    >>> finding("BOX001", 1, "objects").text
    '1 object has a width or height of zero or less'
    """
    kind, one = KINDS[code], count == 1
    words = {place: forms[0 if one else 1] for place, forms in _GRAMMAR.items()}
    text = kind.text.format(count=f"{count:,}", detail=_ONE.get(detail, detail) if one else detail, **words)
    return Finding(code, kind.severity, count, text)
