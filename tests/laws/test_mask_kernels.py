"""The kernels of masks equal their definitions, for any bytes, polygons and numbers of threads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxscore import _core, _reference
from mask_scenes import bitmaps, joined_polygons, packed, polygons, same_size, unpacked

SIDES = st.integers(0, 9)
ANY_TEXT = st.one_of(
    st.binary(max_size=12),
    st.lists(st.integers(48, 111), max_size=90).map(bytes),
    st.lists(st.integers(80, 111), max_size=20).map(bytes),  # numbers that go on
    st.lists(st.integers(48, 63), max_size=90).map(bytes),  # small numbers
)


@st.composite
def runs(draw: Any, pixels: int) -> list[int]:
    """Runs that cover an image, some of them empty."""
    cuts = sorted(draw(st.lists(st.integers(0, pixels), max_size=12)))
    return [b - a for a, b in zip([0, *cuts], [*cuts, pixels], strict=True)]


def text(counts: list[int]) -> bytes:
    return unpacked(_reference.rle_texts(np.array(counts, np.uint32), np.array([len(counts)])))[0]


@st.composite
def masks(draw: Any) -> tuple[bytes, int, int]:
    """A mask with the size of its image: sound, damaged, or of another size."""
    height, width = draw(SIDES), draw(SIDES)
    made = bytearray(text(draw(runs(height * width))))
    damage = draw(st.integers(0, 9))
    if damage == 0:
        made = bytearray(draw(ANY_TEXT))
    elif damage == 1 and made:
        made[draw(st.integers(0, len(made) - 1))] = draw(st.integers(0, 255))
    elif damage == 2:
        height = draw(st.sampled_from([-1, height + 1, 2**20, -(2**31), 2**31 - 1]))
    return bytes(made), height, width


MANY = st.lists(masks(), max_size=8)


def columns(rows: list[tuple[bytes, int, int]]) -> tuple[np.ndarray, ...]:
    """Letters, begin, end and sizes, in an order of chance."""
    sizes = np.array([row[1:] for row in rows], np.int32).reshape(-1, 2)
    return *packed([row[0] for row in rows], np.random.default_rng(len(rows))), sizes


def same(made: tuple[np.ndarray, ...], defined: tuple[np.ndarray, ...]) -> None:
    for a, b in zip(made, defined, strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)


@given(MANY, st.integers(1, 3))
def test_measures(rows: list[tuple[bytes, int, int]], threads: int) -> None:
    n = len(rows)
    made, defined = ((np.empty(n), np.empty((n, 4)), np.empty(n, np.uint8)) for _ in range(2))
    _core.rle_check(*columns(rows), *made, threads)
    _reference.rle_check(*columns(rows), *defined)
    same(made, defined)


@given(st.lists(ANY_TEXT, max_size=6))
def test_runs_of_any_text(texts: list[bytes]) -> None:
    made = _core.rle_counts(*packed(texts))
    same(made, _reference.rle_counts(*packed(texts)))
    for one in texts:
        letters = np.frombuffer(one, np.uint8)
        np.testing.assert_array_equal(_core.rle_bitmap(letters, 5, 7), _reference.rle_bitmap(letters, 5, 7))


@given(st.lists(st.lists(st.integers(0, 2**32 - 1), max_size=90), max_size=5))
def test_runs_as_text_and_back(many: list[list[int]]) -> None:
    counts = np.array([count for one in many for count in one], np.uint32)
    ends = np.cumsum([len(one) for one in many], dtype=np.int64)
    made = _core.rle_texts(counts, ends)
    same(made, _reference.rle_texts(counts, ends))
    same(_core.rle_counts(*packed(unpacked(made))), (counts, ends))


@given(MANY, MANY, st.integers(1, 3))
def test_intersections(d: list[tuple[bytes, int, int]], o: list[tuple[bytes, int, int]], threads: int) -> None:
    (*d_text, d_size), (*o_text, o_size) = columns(d + o), columns(o)
    sizes = d_size, o_size
    pairs = [side.ravel() for side in np.mgrid[: len(d) + len(o), : len(o)]]
    made, defined = ((np.empty(len(pairs[0])), np.empty(len(pairs[0]))) for _ in range(2))
    for union in (False, True):
        for kernels, out in ((_core, made), (_reference, defined)):
            given_ = out[1] if union else None
            kernels.mask_intersections(*d_text, *o_text, *sizes, *pairs, out[0], given_, threads)
        same(made[: 1 + union], defined[: 1 + union])


@given(MANY, st.sampled_from([0.0, 0.02, 0.15, 0.5, 1e300, -1.0]), st.integers(1, 3))
def test_boundaries(rows: list[tuple[bytes, int, int]], ratio: float, threads: int) -> None:
    if ratio == 1e300:  # an int in Python, but no image is that large
        same(_core.mask_boundaries(*columns(rows), ratio, threads), _core.mask_boundaries(*columns(rows), 99.0, 1))
        return
    same(_core.mask_boundaries(*columns(rows), ratio, threads), _reference.mask_boundaries(*columns(rows), ratio))


@pytest.mark.parametrize(("height", "width"), [(30, 41), (90, 33), (1, 50)])
def test_boundaries_of_any_width(height: int, width: int) -> None:
    rng = np.random.default_rng(height)
    texts = unpacked(_core.rle_of_bitmaps(bitmaps(rng, 40, height, width), 1))
    size = same_size(40, height, width)
    for ratio in (0.01, 0.05, 0.1, 0.2, 0.4):
        made = _core.mask_boundaries(*packed(texts), size, ratio, 2)
        same(made, _reference.mask_boundaries(*packed(texts), size, ratio))


COORDINATES = st.one_of(
    st.integers(-5, 45).map(lambda i: i / 5), st.floats(-3, 12), st.integers(-2, 9).map(float), st.floats(-300, 300)
)


@st.composite
def joined(draw: Any) -> tuple[Any, ...]:
    """The arguments of `rle_join`: rows of polygons, masks and other parts."""
    part, kinds, values, texts, sizes = [0], [], [], [], []
    for _ in range(draw(st.integers(0, 4))):
        height, width = draw(SIDES), draw(SIDES)
        for _ in range(draw(st.integers(0, 4))):
            kinds.append(draw(st.sampled_from([1, 1, 1, 2, 2, 2, 0, 9])))
            values.append(draw(st.lists(COORDINATES, max_size=14)) if kinds[-1] == 1 else [])
            texts.append(draw(st.one_of(runs(height * width).map(text), ANY_TEXT)) if kinds[-1] == 2 else b"")
        part.append(len(kinds))
        sizes.append((height, width))
    letters, begin, end = packed(texts)
    fine = np.array([draw(st.integers(-20, 60)) for one in values for _ in one], np.int32)
    numbers = (None, fine) if draw(st.booleans()) else (np.array([x for one in values for x in one], np.float64), None)
    return (
        np.array(part, np.int64), np.array(kinds, np.uint8), np.cumsum([0, *map(len, values)], dtype=np.int64),
        *numbers, begin, end, letters, np.array(sizes, np.int32).reshape(-1, 2),
    )  # fmt: skip


@given(joined(), st.integers(1, 3))
def test_joining(arguments: tuple[Any, ...], threads: int) -> None:
    same(_core.rle_join(*arguments, threads), _reference.rle_join(*arguments))


@pytest.mark.parametrize(("height", "width"), [(17, 23), (40, 9), (0, 5), (5, 0)])
def test_polygons(height: int, width: int) -> None:
    drawn = [p for p in polygons(np.random.default_rng(width), 160, height, width) if max(map(abs, p)) < 1000]
    assert joined_polygons(_core, drawn, height, width) == joined_polygons(_reference, drawn, height, width)


FAR = st.one_of(st.sampled_from([1e9, -1e9, 1e308, -1e308, float("inf"), float("-inf"), float("nan")]), st.floats())


@given(st.lists(st.tuples(st.one_of(FAR, COORDINATES), st.one_of(FAR, COORDINATES)), max_size=8))
def test_polygons_of_any_numbers_fill_the_image(corners: list[tuple[float, float]]) -> None:
    made = joined_polygons(_core, [[v for corner in corners for v in corner]], 20, 30)
    counts, _ = _core.rle_counts(*packed(made))
    assert counts.sum() == 600
    assert (counts[1:] > 0).all()


def test_a_polygon_far_around_the_image_covers_it() -> None:
    far = 4e8  # the fine grid just fits into 32 bits
    assert joined_polygons(_core, [[-far, -far, far, -far, far, far, -far, far]], 20, 30) == [text([0, 600])]
    assert joined_polygons(_core, [[far, far, far + 9, far, far, far + 9]], 20, 30) == [text([600])]


@given(st.integers(0, 4), SIDES, st.integers(0, 20), st.integers(1, 3))
def test_bitmaps(n: int, height: int, width: int, threads: int) -> None:
    pixels = np.random.default_rng(n).integers(0, 3, (n, height, width)).astype(np.uint8)
    same(_core.rle_of_bitmaps(pixels, threads), _reference.rle_of_bitmaps(pixels))


@given(SIDES, SIDES, st.integers(0, 5), st.sets(st.integers(-1, 6)))
def test_labels(height: int, width: int, most: int, ids: set[int]) -> None:
    labels = np.random.default_rng(most).integers(0, most + 1, (height, width)).astype(np.int32)
    wanted = np.array(sorted(ids), np.int32)
    same(_core.rle_of_labels(labels, wanted), _reference.rle_of_labels(labels, wanted))


def test_many_masks_by_several_threads() -> None:
    rng = np.random.default_rng(9)
    texts = unpacked(_core.rle_of_bitmaps(bitmaps(rng, 200, 37, 50), 1)) * 30
    n = len(texts)
    masks_, size = packed(texts, rng), same_size(n, 37, 50)
    drawn = list(polygons(rng, 2000, 37, 50))
    assert joined_polygons(_core, drawn, 37, 50) == [joined_polygons(_core, [p], 37, 50)[0] for p in drawn]
    pairs = np.sort(rng.integers(0, n, 20_000)), rng.integers(0, n, 20_000)
    results = []
    for threads in (1, 4):
        area, box, fault, shared = np.empty(n), np.empty((n, 4)), np.empty(n, np.uint8), np.empty(20_000)
        _core.rle_check(*masks_, size, area, box, fault, threads)
        _core.mask_intersections(*masks_, *masks_, size, size, *pairs, shared, None, threads)
        results.append((area, box, fault, shared, *_core.mask_boundaries(*masks_, size, 0.05, threads)))
    same(*results)
