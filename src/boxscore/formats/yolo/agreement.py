"""How well boxes of YOLO detections lie on the objects of the ground truth, where that is there to ask."""

from __future__ import annotations

import numpy as np

from boxscore.formats.io.image_names import match_names
from boxscore.formats.io.iou import iou, normalized
from boxscore.formats.yolo.confidence import Overlaps
from boxscore.formats.yolo.pairs import Layout
from boxscore.tables.model import Floats, Indices, Truth

_FILES = 500  # that are looked at: enough to see which of two readings fits


def overlaps_with(truth: Truth | None, layout: Layout) -> Overlaps | None:
    """The best IoU of boxes with an object in the image of their file; None where there is nothing to compare with.

    Boxes that lie as well on the objects of the image turned upside down do so by chance, and count as on none.
    """
    if truth is None or not len(truth):
        return None
    boxes = normalized(truth)
    if boxes is None:
        return None
    keys = [key for key, path in zip(layout.keys, layout.labels, strict=True) if path is not None]
    step = max(1, len(keys) // _FILES)
    asked = range(0, len(keys), step)
    places = match_names([keys[i] for i in asked], truth.images.key).place
    rows = np.argsort(truth.image, kind="stable")
    first = np.searchsorted(truth.image[rows], np.arange(len(truth.images) + 1))
    objects = {
        i: boxes[rows[first[place] : first[place + 1]]] for i, place in zip(asked, places, strict=True) if place >= 0
    }

    def overlaps(cxcywh: Floats, file: Indices) -> Floats:
        corners = np.concatenate([cxcywh[:, :2] - cxcywh[:, 2:] / 2, cxcywh[:, :2] + cxcywh[:, 2:] / 2], axis=1)
        found = np.zeros(len(corners))
        begin = np.searchsorted(file, np.arange(len(keys) + 1))
        for i, theirs in objects.items():
            own = slice(begin[i], begin[i + 1])
            if len(theirs) and begin[i] < begin[i + 1]:
                best = iou(corners[own], theirs).max(axis=1)
                by_chance = iou(corners[own], 1 - theirs[:, [2, 3, 0, 1]]).max(axis=1)
                found[own] = np.where(by_chance < best, best, 0.0)
        return found

    return overlaps if objects else None
