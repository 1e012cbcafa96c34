"""What is wrong with the detections by themselves: scores, repeated rows, boxes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from boxscore.doctor.record import Diagnosis, Evidence, Tables, diagnosis
from boxscore.doctor.sample import Sample
from boxscore.doctor.truth import odd_boxes, place, without
from boxscore.model import Detections

MANY = 50  # detections below which nothing is said of their scores


def faults(tables: Tables) -> Iterator[Diagnosis]:
    """All checks of the detections alone."""
    found = tables.detections
    if found is None or not len(found):
        return
    yield from odd_boxes(found, "detections")
    yield from _twice(found)
    yield from _scores(found)


def _twice(found: Detections) -> Iterator[Diagnosis]:
    """Rows that are the same in everything."""
    order = np.lexsort((found.score, *found.corners.T, found.label, found.image))
    a, b = order[:-1], order[1:]
    same = (found.image[a] == found.image[b]) & (found.label[a] == found.label[b]) & (found.score[a] == found.score[b])
    same &= (found.corners[a] == found.corners[b]).all(axis=1)
    rows = np.maximum(a, b)[same]
    if len(rows) > max(2, 0.005 * len(found)):
        yield diagnosis(
            "DUP101", len(rows), f"{len(rows):,} detections are there twice, with the same box, class and score",
            examples=tuple(place(found, int(r)) for r in np.sort(rows)[:3]), repair="--fix OUT leaves one of each",
            fix=lambda t: without(t, "detections", rows),
        )  # fmt: skip


def _scores(found: Detections) -> Iterator[Diagnosis]:
    score = found.score
    n, low, high = len(score), float(score.min()), float(score.max())
    if n < MANY:
        return
    distinct = len(np.unique(score))
    if distinct == 1:
        yield diagnosis(
            "SCR102",
            n,
            f"all {n:,} detections have the score {low:g}",
            repair="export detections with their confidence",
        )
    elif low >= 0 and 1.5 < high <= 100 and np.median(score) > 1:
        yield diagnosis(
            "SCR101", n, f"scores go from {low:g} to {high:g}, as percent do", repair="--fix OUT divides them by 100",
            fix=lambda t: _rescored(t, 0.01),
        )  # fmt: skip
    elif low < 0 or high > 1:
        yield diagnosis("SCR104", n, f"scores go from {low:g} to {high:g}, as no probabilities do")
    if 1 < distinct <= min(101, n // 5):
        step = "two digits or less" if distinct <= 101 else "few digits"
        yield diagnosis(
            "SCR103", n - distinct, f"{n:,} detections have only {distinct:,} different scores ({step})",
            repair="write scores with all their digits",
        )  # fmt: skip
    elif distinct > 1 and low >= 0 and high <= 1 and low >= 0.05 and (score < low + 0.1 * (1 - low)).mean() > 0.03:
        yield diagnosis(
            "SCR105", n, f"no detection scores below {low:g}: the rest seems to be cut off, and AP is too low for it",
            repair="export detections from a score of 0.001 on",
        )  # fmt: skip


def _rescored(tables: Tables, factor: float) -> Tables:
    assert tables.detections is not None
    return Tables(tables.truth, replace(tables.detections, score=tables.detections.score * factor))


def ranking(sample: Sample) -> Iterator[Diagnosis]:
    """Whether low scores are right more often than high ones; `sample` holds detections of any score."""
    best, score = sample.best(), sample.aligned.detections.score[sample.detection]
    right = best >= 0.5
    if len(score) < MANY or right.mean() < 0.05 or right.mean() > 0.95:
        return
    order = score.argsort().argsort()
    chance = float(order[right].mean() - order[~right].mean()) / len(score)
    if chance < -0.25:
        yield diagnosis(
            "SCR107", len(sample.aligned.detections), "detections with low scores are right more often than those with high ones",
            evidence=(Evidence("rank of right ones minus rank of wrong ones", chance, -chance),),
            repair="--fix OUT turns them round", fix=lambda t: _rescored(t, -1.0),
        )  # fmt: skip
