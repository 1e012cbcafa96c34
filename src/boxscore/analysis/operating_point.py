"""What the detections from a score on amount to: counts, rates, the rows behind them, and the confusion matrix."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from boxscore.analysis.confusion import Confusion, confusion
from boxscore.analysis.frames import data_frame
from boxscore.analysis.verdicts import Found, Verdicts, found, found_agnostic, verdicts
from boxscore.errors import UnknownName, UsageError
from boxscore.evaluation.curves import Slice, to_find, weighted
from boxscore.metrics import Expression, NotEvaluated, Numbers
from boxscore.tables.model import Classes, Floats, Ints, Truth

VERDICTS = ("TP", "FP", "ignored", "FN", "found")


class ClassPoint(NamedTuple):
    """One class at an operating point; undefined rates are nan."""

    true_positives: int
    false_positives: int
    false_negatives: int
    precision: float
    recall: float
    f1: float


class Pairs(NamedTuple):
    """True positives, one entry each: the detection's row, its object's row, their overlap."""

    detection: Ints
    object: Ints
    overlap: Floats


@dataclass(frozen=True, eq=False)
class ImageTable:
    """What was found in each image; columns over all images, in the order in which official codes take them."""

    key: tuple[str, ...]  # a result that was pickled has the images' numbers here
    true_positives: Ints
    false_positives: Ints
    false_negatives: Ints

    def __len__(self) -> int:
        return len(self.key)

    def to_pandas(self) -> Any:
        """The table as a pandas data frame."""
        columns = (self.key, self.true_positives, self.false_positives, self.false_negatives)
        return data_frame(dict(zip(("image", "TP", "FP", "FN"), columns, strict=True)))


class Behind(NamedTuple):
    """What an operating point was counted from."""

    numbers: Numbers
    part: Slice
    threshold: int
    marks: Verdicts


@dataclass(frozen=True)
class OperatingPoint:
    """What the detections with at least a given score amount to, at one IoU threshold, size range and cap.

    Counts are whole detections and objects, those that `rows` gives. Where the protocol gives a weight to absorbing
    objects, precision, recall and F1 go by weight. Where detections may share objects, every one of them is a true
    positive, and recall goes by the objects that any of them found.
    """

    score: float
    iou: float
    true_positives: int
    false_positives: int
    false_negatives: int
    precision: float
    recall: float
    f1: float
    classes: dict[str, tuple[int, int, int]] = field(repr=False, default_factory=dict)  # TP, FP, FN by class
    per_class: dict[str, ClassPoint] = field(repr=False, default_factory=dict)
    area: str = "all"
    max_detections: int | None = None  # None for no cap
    _behind: Behind | None = field(default=None, repr=False, compare=False)

    @cached_property
    def images(self) -> ImageTable:
        """True positives, false positives and missed objects of each image."""
        numbers, part, _, marks = self._counted()
        tally, n = numbers.tally, len(numbers.tally.images)
        true, false = (np.bincount(tally.image[m], minlength=n) for m in (marks.true, marks.false))
        if numbers.protocol.claim == "shared":
            order = np.argsort(numbers.prepared.truth.images.order, kind="stable")
            missed = np.bincount(numbers.prepared.truth.image[self._found.missed], minlength=n)[order]
        else:
            counted = (tally.object_counted >> np.uint64(part.area) & np.uint64(1)) != 0
            missed = np.bincount(tally.object_image[counted], minlength=n) - true
        return ImageTable(image_keys(numbers), true, false, missed)

    @property
    def pairs(self) -> Pairs:
        """The true positives: rows of detections and objects in the tables that came in, and their overlaps."""
        seen = self._found
        return Pairs(seen.detection_rows(seen.true), seen.object_rows(seen.object), seen.overlap)

    def rows(self, verdict: str, label: str | None = None, image: str | int | None = None) -> Ints:
        """The rows behind a count, ascending, of one class or image if given (by key or number).

        "TP", "FP" and "ignored" are rows of the detections, "FN" and "found" rows of the truth, numbered as in the
        tables that came in. A row that counts for several classes is there several times.
        """
        if verdict not in VERDICTS:
            raise UnknownName("verdict", verdict, VERDICTS)
        seen = self._found
        objects = {"FN": seen.missed, "found": seen.object}
        detections = {"TP": seen.true, "FP": seen.false, "ignored": seen.ignored}
        rows = objects[verdict] if verdict in objects else detections[verdict]
        if verdict == "found" and seen.prepared.protocol.claim == "shared":
            rows = np.unique(rows)
        table = seen.prepared.truth if verdict in objects else seen.prepared.detections
        if label is not None:
            names = class_names(table.classes)
            if label not in names:
                raise UnknownName("class", label, names)
            rows = rows[table.label[rows] == names.index(label)]
        if image is not None:
            rows = rows[table.image[rows] == _image(seen.prepared.truth, image)]
        return np.sort(seen.object_rows(rows) if verdict in objects else seen.detection_rows(rows))

    @cached_property
    def confusion(self) -> Confusion:
        """Which classes are taken for which.

        The diagonal are the true positives; false positives and missed objects are then paired across classes, and
        the rest is background, so that precision, recall and matrix agree. Ignored detections and objects stay out.
        An absorbing object that is found counts as one, whatever its weight.
        """
        return confusion(self._found, class_names(self._counted().numbers.tally.classes))

    def confusion_agnostic(self) -> Confusion:
        """The matrix of a matching that knows no classes: by descending score the best free object of any class.

        So does FiftyOne (`classwise=False`); Ultralytics pairs by descending overlap instead. A
        detection may take an object of another class from the detection that would have found it, so the diagonal is
        not the true positives of any protocol.
        """
        numbers = self._counted().numbers
        seen = found_agnostic(self._found, numbers.threads)
        return confusion(seen, class_names(numbers.tally.classes), across=False)

    @cached_property
    def _found(self) -> Found:
        return found(*self._counted())

    def _counted(self) -> Behind:
        if self._behind is None:
            raise UsageError("this operating point holds only counts; expected one made by Result.at")
        return self._behind


def operating_point(numbers: Numbers, e: Expression) -> OperatingPoint:
    """The operating point at the expression's score, threshold, size range and cap, over all classes."""
    if e.score is None or math.isnan(e.score):
        raise UsageError(f"score={e.score}; expected a number")
    numbers = numbers.from_score(e.score)
    tally, part, threshold = numbers.tally, numbers.part(e), numbers.thresholds(e, every=False)[0]
    marks, n = verdicts(tally, part, threshold, e.score), len(tally.classes)
    true, false = (np.bincount(tally.label[m], minlength=n) for m in (marks.true, marks.false))
    objects, aims = tally.to_find[:, part.area], to_find(tally)[:, part.area]
    worth = true if marks.credited is None or not weighted(tally) else _worth(numbers, marks, true)
    missed, gained = objects - true, worth
    if numbers.protocol.claim == "shared":
        lost = found(numbers, part, threshold, marks).missed
        missed = np.bincount(numbers.prepared.truth.label[lost], minlength=n)
        gained = worth - true + (objects - missed)  # the weight of the objects, each found once
    names = class_names(tally.classes)
    rates = [_rates(*(column[k].item() for column in (worth, false, gained, aims - gained))) for k in range(n)]
    whole = [(int(true[k]), int(false[k]), int(missed[k])) for k in range(n)]
    precision, recall, f1 = _rates(*(column.sum().item() for column in (worth, false, gained, aims - gained)))
    return OperatingPoint(
        e.score,
        numbers.protocol.iou[threshold],
        int(true.sum()),
        int(false.sum()),
        int(missed.sum()),
        precision,
        recall,
        f1,
        dict(zip(names, whole, strict=True)),
        {name: ClassPoint(*whole[k], *rates[k]) for k, name in enumerate(names)},
        numbers.protocol.areas[part.area].name,
        e.cap or max(numbers.protocol.max_detections, default=None),
        Behind(numbers, part, threshold, marks),
    )


