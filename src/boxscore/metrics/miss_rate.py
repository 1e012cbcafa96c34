"""Log-average miss rate: how much is missed at nine rates of false positives per image."""

from __future__ import annotations

import math

import numpy as np

from boxscore.evaluation.curves import curve
from boxscore.metrics.expression import Expression
from boxscore.metrics.numbers import Numbers, mean_of_defined
from boxscore.metrics.registry import COUNTED, LOWER, metric
from boxscore.tables.model import Floats

# Powers, logarithms and exponentials are the C library's: the last bit of NumPy's depends on the processor.
RATES = np.array([math.pow(10, step / 4 - 2) for step in range(9)])
ROUNDED_RATES = np.array([0.01, 0.0178, 0.0316, 0.0562, 0.1, 0.1778, 0.3162, 0.5623, 1.0])  # as CrowdHuman has them
LOWEST = 1e-10  # miss rate of the Caltech rule


def class_miss_rates(numbers: Numbers, e: Expression, rates: Floats, reached: bool) -> Floats:
    """The miss rate of every class at some rates of false positives per image, (classes, rates); nan without objects.

    Taken where the ranking has first `reached` a rate (or ends), or else last not gone beyond it.
    """
    numbers = numbers.from_score(e.score)
    tally, part, threshold = numbers.tally, numbers.part(e), numbers.thresholds(e, every=False)[0]
    made = np.full((len(tally.classes), len(rates)), np.nan)
    for k in np.flatnonzero(numbers.members(e)):
        drawn = curve(tally, int(k), threshold, part)
        if not drawn.objects:
            continue
        n = len(drawn.score) if e.score is None else int((drawn.score >= e.score).sum())
        per_image = drawn.false_positives[:n] / len(tally.images)
        if reached:
            place = np.minimum(np.searchsorted(per_image, rates, side="left") + 1, n)
        else:
            place = np.searchsorted(per_image, rates, side="right")
        made[k] = np.maximum(1 - np.append(0.0, drawn.recall[:n])[place], 0.0)  # objects may be found more than once
    return made


def class_log_average(numbers: Numbers, e: Expression) -> Floats:
    """The log-average miss rate of every class by the Caltech rule, nan for those without objects."""
    rates = class_miss_rates(numbers, e, RATES, reached=False)
    return _geometric_mean(np.maximum(rates, LOWEST))


def class_log_average_crowdhuman(numbers: Numbers, e: Expression) -> Floats:
    """The log-average miss rate of every class by the CrowdHuman rule, nan for those without objects."""
    return _geometric_mean(class_miss_rates(numbers, e, ROUNDED_RATES, reached=True))


def _geometric_mean(rates: Floats) -> Floats:
    logarithms = np.array([math.log(rate) if rate else -math.inf for rate in rates.ravel().tolist()])
    means = logarithms.reshape(rates.shape).mean(axis=1)
    return np.array([math.exp(mean) for mean in means.tolist()])  # 0 where one of the rates is 0


@metric("LAMR", keys=COUNTED, better=LOWER)
def log_average_miss_rate(numbers: Numbers, e: Expression) -> float:
    """Geometric mean of the miss rates at 0.01 to 1 false positives per image (Caltech), mean over classes."""
    return mean_of_defined(class_log_average(numbers, e)[numbers.members(e)])


@metric("LAMR.CrowdHuman", keys=COUNTED, better=LOWER)
def log_average_miss_rate_crowdhuman(numbers: Numbers, e: Expression) -> float:
    """As LAMR, taken where a rate is first reached, with rounded rates, and 0 where nothing is missed at one."""
    return mean_of_defined(class_log_average_crowdhuman(numbers, e)[numbers.members(e)])
