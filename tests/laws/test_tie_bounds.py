"""The order of equal scores: bounds hold every AP, are reached, and meet where no scores are equal."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from boxscore import evaluate, protocols
from boxscore.errors import UsageError
from boxscore.evaluation.result import Result
from boxscore.protocols import Protocol
from boxscore.testing import Detection, Object, Scene, scenes
from boxscore.testing import protocols as hybrids
from effort import examples
from protocol_names import OF_SCENES

named = st.sampled_from([protocols.get(name) for name in OF_SCENES])


def evaluated(scene: Scene, protocol: Protocol) -> Result:
    return evaluate(*scene.tables(), protocol=protocol, threads=1)


def check(result: Result, name: str) -> None:
    low, high = result.tie_bounds(name)
    value = result[name] if name in result.metrics or not math.isnan(low) else math.nan
    if math.isnan(value):
        assert math.isnan(low)
        assert math.isnan(high)
    else:
        assert low <= value <= high


@settings(max_examples=examples(300))
@given(scenes(), named)
def test_bounds_hold_every_ap(scene: Scene, protocol: Protocol) -> None:
    """Without a tolerance: counts are whole numbers and sums are made in one order."""
    result = evaluated(scene, protocol).with_tie_bounds()
    for name in ("AP", *result.bounds):
        check(result, name)


@settings(max_examples=examples(200))
@given(scenes(crowded=False), hybrids())
def test_bounds_hold_for_mixtures(scene: Scene, protocol: Protocol) -> None:
    result = evaluated(scene, protocol)
    for name in ("AP", "medianAP"):
        check(result, name)


@settings(max_examples=examples(100))
@given(scenes(crowded=False), named)
def test_bounds_meet_where_no_scores_are_equal(scene: Scene, protocol: Protocol) -> None:
    found = tuple(replace(d, score=(i + 1) / 64) for i, d in enumerate(scene.detections))
    result = evaluated(replace(scene, detections=found), protocol)
    value = result["AP"]
    assert result.ledger.tied == 0
    assert np.array_equal(result.tie_bounds("AP"), [value, value], equal_nan=True)


@settings(max_examples=examples(100))
@given(scenes(crowded=False, min_detections=2), st.permutations(range(10)))
def test_bounds_hold_for_every_order_of_the_rows(scene: Scene, order: list[int]) -> None:
    """Where each detection finds its object whatever stands before it, the rows can come in any order."""
    objects = {(o.image, o.label): o for o in scene.objects if min(o.box[2:]) > 0 and not o.flags}
    found, seen = [], set()
    for d in scene.detections:  # one detection at most of each image and class: equal scores are of different ones
        if (d.image, d.label) not in seen:
            seen.add((d.image, d.label))
            found.append(d)
    assume(objects and len(found) > 1)
    protocol = protocols.get("voc2012")
    base = replace(scene, objects=tuple(objects.values()), detections=tuple(found))
    rows = [i for i in order if i < len(found)]
    shuffled = replace(base, detections=tuple(found[i] for i in rows))
    low, high = evaluated(base, protocol).tie_bounds("mAP")
    value = evaluated(shuffled, protocol)["mAP"]
    assert low <= value <= high or np.isnan([low, high, value]).all()


def test_bounds_are_reached() -> None:
    """A hit and a miss with one score: precision 1 or 1/2 at the only hit, by whoever comes first."""
    miss, hit = Detection(1, 1, (50, 50, 10, 10), 0.5), Detection(1, 1, (0, 0, 10, 10), 0.5)
    objects = (Object(1, 1, (0.0, 0.0, 10.0, 10.0), 1, 100.0),)
    for found, value in (((miss, hit), 0.5), ((hit, miss), 1.0)):
        result = evaluated(Scene((1,), ((1, "a"),), objects, found), protocols.get("voc2012"))
        assert result["mAP"] == value
        assert result.tie_bounds("mAP") == (0.5, 1.0)
        assert result.ledger.tied == 2


def test_only_what_rises_with_true_positives_has_bounds() -> None:
    objects = (Object(1, 1, (0.0, 0.0, 10.0, 10.0), 1, 100.0),)
    result = evaluated(Scene((1,), ((1, "a"),), objects, ()), protocols.get("coco"))
    with pytest.raises(
        UsageError, match=r"tie bounds of AR\[max=100\] are not defined; expected one of AP, mAP, medianAP"
    ):
        result.tie_bounds("AR100")
