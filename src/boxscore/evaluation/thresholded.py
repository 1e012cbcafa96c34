"""What a result can do besides telling its numbers: find score thresholds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from boxscore.metrics import Expression
from boxscore.tables.arguments import SLICE, checked

if TYPE_CHECKING:  # what is asked of few results is imported when it is
    from boxscore.analysis.sweep import Sweep
    from boxscore.analysis.thresholds import Thresholds


class Thresholded:
    """Something whose detections have scores."""

    @checked(**SLICE)
    def threshold(
        self,
        *,
        precision: float | None = None,
        recall: float | None = None,
        f1: str | None = None,
        cost: Mapping[str, float] | None = None,
        fp_per_image: float | None = None,
        per_class: bool = False,
        iou: float | None = None,
        area: str | None = None,
        max_detections: int | None = None,
    ) -> Thresholds:
        """The score threshold that meets one requirement: a common one, and one for each class if asked for.

        Thresholds are scores that occur. `precision`: of those with at least this precision the one with the highest
        recall. `recall`: the highest one with at least this recall. `f1="max"`: the highest F1. `cost={"fp": 1, "fn":
        5}`: the lowest cost, which may be that of no detection at all. `fp_per_image`: the lowest one with at most so
        many false positives per image. Of equally good ones the highest.
        """
        from boxscore.analysis.requirements import requirement
        from boxscore.analysis.thresholds import thresholds

        required = requirement(precision=precision, recall=recall, f1=f1, cost=cost, fp_per_image=fp_per_image)
        result = cast(Any, self)
        e = Expression("TP", iou, area, max_detections)
        return thresholds(result._numbers(), required, e, _images(result), per_class)

    @checked(**SLICE)
    def sweep(
        self,
        *,
        cost: Mapping[str, float] | None = None,
        iou: float | None = None,
        area: str | None = None,
        max_detections: int | None = None,
    ) -> Sweep:
        """Precision, recall, F1, false positives per image and, if asked for, cost at scores from low to high."""
        from boxscore.analysis.requirements import requirement
        from boxscore.analysis.sweep import sweep

        result = cast(Any, self)
        costs = None if cost is None else requirement(cost=cost)
        return sweep(result._numbers(), Expression("TP", iou, area, max_detections), _images(result), costs)


def _images(result: Any) -> int:
    """How many images there are to have false positives on."""
    listed, rest = result.ledger.images.truth, result.ledger.images.only_detections
    return int(listed + (rest if result.protocol.unknown_images == "counted" else 0))
