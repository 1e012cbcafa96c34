"""What is known of classes in whole images: which rows are of a marked class, which detections can be judged."""

from __future__ import annotations

from typing import Any

import numpy as np

from boxscore.tables.model import Bools, Detections, Ints, Mark, Truth

_VERIFIED = Mark.POSITIVE | Mark.NEGATIVE


def verified(truth: Truth, detections: Detections) -> Bools:
    """Which detections are of a class that has a box in their image, or that somebody verified to be there or not.

    Of relations, subject and object must both be of such a class, unless one of them is verified and in no relation of
    the image: then the relation is wrong, whatever the other is.
    """
    if detections.end_labels is None or truth.end_labels is None:
        return marked(truth, detections, _VERIFIED) | _in_cells(truth, detections)
    n, unlisted = len(truth.end_classes or ()), (truth.image < 0) | (truth.label < 0)
    there = np.concatenate([_pairs(truth.image, ends, n)[~unlisted] for ends in truth.end_labels.T])
    said = _marked_pairs(truth, _VERIFIED, n)
    own = np.stack([_pairs(detections.image, ends, n) for ends in detections.end_labels.T], axis=1)
    present, stated = np.isin(own, there) & (own >= 0), np.isin(own, said)
    return np.logical_or((present | stated).all(axis=1), (stated & ~present).any(axis=1))


def marked(truth: Truth, table: Truth | Detections, mark: Mark) -> Bools:
    """Which rows are of an image and class that has one of these marks."""
    n = len(truth.classes)
    return np.isin(_keys(table, n), _marked_pairs(truth, mark, n))


def _marked_pairs(truth: Truth, mark: Mark, n_classes: int) -> Ints:
    """The images and classes that have one of these marks, as numbers."""
    if truth.labels is None:
        return np.zeros(0, np.int64)
    keys = _keys(truth.labels, n_classes)
    stated: Ints = keys[((truth.labels.mark & int(mark)) != 0) & (keys >= 0)]
    return stated


def _in_cells(truth: Truth, table: Detections) -> Bools:
    """Which rows are of an image and class that has an object."""
    n = len(truth.classes)
    keys = _keys(truth, n)
    return np.isin(_keys(table, n), keys[keys >= 0])


def _keys(table: Any, n_classes: int) -> Ints:
    """A number for the image and class of each row; -1 where it has none."""
    return _pairs(table.image, table.label, n_classes)


def _pairs(image: Any, label: Any, n_classes: int) -> Ints:
    keys: Ints = image.astype(np.int64) * n_classes + label
    return np.where((image >= 0) & (label >= 0), keys, -1)
