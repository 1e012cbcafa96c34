"""The confusion matrix of each detection set, the most confused classes first, the rest gathered where room ends."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from boxscore.analysis.confusion import Confusion, Mistake
from boxscore.evaluation.result import Result
from boxscore.report.views.common import numbers_of, set_names, threshold_index
from boxscore.report.words import printable
from boxscore.tables.model import Ints


@dataclass(frozen=True, eq=False)
class Matrix:
    """Counts by true class (rows) and predicted class (columns); the last of each is the background."""

    name: str
    score: float  # of the operating point; nan where there is none, which has no detections
    classes: tuple[str, ...]
    counts: Ints  # (classes + 1, classes + 1)
    largest: tuple[Mistake, ...]  # the most frequent confusions
    reason: str = ""


@dataclass(frozen=True, eq=False)
class ConfusionView:
    """A matrix for each detection set."""

    iou: float
    matrices: tuple[Matrix, ...]

    def sized(self, most: int) -> ConfusionView:
        """The same with at most so many classes; the others are gathered in one."""
        return ConfusionView(self.iou, tuple(gathered(m, most) for m in self.matrices))


def view(results: Sequence[Result], iou: float | None = None, score: float | None = None) -> ConfusionView:
    """Matrices at a score, or where F1 is best."""
    first = numbers_of(results[0])
    threshold = first.protocol.iou[threshold_index(first, iou)]
    taken = [_taken(r, threshold, score) for r in results]
    orders = [_by_confusion(confusion.counts) for _, _, confusion in taken]
    if len({confusion.classes for _, _, confusion in taken}) == 1:  # in one order, so that matrices can be compared
        orders = [_by_confusion(np.sum([confusion.counts for _, _, confusion in taken], axis=0))] * len(taken)
    made = [_matrix(name, *one, order) for name, one, order in zip(set_names(results), taken, orders, strict=True)]
    return ConfusionView(threshold, tuple(made))


def _taken(result: Result, iou: float, score: float | None) -> tuple[float, str, Confusion]:
    """The score of the operating point, why there is none, and the matrix there."""
    reason = ""
    if score is None:
        best = result.threshold(f1="max", iou=iou).common
        score, reason = best.score, best.reason
    return score, reason, result.at(math.inf if math.isnan(score) else score, iou=iou).confusion


def _matrix(name: str, score: float, reason: str, confusion: Confusion, order: list[int]) -> Matrix:
    full = [*order, len(order)]
    return Matrix(
        name,
        score,
        tuple(printable(confusion.classes[k]) or '""' for k in order),
        confusion.counts[np.ix_(full, full)],
        tuple(Mistake(printable(m.true), printable(m.predicted), m.cases) for m in confusion.largest(6)),
        reason,
    )


def _by_confusion(counts: Ints) -> list[int]:
    """The classes so that those that are taken for each other stand together, the most frequent confusions first."""
    n = len(counts) - 1
    if n <= 12:
        return list(range(n))
    between = counts[:n, :n].copy()
    np.fill_diagonal(between, 0)
    true, predicted = np.nonzero(between)
    largest = np.argsort(-between[true, predicted], kind="stable")
    pairs = np.stack([true[largest], predicted[largest]], axis=1).ravel().tolist()
    rest = np.argsort(-counts[:n].sum(axis=1), kind="stable").tolist()
    return list(dict.fromkeys([*pairs, *rest]))


def gathered(matrix: Matrix, most: int) -> Matrix:
    """The first classes of a matrix; all others as one, whose own cell holds what they are taken for among each other.

    >>> counts = np.arange(16).reshape(4, 4)
    >>> gathered(Matrix("", 0.5, ("a", "b", "c"), counts, ()), 2).counts.tolist()
    [[0, 3, 3], [12, 30, 18], [12, 27, 15]]
    """
    n = len(matrix.classes)
    if n <= most:
        return matrix
    starts = [*range(most - 1), most - 1, n]
    counts = np.add.reduceat(np.add.reduceat(matrix.counts, starts, axis=0), starts, axis=1)
    names = (*matrix.classes[: most - 1], f"{n - most + 1:,} other classes")
    return Matrix(matrix.name, matrix.score, names, counts, matrix.largest, matrix.reason)


def title(matrix: Matrix, iou: float) -> str:
    """Where the matrix was taken."""
    if math.isnan(matrix.score):
        return matrix.reason or "no detections"
    return f"score {matrix.score:.3g}, IoU {iou:.4g}"
