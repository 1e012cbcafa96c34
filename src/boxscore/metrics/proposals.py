"""Average recall of proposals (Hosang et al.): how closely the best of them fit the objects."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from boxscore.evaluation.prepare import matched
from boxscore.metrics.expression import Expression
from boxscore.metrics.numbers import Numbers, mean_of_defined
from boxscore.metrics.registry import RANGE, metric
from boxscore.tables.model import Floats, Ints

LOWEST = 0.5  # the overlap from which on recall is averaged
GRID = np.arange(500, 1001) * 0.001
STEP = 0.001


def fitting(numbers: Numbers, e: Expression) -> tuple[Ints, Floats, Ints]:
    """Class and overlap of every object that a detection overlaps by half or more, and all objects by class.

    Pairs are made one to one by descending overlap, whatever the scores; these only decide who is among the best of
    an image and class where the expression names a cap, which may be any number.
    """
    prepared, part = numbers.prepared, numbers.part(replace(e, cap=None))
    loose = replace(
        numbers.protocol, greedy_by="overlap", claim="free", compare=">=", iou=(LOWEST,), iou_ceiling=1.0,
        iou_margin=0.0, absorbed_weight=0.0, areas=(numbers.protocol.areas[part.area],),
    )  # fmt: skip
    if e.cap is not None:
        loose = replace(loose, max_detections=(e.cap,), max_per="cell")
    if e.score is not None:
        label = np.where(prepared.detections.score >= e.score, prepared.detections.label, np.int32(-1))
        prepared = replace(prepared, detections=replace(prepared.detections, label=label))
    made = matched(replace(prepared, protocol=loose), pairs=True, threads=numbers.threads)
    assert made.overlap is not None
    hit = (made.hits[:, 0] & 1) != 0
    label = np.repeat(np.arange(len(made.first) - 1), np.diff(made.first))
    return label[hit], made.overlap[hit, 0, 0], made.to_find[:, 0]


def class_fitting_recall(numbers: Numbers, e: Expression) -> Floats:
    """Twice the mean of what overlaps exceed 0.5 by, of every class; nan for those without objects."""
    label, overlap, objects = fitting(numbers, e)
    excess = np.bincount(label, weights=overlap - LOWEST, minlength=len(objects))
    return np.where(objects > 0, 2 * excess / np.maximum(objects, 1), np.nan)


def class_fitting_recall_on_grid(numbers: Numbers, e: Expression) -> Floats:
    """Twice the area under recall over overlap from 0.5 to 1 in steps of 0.001, of every class."""
    label, overlap, objects = fitting(numbers, e)
    reached = np.searchsorted(GRID, overlap, side="right")  # at how many points of the grid an object is found
    found = np.bincount(label * (len(GRID) + 1) + reached, minlength=len(objects) * (len(GRID) + 1))
    by_point = np.cumsum(found.reshape(len(objects), -1)[:, :0:-1], axis=1)  # from the highest point down
    area = by_point.sum(axis=1) - (by_point[:, 0] + by_point[:, -1]) / 2  # the trapezoid rule
    return np.where(objects > 0, 2 * STEP * area / np.maximum(objects, 1), np.nan)


@metric("AR.Hosang", keys=(*RANGE, "score"))
def fitting_recall(numbers: Numbers, e: Expression) -> float:
    """Recall averaged over all overlaps from 0.5 to 1, pairs made by overlap, mean over classes that have objects."""
    return mean_of_defined(class_fitting_recall(numbers, e)[numbers.members(e)])


@metric("AR.Hosang.grid", keys=(*RANGE, "score"))
def fitting_recall_on_grid(numbers: Numbers, e: Expression) -> float:
    """As AR.Hosang, but integrated over overlaps in steps of 0.001 as the original code does."""
    return mean_of_defined(class_fitting_recall_on_grid(numbers, e)[numbers.members(e)])
