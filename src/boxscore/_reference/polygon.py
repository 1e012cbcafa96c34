"""Polygons as masks, defined: the outline on a grid five times as fine, as pycocotools draws it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

FINE = 5
MOST = 2**31 - 1


def grid(coordinate: float) -> int:
    """A coordinate on the fine grid, cut off towards zero; within what 32 bits hold."""
    fine = FINE * coordinate + 0.5
    return 0 if math.isnan(fine) else int(min(max(fine, -MOST), MOST))


def edge_points(a: tuple[int, int], b: tuple[int, int]) -> list[tuple[int, int]]:
    """The grid points of an edge from a to b: one per column, or per row where it is steep."""
    dx, dy = abs(a[0] - b[0]), abs(a[1] - b[1])
    if not dx and not dy:
        return [a]
    flat = dx >= dy
    flip = a[0] > b[0] if flat else a[1] > b[1]
    (xs, ys), (xe, ye) = (b, a) if flip else (a, b)
    if flat:
        slope = (ye - ys) / dx
        points = [(xs + t, int(ys + slope * t + 0.5)) for t in range(dx + 1)]
    else:
        slope = (xe - xs) / dy
        points = [(int(xs + slope * t + 0.5), ys + t) for t in range(dy + 1)]
    return points[::-1] if flip else points


def polygon_counts(values: Sequence[int], height: int, width: int) -> list[int]:
    """The runs of a polygon x y x y… on the fine grid; a last odd value is left out."""
    corners = list(zip(values[::2], values[1::2], strict=False))
    points = [p for a, b in zip(corners, corners[1:] + corners[:1], strict=True) for p in edge_points(a, b)]
    borders = []
    for (u0, v0), (u1, v1) in pairwise(points):
        # Between the third and the fourth of its five grid columns, a pixel column begins or ceases to be inside.
        x, beside = divmod(min(u0, u1) - FINE // 2, FINE)
        if u0 != u1 and not beside and 0 <= x < width:
            y = math.ceil((min(v0, v1) + 0.5) / FINE - 0.5)
            borders.append(x * height + min(max(y, 0), height))
    changes: list[int] = []
    for border in sorted(borders):  # two at one place undo each other
        if changes and changes[-1] == border:
            changes.pop()
        else:
            changes.append(border)
    pixels = height * width
    counts = [b - a for a, b in zip([0, *changes], changes, strict=False)]
    rest = pixels - (changes[-1] if changes else 0)
    return [*counts, rest] if rest or not counts else counts
