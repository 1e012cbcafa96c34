"""Masks of rows and pairs of masks, defined."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore._reference.polygon import grid, polygon_counts
from boxscore._reference.rle import (
    MOST,
    NONE,
    column_counts,
    column_pixels,
    each_text,
    text,
    texts_and_ends,
    whole_counts,
)

Array = npt.NDArray[Any]

POLYGON, RLE = 1, 2


class Walk:
    """Where a walk is in the runs of one mask."""

    def __init__(self, counts: list[int]) -> None:
        self.later = list(counts)
        self.rest = self.later.pop(0) if self.later else 0
        self.inside = False

    def go_on(self, by: int) -> None:
        """By as many pixels as are left of the run, or fewer; an empty run takes a step of its own."""
        self.rest -= by
        if not self.rest and self.later:
            self.rest, self.inside = self.later.pop(0), not self.inside

    @property
    def over(self) -> bool:
        return not self.rest and not self.later


def union(one: list[int], other: list[int]) -> list[int]:
    """The union of two masks as pycocotools makes it: it ends where both are at an empty run at once.

    After such an end nothing more is in the mask; pycocotools would not come to an end then.
    """
    walks, counts, run, inside = (Walk(one), Walk(other)), [], 0, False
    while True:
        going = [walk for walk in walks if not walk.over]
        both = min((walk.rest for walk in going), default=0)
        run += both
        for walk in going:
            walk.go_on(both)
        ended = not any(walk.rest for walk in walks)
        now = any(walk.inside and not walk.over for walk in walks)
        if now != inside or ended:
            counts.append(run)
            run = 0
        if ended:
            return counts
        inside = now


def overlap(one: list[int], other: list[int]) -> tuple[int, int]:
    """Pixels of both masks and of either, as pycocotools counts them: up to where both are at an empty run at once."""
    a, b = Walk(one), Walk(other)
    shared = either = 0
    while True:
        both = min(a.rest, b.rest)
        shared += both * (a.inside and b.inside)
        either += both * (a.inside or b.inside)
        a.go_on(both)
        b.go_on(both)
        if not a.rest and not b.rest:
            return shared, either


def rle_join(
    part: Array, kind: Array, value: Array, values: Array | None, points: Array | None, begin: Array, end: Array,
    letters: Array, size: Array, threads: int = 1,
) -> tuple[Array, Array]:  # fmt: skip
    """One mask per row: its only part as it is, or the union of all that have no fault; nothing without any.

    Polygons have values in pixels, or points on the fine grid.
    """
    texts = []
    for row, (h, w) in enumerate(size.tolist()):
        parts = [p for p in range(part[row], part[row + 1]) if kind[p] in (POLYGON, RLE)]
        if h < 0 or w < 0 or max(h, w, h * w) > MOST:
            parts = []
        if len(parts) == 1 and kind[parts[0]] == RLE:
            texts.append(letters[begin[parts[0]] : end[parts[0]]].tobytes())
            continue
        made: list[int] | None = None
        for p in parts:
            if kind[p] == POLYGON:
                these = slice(value[p], value[p + 1])
                given = points if values is None else [grid(value) for value in values.tolist()]
                assert given is not None
                corners = [int(value) for value in given[these]]
                counts, fault = polygon_counts(corners, h, w), NONE
            else:
                counts, fault = whole_counts(letters[begin[p] : end[p]].tobytes(), h, w)
            if fault == NONE:
                made = counts if made is None else union(made, counts)
        texts.append(text(made or []))
    return texts_and_ends(texts)


def mask_intersections(
    d_letters: Array, d_begin: Array, d_end: Array, o_letters: Array, o_begin: Array, o_end: Array, d_size: Array,
    o_size: Array, detection: Array, object: Array, shared: Array, union: Array | None, threads: int = 1,
) -> None:  # fmt: skip
    """Fills what the masks of each pair have in common; 0 where sizes differ or one is at fault.

    With `union`, both are what pycocotools counts, which differs where masks have empty runs.
    """
    d_texts, o_texts = list(each_text(d_letters, d_begin, d_end)), list(each_text(o_letters, o_begin, o_end))
    for k, (d, o) in enumerate(zip(detection, object, strict=True)):
        shared[k] = 0
        if union is not None:
            union[k] = 0
        sides = [whole_counts(d_texts[d], *d_size[d].tolist()), whole_counts(o_texts[o], *o_size[o].tolist())]
        if d_size[d].tolist() != o_size[o].tolist() or any(fault != NONE for _, fault in sides):
            continue
        (one, _), (other, _) = sides
        if union is None:
            shared[k] = np.count_nonzero(column_pixels(one) & column_pixels(other))
        else:
            shared[k], union[k] = overlap(one, other)


def boundary_width(height: int, width: int, ratio: float) -> int:
    """How many pixels a boundary is wide."""
    return max(1, round(ratio * float(np.sqrt(height**2 + width**2))))


def boundary(pixels: Array, d: int) -> Array:
    """Pixels (height, width) without those that d erosions by a 3 x 3 square leave; outside of the image is empty."""
    left = pixels
    for _ in range(min(d, max(pixels.shape, default=0))):
        around = np.pad(left, 1)
        h, w = left.shape
        left = np.logical_and.reduce([around[y : y + h, x : x + w] for y in range(3) for x in range(3)])
    return pixels & ~left


def mask_boundaries(
    letters: Array, begin: Array, end: Array, size: Array, ratio: float, threads: int = 1
) -> tuple[Array, Array]:
    """The boundary of each mask; nothing of one that is at fault."""
    texts = []
    for one, (h, w) in zip(each_text(letters, begin, end), size.tolist(), strict=True):
        counts, fault = whole_counts(one, h, w)
        if fault != NONE:
            texts.append(b"")
            continue
        made = boundary(column_pixels(counts).reshape(w, h).T, boundary_width(h, w, ratio))
        texts.append(text(column_counts(made.T.ravel())))
    return texts_and_ends(texts)
