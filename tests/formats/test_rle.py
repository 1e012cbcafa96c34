"""Run lengths: masks, COCO's short text, boxes around them, as pycocotools has them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from boxscore.formats.rle import compressed, counts_of, decompressed, hull_of, mask_of

masks = st.tuples(st.integers(1, 12), st.integers(1, 12)).flatmap(lambda shape: arrays(np.bool_, shape))


@given(masks)
def test_there_and_back(mask):
    counts = counts_of(mask)
    assert sum(counts) == mask.size
    np.testing.assert_array_equal(mask_of(counts, *mask.shape), mask)
    assert decompressed(compressed(counts)) == counts


@given(st.lists(st.integers(0, 2**40), max_size=20))
def test_any_run_lengths_come_back(counts):
    assert decompressed(compressed(counts)) == counts


@given(masks)
def test_the_box_around_a_mask(mask):
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    around = (columns[0], rows[0], columns[-1] + 1, rows[-1] + 1) if len(rows) else None
    assert hull_of(counts_of(mask), mask.shape[0]) == around


@given(masks)
def test_as_pycocotools(mask):
    official = pytest.importorskip("pycocotools.mask")
    made = official.encode(np.asfortranarray(mask.astype(np.uint8)))
    assert compressed(counts_of(mask)) == made["counts"].decode()
    assert decompressed(made["counts"].decode()) == counts_of(mask)


def test_no_pixels():
    assert counts_of(np.zeros((0, 5), np.bool_)) == []
    assert hull_of([], 5) is None


@pytest.mark.parametrize("text", ["/", "p", "é", "o", "o" * 20, "2N"])
def test_what_is_no_run_length(text):
    with pytest.raises(ValueError, match="run length"):
        decompressed(text)
