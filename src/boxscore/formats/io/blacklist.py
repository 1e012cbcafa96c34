"""Blacklists of ImageNet: images, or classes in images, that are not to be evaluated."""

from __future__ import annotations

from os import PathLike

import numpy as np

from boxscore.errors import InputError
from boxscore.formats.io.delimited import Rows, lines_of, stacked, whole_numbers
from boxscore.formats.io.source import open_source
from boxscore.tables.model import ImageLabels, Indices, Mark, Truth, index_of

_EXPECTED = "<image number> <class number>, or only <image number>, on each line"


def read_blacklist(path: str | PathLike[str], truth: Truth) -> ImageLabels:
    """The rows of a blacklist: classes in images (DET), or images with all classes that they have objects of (LOC).

    Numbers are the truth's own ids; where its images have none, they count from 1. What the truth does not have is
    passed over: a list may be of a larger set.
    """
    source = open_source(path)
    width = next((len(line.split()) for line in lines_of(source) if line.strip()), 1)
    if width > 2:
        raise InputError(source.name, f"{width} values", _EXPECTED)
    parts = []
    for place, columns in Rows(source).blocks(width, _EXPECTED):
        parts.append(tuple(whole_numbers(column, place, "a number") for column in columns))
    image_number, *label_number = stacked(parts)
    known = truth.images.id if truth.images.id is not None else np.arange(1, len(truth.images) + 1)
    image = index_of(image_number, known)
    if label_number:
        label = index_of(label_number[0], _class_numbers(source.name, truth))
        kept = (image >= 0) & (label >= 0)
        return _marked(image[kept], label[kept])
    pairs = np.stack([truth.image, truth.label], axis=1)[np.isin(truth.image, image[image >= 0]) & (truth.label >= 0)]
    pairs = np.unique(pairs, axis=0)
    return _marked(pairs[:, 0], pairs[:, 1])


def _class_numbers(source: str, truth: Truth) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    ids = truth.classes.id
    if not all(isinstance(key, int) for key in ids):
        expected = "a class_list, whose numbers it uses"
        raise InputError(source, f"numbers of classes, and those of {truth.source or 'the truth'} have none", expected)
    return np.array(ids, np.int64)


def _marked(image: Indices, label: Indices) -> ImageLabels:
    return ImageLabels(image, label, np.full(len(image), int(Mark.BLACKLISTED), np.uint8))