def _worth(numbers: Numbers, marks: Verdicts, true: Ints) -> Floats:
    """The true positives of each class by weight."""
    tally = numbers.tally
    credited = np.bincount(tally.label[marks.credited], minlength=len(tally.classes))
    return (true - credited) + tally.protocol.absorbed_weight * credited


def _rates(worth: float, false: float, gained: float, missed: float) -> tuple[float, float, float]:
    """Precision, recall and F1; what is gained differs from what is true only where detections share objects."""
    precision = worth / (worth + false) if worth + false else math.nan
    recall = gained / (gained + missed) if gained + missed else math.nan
    if worth == gained:
        return precision, recall, 2 * worth / whole if (whole := 2 * worth + missed + false) else math.nan
    return precision, recall, 2 * precision * recall / (precision + recall)


def class_names(classes: Classes) -> list[str]:
    """The names of classes, with the id where several have one name."""
    often = Counter(classes.name)
    both = zip(classes.name, classes.id, strict=True)
    return [name if often[name] == 1 else f"{name} ({key})" for name, key in both]


def image_keys(numbers: Numbers) -> tuple[str, ...]:
    """The images in the order of the tally, by key; by number where only verdicts are left."""
    try:
        images = numbers.prepared.truth.images
    except NotEvaluated:
        return tuple(str(number) for number in numbers.tally.images.tolist())
    return tuple(images.key[i] for i in np.argsort(images.order, kind="stable").tolist())


def _image(truth: Truth, image: str | int) -> int:
    """The index of an image that is given by key or number."""
    if isinstance(image, str):
        if image in truth.images.key:
            return truth.images.key.index(image)
    elif truth.images.id is not None and len(places := np.flatnonzero(truth.images.id == image)):
        return int(places[0])
    raise UsageError(f"unknown image {image!r}: it is in neither the ground truth nor the detections")
