"""Where a protocol divides overlaps and sizes: thresholds and the ends of size ranges, as plain numbers."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from boxscore.protocols import Protocol
from boxscore.tables.model import Floats


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
    highest = np.array([a.high for a in protocol.areas], np.float64)
    return Cuts(
        tuple(least_passing(np.minimum(protocol.iou, protocol.iou_ceiling), protocol).tolist()),
        tuple(float(a.low) for a in protocol.areas),
        tuple((highest if protocol.area_ends == "closed" else np.nextafter(highest, -np.inf)).tolist()),
    )


def least_passing(thresholds: Floats, protocol: Protocol) -> Floats:
    """The least overlap that passes each threshold."""
    if protocol.overlap == "single":
        thresholds = thresholds.astype(np.float32).astype(np.float64)
    return np.nextafter(thresholds, np.inf) if protocol.compare == ">" else thresholds


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
    """Pairs of different numbers, the lesser first; what is no number comes last."""
    return np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1)
