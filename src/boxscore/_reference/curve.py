"""Curves, defined: every point of the ranking, its precision and recall, the envelope, the levels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy.typing as npt

Array = npt.NDArray[Any]


class Point(NamedTuple):
    """The ranking down to one detection."""

    score: float
    found: int  # true positives so far
    precision: float  # the highest of this point and all later ones


def curve(
    first: Array, score: Array, tie: Array | None, rank: Array, hits: Array, ignored: Array,
    n_ranges: int, n_thresholds: int, to_find: Array, slices: Sequence[tuple[int, int]],
    levels: Array, exact_levels: bool, epsilon: float, n_drawn: int,
    precision: Array | None, level_score: Array | None, all_points: Array | None,
    true_positives: Array, false_positives: Array, threads: int = 1,
) -> None:  # fmt: skip
    """Counts of every (slice, threshold, class), and of the first `n_drawn` slices what their curves amount to.

    What a curve does not reach, and everything of a class without objects, is 0.
    """
    n_classes, n_levels = len(first) - 1, len(levels)
    for s, (a, cap) in enumerate(slices):
        for t in range(n_thresholds):
            for k in range(n_classes):
                rows = [r for r in range(first[k], first[k + 1]) if rank[r] < cap]
                rows.sort(key=lambda r: (-score[r], 0 if tie is None else tie[r], r))
                verdicts = [(bool(int(hits[r, a]) >> t & 1), bool(int(ignored[r, a]) >> t & 1)) for r in rows]
                cell = (s * n_thresholds + t) * n_classes + k
                true_positives[cell] = sum(hit for hit, _ in verdicts)
                false_positives[cell] = sum(not hit and not lost for hit, lost in verdicts)
                objects = int(to_find[k * n_ranges + a])
                if s >= n_drawn:
                    continue
                points = ranking([float(score[r]) for r in rows], verdicts, epsilon) if objects else []
                for level in range(n_levels):
                    reached = first_at(points, objects, level, n_levels, float(levels[level]), exact_levels)
                    place = ((s * n_thresholds + t) * n_levels + level) * n_classes + k
                    if precision is not None:
                        precision[place] = reached.precision if reached else 0.0
                    if level_score is not None:
                        level_score[place] = reached.score if reached else 0.0
                if all_points is not None:
                    all_points[cell] = area_under(points, objects)


def ranking(scores: Sequence[float], verdicts: Sequence[tuple[bool, bool]], epsilon: float) -> list[Point]:
    """The points of a ranking from its top; ignored detections have points too, but change no count."""
    found = false = 0
    points: list[Point] = []
    for score, (hit, ignored) in zip(scores, verdicts, strict=True):
        found += hit
        false += not hit and not ignored
        points.append(Point(score, found, found / (false + found + epsilon) if found else 0.0))
    for i in range(len(points) - 2, -1, -1):
        points[i] = points[i]._replace(precision=max(points[i].precision, points[i + 1].precision))
    return points


def first_at(
    points: Sequence[Point], objects: int, level: int, n_levels: int, recall: float, exact: bool
) -> Point | None:
    """The first point whose recall reaches a level: level / (n_levels - 1), in whole numbers or as a double."""
    for point in points:
        if point.found * (n_levels - 1) >= level * objects if exact else point.found / objects >= recall:
            return point
    return None


def area_under(points: Sequence[Point], objects: int) -> float:
    """The area under the envelope, summed from recall 0 upwards; only points with more recall add to it."""
    area = before = 0.0
    for point in points:
        recall = point.found / objects
        area += (recall - before) * point.precision
        before = recall
    return area
