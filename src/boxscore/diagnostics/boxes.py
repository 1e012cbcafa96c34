"""Boxes: their form, their extent, their place in the image."""

from __future__ import annotations

from boxscore.diagnostics.kind import Kind

BOXES = (
    Kind(
        "BOX001", "warning", "boxes of zero width or height",
        says="{count} {detail} {have} a width or height of zero or less",
        about="Such a box matches nothing, unless the protocol counts pixels at both ends of it (PASCAL VOC).",
        advice="Often corners were written where width and height belong, or the other way round.",
        aliases=("BOX112",),
    ),
    Kind(
        "BOX002", "warning", "records without a box",
        says="{count} {detail} {have} no box and {were} rejected",
        advice="A record with `bbox: null` cannot be matched; delete it or give it a box.",
    ),
    Kind(
        "BOX003", "note", "form of the boxes inferred: x y width height",
        says="{detail}: read as x y width height; read as corners, {count} box{es} would have x2 < x1 or y2 < y1",
        advice="State it with --box to be sure.",
    ),
    Kind(
        "BOX004", "note", "statement not used",
        says="{detail}",
        advice="A format that says how its boxes are written is read that way; truth_box and detections_box overrule "
        "COCO's.",
    ),
    Kind(
        "BOX005", "warning", "normalized boxes without image sizes",
        says="boxes are normalized and image sizes are unknown, but {detail} of this protocol count in pixels: they "
        "are n/a",
        advice="Give the sizes with --images, --sizes or --image-size (images=, sizes=, image_size= in Python), or "
        "use a protocol that does not count in pixels (tf-voc, openimages-v2, …).",
    ),
    Kind(
        "BOX006", "note", "form of the boxes inferred: corners",
        says="{detail}: read as corners; read as x y width height, {count} box{es} would leave the image",
        advice="State it with --box to be sure.",
    ),
    Kind(
        "BOX007", "note", "whole pixels restored",
        says="{count} boxes of {detail} are normalized, make whole pixels but for their last digits, and "
        "were read as whole pixels",
        advice="Write boxes in pixels, or normalized with all their digits.",
    ),
    Kind(
        "BOX010", "note", "boxes made of shapes",
        says="{count} {detail} {have} no box but a mask, polygons or keypoints; the box around them was taken",
        advice="State `bbox` to be sure.",
    ),
    Kind(
        "BOX020", "note", "boxes taken as normalized",
        says="{detail}: all numbers of {count} box{es} lie between 0 and 1, so they were read as "
        "normalized coordinates",
        advice="State it with --coords to be sure.",
    ),
    Kind(
        "BOX101", "error", "axes swapped",
        about="x and y changed places, as in [y1, x1, y2, x2] of TensorFlow.",
    ),
    Kind(
        "BOX102", "error", "corners read as width and height",
        about="The file holds x1 y1 x2 y2, and its boxes were read as x y width height.",
    ),
    Kind(
        "BOX103", "error", "width and height read as corners",
        about="The file holds x y width height, and its boxes were read as x1 y1 x2 y2.",
    ),
    Kind(
        "BOX104", "error", "centres read as corners",
        about="The file holds centre, width, height; the centre was read as the top left.",
    ),
    Kind(
        "BOX105", "error", "corners read as centres",
        about="The file holds x y width height; the top left was read as the centre.",
    ),
    Kind(
        "BOX106", "error", "normalized boxes",
        about="Boxes are normalized (0 to 1), and were read as pixels.",
    ),
    Kind(
        "BOX107", "error", "boxes in percent",
        about="Boxes are percent of the image (0 to 100), and were read as pixels.",
    ),
    Kind(
        "BOX108", "error", "boxes of the letterboxed image",
        about="Boxes are those of the network's input, an image scaled and padded to a square; undo both.",
    ),
    Kind(
        "BOX109", "error", "boxes of a resized image",
        about="Boxes are those of an image of another size; scale them back.",
    ),
    Kind(
        "BOX110", "warning", "boxes off by one",
        about="Boxes of one side lie a pixel beside those of the other: pixels are counted from 0 on one side, from 1 "
        "on the other.",
    ),
    Kind(
        "BOX111", "error", "y axis upside down",
        about="y is counted from the bottom of the image.",
    ),
    Kind(
        "BOX113", "warning", "boxes outside of the image",
        about="Boxes end beyond the image; often its size or theirs is wrong.",
    ),
    Kind(
        "BOX114", "error", "x axis mirrored",
        about="x is counted from the right of the image: a flipped image was annotated.",
    ),
    Kind(
        "BOX115", "error", "columns permuted",
        about="x1 y1 x2 y2 stand under the names XMin XMax YMin YMax, so that most boxes end before they begin.",
    ),
    Kind(
        "BOX116", "error", "pixels in a normalized format",
        about="The format holds normalized coordinates (0 to 1), and the file has pixels, as many converters write.",
    ),
    Kind(
        "TRK001", "note", "boxes between keyframes",
        says="{count} box{es} of tracks {were} made by linear interpolation, since the file holds keyframes only",
        advice="Export with all frames to have them from the tool itself.",
    ),
    Kind(
        "TRK002", "warning", "gaps in tracks",
        says="{count} frame{s} within tracks {have} no shape, and between shapes of different kinds none can be made",
        advice="Export with all frames to have them from the tool itself.",
    ),
)  # fmt: skip
