"""What the views have in common: several results side by side, thresholds, recall levels, fewer points to draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from boxscore.analysis.operating_point import class_names
from boxscore.errors import UnknownName, UsageError
from boxscore.evaluation.result import Result
from boxscore.metrics import Expression, Numbers
from boxscore.report.blocks import short_names
from boxscore.report.words import printable
from boxscore.tables.model import Floats, Ints

INTERPOLATIONS = {"11": 11, "101": 101, "all": 0}
RAW = "raw"
DRAWN = 1500  # bins along an axis: more than a printed column has dots


def as_results(results: Result | Sequence[Result]) -> list[Result]:
    """One or several results as a list; they need the verdicts behind their numbers."""
    some = [results] if isinstance(results, Result) else list(results)
    if not some:
        raise UsageError("no results; expected at least one to draw")
    return some


def numbers_of(result: Result) -> Numbers:
    """The verdicts behind a result."""
    if result.numbers is None:
        raise UsageError("this result holds only its stored numbers; a figure needs a new evaluation")
    return result.numbers


def set_names(results: Sequence[Result]) -> tuple[str, ...]:
    """What detection sets are called: as short as they can be told apart, with the protocol where it differs."""
    names = short_names([r.detections.name or r.detections.path for r in results])
    if len({r.protocol.signature() for r in results}) > 1:
        names = [f"{name} ({r.protocol.name})" for name, r in zip(names, results, strict=True)]
    return tuple(printable(name) or "detections" for name in names)


def shown_names(numbers: Numbers) -> list[str]:
    """The names of the classes, with the id where several have one name."""
    return [printable(name) or '""' for name in class_names(numbers.tally.classes)]


def class_index(numbers: Numbers, label: str | None) -> int | None:
    """The number of a class by name; the only one where there is one; None for all of them."""
    names = class_names(numbers.tally.classes)
    if label is None:
        return 0 if len(names) == 1 else None
    if label in names:
        return names.index(label)
    raise UnknownName("class", label, names)


def threshold_index(numbers: Numbers, iou: float | None) -> int:
    """The number of an IoU threshold; the first unless one is named."""
    return numbers.thresholds(Expression("AP", iou), every=False)[0]


def interpolation_of(result: Result, text: str | int | None) -> str:
    """The interpolation by name: that of the protocol unless another is asked for."""
    if text is None:
        own = result.protocol.recall_levels
        return {levels: name for name, levels in INTERPOLATIONS.items()}.get(own, str(own))
    known = [*INTERPOLATIONS, RAW]
    if str(text) in (*known, str(result.protocol.recall_levels or "all")):
        return str(text)
    raise UnknownName("interpolation", str(text), known)


def with_interpolation(numbers: Numbers, interpolation: str) -> Numbers:
    """The same verdicts with another number of recall levels; the levels decide nothing before the curve."""
    levels = INTERPOLATIONS.get(interpolation, numbers.protocol.recall_levels)
    if interpolation == RAW or levels == numbers.protocol.recall_levels:
        return numbers
    protocol = replace(numbers.protocol, recall_levels=levels)
    return Numbers(replace(numbers.tally, protocol=protocol), threads=numbers.threads)


def thinned(x: Floats, *columns: Floats) -> Ints:
    """Rows that draw the same line as all of them: the ends and extremes of each of many bins along x."""
    n = len(x)
    if n <= 4 * DRAWN:
        return np.arange(n)
    low, high = float(np.nanmin(x)), float(np.nanmax(x))
    place = np.minimum(((x - low) / ((high - low) or 1.0) * DRAWN).astype(np.int64), DRAWN - 1)
    ends = np.flatnonzero(np.diff(place, prepend=-1, append=-1))
    keep = {*ends[:-1].tolist(), *(ends[1:] - 1).tolist(), 0, n - 1}
    for column in columns:
        for order in (np.lexsort((column, place)), np.lexsort((-column, place))):
            keep.update(order[np.flatnonzero(np.diff(place[order], prepend=-1))].tolist())
    return np.array(sorted(keep), np.int64)


def percent_iou(iou: float) -> str:
    """An IoU threshold as it stands in a name such as AP50."""
    return f"{100 * iou:.4g}"
