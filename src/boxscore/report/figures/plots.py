"""The figures as functions of results: what `boxscore.plot` and `Result.plot` offer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from boxscore.evaluation.result import Result
from boxscore.report.figures import need_matplotlib
from boxscore.report.views.common import as_results
from boxscore.report.views.ranking import ROWS
from boxscore.report.views.timeline import ROWS as TRACKS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Results = Result | Sequence[Result]


def _drawn(kind: str, results: Results, ax: Axes | None, width: float | None, height: float | None, **o: Any) -> Axes:
    need_matplotlib()
    from boxscore.report.figures.making import shown

    return shown(kind, as_results(results), ax, width, height, **o)


def pr(
    results: Results,
    label: str | None = None,
    *,
    iou: float | None = None,
    interpolation: str | int | None = None,
    ax: Axes | None = None,
    width: float | None = None,
    height: float | None = None,
) -> Axes:
    """Precision against recall: one class with its interpolation and area, all classes, or a curve for each result.

    `interpolation` is 11, 101, "all" or "raw"; that of the protocol by default. The AP beside a curve is the one that
    belongs to the interpolation. Pictures: docs/figures/pr_all.png, pr_classes.png, pr_sets.png.
    """
    return _drawn("pr", results, ax, width, height, label=label, iou=iou, interpolation=interpolation)


def score(
    results: Results,
    label: str | None = None,
    *,
    iou: float | None = None,
    ax: Axes | None = None,
    width: float | None = None,
    height: float | None = None,
) -> Axes:
    """Precision, recall and F1 against the score threshold, with the best F1; the F1 of each of several results.

    Over all classes, or of one. Pictures: docs/figures/score.png, score_sets.png.
    """
    return _drawn("score", results, ax, width, height, label=label, iou=iou)


def recall_iou(
    results: Results,
    label: str | None = None,
    *,
    ax: Axes | None = None,
    width: float | None = None,
    height: float | None = None,
) -> Axes:
    """Recall against the IoU threshold, with the mean (AR): at the protocol's thresholds, or 0.5 to 0.95.

    Picture: docs/figures/recall_iou_sets.png.
    """
    return _drawn("recall-iou", results, ax, width, height, label=label)


def classes(
    results: Results,
    *,
    iou: float | None = None,
    ax: Axes | None = None,
    width: float | None = None,
    height: float | None = None,
) -> Axes:
    """AP of each class, in falling order: bars for one result, a mark for each of several.

    Pictures: docs/figures/classes.png, classes_sets.png.
    """
    return _drawn("classes", results, ax, width, height, iou=iou)


def confusion(
    results: Results,
    *,
    iou: float | None = None,
    score: float | None = None,
    ax: Axes | None = None,
    width: float | None = None,
    height: float | None = None,
) -> Axes:
    """Confusion matrix at a score threshold, by default that of the best F1; a matrix for each of several results.

    Classes for whose names there is no room are gathered, the most confused ones are shown. Picture:
    docs/figures/confusion.png.
    """
    return _drawn("confusion", results, ax, width, height, iou=iou, score=score)


def counts(
    results: Results, *, ax: Axes | None = None, width: float | None = None, height: float | None = None
) -> Axes:
    """Boxes per class: objects as bars, the detections of each result as marks. Picture: docs/figures/counts.png."""
    return _drawn("counts", results, ax, width, height)


def sizes(results: Results, *, ax: Axes | None = None, width: float | None = None, height: float | None = None) -> Axes:
    """Box sizes of the ground truth and of each result, with the protocol's size ranges.

    Objects that a protocol ignores are counted, too. Picture: docs/figures/sizes.png.
    """
    return _drawn("sizes", results, ax, width, height)


def ranking(
    results: Results,
    label: str | None = None,
    *,
    iou: float | None = None,
    rows: int = ROWS,
    ax: Axes | None = None,
    width: float | None = None,
    height: float | None = None,
) -> Axes:
    """The first detections of a class by falling score with running counts, as in the papers; a table for each result.

    Without a label, of the class with the most objects. Picture: docs/figures/ranking.png.
    """
    return _drawn("ranking", results, ax, width, height, label=label, iou=iou, rows=rows)


def timeline(
    results: Results,
    label: str | None = None,
    *,
    iou: float | None = None,
    score: float | None = None,
    rows: int = TRACKS,
    ax: Axes | None = None,
    width: float | None = None,
    height: float | None = None,
) -> Axes:
    """When each object of a video exists, when it is found, and its delay, by default at the score of the best F1.

    Of one result, whose ground truth has videos and track ids. Picture: docs/figures/timeline.png.
    """
    return _drawn("timeline", results, ax, width, height, label=label, iou=iou, score=score, rows=rows)


FUNCTIONS = {f.__name__: f for f in (pr, score, recall_iou, classes, confusion, counts, sizes, ranking, timeline)}


class Plots:
    """The figures of one result: `r.plot.pr("cat")`. Each returns matplotlib axes and shows itself in a notebook.

    What they take is what the functions of `boxscore.plot` take.
    """

    def __init__(self, result: object) -> None:
        assert isinstance(result, Result)
        self._result = result

    def pr(self, label: str | None = None, **options: Any) -> Axes:
        """Precision against recall: `iou`, `interpolation`, `ax`, `width`, `height`."""
        return pr(self._result, label, **options)

    def score(self, label: str | None = None, **options: Any) -> Axes:
        """Precision, recall and F1 against the score threshold: `iou`, `ax`, `width`, `height`."""
        return score(self._result, label, **options)

    def recall_iou(self, label: str | None = None, **options: Any) -> Axes:
        """Recall against the IoU threshold: `ax`, `width`, `height`."""
        return recall_iou(self._result, label, **options)

    def classes(self, **options: Any) -> Axes:
        """AP of each class: `iou`, `ax`, `width`, `height`."""
        return classes(self._result, **options)

    def confusion(self, **options: Any) -> Axes:
        """Confusion matrix: `iou`, `score`, `ax`, `width`, `height`."""
        return confusion(self._result, **options)

    def counts(self, **options: Any) -> Axes:
        """Boxes per class: `ax`, `width`, `height`."""
        return counts(self._result, **options)

    def sizes(self, **options: Any) -> Axes:
        """Box sizes: `ax`, `width`, `height`."""
        return sizes(self._result, **options)

    def ranking(self, label: str | None = None, **options: Any) -> Axes:
        """The first detections of a class: `iou`, `rows`, `ax`, `width`, `height`."""
        return ranking(self._result, label, **options)

    def timeline(self, label: str | None = None, **options: Any) -> Axes:
        """When objects of videos exist and are found: `iou`, `score`, `rows`, `ax`, `width`, `height`."""
        return timeline(self._result, label, **options)
