"""A score threshold in as few digits as it takes for the same detections to pass."""

from __future__ import annotations

import math
from decimal import ROUND_FLOOR, Context, Decimal

DIGITS = 17  # that a double can have after the point, near 1
_EXACT = Context(prec=400)  # digits enough for every double, those before the point (309 at most) and DIGITS after it


def shortest(score: float, below: float) -> float:
    """The number with the fewest decimals from which on the same detections pass as from a score.

    `below` is the next lower score that occurs; without one (-inf) the score stays as it is.

    >>> shortest(0.41237, 0.4), shortest(0.41237, 0.4123), shortest(0.30000001192092896, 0.2), shortest(0.606, 0.6058)
    (0.41, 0.41237, 0.3, 0.606)
    >>> shortest(1e300, 1.0), shortest(-7.25e22, -1e23)
    (1e+300, -7.25e+22)
    """
    if not math.isfinite(score) or not math.isfinite(below):
        return score
    exact = Decimal(repr(score))
    for digits in range(1, DIGITS):
        short = float(exact.quantize(Decimal(1).scaleb(-digits), ROUND_FLOOR, _EXACT))
        if below < short <= score:
            return short
    return score
