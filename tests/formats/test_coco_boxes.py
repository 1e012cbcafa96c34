"""Boxes written as COCO writes them: what came from COCO keeps every bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxscore.formats.io.written_boxes import inexact, with_sides
from boxscore.tables.box_forms import to_corners

START = st.floats(-1e4, 1e4).map(lambda v: v + 0.0)
SIDE = st.floats(0, 1e4, allow_subnormal=False).filter(lambda v: v == 0 or v > 1e-6)
SHORT = st.integers(-(10**7), 10**7).map(lambda v: v / 1000)
RNG = np.random.default_rng(4)


@given(st.lists(st.tuples(START, START, SIDE, SIDE) | st.tuples(SHORT, SHORT, SHORT, SHORT), min_size=1, max_size=40))
def test_boxes_of_coco_come_back_bit_for_bit(rows):
    corners, area = to_corners(np.array(rows), "xywh")
    again = to_corners(with_sides(corners, area), "xywh")
    np.testing.assert_array_equal(again[0], corners)
    np.testing.assert_array_equal(again[1], area)
    assert inexact(corners, area) == 0


@pytest.mark.parametrize("decimals", range(7))
def test_written_numbers_stay_short(decimals):
    boxes = np.round(RNG.random((2000, 4)) * [600, 400, 300, 300], decimals)
    assert [v for row in with_sides(*to_corners(boxes, "xywh")).tolist() for v in row] == boxes.ravel().tolist()


@pytest.mark.parametrize("kind", [np.float32, np.int64])
def test_corners_of_detectors_come_back_bit_for_bit(kind):
    corners = np.sort((RNG.random((2000, 2, 2)) * 600).astype(kind).astype(np.float64), axis=1).reshape(-1, 4)
    assert inexact(*to_corners(corners, "xyxy")) == 0


def test_boxes_that_no_width_can_give():
    # Between -100.3 and 0.1 the widths of 64 bits are too far apart to hit 0.1.
    corners, area = to_corners(np.array([[-100.3, 0, 0.1, 1], [0, 0, 5, 5]]), "xyxy")
    assert inexact(corners, area) == 1
    again, _ = to_corners(with_sides(corners, area), "xywh")
    assert again[0].tolist() == pytest.approx(corners[0].tolist(), abs=1e-14)  # a rounding of -100.3 + w
    assert again[1].tolist() == [0, 0, 5, 5]


def test_no_boxes():
    assert with_sides(np.zeros((0, 4)), np.zeros(0)).shape == (0, 4)
