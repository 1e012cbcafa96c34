"""Classes above classes: objects and image labels counted for their ancestors too."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from boxscore.tables.model import Classes, ImageLabels, Indices, Ints, Mark, Table, Truth, select


def ancestors(classes: Classes) -> list[tuple[int, ...]]:
    """All classes above each class, near and far, ascending.

    >>> ancestors(Classes(("animal", "cat", "siamese"), (1, 2, 3), parents=((), (0,), (1,))))
    [(), (0,), (0, 1)]
    """
    parents = classes.parents or ((),) * len(classes)
    found: list[tuple[int, ...]] = []
    for k in range(len(classes)):
        above: set[int] = set()
        open_ends = list(parents[k])
        while open_ends:
            one = open_ends.pop()
            if one not in above and one != k:
                above.add(one)
                open_ends.extend(parents[one])
        found.append(tuple(sorted(above)))
    return found


def with_ancestors(table: Table) -> tuple[Table, Ints]:
    """Every row once for its own class and once for each class above, and for each row the one that it comes from."""
    rows, label = _copies(table.label, ancestors(table.classes))
    return replace(select(table, rows), label=label), rows


def expanded_labels(truth: Truth) -> ImageLabels | None:
    """What is said of whole images: presence holds for the classes above too, absence for those below."""
    marks = truth.labels
    if marks is None:
        return None
    above = ancestors(truth.classes)
    below: list[list[int]] = [[] for _ in above]
    for k, some in enumerate(above):
        for one in some:
            below[one].append(k)
    there = (marks.mark & int(Mark.POSITIVE)) != 0
    up, label_up = _copies(marks.label[there], above)
    down, label_down = _copies(marks.label[~there], [tuple(b) for b in below])
    rows = np.concatenate([np.flatnonzero(there)[up], np.flatnonzero(~there)[down]])
    return ImageLabels(marks.image[rows], np.concatenate([label_up, label_down]), marks.mark[rows])


def _copies(label: Indices, further: list[tuple[int, ...]]) -> tuple[Ints, Indices]:
    """Row numbers, each repeated for its further classes and followed by them, and the classes."""
    n_copies = np.array([1 + len(f) for f in further] + [1], np.int64)
    flat = np.array([c for k, f in enumerate(further) for c in (k, *f)] + [-1], np.int32)
    begin = np.cumsum(n_copies) - n_copies
    per_row = n_copies[label]
    rows = np.repeat(np.arange(len(label)), per_row)
    place = np.arange(len(rows)) - np.repeat(np.cumsum(per_row) - per_row, per_row)
    return rows, flat[begin[label[rows]] + place]


__all__ = ["ancestors", "expanded_labels", "with_ancestors"]
