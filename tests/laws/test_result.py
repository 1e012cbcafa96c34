"""A result survives storage: as plain values, as JSON text, and pickled with the verdicts behind it."""

from __future__ import annotations

import json
import math
import pickle
from dataclasses import fields

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore import Result, evaluate, protocols
from boxscore.evaluation.tally import Tally
from boxscore.protocols import Protocol
from boxscore.testing import Scene, scenes
from boxscore.testing import protocols as hybrids
from effort import examples
from protocol_names import OF_SCENES

rules = st.one_of(hybrids(), st.sampled_from([protocols.get(name) for name in OF_SCENES]))


def made(scene: Scene, protocol: Protocol) -> Result:
    return evaluate(*scene.tables(), protocol=protocol, threads=1)


def assert_same(a: Result, b: Result) -> None:
    assert (a.protocol, a.reasons, a.ledger) == (b.protocol, b.reasons, b.ledger)
    assert (a.truth, a.detections, a.version) == (b.truth, b.detections, b.version)
    pairs = [(a.metrics, b.metrics), *((x.metrics, y.metrics) for x, y in zip(a.per_class, b.per_class, strict=True))]
    for x, y in pairs:
        assert list(x) == list(y)
        assert np.array(list(x.values())).tobytes() == np.array(list(y.values())).tobytes()
    assert [(c.name, c.id, c.objects, c.detections) for c in a.per_class] == [
        (c.name, c.id, c.objects, c.detections) for c in b.per_class
    ]


@settings(max_examples=examples(60))
@given(scenes(crowded=False), rules)
def test_plain_values_and_back(scene: Scene, protocol: Protocol) -> None:
    result = made(scene, protocol)
    stored = result.to_dict()
    again = Result.from_dict(json.loads(json.dumps(stored, allow_nan=False)))
    assert_same(again, result)
    assert again.to_dict() == stored


@settings(max_examples=examples(60))
@given(scenes(crowded=False), rules)
def test_pickled_and_back(scene: Scene, protocol: Protocol) -> None:
    result = made(scene, protocol)
    again = pickle.loads(pickle.dumps(result))
    assert_same(again, result)
    for f in fields(Tally):
        np.testing.assert_array_equal(getattr(again.tally, f.name), getattr(result.tally, f.name))
    by_score = protocol.greedy_by == "score"  # else counts from a score on need the boxes
    for name in ("TP", "FP", *(["F1[score=0.5]"] if by_score else []), "recall"):
        assert np.float64(again[name]).tobytes() == np.float64(result[name]).tobytes()


@settings(max_examples=examples(60))
@given(scenes(crowded=False), rules)
def test_an_undefined_number_has_a_reason_and_a_defined_one_none(scene: Scene, protocol: Protocol) -> None:
    result = made(scene, protocol)
    assert {name for name, value in result.metrics.items() if math.isnan(value)} == set(result.reasons)
    # Eleven times 1/11, added as the VOC kit adds them, is 1 and a last bit.
    assert all(0.0 <= value <= 1.0 + 1e-12 for value in result.metrics.values() if not math.isnan(value))


@settings(max_examples=examples(40))
@given(scenes(crowded=False), rules)
def test_the_same_input_gives_the_same_bytes(scene: Scene, protocol: Protocol) -> None:
    assert json.dumps(made(scene, protocol).to_dict()) == json.dumps(made(scene, protocol).to_dict())
