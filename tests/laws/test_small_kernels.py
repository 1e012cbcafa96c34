"""Looking up ids, making corners and reordering columns equal their definitions, by any number of threads."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from boxscore import _core, _reference

ids = st.one_of(st.integers(-3, 12), st.integers(-(2**63), 2**63 - 1), st.sampled_from([2**40, 2**40 + 1, -(2**63)]))


@given(st.lists(ids, max_size=60), st.lists(ids, max_size=30), st.integers(1, 4))
def test_looking_up(values: list[int], known: list[int], threads: int) -> None:
    wanted = np.array([*values, *known[::2]], np.int64)
    made, defined = (np.empty(len(wanted), np.int32) for _ in range(2))
    _core.index_of(wanted, np.array(known, np.int64), made, threads)
    _reference.index_of(wanted, np.array(known, np.int64), defined)
    np.testing.assert_array_equal(made, defined)


def test_looking_up_many_values_in_many_blocks() -> None:
    rng = np.random.default_rng(3)
    known = rng.permutation(np.arange(-5000, 5000) * 2**48)
    values = rng.choice(np.concatenate([known, np.arange(100)]), 300_000)
    made = [np.empty(len(values), np.int32) for _ in range(2)]
    for out, threads in zip(made, (1, 5), strict=True):
        _core.index_of(values, known, out, threads)
    place = {key: i for i, key in enumerate(known.tolist())}
    assert made[0].tolist() == made[1].tolist() == [place.get(v, -1) for v in values.tolist()]


numbers = st.one_of(
    st.integers(-50, 700).map(float), st.floats(-1e6, 1e6), st.floats(allow_nan=False, allow_infinity=False)
)


@given(st.lists(st.tuples(*[numbers] * 4), max_size=20), st.integers(0, 2), st.integers(1, 3))
def test_corners(boxes: list[tuple[float, ...]], form: int, threads: int) -> None:
    given_boxes = np.array(boxes, np.float64).reshape(-1, 4)
    made, defined = ((np.empty_like(given_boxes), np.empty(len(boxes))) for _ in range(2))
    _core.to_corners(given_boxes, form, *made, threads)
    _reference.to_corners(given_boxes, form, *defined)
    in_place = given_boxes.copy()
    area = np.empty(len(boxes))
    _core.to_corners(in_place, form, in_place, area, threads)
    for a, b, c in zip(made, defined, (in_place, area), strict=True):
        np.testing.assert_array_equal(a, b)
        np.testing.assert_array_equal(a, c)
    assert _core.count_flat(in_place, threads) == _reference.count_flat(in_place)


@given(
    st.lists(st.tuples(*[numbers] * 4), max_size=20), st.sampled_from([0.0, 1.0]), st.integers(0, 30), st.integers(1, 3)
)
def test_measures_of_boxes(boxes: list[tuple[float, ...]], pixel: float, margin: int, threads: int) -> None:
    corners = np.array(boxes, np.float64).reshape(-1, 4)
    areas, overlaps = ([np.empty(len(boxes)) for _ in range(2)] for _ in range(2))
    _core.box_areas(corners, pixel, areas[0], threads)
    _reference.box_areas(corners, pixel, areas[1])
    np.testing.assert_array_equal(*areas)
    _core.margin_overlaps(corners, pixel, margin, overlaps[0], threads)
    _reference.margin_overlaps(corners, pixel, margin, overlaps[1])
    np.testing.assert_array_equal(*overlaps)


@given(st.one_of(st.integers(0, 300), st.integers(2**20 - 2, 2**22 + 2)))
def test_memory_is_all_there_and_one_s_own(size: int) -> None:
    one, other = _core.memory(size), _core.memory(size)
    one[:] = 1
    other[:] = 2
    assert len(one) == len(_reference.memory(size)) == size
    assert bool((one == 1).all())


def test_every_kernel_has_its_definition() -> None:
    """The definition of `value_columns` is that of `json_columns`, over the same values as JSON."""
    kernels = {name for name in dir(_core) if not name.startswith("_")}
    assert kernels == {*_reference.__all__, "value_columns"}


@given(st.integers(0, 2**32), st.integers(1, 40), st.integers(0, 60), st.integers(1, 3))
def test_rows_in_another_order(seed: int, n: int, wanted: int, threads: int) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, n, wanted).astype(np.uint32)
    for shape, dtype in (
        ((n,), np.uint8),
        ((n,), np.uint16),
        ((n,), np.int32),
        ((n,), np.float64),
        ((n, 4), np.float64),
        ((n, 8), np.float64),
        ((n, 17, 3), np.float64),
        ((n, 3), np.uint8),
    ):
        column = rng.integers(0, 200, shape).astype(dtype)
        made, defined = (np.empty((wanted, *column.shape[1:]), column.dtype) for _ in range(2))
        _core.take(column, rows, made, threads)
        _reference.take(column, rows, defined)
        np.testing.assert_array_equal(made, defined, strict=True)
