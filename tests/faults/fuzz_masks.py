"""Feeds texts and polygons of chance, and damaged ones, to every kernel of masks.

`python tests/faults/fuzz_masks.py N` with the kernels built under sanitizers (BOXSCORE_SANITIZE): they end the process
at the first read or write out of bounds and at the first undefined operation.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from boxscore import _core
from mask_scenes import Array, bitmaps, packed, polygons, unpacked

BATCH = 1000
ODD = np.array(
    [0.0, -0.0, 0.5, 1e-310, 2.0**31 / 5, -(2.0**31) / 5, 1e9, -1e9, 1e18, 1e308, -1e308, np.inf, -np.inf, np.nan]
)
SIZES = np.array([0, 1, 2, 7, 37, 50, 65_535, 2**16, 2**31 - 1, -1, -(2**31)])
SMALL = 5  # the first sizes: images whose pixels may be asked for


def texts(rng: np.random.Generator, n: int) -> list[bytes]:
    """A third of any bytes, a third of COCO's characters, a third of masks with a few characters changed."""
    sound = unpacked(_core.rle_of_bitmaps(bitmaps(rng, 40, 37, 50), 1))
    made = []
    for i in range(n):
        length = int(rng.integers(0, 200))
        if i % 3 == 0:
            made.append(rng.bytes(length // 4))
        elif i % 3 == 1:
            low, high = [(48, 112), (48, 64), (80, 112), (48, 90)][i % 4]
            made.append(rng.integers(low, high, length).astype(np.uint8).tobytes())
        else:
            one = bytearray(sound[int(rng.integers(len(sound)))])
            for _ in range(int(rng.integers(0, 4)) if one else 0):
                one[int(rng.integers(len(one)))] = int(rng.integers(40, 120))
            made.append(bytes(one[: int(rng.integers(0, len(one) + 1))] if i % 5 == 0 else one))
    return made


def outlines(rng: np.random.Generator, n: int) -> list[list[float]]:
    """Polygons that are hard to draw, some of them with odd numbers in between."""
    made = list(polygons(rng, n, 37, 50))
    for one in made[::2]:
        for _ in range(int(rng.integers(1, 4))):
            one[int(rng.integers(len(one)))] = float(rng.choice(ODD) * rng.choice([1.0, rng.uniform(-1, 1)]))
    return made


def batch(rng: np.random.Generator, n: int) -> int:
    """Every kernel with n texts and n polygons; how many inputs that were."""
    given = texts(rng, n)
    letters, begin, end = packed(given, rng)
    letters = letters.copy()  # of its own, so that a sanitizer knows where it ends
    n_sound = n // 2
    sides = (np.where(np.arange(n) < n_sound, side, rng.choice(SIZES, n)) for side in (37, 50))
    size = np.stack(list(sides), axis=1).astype(np.int32)
    area, box, fault = np.empty(n), np.empty((n, 4)), np.empty(n, np.uint8)
    _core.rle_check(letters, begin, end, size, area, box, fault, 2)
    assert np.isin(fault, range(7)).all()
    fits = (fault == 0) | (fault == 6)
    assert (box[fits][:, [3, 2]] <= size[fits]).all()
    pairs = np.sort(rng.integers(0, n, 2 * n)), rng.integers(0, n, 2 * n)
    shared, walked, union = np.empty((3, 2 * n))
    masks: tuple[Any, ...] = (letters, begin, end)
    _core.mask_intersections(*masks, *masks, size, size, *pairs, shared, None, 2)
    _core.mask_intersections(*masks, *masks, size, size, *pairs, walked, union, 2)
    assert (walked <= shared).all()
    small = (size <= SIZES[SMALL]).all(axis=1)
    chosen = [one[small].copy() for one in (begin, end, size)]
    _core.mask_boundaries(letters, *chosen, float(rng.choice([0.02, 0.1, 0.0, 1e300, np.nan, -1])), 2)
    counts, ends = _core.rle_counts(letters, begin, end)
    _core.rle_texts(counts, ends)
    for b, e in zip(begin[:50], end[:50], strict=True):
        _core.rle_bitmap(letters[b:e].copy(), 37, 50)
    check_joined(rng, letters, begin, end, outlines(rng, n))
    return 2 * n


def check_joined(rng: np.random.Generator, letters: Array, begin: Array, end: Array, drawn: list[list[float]]) -> None:
    """Rows of one to three parts; what is drawn or united covers the image."""
    n = len(drawn)
    kind = np.repeat(np.array([1, 2, 9], np.uint8), n)[rng.permutation(3 * n)]
    part = np.append(np.sort(rng.integers(0, 3 * n, n)), 3 * n)
    of = rng.integers(0, n, 3 * n)
    values = [drawn[i] if k == 1 else [] for i, k in zip(of.tolist(), kind.tolist(), strict=True)]
    value = np.cumsum([0, *map(len, values)], dtype=np.int64)
    flat = np.array([v for one in values for v in one], np.float64)
    size = np.full((n, 2), (37, 50), np.int32)
    size[: n // 10] = rng.choice(SIZES[:SMALL], (n // 10, 2))
    made = _core.rle_join(part, kind, value, flat, None, begin[of], end[of], letters, size, 2)
    texts_ = unpacked(made)
    rows = [i for i in range(n) if part[i] < part[i + 1] and (kind[part[i] : part[i + 1]] == 1).all()]
    area, box, fault = np.empty(len(rows)), np.empty((len(rows), 4)), np.empty(len(rows), np.uint8)
    _core.rle_check(*packed([texts_[i] for i in rows]), size[rows], area, box, fault, 2)
    assert not fault.any()


def run(total: int, seed: int = 0) -> int:
    """Feed at least that many inputs; how many there were."""
    rng, done = np.random.default_rng(seed), 0
    while done < total:
        done += batch(rng, min(BATCH, total))
    return done


if __name__ == "__main__":
    print(f"{run(int(sys.argv[1])):,} texts and polygons")
