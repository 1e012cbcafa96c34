"""Images: their names, their sizes, which of them both sides have."""

from __future__ import annotations

from boxscore.diagnostics.kind import Kind

IMAGES = (
    Kind(
        "IMG001", "warning", "detections on unknown images",
        says="{count} detection{s} {are} on images that the truth does not list ({detail})",
        advice="Check that both sides are of the same split and name images alike.",
    ),
    Kind(
        "IMG002", "note", "images joined by rule",
        says="{count} image name{s} {were} joined with the truth's, compared {detail}",
        advice="Name images alike on both sides to be sure.",
    ),
    Kind(
        "IMG003", "warning", "images in doubt",
        says="{count} image name{s} {were} not joined with the truth's, because several names are alike ({detail})",
        advice="Write the folders of both sides so that each image is named by its whole path, or give one split "
        "alone.",
    ),
    Kind(
        "IMG004", "warning", "repeated image names",
        says="{count} image{s} of the truth {have} the name of another one ({detail}); detections by name go to the "
        "first",
        advice="Name images with their folders.",
    ),
    Kind(
        "IMG005", "warning", "images of another split",
        says="{count} image name{s} {are} like the truth's in a folder of another split and {were} not joined "
        "({detail})",
        advice="Compare the same split on both sides; images of different splits often have the same names.",
    ),
    Kind(
        "IMG010", "warning", "files listed twice",
        says="{count} image{s} {have} the file name of another one ({detail}); each is evaluated on its own",
        advice="List every file once; detections that name files go to the first.",
    ),
    Kind(
        "IMG020", "note", "unannotated images",
        says="{count} image{s} {are} marked as not visited and {have} no objects; left out ({detail})",
        advice="Visit them in the annotation tool if they are without objects: then they count.",
    ),
    Kind(
        "IMG021", "note", "annotation files that name another image",
        says="{count} annotation file{s} {have} the name of another image inside ({detail}); the file's own name "
        "counts",
        advice="Often files were renamed and their content was not; check that they lie beside the right images.",
    ),
    Kind(
        "IMG101", "error", "image numbers shifted",
        about="Image numbers of the two sides differ by a constant.",
    ),
    Kind(
        "IMG102", "error", "images named differently",
        about="The two sides name images by different rules: numbers, stems, paths.",
    ),
    Kind(
        "IMG103", "error", "detections on the neighbouring image",
        about="Image numbers fit, and boxes are those of another image.",
    ),
    Kind(
        "IMG104", "warning", "detections on some images only",
        about="Many images with objects have no detection at all.",
    ),
    Kind(
        "IMG105", "error", "another split",
        about="Truth and detections are of different parts of the data set.",
    ),
    Kind(
        "IMG107", "warning", "images of the training set",
        about="Images of the validation set also occur in the training set.",
    ),
    Kind(
        "IMG108", "error", "boxes of other images",
        about="Boxes fit their own image no better than any other: another split, other numbers, or a detector that "
        "has learnt nothing.",
    ),
    Kind(
        "SIZ001", "warning", "image sizes that disagree",
        says="{count} image{s} {have} another size in the annotation than {detail}; the annotation counts",
        about="Sizes that fit once width and height are exchanged are SIZ002.",
        advice="Boxes may be those of a resized image; check a few.",
        aliases=("IMG106",),
    ),
    Kind(
        "SIZ002", "warning", "sizes before rotation",
        says="{count} image{s} {have} in the annotation the size that the file has before its EXIF rotation ({detail})",
        advice="Boxes drawn on the rotated image do not fit such a size; check how the images were shown to "
        "annotators.",
    ),
    Kind(
        "SIZ003", "warning", "image files without a readable header",
        says="the size of {count} image file{s} cannot be read ({detail})",
        advice="Check that the files are complete images.",
    ),
    Kind(
        "SIZ004", "warning", "relative boxes of unknown size",
        says="{count} detection{s} {are} on images that the truth does not list and whose size is not known "
        "({detail}); their boxes stay normalized",
        advice="Give the sizes with --images or --sizes where such detections count.",
    ),
    Kind(
        "NEG001", "note", "images without a file of labels",
        says="{count} image{s} without a file of labels {are} taken to have no objects ({detail})",
        advice="Write an empty file for an image without objects, so that a lost file can be told from it.",
    ),
    Kind(
        "TSK001", "note", "images of the same name",
        says="{count} image{s} {have} the name of another in the file and {are} called by subset or task, too "
        "({detail})",
        advice="State the subset as the split, or name the images of the other side alike.",
    ),
)  # fmt: skip
