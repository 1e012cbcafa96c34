"""Which classes a table shows: all of a few, the worst and the best of many."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from boxscore.evaluation.per_class import ClassRow
from boxscore.evaluation.result import Result
from boxscore.report.words import labels, printable

FEW = 20  # up to so many classes are shown, unless the screen has room for fewer
EDGE = 5  # of more, so many of the worst and of the best


Key = tuple[str, str]  # name and id: names may repeat


@dataclass(frozen=True)
class Chosen:
    """Classes to show, in order; None stands for those left out."""

    keys: tuple[Key | None, ...]
    metric: str
    more: str = ""

    def label(self, k: Key) -> str:
        """The name, with the id where several classes have that name."""
        names, times = self._names
        return f"{names[k[0]]} ({printable(k[1])})" if times[k[0]] > 1 else names[k[0]]

    @cached_property
    def _names(self) -> tuple[dict[str, str], Counter[str]]:
        """How each name is shown, and how many classes have it."""
        names = [k[0] for k in self.keys if k is not None]
        return labels(names), Counter(names)


def key(row: ClassRow) -> Key:
    """What tells a class from all others."""
    return row.name, str(row.id)


def choose(results: Sequence[Result], all_classes: bool = False, few: int = FEW) -> Chosen:
    """The classes to show, ranked by the first number of the first result if there are more than a few."""
    keys = list(dict.fromkeys(key(c) for r in results for c in r.per_class))
    metric = _ranking(results)
    if all_classes or len(keys) <= few:
        return Chosen(tuple(keys), metric)
    values = {key(c): c.metrics.get(metric, math.nan) for r in reversed(results) for c in r.per_class}
    ranked = sorted((k for k in keys if not math.isnan(values[k])), key=lambda k: values[k])
    if len(ranked) <= few:
        shown: list[Key | None] = list(ranked)
        what = f"{len(ranked):,} of {len(keys):,} classes"
    else:
        edge = min(EDGE, few // 2)
        shown = [*ranked[:edge], None, *ranked[-edge:]]
        what = f"The {edge} worst and {edge} best of {len(keys):,} classes by {metric}"
    empty = len(keys) - len(ranked)
    without = f"; {empty:,} have no {metric}" if empty else ""
    return Chosen(tuple(shown), metric, f"{what}{without}. All: --all-classes, in Python .per_class")


def _ranking(results: Sequence[Result]) -> str:
    """The first number of a class that some class of the first result has; without any, the first of all."""
    rows = results[0].per_class
    names = list(dict.fromkeys(m for c in rows for m in c.metrics))
    return next((m for m in names if not all(math.isnan(c.metrics.get(m, math.nan)) for c in rows)), (names or [""])[0])
