"""Masks for tests: many texts in one array, shapes of all kinds, polygons that are hard to draw."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore._reference.polygon import grid

Array = npt.NDArray[Any]
NOTHING = np.zeros(0, np.uint8)


def packed(texts: Sequence[bytes], rng: np.random.Generator | None = None) -> tuple[Array, Array, Array]:
    """Letters, begin and end of texts; in an order of chance and with gaps if there is one."""
    order = range(len(texts)) if rng is None else rng.permutation(len(texts))
    letters = bytearray()
    begin, end = np.zeros((2, len(texts)), np.int64)
    for i in order:
        letters += b"" if rng is None else b"zz"
        begin[i] = len(letters)
        letters += texts[i]
        end[i] = len(letters)
    return np.frombuffer(bytes(letters), np.uint8), begin, end


def unpacked(made: tuple[Array, Array]) -> list[bytes]:
    """The texts that a kernel has made."""
    letters, ends = made[0].tobytes(), made[1].tolist()
    return [letters[b:e] for b, e in zip([0, *ends[:-1]], ends, strict=True)] if ends else []


def joined_polygons(kernels: Any, polygons: Sequence[Sequence[float]], height: int, width: int) -> list[bytes]:
    """The masks of polygons in images of one size, a row each."""
    n = len(polygons)
    value = np.cumsum([0, *map(len, polygons)], dtype=np.int64)
    values = np.array([v for p in polygons for v in p], np.float64)
    rows, none = np.arange(n + 1), np.zeros(n, np.int64)
    kind, size = np.ones(n, np.uint8), same_size(n, height, width)
    made = unpacked(kernels.rle_join(rows, kind, value, values, None, none, none, NOTHING, size, 2))
    points = np.array([grid(value) for value in values.tolist()], np.int32)
    assert made == unpacked(kernels.rle_join(rows, kind, value, None, points, none, none, NOTHING, size, 2))
    return made


def same_size(n: int, height: int, width: int) -> Array:
    """The sizes of n masks of one size."""
    return np.full((n, 2), (height, width), np.int32)


def polygons(rng: np.random.Generator, n: int, height: int, width: int) -> Iterator[list[float]]:
    """Polygons within the image, beyond it, on whole and half pixels, degenerate, star-like, far away."""
    size = np.array([width, height])
    kinds = (
        lambda u: np.round(u * size, 2),
        lambda u: (u * 3 - 1) * size,
        lambda u: np.floor((u * 1.4 - 0.2) * size),
        lambda u: np.round((u * 1.4 - 0.2) * size * 10) / 10,
        lambda u: np.repeat(np.round(u * size, 1), 2, axis=0),
        lambda u: np.round(u * size) * [1, len(u) % 2],
        lambda u: (u - 0.5) * 8e3,
        lambda u: size / 2 + (0.1 + 0.4 * u[:, :1]) * size * circle(len(u)),
    )
    for i in range(n):
        yield kinds[i % len(kinds)](rng.uniform(0, 1, (int(rng.integers(1, 14)), 2))).ravel().tolist()


def circle(n: int) -> Array:
    """Points on the unit circle."""
    angle = np.linspace(0, 2 * np.pi, n, endpoint=False)
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)


def bitmaps(rng: np.random.Generator, n: int, height: int, width: int) -> Array:
    """Bitmaps (n, height, width): empty, full, one pixel, noise, boxes that may touch the border, discs, blobs."""
    y, x = np.mgrid[:height, :width]
    made = np.zeros((n, height, width), np.uint8)
    for i, one in enumerate(made):
        a, b = rng.integers(0, [height + 1, width + 1], (2, 2)), rng.integers(0, [height, width])
        (top, left), (bottom, right) = a.min(axis=0), a.max(axis=0)
        kind = i % 8
        if kind == 1:
            one[:] = 1
        elif kind == 2:
            one[tuple(b)] = 1
        elif kind == 3:
            one[:] = rng.random((height, width)) < rng.random()
        elif kind in (4, 5):
            one[top:bottom, left:right] = 1
            if kind == 5:  # whole columns, or a hole
                one[:, left:right] = 1
                one[tuple(b)] = 0
        elif kind == 6:
            one[:] = (y - b[0]) ** 2 + (x - b[1]) ** 2 < rng.uniform(1, height * width)
        elif kind == 7:
            one[:] = np.sin(y * rng.uniform(0, 1)) + np.cos(x * rng.uniform(0, 1)) > rng.uniform(-1, 1)
    return made
