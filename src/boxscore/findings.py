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
    "FMT001": Kind(
        "note", "format inferred",
        "{detail}",
        "State it with --truth-format or --detections-format to be sure; `boxscore formats PATH` says what else fits.",
    ),
    "BOX006": Kind(
        "note", "form of the boxes inferred",
        "{detail}: read as corners, because as x y width height {count} box{es} would leave the image",
        "State it with --box to be sure.",
    ),
    "CNF001": Kind(
        "note", "place of the confidence inferred",
        "{detail}",
        "State it with --confidence to be sure.",
    ),
    "BOX020": Kind(
        "note", "boxes taken as relative",
        "{detail}: all numbers of {count} box{es} lie between 0 and 1, so they were read as shares of the image size",
        "State it with --coords to be sure.",
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
        "note", "images joined by rule",
        "{count} image name{s} {were} joined with the truth's, compared {detail}",
        "Name images alike on both sides to be sure.",
    ),
    "IMG020": Kind(
        "note", "images that nobody looked at",
        "{count} image{s} {are} marked as not visited and {have} no objects; left out ({detail})",
        "Visit them in the annotation tool if they are without objects: then they count.",
    ),
    "IMG021": Kind(
        "note", "annotation files that name another image",
        "{count} annotation file{s} {have} the name of another image inside ({detail}); the file's own name counts",
        "Often files were renamed and their content was not; check that they lie beside the right images.",
    ),
    "IMG003": Kind(
        "warning", "images in doubt",
        "{count} image name{s} {were} not joined with the truth's, because several names are alike ({detail})",
        "Write the folders of both sides so that each image is named by its whole path, or give one split alone.",
    ),
    "IMG004": Kind(
        "warning", "repeated image names",
        "{count} image{s} of the truth {have} the name of another one ({detail}); detections by name go to the first",
        "Name images with their folders.",
    ),
    "IMG005": Kind(
        "warning", "images of another split",
        "{count} image name{s} {are} like the truth's in a folder of another split and {were} not joined ({detail})",
        "Compare the same split on both sides; images of different splits often have the same names.",
    ),
    "NEG001": Kind(
        "note", "images without a file of labels",
        "{count} image{s} without a file of labels {are} taken to have no objects ({detail})",
        "Write an empty file for an image without objects, so that a lost file can be told from it.",
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
    "CLS004": Kind(
        "note", "classes that may be the same",
        "{count} class name{s} unlike the truth's may mean the same; nothing was changed. As lines of a file for "
        "--map-classes: {detail}",
        "Look at each line, and give the file with --map-classes if they are right.",
    ),
    "MAP001": Kind(
        "note", "classes renamed by the class map",
        "{count} detection{s} {were} renamed by the class map ({detail})",
        "This is what --map-classes asked for.",
    ),
    "MAP002": Kind(
        "note", "lines of the class map without use",
        "{count} class{es} of the class map {are} not among the detections ({detail})",
        "Names stand as `detections name = truth name`; check the spelling if detections of that class exist.",
    ),
    "MAP003": Kind(
        "warning", "classes of the class map unknown to the truth",
        "{count} class{es} that the class map names {are} not in the truth ({detail})",
        "Names stand as `detections name = truth name`; check the spelling of the second one.",
    ),
    "SIZ001": Kind(
        "warning", "image sizes that disagree",
        "{count} image{s} {have} another size in the annotation than {detail}; the annotation counts",
        "Boxes may be those of a resized image; check a few.",
    ),
    "SIZ002": Kind(
        "warning", "sizes before rotation",
        "{count} image{s} {have} in the annotation the size that the file has before its EXIF rotation ({detail})",
        "Boxes drawn on the rotated image do not fit such a size; check how the images were shown to annotators.",
    ),
    "SIZ003": Kind(
        "warning", "image files without a readable header",
        "the size of {count} image file{s} cannot be read ({detail})",
        "Check that the files are complete images.",
    ),
    "SIZ004": Kind(
        "warning", "relative boxes of unknown size",
        "{count} detection{s} {are} on images that the truth does not list and whose size is not known ({detail}); "
        "their boxes stay shares of the image",
        "Give the sizes with --images or --sizes where such detections count.",
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
    "TRK001": Kind(
        "note", "boxes between keyframes",
        "{count} box{es} of tracks {were} made by linear interpolation, since the file holds keyframes only",
        "Export with all frames to have them from the tool itself.",
    ),
    "TRK002": Kind(
        "warning", "gaps in tracks",
        "{count} frame{s} within tracks {have} no shape, and between shapes of different kinds none can be made",
        "Export with all frames to have them from the tool itself.",
    ),
    "TSK001": Kind(
        "note", "images of the same name",
        "{count} image{s} {have} the name of another in the file and {are} called by subset or task, too ({detail})",
        "State the subset as the split, or name the images of the other side alike.",
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
