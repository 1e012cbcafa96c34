"""Masks, polygons and keypoints: whether they agree with their boxes, their areas and their images."""

from __future__ import annotations

from boxscore.diagnostics.kind import Kind

SHAPES = (
    Kind(
        "SHP001", "warning", "masks of another size than the image",
        says="{count} {detail} {have} a mask whose height and width are not those of the image",
        about="Masks of different sizes have no pixel in common, so such a mask can match nothing.",
        advice="Resize masks to the image before they are encoded; check that size is [height, width].",
    ),
    Kind(
        "SHP002", "warning", "empty masks",
        says="{count} {detail} {have} a mask without a single pixel",
        about="An empty mask matches nothing: it is a missed object, or a false positive.",
        advice="Leave such records out; polygons thinner than a pixel are drawn as nothing, too.",
    ),
    Kind(
        "SHP101", "warning", "masks beside their boxes",
        about="The box of a record is not the one around its mask or polygons: one of them is of another object, "
        "another size of the image, or another order of the coordinates.",
    ),
    Kind(
        "SHP102", "note", "polygons that cross themselves",
        about="Where the outline of a polygon crosses itself, what is inside depends on who draws it.",
    ),
    Kind(
        "SHP103", "warning", "polygons of less than three corners",
        about="A polygon of one or two corners has nothing inside, and is drawn as nothing.",
    ),
    Kind(
        "SHP104", "warning", "areas of neither mask nor box",
        about="COCO's size ranges go by the `area` of the annotation, and this one is neither that of the mask nor "
        "that of the box: objects are counted as small, medium or large by a number of something else.",
    ),
    Kind(
        "SHP105", "warning", "keypoints outside of the image",
        about="Labelled points lie outside of their image: x and y exchanged, normalized, or of another size.",
    ),
    Kind(
        "SHP106", "note", "keypoints far outside of their box",
        about="Points lie outside of the box by more than half of its side: points of another object, or another box.",
    ),
    Kind(
        "SHP107", "warning", "shapes that cannot be read",
        about="Boxes are sound, and masks, polygons or keypoints are not: an evaluation of boxes can go on, one of "
        "shapes cannot.",
    ),
)  # fmt: skip
