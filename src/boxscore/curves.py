"""From a tally to numbers per class: precision at recall levels, areas under curves, counts, and whole curves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from boxscore import _core
from boxscore.model import Floats, Ints, empty, thread_count
from boxscore.protocols import Protocol
from boxscore.tally import Tally


@dataclass(frozen=True)
class Slice:
    """A size range (its number in the protocol) and a cap on detections per image and class."""

    area: int
    cap: int


@dataclass(frozen=True, eq=False)
class Curves:
    """All classes and thresholds of some slices; what they mean for classes without objects is the metric's affair.

    `precision` has one row per recall level, in the order in which official codes average them; protocols that use all
    points have `all_points` instead.
    """

    slices: tuple[Slice, ...]
    drawn: int  # only the first slices have precisions
    precision: Floats | None  # (drawn, thresholds, levels, classes)
    all_points: Floats | None  # (drawn, thresholds, classes) area under the envelope
    true_positives: Ints  # (slices, thresholds, classes)
    false_positives: Ints
    objects: Ints  # (slices, classes)
    level_score: Floats | None = None


def recall_levels(protocol: Protocol) -> Floats:
    """The recall levels as doubles; none for all points."""
    return np.linspace(0.0, 1.0, protocol.recall_levels) if protocol.recall_levels else np.zeros(0)


def largest_cap(protocol: Protocol) -> int:
    """The cap that counts where nothing else is said."""
    return max(protocol.max_detections, default=2**31 - 1)


def curves(
    tally: Tally, drawn: Sequence[Slice], counted: Sequence[Slice] = (), *, scores: bool = False, threads: int = 0
) -> Curves:
    """Draws the curves of some slices and counts those of others; `scores` adds the score at each level."""
    protocol, n_classes = tally.protocol, len(tally.classes)
    slices, levels, n_thresholds = (*drawn, *counted), recall_levels(tally.protocol), len(tally.protocol.iou)
    shape = (len(drawn), n_thresholds, len(levels), n_classes)
    precision = empty(shape) if len(levels) else None
    level_score = empty(shape) if scores else None
    all_points = np.zeros((len(drawn), n_thresholds, n_classes)) if precision is None else None
    found = np.empty((len(slices), n_thresholds, n_classes), np.int64)
    false = np.empty_like(found)
    _core.curve(
        tally.first, tally.score, tally.tie, tally.rank, tally.hits, tally.ignored,
        n_ranges=len(protocol.areas),
        n_thresholds=n_thresholds,
        to_find=tally.to_find.reshape(-1),
        slices=[(s.area, s.cap) for s in slices],
        levels=levels,
        exact_levels=protocol.recall_grid == "exact",
        epsilon=protocol.precision_epsilon,
        n_drawn=len(drawn),
        precision=None if precision is None else precision.reshape(-1),
        level_score=None if level_score is None else level_score.reshape(-1),
        all_points=None if all_points is None else all_points.reshape(-1),
        true_positives=found.reshape(-1),
        false_positives=false.reshape(-1),
        threads=thread_count(threads),
    )  # fmt: skip
    objects = tally.to_find.T[[s.area for s in slices]]
    return Curves(slices, len(drawn), precision, all_points, found, false, objects, level_score)


@dataclass(frozen=True, eq=False)
class Curve:
    """The ranking of one class, point by point; detections that are ignored have no point.

    Arrays have one entry per detection, by descending score: scores, running counts of true and false positives,
    precision and recall.
    """

    score: Floats
    true_positives: Ints
    false_positives: Ints
    precision: Floats
    recall: Floats
    objects: int


def curve(tally: Tally, label: int, threshold: int, part: Slice) -> Curve:
    """The curve of one class at one threshold (its number) and slice."""
    rows = np.arange(tally.first[label], tally.first[label + 1])
    bit = tally.hits.dtype.type(1 << threshold)
    keep = rows[(tally.rank[rows] < part.cap) & ((tally.ignored[rows, part.area] & bit) == 0)]
    order = np.lexsort((keep if tally.tie is None else tally.tie[keep], -tally.score[keep]))
    keep = keep[order]
    hit = (tally.hits[keep, part.area] & bit) != 0
    found, objects = np.cumsum(hit), int(tally.to_find[label, part.area])
    false = np.cumsum(~hit)
    with np.errstate(invalid="ignore", divide="ignore"):
        recall = found / objects if objects else np.full(len(found), np.nan)
        precision = found / (found + false + tally.protocol.precision_epsilon)
    return Curve(tally.score[keep], found, false, precision, recall, objects)
