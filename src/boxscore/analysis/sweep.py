"""What a score threshold trades: precision, recall and false positives at many of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from boxscore.analysis.requirements import Requirement
from boxscore.analysis.score_rules import Ranking
from boxscore.analysis.thresholds import score_ranking
from boxscore.metrics import Expression, Numbers

STEPS = 20  # thresholds lie between so many parts of the scores


class Trade(NamedTuple):
    """What the detections from a score on amount to; nan where a rate is undefined."""

    score: float
    precision: float
    recall: float
    f1: float
    false_positives_per_image: float
    true_positives: int
    false_positives: int
    false_negatives: int
    cost: float  # nan unless costs are given


@dataclass(frozen=True)
class Sweep:
    """Trades at thresholds from low to high, and the costs that were asked for."""

    rows: tuple[Trade, ...]
    cost: Requirement | None
    iou: float


def sweep(numbers: Numbers, e: Expression, images: int, cost: Requirement | None = None) -> Sweep:
    """The trade at 0.05, 0.1, … 0.95 where all scores lie between 0 and 1, else at quantiles of the scores."""
    ranking = score_ranking(numbers, e)
    at = _thresholds(ranking)
    iou = numbers.protocol.iou[numbers.thresholds(e, every=False)[0]]
    return Sweep(tuple(_trade(ranking, score, images, cost) for score in at), cost, iou)


def _thresholds(ranking: Ranking) -> list[float]:
    score = ranking.score
    if len(score) and (score.min() < 0 or score.max() > 1):
        return [float(s) for s in np.unique(np.quantile(score, np.arange(1, STEPS) / STEPS, method="lower"))]
    return [k / STEPS for k in range(1, STEPS)]


def _trade(r: Ranking, score: float, images: int, cost: Requirement | None) -> Trade:
    """Counts of the detections with at least this score; scores stand in descending order."""
    n = int(np.searchsorted(-r.score, -score, "right"))  # so many scores are at least as high
    true, false, worth = (int(r.true[n - 1]), int(r.false[n - 1]), float(r.worth[n - 1])) if n else (0, 0, 0.0)
    missed = r.aim - worth
    return Trade(
        score,
        _share(worth, worth + false),
        _share(worth, r.aim),
        _share(2 * worth, 2 * worth + missed + false),
        _share(false, images),
        true,
        false,
        r.objects - true,
        math.nan if cost is None else cost.fp * false + cost.fn * missed,
    )


def _share(part: float, whole: float) -> float:
    return part / whole if whole else math.nan
