"""Where a protocol divides overlaps and sizes: thresholds and the ends of size ranges, as plain numbers."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from boxscore import overlaps
from boxscore.evaluation.kernel_inputs import limits
from boxscore.evaluation.memo import Shared
from boxscore.protocols import Protocol
from boxscore.protocols.parts import Matching, Ranges
from boxscore.protocols.rules import values_of
from boxscore.tables.model import Floats, Truth


class Cuts(NamedTuple):
    """Whether an end belongs to its range, or a threshold to what passes, is in the numbers: they all do."""

    thresholds: tuple[float, ...]  # the least overlaps that pass
    lowest: tuple[float, ...]  # size ranges
    highest: tuple[float, ...]

    def columns(self) -> dict[str, Any]:
        """As the kernel takes them."""
        return {name: np.array(values, np.float64) for name, values in self._asdict().items()}


def cuts(protocol: Protocol) -> Cuts:
    """The cuts of a protocol.

    >>> cuts(Protocol("mine", iou=(0.5,), compare=">")).thresholds
    (0.5000000000000001,)
    """
    return Cuts(_thresholds(protocol), *_ranges(protocol))


def _thresholds(rules: Matching) -> tuple[float, ...]:
    return tuple(least_passing(np.minimum(rules.iou, rules.iou_ceiling) - rules.iou_slack, rules).tolist())


def _ranges(rules: Ranges) -> tuple[tuple[float, ...], tuple[float, ...]]:
    highest = np.array([a.high for a in rules.areas], np.float64)
    ends: Floats = highest if rules.area_ends == "closed" else np.nextafter(highest, -np.inf)
    return tuple(float(a.low) for a in rules.areas), tuple(ends.tolist())


def least_passing(thresholds: Floats, rules: Matching) -> Floats:
    """The least overlap that passes each threshold."""
    thresholds = overlaps.get(rules).as_compared(thresholds)
    return np.nextafter(thresholds, np.inf) if rules.compare == ">" else thresholds


def least_limits(truth: Truth, rules: Matching, shared: Shared, threads: int) -> Floats | None:
    """The least overlap that passes each object's own threshold; None where objects have none of their own."""
    limit = limits(truth, rules, shared, threads)
    if limit is None:
        return None
    return shared.once(("least", *values_of(rules, Matching)), (limit,), lambda: least_passing(limit, rules))


def between(a: Cuts, b: Cuts) -> tuple[Floats, Floats]:
    """The overlaps, and the sizes, on which two protocols differ: intervals (n, 2), the second end left out,
    which is nan where there is none.

    >>> [x.tolist() for x in between(Cuts((0.5,), (0.0,), (9.0,)), Cuts((0.6,), (0.0,), (9.0,)))]
    [[[0.5, 0.6]], []]
    """
    highest = np.array((a.highest, b.highest))
    with np.errstate(over="ignore"):  # beyond the largest double is infinity, and beyond that no number
        beyond, other_beyond = np.where(highest == np.inf, np.nan, np.nextafter(highest, np.inf))
    sizes = np.column_stack((np.append(a.lowest, beyond), np.append(b.lowest, other_beyond)))
    return _intervals(np.column_stack((a.thresholds, b.thresholds))), _intervals(sizes)


def _intervals(pairs: Floats) -> Floats:
    """Pairs of different numbers, the lesser first; nan comes last."""
    return np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1)
