"""COCO's compressed masks, against pycocotools and against themselves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from boxscore.formats.io.rle import box_of, counts_of, text_of

RUNS = st.lists(st.integers(0, 2**32 - 1), max_size=12)
MASKS = arrays(np.uint8, st.tuples(st.integers(1, 9), st.integers(1, 9)), elements=st.integers(0, 1))


@given(RUNS)
def test_text_and_back(runs):
    assert counts_of(text_of(runs)) == runs
    assert counts_of(text_of(runs).encode()) == runs


@given(MASKS)
def test_as_pycocotools_has_it(mask):
    official = pytest.importorskip("pycocotools.mask")
    made = official.encode(np.asfortranarray(mask))
    runs = counts_of(made["counts"])
    inside = np.repeat(np.arange(len(runs)) % 2, runs).reshape(mask.shape, order="F")
    np.testing.assert_array_equal(inside, mask)
    assert text_of(runs).encode() == made["counts"]
    assert box_of(runs, mask.shape[0]) == official.toBbox(made).tolist()


@pytest.mark.parametrize("size", [1, 7, 100, 640])
def test_large_masks_as_pycocotools_has_them(size):
    official = pytest.importorskip("pycocotools.mask")
    mask = (np.add.outer(np.arange(size) ** 2, np.arange(2 * size) ** 2) % 97 < 40).astype(np.uint8)
    made = official.encode(np.asfortranarray(mask))
    runs = counts_of(made["counts"].decode())
    assert sum(runs) == mask.size
    assert text_of(runs).encode() == made["counts"]
    assert box_of(runs, size) == official.toBbox(made).tolist()


@pytest.mark.parametrize(("text", "message"), [
    ("5 2", "none of COCO's 64"), ("p", "none of COCO's 64"), ("ü", "none of COCO's 64"), ("5P", "middle of a number"),
    ("P" * 13 + "0", "too large"), ("5O", "negative length"), ("111M", "negative length"),
])  # fmt: skip
def test_damaged_text(text, message):
    with pytest.raises(ValueError, match=message):
        counts_of(text)


def test_masks_without_pixels():
    assert box_of([], 4) == box_of([12], 4) == box_of([5, 0, 7], 4) == [0.0] * 4
    assert counts_of("") == []
