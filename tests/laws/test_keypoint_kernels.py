"""The kernels of keypoints equal their definitions, for any points, areas and numbers of threads."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore import _core, _reference
from effort import examples

VALUES = st.sampled_from((-1e200, -3.5, 0.0, 0.1, 1.0, 7.25, 1e-3, 640.0, 1e150))


@st.composite
def pairs(draw: Any) -> dict[str, Any]:
    """Rows of both sides, pairs of them, and where the exponents of each pair begin."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, own, other, count = (draw(st.integers(*ends)) for ends in ((1, 20), (1, 4), (1, 4), (0, 30)))
    more = draw(st.integers(0, 2))  # points that other classes of the detections have
    d_points, o_points = rng.normal(50, 20, (own, n + more, 3)), rng.normal(50, 20, (other, n, 3))
    d_points[0, 0, 0], o_points[0, 0, 1] = draw(VALUES), draw(VALUES)
    if draw(st.booleans()):  # as readers hand over what a network says
        with np.errstate(over="ignore"):
            d_points = d_points.astype(np.float32)
    if draw(st.booleans()):
        with np.errstate(over="ignore"):
            o_points = o_points.astype(np.float32)
    o_points[:, :, 2] = rng.integers(0, 3, (other, n)) * rng.integers(0, 2, (other, 1))
    labelled = (o_points[:, :, 2] > 0).sum(axis=1)
    detection, object_ = rng.integers(0, own, count), rng.integers(0, other, count)
    used = np.where(labelled > 0, labelled, n)[object_] * (rng.random(count) > 0.1)  # some pairs do not fit
    corner = rng.normal(40, 10, (other, 2))
    return {
        "d_points": d_points, "o_points": o_points, "o_unlabelled": (labelled == 0).astype(np.uint8),
        "o_around": np.concatenate([corner, corner + 25], axis=1),
        "o_area": rng.choice([2.0**-52, 0.5, 1024.0, -3.0, 1e9], other),
        "o_variance": rng.integers(0, 3, other), "variances": rng.choice([0.0025, 0.01, 0.04], n + 2),
        "detection": detection, "object": object_, "first": np.append(0, np.cumsum(used)),
    }  # fmt: skip


@settings(max_examples=examples(200))
@given(given_=pairs(), threads=st.integers(1, 3))
def test_exponents_and_means(given_: dict[str, Any], threads: int) -> None:
    made, expected = (np.full(given_["first"][-1], np.nan) for _ in range(2))
    with np.errstate(all="ignore"):
        _core.keypoint_exponents(**given_, exponent=made, threads=threads)
        _reference.keypoint_exponents(**given_, exponent=expected)
        np.testing.assert_array_equal(made, expected)
        values = np.exp(expected)
    means = [np.full(len(given_["detection"]), np.nan) for _ in range(2)]
    with np.errstate(all="ignore"):
        _core.keypoint_means(given_["first"], values, means[0], threads=threads)
        _reference.keypoint_means(given_["first"], values, means[1])
    np.testing.assert_array_equal(*means)


@settings(max_examples=examples(200))
@given(given_=pairs(), floor=st.sampled_from((0.05, 0.3, 0.5, 0.95, 1.0)), threads=st.integers(1, 3))
def test_pairs_that_are_not_near_are_below_the_floor(given_: dict[str, Any], floor: float, threads: int) -> None:
    count = len(given_["detection"])
    made, expected = (np.full(count, 7, np.uint8) for _ in range(2))
    exponent, mean = np.empty(given_["first"][-1]), np.empty(count)
    with np.errstate(all="ignore"):
        _core.keypoints_near(**given_, floor=floor, near=made, threads=threads)
        _reference.keypoints_near(**given_, floor=floor, near=expected)
        _reference.keypoint_exponents(**given_, exponent=exponent)
        _reference.keypoint_means(given_["first"], np.exp(exponent), mean)
    np.testing.assert_array_equal(made, expected)
    used = np.diff(given_["first"]) > 0
    assert not (mean[used & (made == 0)] >= floor).any()


@settings(max_examples=examples(200))
@given(
    seed=st.integers(0, 2**32 - 1), single=st.booleans(), labelled_only=st.booleans(), spread=st.sampled_from((50, 900))
)
def test_counts_of_points(seed: int, single: bool, labelled_only: bool, spread: float) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(100, spread, (rng.integers(0, 9), rng.integers(0, 6), 3))
    points[rng.random(points.shape[:2]) < 0.2] = np.nan
    points[rng.random(points.shape[:2]) < 0.2] = 400.0  # on the edge of an image of 200
    points[..., 2] = rng.integers(0, 3, points.shape[:2])
    points = points.astype(np.float32) if single else points
    counts = [np.full(len(points), -1) for _ in range(2)]
    _core.point_counts(points, counts[0], threads=2)
    _reference.point_counts(points, counts[1])
    np.testing.assert_array_equal(*counts)
    image = rng.integers(-1, 3, len(points)).astype(np.int32)
    sides = np.array([200.0, 640.0, np.nan]), np.array([200.0, 480.0, np.nan])
    assert _core.count_far_points(points, image, *sides, labelled_only) == _reference.count_far_points(
        points, image, *sides, labelled_only
    )


def test_threads_change_nothing() -> None:
    rng = np.random.default_rng(0)
    first = np.append(0, np.cumsum(rng.integers(0, 18, 20_000)))
    values = rng.random(first[-1])
    means = [np.empty(20_000) for _ in range(2)]
    for out, threads in zip(means, (1, 4), strict=True):
        _core.keypoint_means(first, values, out, threads=threads)
    np.testing.assert_array_equal(*means)
