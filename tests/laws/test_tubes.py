"""The kernel of tubes equals its definition, and matching by objects does with any overlap."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from boxscore import _core, _reference
from boxscore.tables.runs import Runs


@pytest.mark.parametrize("seed", range(20))
def test_tubes_share_what_their_frames_share(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sides = []
    for _ in range(2):
        lengths = rng.integers(0, 9, 6)
        end = np.cumsum(lengths)
        frame = np.concatenate([np.sort(rng.permutation(12)[:n]) for n in lengths]).astype(np.int64)
        low = rng.integers(0, 6, (len(frame), 2)) / rng.choice([1, 3])
        corners = np.concatenate([low, low + rng.integers(0, 6, low.shape)], axis=1).astype(np.float64)
        area = (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1])
        sides.append(((end - lengths).astype(np.int64), end.astype(np.int64), frame, corners, area))
    detection, object_ = (pair.ravel() for pair in np.meshgrid(np.arange(6), np.arange(6)))
    expected, union = np.empty(36), np.empty(36)
    _reference.tube_intersections(*sides[0], *sides[1], detection, object_, expected, union)
    for threads in (1, 3):
        shared, either = np.empty(36), np.empty(36)
        _core.tube_intersections(*sides[0], *sides[1], detection, object_, shared, either, threads=threads)
        np.testing.assert_array_equal(shared, expected)
        np.testing.assert_array_equal(either, union)
    assert expected.any()
    volumes = [np.add.reduceat(np.append(s[4], 0.0), s[0]) * (s[1] > s[0]) for s in sides]
    np.testing.assert_allclose(union, volumes[0][detection] + volumes[1][object_] - expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_tubes_of_masks_share_the_pixels_of_their_frames(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sides, pixels = [], []
    for _ in range(2):
        lengths = rng.integers(0, 5, 5)
        end = np.cumsum(lengths).astype(np.int64)
        frame = np.concatenate([np.sort(rng.permutation(6)[:n]) for n in lengths]).astype(np.int64)
        bitmaps = rng.random((len(frame), 4, 6)) < rng.choice([0.0, 0.4, 1.0], (len(frame), 1, 1))
        bitmaps = [one if rng.random() < 0.9 else one[:, :5] for one in bitmaps]  # some of another size
        texts = [Runs.of_counts(_counts(one)) for one in bitmaps]
        last = np.cumsum([len(text) for text in texts]).astype(np.int64)
        first = np.append(0, last)[:-1].astype(np.int64)
        letters = np.frombuffer(b"".join(texts), np.uint8)
        size = np.array([one.shape for one in bitmaps], np.int32).reshape(-1, 2)
        sides.append((end - lengths, end, frame, letters, first, last, size))
        pixels.append(bitmaps)
    detection, object_ = (pair.ravel() for pair in np.meshgrid(np.arange(5), np.arange(5)))
    expected = np.empty(25)
    _reference.mask_tube_intersections(*sides[0], *sides[1], detection, object_, expected)
    for threads in (1, 3):
        shared = np.empty(25)
        _core.mask_tube_intersections(*sides[0], *sides[1], detection, object_, shared, threads=threads)
        np.testing.assert_array_equal(shared, expected)
    by_pixels = [_in_common(sides, pixels, d, o) for d, o in zip(detection, object_, strict=True)]
    np.testing.assert_array_equal(expected, by_pixels)


def _counts(bitmap: npt.NDArray[np.bool_]) -> list[int]:
    """Runs down the columns, the first one outside."""
    flat = bitmap.T.ravel()
    borders = np.flatnonzero(np.diff(np.concatenate([[False], flat])))
    return np.diff(np.concatenate([[0], borders, [len(flat)]])).tolist()


def _in_common(sides: list[Any], pixels: list[Any], d: int, o: int) -> int:
    (begin, end, frame, *_), (o_begin, o_end, o_frame, *_) = sides
    theirs = {o_frame[j]: pixels[1][j] for j in range(o_begin[o], o_end[o])}
    own = ((pixels[0][i], theirs.get(frame[i])) for i in range(begin[d], end[d]))
    return sum(int((a & b).sum()) for a, b in own if b is not None and a.shape == b.shape)
