"""Objects and detections: their ids, what is there twice, what annotators may have missed."""

from __future__ import annotations

from boxscore.diagnostics.kind import Kind

OBJECTS = (
    Kind(
        "ID001", "warning", "annotation id 0",
        says="{count} object{s} {have} annotation id 0, which pycocotools never matches; `coco` reproduces that",
        advice="Number annotations from 1, or use the protocol `coco-fixed`.",
        aliases=("ID101",),
    ),
    Kind(
        "ID002", "warning", "repeated annotation ids",
        says="{count} object{s} {have} the annotation id of a later one, which pycocotools and `coco` put in place of "
        "both",
        advice="Give every annotation an id of its own, or use the protocol `coco-fixed`.",
        aliases=("ID102",),
    ),
    Kind(
        "ID003", "warning", "repeated image or category ids",
        says="{count} {detail} {have} the id of a later one, which takes their place",
        advice="Give every image and every category an id of its own.",
    ),
    Kind(
        "ID004", "note", "ids written as text",
        says="{count} id{s} {are} text where numbers are usual ({detail}); read as numbers",
        advice="Write ids without quotes.",
    ),
    Kind(
        "OBJ001", "warning", "objects of unlisted images or classes",
        says="{count} object{s} {are} of an image or a class that the truth does not list",
        advice="Add the missing images or categories to the file.",
    ),
    Kind(
        "DET001", "warning", "no detections",
        says="there are no detections, so nothing is found",
        advice="Check that the file is the one that you meant.",
    ),
    Kind(
        "DUP101", "warning", "detections twice",
        about="The same box of the same class twice: results were appended to a file that was there.",
    ),
    Kind(
        "DUP102", "warning", "objects twice",
        about="Objects of a class that lie on each other almost exactly: annotated twice.",
    ),
    Kind(
        "SAM101", "warning", "detections are the truth",
        about="Every detection is exactly an object: the truth was evaluated against itself.",
    ),
    Kind(
        "LBL001", "warning", "labels of whole images of unlisted classes",
        says="{count} label{s} of whole images {are} of classes that the truth does not list (in {detail}); left out",
        advice="Add the missing categories to the file, or take their ids out of the lists of the images.",
    ),
    Kind(
        "LBL101", "note", "objects without annotation",
        about="Confident detections where nothing is annotated.",
    ),
    Kind(
        "LBL102", "note", "doubtful classes",
        about="Confident detections on objects of another class.",
    ),
    Kind(
        "LBL103", "note", "loose boxes",
        about="Objects whose box confident detections agree to place elsewhere.",
    ),
)  # fmt: skip
