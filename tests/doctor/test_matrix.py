"""The doctor against generated data sets: mistakes at random strength are found and named, good sets are left alone.

The whole table, with larger sets, is made by `matrix.py`.
"""

from __future__ import annotations

import numpy as np
import pytest

from boxscore.checkup import examine
from doctor.faults import FAULTS, Fault
from doctor.matrix import alarms, row
from doctor.scenes import good
from effort import examples

SETS = examples(10, fewest=2)  # of each mistake
ENOUGH = {"off by one": SETS * 8 // 10}  # a pixel is not seen where few boxes scatter by two


@pytest.mark.parametrize("fault", FAULTS, ids=[fault.name for fault in FAULTS])
def test_a_mistake_is_found_and_named_first(fault: Fault) -> None:
    one = row(fault, SETS, small=True)
    assert min(one.found, one.first) >= ENOUGH.get(fault.name, SETS), one.instead


@pytest.mark.parametrize("part", range(4))
def test_good_sets_are_left_alone(part: int) -> None:
    assert not alarms(examples(50), 5000 + 50 * part, small=True)


BOXES = [fault for fault in FAULTS if fault.codes[0].startswith("BOX10")]


@pytest.mark.parametrize("fault", BOXES, ids=[fault.name for fault in BOXES])
def test_what_is_fixed_is_as_it_was(fault: Fault) -> None:
    """Undone, the boxes are what they were: of the whole, and of parts up to what their detections leave open."""
    for seed in range(examples(3, fewest=1)):
        tables = good(7000 + seed, small=True)
        wrong = fault.put(tables, np.random.default_rng(seed))
        made = examine(wrong)
        assert made.fixed is not None
        assert made.fixed.detections is not None
        assert tables.detections is not None
        assert wrong.detections is not None
        same = np.isclose(made.fixed.detections.corners, tables.detections.corners, atol=3).all(axis=1)
        if "truth" in fault.name:
            same = np.isclose(made.fixed.truth.corners, tables.truth.corners, atol=3).all(axis=1)
        assert same.mean() > 0.97, (seed, made.diagnoses[0].text)
