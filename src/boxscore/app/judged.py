"""Every box with its verdict at an operating point, by image: what pictures and lists of images are made of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boxscore.analysis.operating_point import OperatingPoint, class_names
from boxscore.analysis.overlap import Overlaps
from boxscore.app.wire import encoded
from boxscore.joining.align import Aligned
from boxscore.protocols import Protocol
from boxscore.tables.model import Bools, Detections, Floats, Indices, Ints, Truth

NONE, TRUE, FALSE, IGNORED, MISSED, FOUND = range(6)  # what the page calls verdicts, in this order
PAIRS = 2_000_000  # overlaps of an image that are measured to tell why detections are false
Bytes = npt.NDArray[np.uint8]


class ByImage(NamedTuple):
    """The rows of each image, in the order of the table."""

    order: Ints
    starts: Ints

    @staticmethod
    def of(image: Ints | Indices, count: int) -> ByImage:
        """The rows by image; those without one are in none."""
        order = np.argsort(image, kind="stable")
        return ByImage(order, np.searchsorted(image[order], np.arange(count + 1)))

    def rows(self, index: int) -> Ints:
        """The rows of one image."""
        return self.order[self.starts[index] : self.starts[index + 1]]


@dataclass(frozen=True, eq=False)
class Judged:
    """Verdicts of all rows of both tables, and who found whom."""

    truth: Truth
    detections: Detections
    protocol: Protocol
    iou: float
    detection_verdict: Bytes  # TRUE, FALSE, IGNORED, or NONE below the score and where a rule leaves it out
    object_verdict: Bytes  # MISSED, FOUND, or NONE where it need not be found
    object_of: Ints  # row of the object that a detection found; -1 for none
    detection_of: Ints
    overlap: Floats  # of a detection with its object; nan for none
    of_detections: ByImage
    of_objects: ByImage

    @staticmethod
    def at(aligned: Aligned, point: OperatingPoint, protocol: Protocol) -> Judged:
        """The verdicts at an operating point."""
        truth, detections = aligned.truth, aligned.detections
        of_detections, of_objects = np.zeros(len(detections), np.uint8), np.zeros(len(truth), np.uint8)
        for verdict, name in ((IGNORED, "ignored"), (FALSE, "FP"), (TRUE, "TP")):
            of_detections[point.rows(name)] = verdict
        for verdict, name in ((MISSED, "FN"), (FOUND, "found")):
            of_objects[point.rows(name)] = verdict
        object_of, detection_of = np.full(len(detections), -1), np.full(len(truth), -1)
        overlap, pairs = np.full(len(detections), np.nan), point.pairs
        object_of[pairs.detection], detection_of[pairs.object] = pairs.object, pairs.detection
        overlap[pairs.detection] = pairs.overlap
        count = images_of(aligned)
        return Judged(
            truth, detections, protocol, point.iou, of_detections, of_objects, object_of, detection_of, overlap,
            ByImage.of(detections.image, count), ByImage.of(truth.image, count),
        )  # fmt: skip


def images_of(aligned: Aligned) -> int:
    """How many images both sides have together."""
    return max(len(aligned.truth.images), len(aligned.detections.images))


def listed(judged: Judged, label: str | None, verdict: str, sort: str) -> bytes:
    """The images that a filter leaves, as columns: number, counts, the highest score of a false positive."""
    truth, detections = judged.truth, judged.detections
    count = len(judged.of_objects.starts) - 1
    chosen = None if label is None else class_names(truth.classes).index(label)

    def tallied(table: Truth | Detections, mask: Bools) -> Ints:
        rows = mask if chosen is None else mask & (table.label == chosen)
        return np.bincount(table.image[rows & (table.image >= 0)], minlength=count)

    false = judged.detection_verdict == FALSE
    tp, fp = tallied(detections, judged.detection_verdict == TRUE), tallied(detections, false)
    fn = tallied(truth, judged.object_verdict == MISSED)
    own = tallied(truth, judged.object_verdict > NONE) + tallied(detections, judged.detection_verdict > NONE)
    worst = np.full(count, -np.inf)
    rows = np.flatnonzero(false if chosen is None else false & (detections.label == chosen))
    np.maximum.at(worst, detections.image[rows], detections.score[rows])
    keep = {"tp": tp > 0, "fp": fp > 0, "fn": fn > 0, "": own > 0 if chosen is not None else np.ones(count, bool)}
    index = np.flatnonzero(keep[verdict])
    if sort == "worst":
        index = index[np.lexsort((index, -worst[index], -(fp + fn)[index]))]
    elif sort == "score":
        index = index[np.lexsort((index, -worst[index]))]
    columns = {"index": index, "tp": tp[index], "fp": fp[index], "fn": fn[index]}
    return encoded({name: column.astype(np.int32) for name, column in columns.items()}, of=count)


def described(judged: Judged, index: int) -> dict[str, Any]:
    """The name and size of an image; nulls where the size is not known."""
    images = judged.truth.images if index < len(judged.truth.images) else judged.detections.images
    size = [None if side is None else float(side[index]) for side in (images.width, images.height)]
    return {"index": index, "name": images.key[index], "width": size[0], "height": size[1],
            "normalized": judged.truth.relative}  # fmt: skip


def tiles(judged: Judged, indices: Iterable[int]) -> tuple[dict[str, npt.NDArray[Any]], list[dict[str, Any]]]:
    """What a grid draws of some images: boxes of detections that count and of missed objects, image by image."""
    boxes, marks, about = list[Floats](), list[Bytes](), list[dict[str, Any]]()
    for index in indices:
        found, objects = judged.of_detections.rows(index), judged.of_objects.rows(index)
        found = found[judged.detection_verdict[found] > NONE]
        missed = objects[judged.object_verdict[objects] == MISSED]
        boxes += [judged.detections.corners[found], judged.truth.corners[missed]]
        marks += [judged.detection_verdict[found], judged.object_verdict[missed]]
        about.append({**described(judged, index), "boxes": len(found) + len(missed)})
    corners = np.concatenate(boxes) if boxes else np.zeros((0, 4))
    verdict = np.concatenate(marks) if marks else np.zeros(0, np.uint8)
    return {"corners": corners.astype(np.float32).ravel(), "verdict": verdict}, about


def objects(judged: Judged, index: int) -> dict[str, npt.NDArray[Any]]:
    """The objects of an image as columns."""
    rows, truth = judged.of_objects.rows(index), judged.truth
    place = _places(judged.of_detections.rows(index), len(judged.detections))
    return {
        "corners": truth.corners[rows].ravel(), "label": truth.label[rows].astype(np.int32),
        "verdict": judged.object_verdict[rows], "flags": truth.flags[rows].astype(np.int32),
        "detection": place[judged.detection_of[rows]],
    }  # fmt: skip


def found(judged: Judged, index: int) -> dict[str, npt.NDArray[Any]]:
    """The detections of an image that count or are ignored, as columns, with what each overlaps best."""
    rows, detections = judged.of_detections.rows(index), judged.detections
    here = judged.of_objects.rows(index)
    place = _places(here, len(judged.truth))
    best, best_object, other, other_object = _nearest(judged, rows, here)
    return {
        "corners": detections.corners[rows].ravel(), "label": detections.label[rows].astype(np.int32),
        "score": detections.score[rows], "verdict": judged.detection_verdict[rows],
        "object": place[judged.object_of[rows]], "overlap": judged.overlap[rows],
        "best": best, "best_object": best_object, "other": other, "other_object": other_object,
    }  # fmt: skip


def _places(rows: Ints, whole: int) -> npt.NDArray[np.int32]:
    """Where each row of a table stands among some of them; -1 for others, and for -1."""
    place = np.full(whole + 1, -1, np.int32)
    place[rows] = np.arange(len(rows), dtype=np.int32)
    return place


def _nearest(judged: Judged, rows: Ints, here: Ints) -> tuple[Floats, Any, Floats, Any]:
    """The largest overlap of each detection with an object of its class and of another one, and which object it is."""
    n, m = len(rows), len(here)
    none = np.full(n, np.nan), np.full(n, -1, np.int32)
    if not n or not m or n * m > PAIRS or judged.truth.tubes is not None:
        return (*none, *none)
    measure = Overlaps(judged.truth, judged.detections, judged.protocol)
    overlap = measure(np.repeat(rows, m), np.tile(here, n)).reshape(n, m)
    same = judged.detections.label[rows][:, None] == judged.truth.label[here][None, :]
    made: list[Any] = []
    for mask in (same, ~same):
        masked = np.where(mask, overlap, -1.0)
        at = masked.argmax(axis=1)
        value = masked[np.arange(n), at]
        made += [np.where(value > 0, value, np.nan), np.where(value > 0, at, -1).astype(np.int32)]
    return made[0], made[1], made[2], made[3]
