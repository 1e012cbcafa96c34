"""Cells, defined: the rows of each class in each image, detections by descending score."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

Array = npt.NDArray[Any]
Rows = defaultdict[tuple[int, int], list[int]]


@dataclass(frozen=True)
class Cells:
    """The rows of two tables by (class, image)."""

    detections: Rows  # by descending score
    objects: Rows  # ascending
    labels: int
    images: int
    largest: int  # detections in the fullest cell
    tied: bool  # whether a cell has equal scores

    def find_meets(
        self, d_corners: Array, d_area: Array, o_corners: Array, o_area: Array, floor: Array, over: Array,
        threads: int = 1,
    ) -> None:  # fmt: skip
        """The compiled cells remember which boxes may overlap enough; here every pair is looked at each time."""


def cells(
    d_label: Array, d_image: Array, d_score: Array, o_label: Array, o_image: Array, labels: int, images: int,
    threads: int = 1,
) -> Cells:  # fmt: skip
    """Groups the rows of both tables."""
    detections = rows_of(d_label, d_image)
    for rows in detections.values():
        rows.sort(key=lambda r: -d_score[r])  # stable: equal scores keep the order of rows
    tied = any(len({float(d_score[r]) for r in rows}) < len(rows) for rows in detections.values())
    largest = max((len(rows) for rows in detections.values()), default=0)
    return Cells(detections, rows_of(o_label, o_image), labels, images, largest, tied)


def rows_of(label: Array, image: Array) -> Rows:
    """The rows of each (class, image), ascending; rows without class or image are in none."""
    found: Rows = defaultdict(list)
    for r in range(len(label)):
        if label[r] >= 0 and image[r] >= 0:
            found[int(label[r]), int(image[r])].append(r)
    return found
