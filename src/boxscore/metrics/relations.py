"""Relations: one ranking of all, recall and ranks among the best of each image, the score of the challenge."""

from __future__ import annotations

import numpy as np

from boxscore.evaluation.ranking import places_within
from boxscore.metrics.average import average_precision, class_precision, pooled_precision
from boxscore.metrics.expression import Expression
from boxscore.metrics.numbers import NotEvaluated, Numbers
from boxscore.metrics.registry import AVERAGED, LOWER, metric
from boxscore.tables.model import Bools, Floats, Ints

_TOP = ("iou", "area", "max")


@metric("weightedAP", keys=AVERAGED)
def weighted_precision(numbers: Numbers, e: Expression) -> float:
    """The AP of one ranking of all detections; classes count by how many objects they have.

    Classes without objects have their detections in it where the protocol says so (empty_class=pooled).
    """
    return pooled_precision(numbers, e)


@metric("topRecall", keys=_TOP)
def top_recall(numbers: Numbers, e: Expression) -> float:
    """The share of all objects that the best `max` detections of each image find, whatever their classes."""
    hit, _ = _of_images(numbers, e)
    objects = int(numbers.tally.to_find[:, numbers.part(_uncapped(e)).area].sum())
    return float(hit.sum() / objects) if objects else float("nan")


@metric("medianRank", keys=_TOP, better=LOWER, share=False)
def median_rank(numbers: Numbers, e: Expression) -> float:
    """The median rank, from 0, of true positives among the best `max` detections of their images."""
    hit, rank = _of_images(numbers, e)
    ranks = np.sort(rank[hit])
    if not len(ranks):
        return float("nan")
    return float((int(ranks[(len(ranks) - 1) // 2]) + int(ranks[len(ranks) // 2])) / 2)


def _of_images(numbers: Numbers, e: Expression) -> tuple[Bools, Ints]:
    """Which detections are true positives among the best of their images, and the rank of each in its image."""
    tally, part = numbers.tally, numbers.part(_uncapped(e))
    bit = tally.hits.dtype.type(1 << numbers.thresholds(e, every=False)[0])
    rows = np.flatnonzero((tally.rank < part.cap) & ((tally.ignored[:, part.area] & bit) == 0))
    tie = rows if tally.tie is None else tally.tie[rows]
    # An image is sorted once, a ranking over images twice: in the stable form of the official sort, which reverses
    # equal scores each time, they stand the other way round.
    tie = -tie if numbers.protocol.later_image_first else tie
    image = tally.image[rows]
    rank = np.zeros(len(tally), np.int64)
    rank[rows] = places_within(image, np.lexsort((tie, -tally.score[rows], image)))
    hit = np.zeros(len(tally), np.bool_)
    hit[rows] = (tally.hits[rows, part.area] & bit) != 0
    return hit & (rank < (len(tally) if e.cap is None else e.cap)), rank


def _uncapped(e: Expression) -> Expression:
    """The same without a limit, which holds for whole images here instead of images and classes."""
    return Expression(e.name, e.iou, e.area)


def _phrases(numbers: Numbers) -> Numbers:
    if numbers.prepared.truth.end_boxes is None:
        raise NotEvaluated("phrases are the boxes around subject and object, and single boxes have neither")
    return numbers.by(overlap="phrase")


@metric("phraseAP", keys=AVERAGED)
def phrase_precision(numbers: Numbers, e: Expression) -> float:
    """The AP of relations by the boxes around subject and object, whatever overlap the protocol takes."""
    return average_precision(_phrases(numbers), e)


def class_phrase_precision(numbers: Numbers, e: Expression) -> Floats:
    """The AP of every relation by the boxes around subject and object, nan for those without objects."""
    return class_precision(_phrases(numbers), e)


@metric("VRDscore", keys=("iou",))
def challenge_score(numbers: Numbers, e: Expression) -> float:
    """The score of the Open Images challenge: 0.4 AP + 0.2 topRecall[max=50] + 0.4 phraseAP."""
    recall = top_recall(numbers, Expression("topRecall", iou=e.iou, cap=50))
    return 0.4 * average_precision(numbers, e) + 0.2 * recall + 0.4 * phrase_precision(numbers, e)
