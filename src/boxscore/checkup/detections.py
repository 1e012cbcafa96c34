"""What is wrong with the detections by themselves: scores, repeated rows, boxes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from boxscore.checkup.gain import ap50, some
from boxscore.checkup.sampling import sample
from boxscore.checkup.tables import odd_boxes, place, without
from boxscore.diagnostics.diagnoses import Diagnosis, Evidence, Tables, diagnosis
from boxscore.joining.align import Aligned
from boxscore.tables.model import Detections, Floats, Ints

MANY = 50  # detections below which nothing is said of their scores
UPSIDE_DOWN = -0.25  # real detectors with nearly random scores reach -0.2
REVERSED, REVERSED_BY = 1.5, 0.1  # by so much AP50 is higher, at least, where scores are upside down
GLIMPSE = 20_000  # scores that tell whether they are rounded
DIGITS = 101  # different scores that two digits can have


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
    marks = _marks(found)
    ordered = np.sort(marks)
    if int((ordered[1:] == ordered[:-1]).sum()) <= max(2, 0.005 * len(found)):
        return
    order = np.lexsort((np.arange(len(found)), marks))
    a, b = order[:-1], order[1:]
    same = (marks[a] == marks[b]) & (found.image[a] == found.image[b]) & (found.label[a] == found.label[b])
    same &= (found.corners[a] == found.corners[b]).all(axis=1) & (found.score[a] == found.score[b])
    rows = np.sort(b[same])
    if len(rows) > max(2, 0.005 * len(found)):
        yield diagnosis(
            "DUP101", len(rows), f"{len(rows):,} of {len(found):,} detections are there twice, with the same box, "
            "class and score, as when results are appended to a file; the second counts as a false positive",
            examples=tuple(place(found, int(r)) for r in rows[:3]),
            fix=partial(without, side="detections", positions=found.position[rows]),
        )  # fmt: skip


def _marks(found: Detections) -> Ints:
    """A number that equal rows share, and hardly any others."""
    bits = np.ascontiguousarray(found.corners).view(np.int64)
    marks: Ints = found.image.astype(np.int64) * 0x9E3779B97F4A7C1 + found.label
    with np.errstate(over="ignore"):
        for column in (*(bits[:, k] for k in range(4)), np.ascontiguousarray(found.score).view(np.int64)):
            marks = (marks ^ column) * 0x100000001B3
            marks ^= marks >> 29
    return marks


def _scores(found: Detections) -> Iterator[Diagnosis]:
    score = found.score
    n, low, high = len(score), float(score.min()), float(score.max())
    if n < MANY:
        return
    if low == high:
        unscored = f": the file seems to have none, and {low:g} stands for it" if low in (0.0, 1.0) else ""
        yield diagnosis(
            "SCR102", n, f"all {n:,} detections have the score {low:g}{unscored}; without a ranking AP means nothing",
            repair="export detections with their confidence (Ultralytics: save_conf=True)",
        )  # fmt: skip
        return
    if low >= 0 and 1.5 < high <= 100 and np.median(score) > 1:
        yield diagnosis(
            "SCR101", n, f"scores go from {low:g} to {high:g}, as percent do; AP is the same, thresholds are not",
            fix=partial(_rescored, factor=0.01),
        )  # fmt: skip
    elif low < 0 or high > 1:
        yield diagnosis(
            "SCR104", n, f"scores go from {low:g} to {high:g}, as logits do; AP is the same, thresholds are not",
            repair="nothing for AP; export probabilities to choose thresholds",
        )  # fmt: skip
    distinct = len(np.unique(score[:: max(1, n // GLIMPSE)]))
    if distinct <= min(DIGITS * 10, n // 5) and (distinct := len(np.unique(score))) <= min(DIGITS, n // 5):
        yield diagnosis(
            "SCR103", n - distinct, f"{n:,} detections have only {distinct:,} different scores: they are rounded, and "
            "equal ones have no order", repair="write scores with all their digits",
        )  # fmt: skip


def _rescored(tables: Tables, factor: float) -> Tables:
    assert tables.detections is not None
    score: Floats = tables.detections.score * factor
    if factor < 0:
        low, high = float(tables.detections.score.min()), float(tables.detections.score.max())
        score = 1 + score if low >= 0 and high <= 1 else score
    return Tables(tables.truth, replace(tables.detections, score=score))


def ranking(aligned: Aligned) -> Iterator[Diagnosis]:
    """Whether low scores are right more often than high ones."""
    score = aligned.detections.score
    if len(score) < MANY or float(score.max()) == float(score.min()):
        return
    ahead = _ahead(aligned)
    if ahead < UPSIDE_DOWN or _better_reversed(aligned):
        evidence = (Evidence("rank of right detections above that of wrong ones (-0.5 to 0.5)", ahead, -ahead),)
        yield diagnosis(
            "SCR107", len(aligned.detections), "detections with low scores are right more often than those with high "
            "ones: the scores are distances, or 1 minus the confidence",
            evidence=evidence if ahead < UPSIDE_DOWN else (), fix=partial(_rescored, factor=-1.0),
        )  # fmt: skip


def _ahead(aligned: Aligned) -> float:
    """By how much of the ranking right detections are above wrong ones; 0 where too few are the one or the other."""
    made = sample(aligned, 48, 4000)
    score = aligned.detections.score[made.detection]
    right = made.best_now >= 0.5
    if len(score) < MANY or not 0.05 < right.mean() < 0.95:
        return 0.0
    rank = score.argsort(kind="stable").argsort() / len(score)
    return float(rank[right].mean() - rank[~right].mean())


def _better_reversed(aligned: Aligned) -> bool:
    """Whether AP50 is much higher from the lowest score on."""
    part, _ = some(aligned)
    now = ap50(part)
    if now > 0.5:
        return False
    return ap50(replace(part, detections=replace(part.detections, score=-part.detections.score))) > max(
        REVERSED * now, now + REVERSED_BY
    )
