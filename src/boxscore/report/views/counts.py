"""How the boxes of both sides are distributed over the classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from boxscore.evaluation.result import Result
from boxscore.report.views.common import numbers_of, set_names, shown_names
from boxscore.report.words import merged
from boxscore.tables.model import Ints


@dataclass(frozen=True, eq=False)
class CountsView:
    """Classes by falling number of objects."""

    names: tuple[str, ...]
    objects: Ints  # to find
    sets: tuple[str, ...]
    detections: Ints  # (sets, classes) that take part


def view(results: Sequence[Result]) -> CountsView:
    """Objects to find and detections that take part, class by class, as in the table of classes."""
    objects: dict[str, int] = {}
    found: list[dict[str, int]] = []
    for r in results:
        names = shown_names(numbers_of(r))
        objects.update((name, row.objects) for name, row in zip(names, r.per_class, strict=True))
        found.append({name: row.detections for name, row in zip(names, r.per_class, strict=True)})
    names = merged([list(column) for column in found])
    order = sorted(range(len(names)), key=lambda k: (-objects[names[k]], -found[0].get(names[k], 0), k))
    names = [names[k] for k in order]
    return CountsView(
        tuple(names),
        np.array([objects[name] for name in names], np.int64),
        set_names(results),
        np.array([[column.get(name, 0) for name in names] for column in found], np.int64).reshape(len(results), -1),
    )
