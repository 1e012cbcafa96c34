"""The compiled matching equals its definition in plain Python: equal arrays, not close ones."""

from __future__ import annotations

import importlib
from dataclasses import fields, replace
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore import _reference, evaluate, protocols
from boxscore.grouping import Shared
from boxscore.match import Matching, match, word_type
from boxscore.protocols import Protocol
from boxscore.testing import Scene, scenes
from boxscore.testing import protocols as hybrids

MODULE = importlib.import_module("boxscore.match")
GROUPING = importlib.import_module("boxscore.grouping")


def assert_same(made: Matching, defined: Matching) -> None:
    for f in fields(Matching):
        a, b = getattr(made, f.name), getattr(defined, f.name)
        assert (a is None) == (b is None), f.name
        if isinstance(a, int):
            assert a == b, f.name
        elif a is not None:
            assert a.dtype == b.dtype, f.name
            np.testing.assert_array_equal(a, b, err_msg=f.name, strict=True)


def both(scene: Scene, protocol: Protocol, pairs: bool = True) -> tuple[Matching, Matching]:
    truth, detections = scene.tables()
    excused = np.arange(len(detections)) % 3 == 1 if pairs else None
    roles: dict[str, Any] = {"excused": None if excused is None else excused.astype(np.uint8)}
    roles["blacklisted"] = np.arange(len(truth)) % 5 == 3 if pairs else None
    made = match(truth, detections, protocol, pairs=pairs, threads=2, **roles)
    with patch.object(MODULE, "_core", _reference), patch.object(GROUPING, "_core", _reference):
        return made, match(truth, detections, protocol, pairs=pairs, **roles)


@settings(max_examples=250)
@given(scenes(crowded=False, strangers=True), hybrids(image_sizes=True), st.booleans())
def test_any_mixture_of_rules(scene: Scene, protocol: Protocol, pairs: bool) -> None:
    assert_same(*both(scene, protocol, pairs))


@pytest.mark.parametrize("name", protocols.names())
@settings(max_examples=25)
@given(scene=scenes(objects=5, detections=4))
def test_named_protocols_and_full_cells(name: str, scene: Scene) -> None:
    assert_same(*both(scene, protocols.get(name)))


@settings(max_examples=150)
@given(scenes(crowded=False), hybrids(image_sizes=True), st.lists(st.integers(0, 15), min_size=8, max_size=8))
def test_any_roles_of_objects(scene: Scene, protocol: Protocol, roles: list[int]) -> None:
    with patch.object(MODULE, "roles", lambda truth, _: np.array(roles[: len(truth)], np.uint8)):
        assert_same(*both(scene, protocol))


@settings(max_examples=60)
@given(scenes(images=1, classes=1, objects=12, detections=30, crowded=False), hybrids(image_sizes=True))
def test_one_cell_with_many_objects(scene: Scene, protocol: Protocol) -> None:
    assert_same(*both(scene, protocol))


@settings(max_examples=60)
@given(scenes(strangers=True), st.lists(hybrids(image_sizes=True), min_size=2, max_size=4))
def test_what_is_shared_changes_nothing(scene: Scene, some: list[Protocol]) -> None:
    truth, detections = scene.tables()
    shared = Shared(some)
    for protocol in (*some, *some[::-1]):
        made = match(truth, detections, protocol, threads=2, shared=shared)
        order, alone = made.order, match(truth, detections, protocol, threads=1)
        assert order is not None
        assert_same(replace(made, order=None), alone)
        defined, tied = np.empty_like(order.row), np.empty_like(order.tied)
        later = protocol.equal_scores == "later-image"
        _reference.rank(made.first, made.score, made.image, made.tie, later, None, defined, tied)
        np.testing.assert_array_equal(order.row, defined)
        np.testing.assert_array_equal(order.tied, tied)


@settings(max_examples=60)
@given(scenes(), hybrids(image_sizes=True), hybrids(image_sizes=True))
def test_what_is_shared_serves_strangers_as_well(scene: Scene, known: Protocol, stranger: Protocol) -> None:
    """Pairs are kept from the lowest threshold of the announced protocols on; others may look at more."""
    truth, detections = scene.tables()
    shared = Shared((known, known))
    match(truth, detections, known, shared=shared)
    made = match(truth, detections, stranger, shared=shared)
    assert_same(replace(made, order=None), match(truth, detections, stranger))


@pytest.mark.parametrize(
    ("bits", "dtype"),
    [(1, np.uint8), (8, np.uint8), (9, np.uint16), (16, np.uint16), (17, np.uint32), (33, np.uint64), (64, np.uint64)],
)
def test_words_are_as_narrow_as_the_thresholds_allow(bits: int, dtype: type) -> None:
    assert word_type(bits) is dtype


def test_every_threshold_of_64_has_its_own_bit() -> None:
    """Overlaps of exactly k/64: each detection passes exactly the first k thresholds."""
    protocol = Protocol("steps", iou=tuple(k / 64 for k in range(1, 65)))
    truth = [{"boxes": [[0, 0, 64, 1]], "labels": [0]} for _ in range(64)]
    found = [{"boxes": [[0, 0, k, 1]], "labels": [0], "scores": [1.0]} for k in range(1, 65)]
    hits = evaluate(truth, found, box="xywh", protocol=protocol).tally.hits[:, 0]
    assert hits.tolist() == [(1 << k) - 1 for k in range(1, 65)]
