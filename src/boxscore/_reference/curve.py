"""Curves, defined: every point of the ranking, its precision and recall, the envelope, the levels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


class Point(NamedTuple):
    """The ranking down to one detection."""

    score: float
    found: float  # true positives so far, by weight
    precision: float  # the highest of this point and all later ones


def curve(
    first: Array, score: Array, order: Array | None, image: Array, tie: Array | None, rank: Array, hits: Array,
    ignored: Array, credits: Array | None, share: Array | None, n_ranges: int, n_thresholds: int, later_image: bool,
    hits_first: int, group_first: Array, group_classes: Array, to_find: Array, absorbing: Array | None, weight: float,
    slices: Sequence[tuple[int, int]], levels: Array, exact_levels: bool, above_levels: bool,
    recall_bounds: tuple[float, float], epsilon: float, pairwise: bool, n_drawn: int, precision: Array | None,
    level_score: Array | None, all_points: Array | None, true_positives: Array, false_positives: Array,
    found: Array | None, wrong: Array | None, tied: Array | None, threads: int = 1,
) -> None:  # fmt: skip
    """Counts of every (slice, threshold, group), and of the first `n_drawn` slices what their curves amount to.

    What a curve does not reach, and everything of a group without objects, is 0.
    """
    n_groups, n_levels = len(group_first) - 1, len(levels)
    groups = [group_classes[group_first[g] : group_first[g + 1]].tolist() for g in range(n_groups)]
    if tied is not None:
        for g, classes in enumerate(groups):
            most = max((cap for _, cap in slices), default=0)
            scores = [float(score[r]) for k in classes for r in range(first[k], first[k + 1]) if rank[r] < most]
            tied[g] = sum(scores.count(s) > 1 for s in scores)

    def sort_key(r: int, place: int, a: int, t: int) -> tuple[float, ...]:
        """Ascending: score, verdict, then by images and what breaks ties.

        Where later images come first, ties are broken within an image; else ties come before images.
        """
        hit = int(hits[r, a]) >> t & 1
        credit = 0 if credits is None or tie is not None or hits_first else int(credits[r, a]) >> t & 1
        verdict = -hits_first * hit
        sign = -1 if later_image else 1
        if tie is None:
            return (-score[r], verdict, sign * place, sign * image[r], -credit, r)
        return (-score[r], verdict, *((-image[r], tie[r]) if later_image else (tie[r], image[r])), r)

    for s, (a, cap) in enumerate(slices):
        for t in range(n_thresholds):
            for g, classes in enumerate(groups):
                members = [
                    (r, place)
                    for place, k in enumerate(classes)
                    for r in range(first[k], first[k + 1])
                    if rank[r] < cap
                ]
                members.sort(key=lambda m: sort_key(m[0], m[1], a, t))
                rows = [r for r, _ in members]
                credited = [credits is not None and bool(int(credits[r, a]) >> t & 1) for r in rows]
                verdicts = [
                    (float(int(hits[r, a]) >> t & 1) * (weight if c else 1.0), bool(int(ignored[r, a]) >> t & 1))
                    for r, c in zip(rows, credited, strict=True)
                ]
                cell = (s * n_thresholds + t) * n_groups + g
                true_positives[cell] = sum(int(hits[r, a]) >> t & 1 for r in rows)
                false_positives[cell] = sum(not (int(hits[r, a]) | int(ignored[r, a])) >> t & 1 for r in rows)
                shares = [1.0 if share is None else float(share[r * n_ranges + a]) for r in rows]
                if found is not None:
                    found[cell] = running_sum([worth for worth, _ in verdicts])
                if wrong is not None:
                    false = [not worth and not lost for worth, lost in verdicts]
                    wrong[cell] = running_sum([part for part, is_false in zip(shares, false, strict=True) if is_false])
                whole = sum(int(to_find[k * n_ranges + a]) for k in classes)
                partly = 0 if absorbing is None else sum(int(absorbing[k * n_ranges + a]) for k in classes)
                objects = (whole - partly) + weight * partly
                if s >= n_drawn:
                    continue
                points = ranking([float(score[r]) for r in rows], verdicts, shares, epsilon, objects, recall_bounds)
                for level in range(n_levels):
                    reached = first_at(
                        points, objects, level, n_levels, float(levels[level]), exact_levels, above_levels
                    )
                    place = ((s * n_thresholds + t) * n_levels + level) * n_groups + g
                    if precision is not None:
                        precision[place] = reached.precision if reached else 0.0
                    if level_score is not None:
                        level_score[place] = reached.score if reached else 0.0
                if all_points is not None:
                    all_points[cell] = area_under(points, objects, pairwise)


def rank(
    first: Array, score: Array, image: Array, tie: Array | None, later_image: bool, other: Array | None, order: Array,
    tied: Array, threads: int = 1,
) -> None:  # fmt: skip
    """The rows of each class as they are ranked, which spares `curve` the sorting, and how many share their score.

    A ranking by other rules may be given as a help; it does not change the outcome.
    """

    def sort_key(r: int) -> tuple[float, ...]:
        within = 0 if tie is None else tie[r]
        return (-score[r], *((-image[r], within) if later_image else (within, image[r])), r)

    for k in range(len(first) - 1):
        rows = range(first[k], first[k + 1])
        order[first[k] : first[k + 1]] = sorted(rows, key=sort_key)
        scores = [float(score[r]) for r in rows]
        tied[k] = sum(scores.count(s) > 1 for s in scores)


def running_sum(values: Sequence[float]) -> float:
    """Added up from the first on."""
    total = 0.0
    for value in values:
        total += value
    return total


def ranking(
    scores: Sequence[float], verdicts: Sequence[tuple[float, bool]], shares: Sequence[float], epsilon: float,
    objects: float, bounds: tuple[float, float],
) -> list[Point]:  # fmt: skip
    """The points of a ranking from its top; ignored detections have points too, but change no count.

    Points with a recall outside of the bounds are left out; without anything to find there are none.
    """
    found, false = 0.0, 0.0
    points: list[Point] = []
    for score, (worth, ignored), share in zip(scores, verdicts, shares, strict=True):
        found += worth
        false += share if not worth and not ignored else 0.0
        points.append(Point(score, found, found / (false + found + epsilon) if found else 0.0))
    points = [p for p in points if objects and bounds[0] <= p.found / objects <= bounds[1]]
    for i in range(len(points) - 2, -1, -1):
        points[i] = points[i]._replace(precision=max(points[i].precision, points[i + 1].precision))
    return points


def first_at(
    points: Sequence[Point], objects: float, level: int, n_levels: int, recall: float, exact: bool, above: bool
) -> Point | None:
    """The first point whose recall reaches a level: level / (n_levels - 1), in whole numbers or as a double."""
    for point in points:
        if above:
            if point.found / objects > recall:
                return point
        elif point.found * (n_levels - 1) >= level * objects if exact else point.found / objects >= recall:
            return point
    return None


def area_under(points: Sequence[Point], objects: float, pairwise: bool) -> float:
    """The area under the envelope: steps up to recall 1, added up one after the other or as NumPy does."""
    steps, before = [], 0.0
    for point in points:
        recall = point.found / objects
        if recall != before:
            steps.append((recall - before) * point.precision)
        before = recall
    if before != 1:
        steps.append(0.0)
    return float(np.sum(steps)) if pairwise else running_sum(steps)
