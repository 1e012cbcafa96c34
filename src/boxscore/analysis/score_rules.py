"""Which of the scores that occur meets a requirement: a function for each kind of requirement."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from boxscore.analysis.requirements import Requirement
from boxscore.tables.model import Floats, Ints


class Ranking(NamedTuple):
    """Counts at the scores that may be a threshold, the highest score first."""

    score: Floats
    true: Ints
    false: Ints
    worth: Ints | Floats  # the true positives by weight
    objects: int
    aim: float  # the objects by weight
    images: int
    every: Floats  # the scores of all detections, ascending

    @property
    def precision(self) -> Floats:
        """The share of true ones; nan where there is no detection."""
        with np.errstate(invalid="ignore"):
            share: Floats = self.worth / (self.worth + self.false)
        return share

    @property
    def f1(self) -> Floats:
        """F1; nan where there is nothing to count."""
        with np.errstate(invalid="ignore"):
            share: Floats = 2 * self.worth / (2 * self.worth + (self.aim - self.worth) + self.false)
        return share


def _precise(r: Ranking, required: Requirement) -> int | str:
    enough = r.precision >= required.value
    if not enough.any():
        best = int(np.argmax(r.precision))
        return f"precision reaches {r.precision[best]:.4g} at {r.score[best]:.4g}"
    return int(np.argmax(np.where(enough, r.worth, -1)))


def _sensitive(r: Ranking, required: Requirement) -> int | str:
    enough = r.worth / r.aim >= required.value
    return int(np.argmax(enough)) if enough.any() else f"recall reaches {r.worth[-1] / r.aim:.4g}"


def _balanced(r: Ranking, required: Requirement) -> int | str:
    return int(np.argmax(r.f1))


def _cheap(r: Ranking, required: Requirement) -> int | str:
    return int(np.argmin(required.fp * r.false + required.fn * (r.aim - r.worth)))


def _quiet(r: Ranking, required: Requirement) -> int | str:
    per_image = r.false / r.images
    few = np.flatnonzero(per_image <= required.value)
    return int(few[-1]) if len(few) else f"the highest score has {per_image[0]:.4g} per image"


RULES: dict[str, Callable[[Ranking, Requirement], int | str]] = {
    "precision": _precise,
    "recall": _sensitive,
    "f1": _balanced,
    "cost": _cheap,
    "fp_per_image": _quiet,
}
