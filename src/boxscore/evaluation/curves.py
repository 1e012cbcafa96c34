"""From a tally to numbers per class: precision at recall levels, areas under curves, counts, and whole curves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore import _core
from boxscore.evaluation.match import NO_CAP
from boxscore.evaluation.tally import Tally
from boxscore.protocols import parts
from boxscore.tables.model import Bools, Floats, Ints, empty, thread_count


@dataclass(frozen=True)
class Slice:
    """A size range (its number in the protocol) and a cap on detections per image and class."""

    area: int
    cap: int


@dataclass(frozen=True, eq=False)
class Curves:
    """All groups of classes and thresholds of some slices; a group is one class unless classes are pooled.

    `precision` has one row per recall level, in the order in which official codes average them; protocols that use all
    points have `all_points` instead. What they mean for classes without objects is the metric's affair.
    """

    slices: tuple[Slice, ...]
    drawn: int  # only the first slices have precisions
    precision: Floats | None  # (drawn, thresholds, levels, groups)
    all_points: Floats | None  # (drawn, thresholds, groups) area under the envelope
    true_positives: Ints  # (slices, thresholds, groups)
    false_positives: Ints
    found: Floats | Ints  # the true positives by weight
    wrong: Floats | Ints  # the false positives by share
    objects: Floats | Ints  # (slices, groups) what there is to find, by weight
    tied: Ints | None  # (classes) detections below a cap that share their score with another; None of groups
    level_score: Floats | None = None


def recall_levels(protocol: parts.Curve) -> Floats:
    """The recall levels as doubles; none for all points."""
    return np.linspace(0.0, 1.0, protocol.recall_levels) if protocol.recall_levels else np.zeros(0)


def largest_cap(protocol: parts.Limits) -> int:
    """The cap that counts where nothing else is said."""
    return max(protocol.max_detections, default=NO_CAP)


def weighted(tally: Tally) -> bool:
    """Whether true positives do not all count the same."""
    return tally.credits is not None and tally.protocol.absorbed_weight != 1


def to_find(tally: Tally) -> Floats | Ints:
    """What there is to find of each (class, range), by weight."""
    if not weighted(tally) or tally.absorbing is None:
        return tally.to_find
    return (tally.to_find - tally.absorbing) + tally.protocol.absorbed_weight * tally.absorbing


def curves(
    tally: Tally,
    drawn: Sequence[Slice],
    counted: Sequence[Slice] = (),
    *,
    groups: Sequence[Sequence[int]] | None = None,
    equals: str = "",
    scores: bool = False,
    threads: int = 0,
) -> Curves:
    """Draws the curves of some slices and counts those of others.

    `groups` are classes to rank together, each class alone unless given. `equals` puts hits "first" or "last" among
    equal scores, for bounds. `scores` adds the score at each level.
    """
    protocol = tally.protocol
    members = np.arange(len(tally.classes), dtype=np.int32)
    starts = np.arange(len(tally.classes) + 1, dtype=np.int64)
    if groups is not None:
        members = np.array([k for group in groups for k in group], np.int32)
        starts = np.cumsum([0, *(len(group) for group in groups)], dtype=np.int64)
    n_groups = len(starts) - 1
    slices, levels, n_thresholds = (*drawn, *counted), recall_levels(tally.protocol), len(tally.protocol.iou)
    shape = (len(drawn), n_thresholds, len(levels), n_groups)
    precision = empty(shape) if len(levels) else None
    level_score = empty(shape) if scores else None
    all_points = np.zeros((len(drawn), n_thresholds, n_groups)) if precision is None else None
    hits = np.empty((len(slices), n_thresholds, n_groups), np.int64)
    false = np.empty_like(hits)
    order = None if tally.order is None else tally.order.row
    # Where the ranking of classes is known, so is who shares a score, unless some are beyond every cap.
    most = max((s.cap for s in slices), default=0)
    known = tally.order is not None and (most == NO_CAP or not bool((tally.rank >= most).any()))
    tied = np.empty(n_groups, np.int64) if groups is None and not known else None
    found = np.empty(hits.shape) if weighted(tally) else None
    wrong = None if tally.shares is None else np.empty(hits.shape)
    _core.curve(
        tally.first, tally.score, order, tally.image, tally.tie, tally.rank, tally.hits, tally.ignored,
        tally.credits, None if tally.shares is None else tally.shares.reshape(-1),
        n_ranges=len(protocol.areas),
        n_thresholds=n_thresholds,
        later_image=protocol.later_image_first,
        hits_first={"": 0, "first": 1, "last": -1}[equals],
        group_first=starts,
        group_classes=members,
        to_find=tally.to_find.reshape(-1),
        absorbing=None if tally.absorbing is None else tally.absorbing.reshape(-1),
        weight=protocol.absorbed_weight if tally.credits is not None else 1.0,
        slices=[(s.area, s.cap) for s in slices],
        levels=levels,
        exact_levels=protocol.recall_grid == "exact",
        above_levels=protocol.recall_grid == "above",
        recall_bounds=protocol.recall_bounds,
        epsilon=protocol.precision_epsilon,
        pairwise=protocol.level_sum == "mean",
        n_drawn=len(drawn),
        precision=None if precision is None else precision.reshape(-1),
        level_score=None if level_score is None else level_score.reshape(-1),
        all_points=None if all_points is None else all_points.reshape(-1),
        true_positives=hits.reshape(-1),
        false_positives=false.reshape(-1),
        found=None if found is None else found.reshape(-1),
        wrong=None if wrong is None else wrong.reshape(-1),
        tied=tied,
        threads=thread_count(threads),
    )  # fmt: skip
    aims = to_find(tally)
    whole = aims.T if groups is None else np.stack([aims[list(g)].sum(axis=0) for g in groups], axis=1)
    objects = whole[[s.area for s in slices]]
    if known and groups is None and tally.order is not None:
        tied = tally.order.tied
    return Curves(
        slices, len(drawn), precision, all_points, hits, false, hits if found is None else found,
        false if wrong is None else wrong, objects, tied, level_score,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Curve:
    """The ranking of one class, point by point; detections that are ignored have no point.

    Arrays have one entry per detection, by descending score: scores, running counts of true and false positives,
    precision and recall.
    """

    score: Floats
    true_positives: Ints | Floats  # by weight
    false_positives: Ints | Floats  # by share
    precision: Floats
    recall: Floats
    objects: float


def ranking(tally: Tally, label: int, threshold: int, part: Slice) -> Ints:
    """The rows of one class as the protocol ranks them; none that are ignored or beyond the cap."""
    rows = np.arange(tally.first[label], tally.first[label + 1])
    bit = tally.hits.dtype.type(1 << threshold)
    keep = rows[(tally.rank[rows] < part.cap) & ((tally.ignored[rows, part.area] & bit) == 0)]
    order = np.lexsort((*_tie_keys(tally, keep, _credited(tally, keep, part.area, bit)), -tally.score[keep]))
    ranked: Ints = keep[order]
    return ranked


def worth(tally: Tally, rows: Ints, threshold: int, part: Slice) -> Ints | Floats:
    """What each of some rows counts as a true positive: 1, a weight of its own, or 0 if it is none."""
    bit = tally.hits.dtype.type(1 << threshold)
    hit: Bools = (tally.hits[rows, part.area] & bit) != 0
    if not weighted(tally):
        return hit.astype(np.int64)
    credit = _credited(tally, rows, part.area, bit)
    return np.where(hit, np.where(credit, tally.protocol.absorbed_weight, 1.0), 0.0)


def curve(tally: Tally, label: int, threshold: int, part: Slice) -> Curve:
    """The curve of one class at one threshold (its number) and slice."""
    rows = ranking(tally, label, threshold, part)
    value = worth(tally, rows, threshold, part)
    found: Ints | Floats = value.cumsum()
    objects = to_find(tally)[label, part.area].item()
    false: Ints | Floats = np.cumsum(value == 0)
    if tally.shares is not None:
        false = np.cumsum(np.where(value == 0, tally.shares[rows, part.area], 0.0))
    with np.errstate(invalid="ignore", divide="ignore"):
        recall = found / objects if objects else np.full(len(found), np.nan)
        precision = found / (found + false + tally.protocol.precision_epsilon)
    return Curve(tally.score[rows], found, false, precision, recall, objects)


def _credited(tally: Tally, rows: Ints, area: int, bit: Any) -> Bools:
    """Which of some rows are hits of an absorbing object."""
    if tally.credits is None:
        return np.zeros(len(rows), np.bool_)
    credited: Bools = (tally.credits[rows, area] & bit) != 0
    return credited


def _tie_keys(tally: Tally, rows: Ints, credit: Bools) -> tuple[npt.NDArray[Any], ...]:
    """What decides between equal scores, the last key first."""
    image, later = tally.image[rows], tally.protocol.later_image_first
    if tally.tie is not None:
        return rows, tally.tie[rows], *((-image,) if later else ())
    return rows, ~credit, -image if later else image
