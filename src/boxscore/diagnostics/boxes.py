"""Findings about boxes, sizes, scores and how they were read."""

from __future__ import annotations

from boxscore.diagnostics.kind import Kind

BOXES = {
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
        "warning", "normalized boxes without image sizes",
        "boxes are normalized and image sizes are unknown, but {detail} of this protocol count in pixels: they are n/a",
        "Give the sizes with --images, --sizes or --image-size (images=, sizes=, image_size= in Python), or use a "
        "protocol that does not count in pixels (tf-voc, openimages-v2, …).",
    ),
    "BOX006": Kind(
        "note", "form of the boxes inferred",
        "{detail}: read as corners, because as x y width height {count} box{es} would leave the image",
        "State it with --box to be sure.",
    ),
    "BOX007": Kind(
        "note", "whole pixels restored",
        "{count} boxes of {detail} are shares of the image that make whole pixels but for their last digits, and were "
        "read as whole pixels",
        "Write boxes in pixels, or shares with all their digits.",
    ),
    "BOX010": Kind(
        "note", "boxes made of shapes",
        "{count} {detail} {have} no box but a mask, polygons or keypoints; the box around them was taken",
        "State `bbox` to be sure.",
    ),
    "BOX020": Kind(
        "note", "boxes taken as relative",
        "{detail}: all numbers of {count} box{es} lie between 0 and 1, so they were read as shares of the image size",
        "State it with --coords to be sure.",
    ),
    "CAP001": Kind(
        "note", "detections beyond the cap",
        "{count} detection{s} {are} beyond the {detail} best of an image and class and {were} not looked at",
        "Raise the cap with --max-detections to see what they change.",
    ),
    "CNF001": Kind(
        "note", "place of the confidence inferred",
        "{detail}",
        "State it with --confidence to be sure.",
    ),
    "DET001": Kind(
        "warning", "no detections",
        "there are no detections, so nothing is found",
        "Check that the file is the one that you meant.",
    ),
    "FIL001": Kind(
        "warning", "pipes, sockets and devices in a folder",
        "{count} pipe{s}, socket{s} or device{s} in a folder {were} not opened ({detail})",
        "Take them out of the folder, or give a pipe on its own as the path to read.",
    ),
    "FMT001": Kind(
        "note", "format inferred",
        "{detail}",
        "State it with --truth-format or --detections-format to be sure; `boxscore formats PATH` says what else fits.",
    ),
    "NEG001": Kind(
        "note", "images without a file of labels",
        "{count} image{s} without a file of labels {are} taken to have no objects ({detail})",
        "Write an empty file for an image without objects, so that a lost file can be told from it.",
    ),
    "OBJ001": Kind(
        "warning", "objects of unlisted images or classes",
        "{count} object{s} {are} of an image or a class that the truth does not list",
        "Add the missing images or categories to the file.",
    ),
    "REC001": Kind(
        "warning", "invalid records left out",
        "{count} invalid record{s} {were} left out ({detail})",
        "Correct the records; without --skip-invalid the file is refused.",
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
}  # fmt: skip
