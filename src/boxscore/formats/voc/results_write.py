"""Results of PASCAL VOC, written: a text file per class, also for classes without detections."""

from __future__ import annotations

import numpy as np

from boxscore.errors import InputError
from boxscore.formats.io.same_images import without_extension
from boxscore.formats.io.writing import Made, Writing
from boxscore.tables.model import Detections


def write_detections(detections: Detections, how: Writing) -> Made:
    """Files `comp4_det_<split>_<class>.txt` with lines `<image> <score> <xmin> <ymin> <xmax> <ymax>`."""
    source = detections.source
    if detections.relative:
        found = "normalized boxes, and the image size is unknown"
        raise InputError(source, found, "image sizes, for boxes in pixels")
    split = how.split or "test"
    if "_" in split or "/" in split or not split:
        raise InputError(source, f"the split {split!r}", "a name without underscores, which separate it from the class")
    names = [without_extension(key) for key in detections.images.key]
    for key, name in zip(detections.images.key, names, strict=True):
        if name.split() != [name]:
            raise InputError(source, f"the image name {key!r}", "names without white space, which separates values")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(source, f"several images {twice!r} but for the extension", "images with names of their own")
    order = np.argsort(detections.label, kind="stable")
    order = order[(detections.label[order] >= 0) & (detections.image[order] >= 0)]
    ends = np.cumsum(np.bincount(detections.label[order], minlength=len(detections.classes)))
    for k, label in enumerate(detections.classes.name):
        if not label or "/" in label or "\0" in label or not label.isprintable():
            raise InputError(source, f"the class {label!r}", "names that a file can have")
        rows = order[ends[k - 1] if k else 0 : ends[k]]
        values = np.column_stack([detections.score[rows], detections.corners[rows]]).tolist()
        lines = [
            f"{names[image]} {' '.join(map(repr, row))}\n"
            for image, row in zip(detections.image[rows].tolist(), values, strict=True)
        ]
        yield f"comp4_det_{split}_{label}.txt", "".join(lines).encode()
