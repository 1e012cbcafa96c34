"""Findings about images, classes, ids and the files that come with them."""

from __future__ import annotations

from boxscore.diagnostics.kind import Kind

NAMES = {
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
    "CLS005": Kind(
        "warning", "classes outside of PASCAL VOC's list",
        "{count} class{es} of the annotation files {are} not among the 20 of PASCAL VOC and {have} no detections "
        "({detail}); each counts as AP 0 in the mean",
        "Name the classes of the benchmark with --classes or --class-list: objects of any other are then left out.",
    ),
    "CLS010": Kind(
        "note", "classes without names",
        "the file lists no categories, so that the ids of its {count} class{es} are their names",
        "Add `categories` to the file to see names.",
    ),
    "COL001": Kind(
        "note", "columns that are not used",
        "{count} column{s} {are} not used ({detail})",
        "Leave them out, or give them one of the names that are understood.",
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
        "{count} {detail} {have} the id of a later one, which takes their place",
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
    "IMG010": Kind(
        "warning", "files listed twice",
        "{count} image{s} {have} the file name of another one ({detail}); each is evaluated on its own",
        "List every file once; detections that name files go to the first.",
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
    "LBL001": Kind(
        "warning", "labels of whole images of unlisted classes",
        "{count} label{s} of whole images {are} of classes that the truth does not list (in {detail}); left out",
        "Add the missing categories to the file, or take their ids out of the lists of the images.",
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
    "OPT001": Kind(
        "note", "file not used",
        "{detail}",
        "Leave the option out, or check that truth and detections are in the format that it belongs to.",
    ),
    "TSK001": Kind(
        "note", "images of the same name",
        "{count} image{s} {have} the name of another in the file and {are} called by subset or task, too ({detail})",
        "State the subset as the split, or name the images of the other side alike.",
    ),
}  # fmt: skip
