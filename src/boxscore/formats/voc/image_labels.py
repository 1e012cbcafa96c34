"""The classes of whole images, which a list beside the annotations tells."""

from __future__ import annotations

from boxscore.formats.io.image_classes import read_image_classes, with_labels
from boxscore.formats.io.options import ReadOptions
from boxscore.tables.model import Truth


def with_image_labels(truth: Truth, how: ReadOptions) -> Truth:
    """The truth with the class of each image, if the user names the list."""
    return truth if how.image_labels is None else with_labels(truth, read_image_classes(how.image_labels, truth))
