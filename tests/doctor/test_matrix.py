"""The doctor against generated data sets: mistakes at random strength are found and named, good sets are left alone.

The whole table, with larger sets, is made by `matrix.py`.
"""

from __future__ import annotations

from functools import cache

import pytest
from doctor.matrix import Row, alarms, row
from doctor.scenes import FAULTS

ROWS = 10  # data sets of each mistake
GOOD = 200


@cache
def rows() -> tuple[Row, ...]:
    return tuple(row(fault, ROWS, small=True) for fault in FAULTS)


@pytest.mark.parametrize("k", range(len(FAULTS)), ids=[fault.name for fault in FAULTS])
def test_a_mistake_is_found(k: int) -> None:
    one = rows()[k]
    assert one.found >= 0.8 * one.sets, one.instead  # of each; of all together more, below


def test_almost_all_mistakes_are_found_and_named() -> None:
    runs = sum(one.sets for one in rows())
    assert sum(one.found for one in rows()) >= 0.95 * runs
    assert sum(one.first for one in rows()) >= 0.90 * runs


def test_good_sets_are_left_alone() -> None:
    assert not alarms(GOOD, small=True)
