"""Parts of a protocol: from verdicts to numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass

from boxscore.errors import UsageError
from boxscore.protocols.forms import BOUNDS, RATIOS
from boxscore.protocols.rules import rule
from boxscore.protocols.values import as_text


# fmt: off
@dataclass(frozen=True)
class Ranking:
    """Who ranks before whom in a class."""

    equal_scores: str = rule(
        "the ranking of detections with equal scores: by image, then by position in the source; by position alone; by "
        "the image's first appearance among the detections of the class, then by position; later images first, then by "
        "position; or, of relations, later images first, then by subject, object and relation, then later positions",
        "image", "position", "first-image", "later-image", "later-image-triple", default="position",
    )

    @property
    def later_image_first(self) -> bool:
        """Whether later images come first among equal scores, whatever comes after that."""
        return self.equal_scores in ("later-image", "later-image-triple")


@dataclass(frozen=True)
class Curve:
    """How true and false positives become precision, recall and their average."""

    recall_levels: int = rule("how many recall levels the average is taken over; 0 for all points", default=0)
    recall_grid: str = rule(
        "how recall reaches a level: as doubles, where some levels sit one last bit too high; exactly; or, as doubles, "
        "only from above it",
        "float", "exact", "above", default="exact", of="recall_levels",
    )
    recall_bounds: tuple[float, float] = rule(
        "points of the curve with a recall outside of these are left out before the average is taken; recalls above 1, "
        "where objects can be found twice, are kept by an upper bound of inf",
        default=(0.0, 1.0), form=BOUNDS,
    )
    precision_epsilon: float = rule("added to the denominator of the precision", default=0.0)
    level_sum: str = rule(
        "how precisions at levels, or the steps of a curve with all points, are added up: as NumPy does; one after the "
        "other, levels divided first; from the highest level down (these differ in the last bit); or, of levels, the "
        "area under straight lines from one to the next",
        "mean", "parts", "descending", "trapezoid", default="mean", of="recall_levels",
    )

    def _check(self) -> None:
        bounds = self.recall_bounds
        low, high = bounds if len(bounds) == 2 else (math.nan, math.nan)
        if not (0 <= low <= high and low <= 1 and (high <= 1 or high == math.inf)):
            raise UsageError(f"recall_bounds={as_text(bounds)}; expected two recalls, the lower one first")
        if self.recall_levels < 0 or self.recall_levels == 1:
            raise UsageError(f"recall_levels={self.recall_levels}; expected 0 (all points) or at least 2")


@dataclass(frozen=True)
class Averaging(Curve):
    """How the averages of classes become one number."""

    headline_max: int = rule(
        "the cap that the headline number insists on; 0 for the largest of max_detections",
        default=0, of="max_detections",
    )
    averaging: str = rule(
        "what the mean runs over: all cells of (threshold, level, class) at once; the APs of (threshold, class), added "
        "up as NumPy does, class by class, one after the other, or as NumPy does with 0 for classes without objects "
        "(these differ in the last bit); or no classes, but one ranking of all detections",
        "cells", "classes", "class-by-class", "classes-in-turn", "classes-with-zeros", "pooled", default="classes",
    )
    empty_class: str = rule(
        "the AP of a class without objects: undefined; zero; undefined, with its detections in a pooled ranking; or "
        "zero where it has no detections either, else undefined, as the mean is then",
        "undefined", "zero", "pooled", "zero-if-undetected", default="undefined",
    )


@dataclass(frozen=True)
class Delay:
    """How the delay with which objects in videos are found becomes one number."""

    delay_ratios: tuple[float, ...] = rule(
        "the numbers of false positives per object at which delays are taken, ascending: detections count down to the "
        "first one at which all classes together have more",
        default=(0.1, 0.2, 0.4, 0.8, 1.6, 3.2), form=RATIOS,
    )
    delay_limit: float = rule("a longer delay counts as so many frames", default=30.0)
    last_frame: str = rule(
        "the last frame of a video that has an object or a detection: looked at, or not, as if tracks ended before it",
        "counted", "skipped", default="counted",
    )

    def _check(self) -> None:
        ratios = self.delay_ratios
        if not ratios or any(not 0 < r < math.inf for r in ratios) or list(ratios) != sorted(set(ratios)):
            raise UsageError(f"delay_ratios={as_text(ratios)}; expected numbers above 0, ascending")
        if not self.delay_limit > 0:
            raise UsageError(f"delay_limit={self.delay_limit:g}; expected a number of frames above 0")


@dataclass(frozen=True)
class Report:
    """Which table of numbers is printed; changes none of them."""

    summary: str = rule(
        "which table of numbers is reported", "coco", "voc", "lvis", "imagenet", "localisation", "ultralytics",
        "keypoints", "relations", "relations-score", "stt", "motion", "delay", "tracks", default="voc",
    )
