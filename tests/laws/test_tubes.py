"""The kernel of tubes equals its definition, and matching by objects does with any overlap."""

from __future__ import annotations

import numpy as np
import pytest

from boxscore import _core, _reference


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
        sides.append(((end - lengths).astype(np.int64), end.astype(np.int64), frame, corners))
    detection, object_ = (pair.ravel() for pair in np.meshgrid(np.arange(6), np.arange(6)))
    expected, shared, threaded = np.empty(36), np.empty(36), np.empty(36)
    _reference.tube_intersections(*sides[0], *sides[1], detection, object_, expected)
    for made, threads in ((shared, 1), (threaded, 3)):
        _core.tube_intersections(*sides[0], *sides[1], detection, object_, made, threads=threads)
        np.testing.assert_array_equal(made, expected)
    assert expected.any()
