"""The outlines of pixels: closed paths between those inside and those outside."""

from __future__ import annotations

import numpy as np

from boxscore.tables.model import Bools

Path = tuple[tuple[float, float], ...]  # x y of each corner; the last one is joined with the first


def contours(pixels: Bools) -> tuple[Path, ...]:
    """The paths around all pieces of a bitmap and around their holes, along the edges of pixels.

    >>> contours(np.array([[True, True]]))
    (((0, 0), (2, 0), (2, 1), (0, 1)),)
    """
    height, width = pixels.shape
    padded = np.zeros((height + 2, width + 2), np.bool_)
    padded[1:-1, 1:-1] = pixels
    after: dict[tuple[int, int], list[tuple[int, int]]] = {}
    # Edges go clockwise around what is inside: right along its top, down along its right side, and so on.
    for (down, across), start, end in (
        ((-1, 0), (0, 0), (1, 0)), ((0, 1), (1, 0), (1, 1)), ((1, 0), (1, 1), (0, 1)), ((0, -1), (0, 1), (0, 0)),
    ):  # fmt: skip
        beside = padded[1 + down : 1 + down + height, 1 + across : 1 + across + width]
        for y, x in np.argwhere(pixels & ~beside).tolist():
            after.setdefault((x + start[0], y + start[1]), []).append((x + end[0], y + end[1]))
    paths = []
    while after:
        first = next(iter(after))
        path, at = [first], _next(after, first, None)
        while at != first:
            path.append(at)
            at = _next(after, at, path[-2])
        paths.append(_corners(path))
    return tuple(paths)


def _next(
    after: dict[tuple[int, int], list[tuple[int, int]]], at: tuple[int, int], before: tuple[int, int] | None
) -> tuple[int, int]:
    """Where the path goes on; where two pixels meet at a corner it turns right, so that they stay apart."""
    ways = after[at]
    k = 0
    if len(ways) > 1 and before is not None:
        dx, dy = at[0] - before[0], at[1] - before[1]
        k = next(i for i, (x, y) in enumerate(ways) if (x - at[0], y - at[1]) == (-dy, dx))
    chosen = ways.pop(k)
    if not ways:
        del after[at]
    return chosen


def _corners(path: list[tuple[int, int]]) -> Path:
    """The path without points on straight lines."""
    kept = []
    for k, (x, y) in enumerate(path):
        (x0, y0), (x1, y1) = path[k - 1], path[(k + 1) % len(path)]
        if (x - x0, y - y0) != (x1 - x, y1 - y):
            kept.append((x, y))
    return tuple(kept)
