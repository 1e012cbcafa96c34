"""The kinds of mistakes that the doctor knows: a stable code, how grave it is, how it comes about."""

from __future__ import annotations

from typing import NamedTuple

SEVERITIES = ("error", "warning", "note")  # the gravest first


class Kind(NamedTuple):
    """A kind of mistake: how grave it is, what it is called, how it comes about and what it does."""

    severity: str
    title: str
    text: str


KINDS: dict[str, Kind] = {
    "BOX101": Kind(
        "error", "axes swapped",
        "x and y changed places, as in [y1, x1, y2, x2] of TensorFlow.",
    ),
    "BOX102": Kind(
        "error", "corners read as width and height",
        "The file holds x1 y1 x2 y2, and its boxes were read as x y width height.",
    ),
    "BOX103": Kind(
        "error", "width and height read as corners",
        "The file holds x y width height, and its boxes were read as x1 y1 x2 y2.",
    ),
    "BOX104": Kind(
        "error", "centres read as corners",
        "The file holds centre, width, height; the centre was read as the top left.",
    ),
    "BOX105": Kind(
        "error", "corners read as centres",
        "The file holds x y width height; the top left was read as the centre.",
    ),
    "BOX106": Kind(
        "error", "normalised boxes",
        "Boxes are shares of the image (0 to 1), and were read as pixels.",
    ),
    "BOX107": Kind(
        "error", "boxes in percent",
        "Boxes are percent of the image (0 to 100), and were read as pixels.",
    ),
    "BOX108": Kind(
        "error", "boxes of the letterboxed image",
        "Boxes are those of the network's input, an image scaled and padded to a square; undo both.",
    ),
    "BOX109": Kind(
        "error", "boxes of a resized image",
        "Boxes are those of an image of another size; scale them back.",
    ),
    "BOX110": Kind(
        "warning", "boxes off by one",
        "Boxes of one side lie a pixel beside those of the other: pixels are counted from 0 on one side, from 1 "
        "on the other.",
    ),
    "BOX111": Kind(
        "error", "y axis upside down",
        "y is counted from the bottom of the image.",
    ),
    "BOX112": Kind(
        "warning", "boxes without extent",
        "A width or height of zero or less can match nothing.",
    ),
    "BOX113": Kind(
        "warning", "boxes outside of the image",
        "Boxes end beyond the image; often its size or theirs is wrong.",
    ),
    "BOX114": Kind(
        "error", "x axis mirrored",
        "x is counted from the right of the image: a flipped image was annotated.",
    ),
    "BOX115": Kind(
        "error", "columns permuted",
        "x1 y1 x2 y2 stand under the names XMin XMax YMin YMax, so that most boxes end before they begin.",
    ),
    "BOX116": Kind(
        "error", "pixels in a relative format",
        "The format holds shares of the image (0 to 1), and the file has pixels, as many converters write.",
    ),
    "CLS101": Kind(
        "error", "class numbers shifted",
        "Classes are counted from 0 on one side and from 1 on the other.",
    ),
    "CLS102": Kind(
        "error", "COCO's 80 and 91 classes mixed up",
        "COCO's ids go from 1 to 90 with gaps; networks count 80 classes without gaps.",
    ),
    "CLS103": Kind(
        "error", "classes in another order",
        "The two sides number their classes by different lists.",
    ),
    "CLS104": Kind(
        "warning", "class names written differently",
        "Names that differ in case, hyphens or by a synonym do not join.",
    ),
    "CLS105": Kind(
        "note", "classes without objects",
        "A class that is listed and has no object has no AP.",
    ),
    "CLS106": Kind(
        "warning", "detections of classes without objects",
        "They cannot be true, and most protocols skip such classes.",
    ),
    "CLS107": Kind(
        "warning", "class names twice",
        "Two classes with one name are evaluated on their own.",
    ),
    "IMG101": Kind(
        "error", "image numbers shifted",
        "Image numbers of the two sides differ by a constant.",
    ),
    "IMG102": Kind(
        "error", "images named differently",
        "The two sides name images by different rules: numbers, stems, paths.",
    ),
    "IMG103": Kind(
        "error", "detections on the neighbouring image",
        "Image numbers fit, and boxes are those of another image.",
    ),
    "IMG104": Kind(
        "warning", "detections on some images only",
        "Many images with objects have no detection at all.",
    ),
    "IMG105": Kind(
        "error", "another split",
        "Truth and detections are of different parts of the data set.",
    ),
    "IMG106": Kind(
        "warning", "image size disagrees",
        "Annotated sizes differ from those of the images, or are rotated (EXIF).",
    ),
    "IMG107": Kind(
        "warning", "images of the training set",
        "Images of the validation set also occur in the training set.",
    ),
    "IMG108": Kind(
        "error", "boxes of other images",
        "Boxes fit their own image no better than any other: another split, other numbers, or a detector that has "
        "learnt nothing.",
    ),
    "ID101": Kind(
        "warning", "annotation id 0",
        "pycocotools never matches the object with id 0, and `coco` reproduces that.",
    ),
    "ID102": Kind(
        "warning", "annotation ids twice",
        "pycocotools knows objects by their ids: the last of equal ones counts for all.",
    ),
    "SCR101": Kind(
        "warning", "scores in percent",
        "Scores go up to 100; the order is the same, thresholds are not.",
    ),
    "SCR102": Kind(
        "warning", "all scores are equal",
        "Without scores there is no ranking, and AP means nothing.",
    ),
    "SCR103": Kind(
        "note", "scores with few digits",
        "Rounded scores make ties, whose order is arbitrary.",
    ),
    "SCR104": Kind(
        "note", "scores that are no probabilities",
        "Scores below 0 or above 1, such as logits, rank as well; thresholds differ.",
    ),
    "SCR105": Kind(
        "note", "detections cut at a score",
        "Detections below a score were left out, and AP is too low by at least so much.",
    ),
    "SCR106": Kind(
        "warning", "ties that matter",
        "Equal scores can be ranked in more than one way, and AP depends on it.",
    ),
    "SCR107": Kind(
        "error", "scores upside down",
        "Boxes with low scores are right more often: the ranking is reversed.",
    ),
    "CAP101": Kind(
        "warning", "detections cut by the cap",
        "The protocol looks at so many of an image and class only.",
    ),
    "DUP101": Kind(
        "warning", "detections twice",
        "The same box of the same class twice: results were appended to a file that was there.",
    ),
    "DUP102": Kind(
        "warning", "objects twice",
        "Objects of a class that lie on each other almost exactly: annotated twice.",
    ),
    "SAM101": Kind(
        "warning", "detections are the truth",
        "Every detection is exactly an object: the truth was evaluated against itself.",
    ),
    "LBL101": Kind(
        "note", "objects without annotation",
        "Confident detections where nothing is annotated.",
    ),
    "LBL102": Kind(
        "note", "doubtful classes",
        "Confident detections on objects of another class.",
    ),
    "LBL103": Kind(
        "note", "loose boxes",
        "Objects whose box confident detections agree to place elsewhere.",
    ),
    "LOW101": Kind(
        "warning", "score unexplained",
        "AP50 is below 0.05, or hardly any detection lies on an object, and no mistake that is known explains it.",
    ),
    "FIL101": Kind(
        "error", "another container",
        "The file is not what its name says.",
    ),
    "FIL102": Kind(
        "error", "file that cannot be read",
        "What the reader says of it stands in the text.",
    ),
}  # fmt: skip
