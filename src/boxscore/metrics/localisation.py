"""One object per image: top-k errors, and correct localisation of the surest detection."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from boxscore.evaluation.prepare import matched, prepare
from boxscore.metrics.expression import Expression
from boxscore.metrics.numbers import Numbers, mean_of_defined
from boxscore.metrics.registry import LOWER, metric
from boxscore.tables.model import Bools, Floats, Indices


@metric("LocError", keys=("iou", "area", "max"), better=LOWER)
def localisation_error(numbers: Numbers, e: Expression) -> float:
    """Share of the images with objects in which none of the k best detections finds one."""
    tally, part, threshold = numbers.tally, numbers.part(e), numbers.thresholds(e, every=False)[0]
    bit = tally.hits.dtype.type(1 << threshold)
    hit = ((tally.hits[:, part.area] & bit) != 0) & (tally.rank < part.cap)
    counts = (tally.object_counted >> np.uint64(part.area) & np.uint64(1)) != 0
    return _share_without(tally.object_image[counts], tally.image[hit], len(tally.images))


@metric("ClassError", keys=("max",), better=LOWER)
def class_error(numbers: Numbers, e: Expression) -> float:
    """Share of the images with objects in which none of the k best detections has the class of one, wherever it is."""
    tally, part, n = numbers.tally, numbers.part(e), len(numbers.tally.classes)
    objects = tally.object_image.astype(np.int64) * n + tally.object_label
    right = np.isin(tally.image.astype(np.int64) * n + tally.label, objects) & (tally.rank < part.cap)
    return _share_without(tally.object_image, tally.image[right], len(tally.images))


def _share_without(images: Indices, found: Indices, n: int) -> float:
    """The share of some images that are not among those found; nan of none."""
    asked, right = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
    asked[images], right[found] = True, True
    return float((asked & ~right).sum() / asked.sum()) if asked.any() else float("nan")


@metric("CorLoc", keys=("iou", "area", "class", "frequency"))
def correct_localisation(numbers: Numbers, e: Expression) -> float:
    """Share of the images with a class in which its surest detection overlaps an object of it, mean over classes."""
    values = class_correct_localisation(numbers, e)[numbers.members(e)]
    return mean_of_defined(values, numbers.protocol.averaging)


def class_correct_localisation(numbers: Numbers, e: Expression) -> Floats:
    """The correct localisation of every class, nan for those in no image. All objects count, whatever their flags."""
    loose = replace(
        numbers.protocol, iou=(numbers.protocol.iou[numbers.thresholds(e, every=False)[0]],), claim="shared",
        greedy_by="score", matched_first="first", score_floor=-np.inf, max_detections=(1,), max_per="cell",
        blacklist="ordinary", not_exhaustive="counted", crowd="ordinary",
        difficult="ordinary", group_of="ordinary", ignore_flag="ordinary",
        areas=(numbers.protocol.areas[numbers.part(e).area],), outside="counted",
    )  # fmt: skip
    prepared = prepare(numbers.prepared.aligned, loose)  # anew: the floor of scores does not hold for it
    made = matched(prepared, threads=numbers.threads)
    n_images, n_classes = len(prepared.truth.images), len(prepared.truth.classes)
    listed = (prepared.truth.image >= 0) & (prepared.truth.label >= 0)
    there: Bools = np.zeros((n_classes, n_images), np.bool_)
    there[prepared.truth.label[listed], prepared.truth.image[listed]] = True
    surest = (made.rank == 0) & ((made.hits[:, 0] & 1) != 0)
    right = np.bincount(np.repeat(np.arange(n_classes), np.diff(made.first))[surest], minlength=n_classes)
    images = there.sum(axis=1)
    return np.where(images > 0, right / np.maximum(images, 1), np.nan)
