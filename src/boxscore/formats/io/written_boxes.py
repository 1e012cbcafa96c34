"""Boxes as COCO writes them: the width and height that give the same corners and the same area back, bit for bit."""

from __future__ import annotations

import numpy as np

from boxscore.tables.model import Bools, Floats

_DECIMALS = 7  # that files usually have at most
_STEPS = 256  # widths that are tried
_GOLDEN = (5**0.5 - 1) / 2


def with_sides(corners: Floats, area: Floats) -> Floats:
    """x, y, width and height of boxes, so that reading them gives corners and areas back as they are.

    COCO's overlap is bit-exact only so. Widths that end at the given corner are many where the box is far from the
    origin, so the one with the fewest decimals is taken if the area agrees, else one that makes it agree. Where there
    is none (most of all where a box begins far outside of the image and ends near its edge), the nearest one is.

    >>> with_sides(np.array([[0.1, 0.2, 0.1 + 0.3, 0.2 + 0.4]]), np.array([0.3 * 0.4]))
    array([[0.1, 0.2, 0.3, 0.4]])
    """
    start, end = corners[:, :2], corners[:, 2:]
    sides = _nearest(start, end)
    open_rows = np.arange(len(corners))
    for way in ("short", "nearest", "single"):
        first, last = start[open_rows], end[open_rows]
        tried = _short(first, last) if way == "short" else sides[open_rows]
        tried = _single(tried) if way == "single" else tried
        good = _fits(first, last, tried, area[open_rows])
        sides[open_rows[good]] = tried[good]
        open_rows = open_rows[~good]
    open_rows = open_rows[(start + sides == end).all(axis=1)[open_rows]]  # the others have no such sides at all
    if len(open_rows):
        found, good = _searched(start[open_rows], end[open_rows], area[open_rows])
        sides[open_rows[good]] = found[good]
    boxes: Floats = np.nan_to_num(np.concatenate([start, sides], axis=1))  # what is infinite stays so when added
    return boxes


def inexact(corners: Floats, area: Floats) -> int:
    """How many boxes lose last bits when they are written as a corner and a size."""
    boxes = with_sides(corners, area)
    return int(np.count_nonzero(~_fits(boxes[:, :2], corners[:, 2:], boxes[:, 2:], area)))


def _fits(start: Floats, end: Floats, sides: Floats, area: Floats) -> Bools:
    with np.errstate(over="ignore"):
        fits: Bools = (start + sides == end).all(axis=1) & (sides[:, 0] * sides[:, 1] == area)
    return fits


def _nearest(start: Floats, end: Floats) -> Floats:
    """The difference, or the number next to it where that alone leads to the end."""
    sides: Floats = end - start
    for toward in (np.inf, -np.inf):
        missed = start + sides != end
        if not missed.any():
            break
        other = np.nextafter(end - start, toward)
        sides = np.where(missed & (start + other == end), other, sides)
    return sides


def _short(start: Floats, end: Floats) -> Floats:
    """The sides with the fewest decimals that lead to the end."""
    exact: Floats = end - start
    sides, missed = exact.copy(), np.ones(exact.shape, np.bool_)
    for decimals in range(_DECIMALS):
        rounded = np.round(exact, decimals)
        fits = missed & (start + rounded == end)
        sides[fits] = rounded[fits]
        missed &= ~fits
        if not missed.any():
            break
    return sides


def _single(sides: Floats) -> Floats:
    """As numbers of 32 bits, which many detectors have."""
    with np.errstate(over="ignore"):
        return sides.astype(np.float32).astype(np.float64)


def _searched(start: Floats, end: Floats, area: Floats) -> tuple[Floats, Bools]:
    """Sides by trial: some of the widths that could do, each with the height that the area asks for."""
    sides: Floats = end - start
    slack = np.spacing(np.abs(end)) / 2  # a side may be so much off and still lead to the end
    found, done = sides.copy(), np.zeros(len(sides), np.bool_)
    with np.errstate(all="ignore"):
        low, high = sides[:, 0] - slack[:, 0], sides[:, 0] + slack[:, 0]
        bounds = area[:, None] / np.stack([sides[:, 1] + slack[:, 1], sides[:, 1] - slack[:, 1]], axis=1)
        tall = np.abs(sides[:, 1]) > slack[:, 1]  # else the height says nothing about the width
        low = np.where(tall, np.maximum(low, bounds.min(axis=1)), low)
        high = np.where(tall, np.minimum(high, bounds.max(axis=1)), high)
        rows = np.arange(len(sides))
        for step in range(_STEPS):
            # Neighbours of a width that fails often fail alike, so every other one is from anywhere between the ends.
            width = low[rows] + (high - low)[rows] * (0.5 if step % 2 else (step * _GOLDEN) % 1)
            width += (step // 4 * (1 if step % 4 == 1 else -1) if step % 2 else 0) * np.spacing(width)
            height = area[rows] / width
            for other in (height, np.nextafter(height, np.inf), np.nextafter(height, -np.inf)):
                tried = np.stack([width, other], axis=1)
                good = _fits(start[rows], end[rows], tried, area[rows])
                found[rows[good]], done[rows[good]] = tried[good], True
            rows = np.flatnonzero(~done)
            if not len(rows):
                break
    return found, done
