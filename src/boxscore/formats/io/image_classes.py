"""The class of each image, one per line, as ImageNet's ground truth of classification and localisation has it."""

from __future__ import annotations

from dataclasses import replace
from os import PathLike

import numpy as np

from boxscore.errors import InputError, first_few
from boxscore.formats.io.delimited import lines_of
from boxscore.formats.io.source import open_source
from boxscore.tables.model import ImageLabels, Mark, Truth


def read_image_classes(path: str | PathLike[str], truth: Truth) -> ImageLabels:
    """Which class each image of the truth is said to show: its number or its name, in the order of the images."""
    source = open_source(path)
    words = [line.strip() for line in lines_of(source) if line.strip()]
    if len(words) != len(truth.images):
        found = f"{len(words):,} lines for {len(truth.images):,} images"
        raise InputError(source.name, found, "the class of each image on a line", "An image_list gives their order.")
    known = {name: k for k, name in enumerate(truth.classes.name)}
    known.update({str(key): k for k, key in enumerate(truth.classes.id)})
    unknown = dict.fromkeys(word for word in words if word not in known)
    if unknown:
        line = words.index(next(iter(unknown))) + 1
        found = f"{len(unknown):,} unknown class{'es' if len(unknown) > 1 else ''} ({first_few(unknown, len(unknown))})"
        raise InputError(f"{source.name}:{line}", found, "a class of the truth, or its number in the class_list")
    label = np.array([known[word] for word in words], np.int32)
    mark = np.full(len(label), int(Mark.POSITIVE), np.uint8)
    return ImageLabels(np.arange(len(label), dtype=np.int32), label, mark)


def with_labels(truth: Truth, more: ImageLabels) -> Truth:
    """The truth with further statements about images, after those that it has."""
    parts = [more] if truth.labels is None else [truth.labels, more]
    columns = (np.concatenate([getattr(part, name) for part in parts]) for name in ("image", "label", "mark"))
    return replace(truth, labels=ImageLabels(*columns))
