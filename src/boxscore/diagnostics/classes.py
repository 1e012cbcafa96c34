"""Classes: their names and numbers, and maps between them."""

from __future__ import annotations

from boxscore.diagnostics.kind import Kind

CLASSES = (
    Kind(
        "CLS001", "warning", "detections of unknown classes",
        says="{count} detection{s} {are} of classes that the truth does not list ({detail})",
        advice="Check that class ids are not shifted or of another list (COCO's 80 and 91).",
    ),
    Kind(
        "CLS002", "warning", "repeated class names",
        says="{count} class{es} {have} the name of another one ({detail}); each is evaluated on its own",
        advice="Merge the classes, or give them different names.",
        aliases=("CLS107",),
    ),
    Kind(
        "CLS003", "warning", "labels unknown to the hierarchy",
        says="{count} label{s} of boxes or images {are} not in the hierarchy and {have} no classes above ({detail})",
        advice="Check that the hierarchy is of the same release; the official expansion stops at such a label.",
    ),
    Kind(
        "CLS004", "note", "classes that may be the same",
        says="{count} class name{s} unlike the truth's may mean the same; nothing was changed. As lines of a file for "
        "--map-classes: {detail}",
        advice="Look at each line, and give the file with --map-classes if they are right.",
    ),
    Kind(
        "CLS005", "warning", "classes outside of PASCAL VOC's list",
        says="{count} class{es} of the annotation files {are} not among the 20 of PASCAL VOC and {have} no detections "
        "({detail}); each counts as AP 0 in the mean",
        advice="Name the classes of the benchmark with --class-list: objects of any other are then left out.",
    ),
    Kind(
        "CLS006", "note", "category ids counted otherwise",
        says="{detail}",
        advice="Ultralytics counts labels from 0 and predictions.json from 1; if that is not so here, name the classes "
        "with --detections-classes or --map-classes.",
    ),
    Kind(
        "CLS010", "note", "classes without names",
        says="the file lists no categories, so that the ids of its {count} class{es} are their names",
        advice="Add `categories` to the file to see names.",
    ),
    Kind(
        "CLS101", "error", "class numbers shifted",
        about="Classes are counted from 0 on one side and from 1 on the other.",
    ),
    Kind(
        "CLS102", "error", "COCO's 80 and 91 classes mixed up",
        about="COCO's ids go from 1 to 90 with gaps; networks count 80 classes without gaps.",
    ),
    Kind(
        "CLS103", "error", "classes in another order",
        about="The two sides number their classes by different lists.",
    ),
    Kind(
        "CLS104", "warning", "class names written differently",
        about="Names that differ in case, hyphens or by a synonym do not join.",
    ),
    Kind(
        "CLS105", "note", "classes without objects",
        about="A class that is listed and has no object has no AP.",
    ),
    Kind(
        "CLS106", "warning", "detections of classes without objects",
        about="They cannot be true, and most protocols skip such classes.",
    ),
    Kind(
        "MAP001", "note", "classes renamed by the class map",
        says="{count} detection{s} {were} renamed by the class map ({detail})",
        advice="This is what --map-classes asked for.",
    ),
    Kind(
        "MAP002", "note", "lines of the class map without use",
        says="{count} class{es} of the class map {are} not among the detections ({detail})",
        advice="Names stand as `detections name = truth name`; check the spelling if detections of that class exist.",
    ),
    Kind(
        "MAP003", "warning", "classes of the class map unknown to the truth",
        says="{count} class{es} that the class map names {are} not in the truth ({detail})",
        advice="Names stand as `detections name = truth name`; check the spelling of the second one.",
    ),
)  # fmt: skip
