"""Tables put together by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import boxscore as bs


def _truth(n: int) -> bs.Truth:
    boxes = [[10 * i, 0, 10 * i + 5, 5] for i in range(n)]
    truth, _ = bs.read_truth(
        {"image": [1] * n, "labels": ["cat"] * n, "boxes": boxes, "id": list(range(1, n + 1))}, bs.Reading(box="xyxy")
    )
    return truth


def test_concatenated_tables_hold_all_rows_in_order() -> None:
    whole = _truth(5)
    parts = [bs.select(whole, whole.position < 2), bs.select(whole, whole.position >= 2)]
    again = bs.concatenate(parts)
    np.testing.assert_array_equal(again.corners, whole.corners)
    assert again.position.tolist() == [0, 1, 4, 5, 6]  # they go on behind the first table's last
    assert again.id is not None
    assert again.id.tolist() == [1, 2, 3, 4, 5]


def test_ids_that_only_some_tables_have_are_not_kept() -> None:
    whole = _truth(3)
    parts = [bs.select(whole, whole.position < 1), replace(bs.select(whole, whole.position >= 1), id=None)]
    assert bs.concatenate(parts).id is None
    assert bs.concatenate(parts[::-1]).id is None


def test_nothing_cannot_be_concatenated() -> None:
    with pytest.raises(ValueError, match="nothing to concatenate"):
        bs.concatenate([])
    with pytest.raises(ValueError, match="same images and classes"):
        bs.concatenate([_truth(1), _truth(2)])


def test_columns_are_contiguous_whatever_they_were_made_of() -> None:
    columns = {"boxes": [[1, 2, 3, 5]] * 2, "labels": [1, 1], "image": ["a", "b"]}
    table, _ = bs.read_truth(columns, bs.Reading(box="xyxy"))
    turned = replace(table, corners=np.asfortranarray(table.corners), box_area=np.repeat(table.box_area, 2)[::2])
    assert turned.corners.flags.c_contiguous
    assert turned.box_area.flags.c_contiguous
    assert turned.corners.tolist() == table.corners.tolist()
