"""The compiled curves equal their definition in plain Python, and every other way to the same counts."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore import protocols
from boxscore.evaluation.curves import Curves, Slice, curve, curves
from boxscore.evaluation.match import match, word_type
from boxscore.evaluation.memo import Shared
from boxscore.evaluation.ranking import order_of
from boxscore.evaluation.tally import Tally
from boxscore.protocols import Protocol
from boxscore.tables.model import Classes
from boxscore.testing import Scene, scenes
from boxscore.testing import protocols as hybrids
from definitions import definitions
from effort import examples


def slices(protocol: Protocol) -> list[Slice]:
    caps = (1, 3, *(protocol.max_detections or (2**31 - 1,)))
    return [Slice(a, cap) for a in range(len(protocol.areas)) for cap in caps]


def both(tally: Tally, drawn: int, **how: Any) -> tuple[Curves, Curves]:
    parts = slices(tally.protocol)
    made = curves(tally, parts[:drawn], parts[drawn:], scores=True, threads=2, **how)
    later = tally.protocol.later_image_first
    order = order_of(
        tally.first, tally.score, tally.image, tally.tie, later, Shared((tally.protocol, tally.protocol)), 2
    )
    assert_same(made, curves(replace(tally, order=order), parts[:drawn], parts[drawn:], scores=True, **how))
    with definitions():
        return made, curves(tally, parts[:drawn], parts[drawn:], scores=True, **how)


def assert_same(made: Curves, defined: Curves) -> None:
    for f in fields(Curves):
        a, b = getattr(made, f.name), getattr(defined, f.name)
        if isinstance(a, np.ndarray):
            np.testing.assert_array_equal(a, b, err_msg=f.name, strict=True)
        else:
            assert a == b, f.name


@settings(max_examples=examples(120))
@given(scenes(crowded=False), hybrids(), st.integers(0, 4))
def test_curves_of_scenes(scene: Scene, protocol: Protocol, drawn: int) -> None:
    truth, detections = scene.tables()
    assert_same(*both(Tally.of(match(truth, detections, protocol), truth, protocol), drawn))


def random_tally(seed: int, n: int, n_classes: int, protocol: Protocol) -> Tally:
    """Any verdicts at all, with many equal scores; a hit is never ignored, and no class has more hits than objects."""
    rng = np.random.default_rng(seed)
    word, n_ranges = word_type(len(protocol.iou)), len(protocol.areas)
    random = rng.integers(0, 2 ** len(protocol.iou) - 1, (2, n, n_ranges), dtype=np.uint64, endpoint=True)
    hits = random[0].astype(word) * (rng.random((n, 1)) < 0.5).astype(word)
    ignored = random[1].astype(word) & ~hits
    alike = rng.random(n) < 0.5  # false or ignored at every threshold, as most detections are
    hits[alike] = 0
    ignored[alike] = word(2 ** len(protocol.iou) - 1) * rng.integers(0, 2, (int(alike.sum()), n_ranges)).astype(word)
    label = np.sort(rng.integers(0, n_classes, n))
    first = np.searchsorted(label, np.arange(n_classes + 1)).astype(np.int64)
    found = np.diff(first)[:, None]
    credits = None
    if protocol.absorbed_weight:
        credits = hits & rng.integers(0, 2 ** len(protocol.iou) - 1, hits.shape, np.uint64, endpoint=True).astype(word)
    to_find = (found + rng.integers(0, 40, (n_classes, n_ranges))) * (rng.random((n_classes, n_ranges)) < 0.8)
    image = rng.integers(0, 4, n).astype(np.int32)
    order = np.lexsort((image, label))
    objects = rng.integers(0, 3, 7).astype(np.int32)  # one image has none
    return Tally(
        protocol=protocol,
        classes=Classes(tuple(map(str, range(n_classes))), tuple(range(n_classes))),
        images=np.arange(4, dtype=np.int64),
        first=first,
        image=image[order],
        score=rng.choice([rng.standard_normal(n), rng.integers(-3, 4, n) / 3.0], axis=0),
        tie=None if protocol.equal_scores in ("image", "later-image") else rng.integers(0, n // 3 + 1, n),
        rank=rng.integers(0, 7, n).astype(np.int32),
        hits=hits,
        ignored=ignored,
        credits=credits,
        object_image=objects,
        object_label=np.zeros(len(objects), np.int32),
        object_counted=rng.integers(0, 2**n_ranges, len(objects), np.uint64),
        to_find=to_find,
        absorbing=None if credits is None else to_find * rng.integers(0, 2, to_find.shape),
        partly=rng.integers(0, 2, hits.shape, np.uint8) if protocol.outside == "nearest" else None,
    )


@settings(max_examples=examples(80))
@given(st.integers(0, 2**32), st.integers(0, 60), st.integers(1, 5), hybrids(), st.integers(0, 3))
def test_curves_of_any_verdicts(seed: int, n: int, n_classes: int, protocol: Protocol, drawn: int) -> None:
    assert_same(*both(random_tally(seed, n, n_classes, protocol), drawn))


@settings(max_examples=examples(80))
@given(st.integers(0, 2**32), st.integers(0, 60), hybrids(), st.sampled_from(["", "first", "last"]))
def test_pooled_classes_and_bounds_of_equal_scores(seed: int, n: int, protocol: Protocol, equals: str) -> None:
    groups = [[0, 1, 2, 3], [], [2], [3, 1]]
    assert_same(*both(random_tally(seed, n, 4, protocol), 2, groups=groups, equals=equals))


@settings(max_examples=examples(12))
@given(st.integers(0, 2**32), st.integers(500, 1500), hybrids())
def test_curves_of_long_rankings(seed: int, n: int, protocol: Protocol) -> None:
    short = replace(
        protocol, iou=protocol.iou[:3], areas=protocol.areas[:2], recall_levels=min(protocol.recall_levels, 11)
    )
    assert_same(*both(random_tally(seed, n, 2, short), 1))


@pytest.mark.parametrize("caps", [(1, 5000), (4095, 4096, 2**31 - 1), (3, 6000, 10_000)])
def test_caps_of_any_size(caps: tuple[int, ...]) -> None:
    tally = random_tally(11, 60, 2, protocols.get("coco"))
    rank = np.array([0, 1, 2, 3, 4, 4094, 4095, 4096, 4999, 5000, 6000, 9999, 10_000], np.int32)
    tally = replace(tally, rank=np.resize(rank, 60))
    parts = [Slice(0, cap) for cap in caps]
    made = curves(tally, parts)
    with definitions():
        assert_same(made, curves(tally, parts))


@settings(max_examples=examples(60))
@given(st.integers(0, 2**32), st.integers(0, 40), hybrids())
def test_point_by_point_curve_ends_at_the_counts(seed: int, n: int, protocol: Protocol) -> None:
    tally = random_tally(seed, n, 3, protocol)
    parts = slices(protocol)
    made = curves(tally, parts)
    for s, part in enumerate(parts):
        for t in range(0, len(protocol.iou), 7):
            for k in range(3):
                drawn = curve(tally, k, t, part)
                ends = [c[-1].item() if len(c) else 0 for c in (drawn.true_positives, drawn.false_positives)]
                assert ends == [made.found[s, t, k], made.wrong[s, t, k]]
                assert drawn.objects == made.objects[s, k]
                assert np.all(np.diff(drawn.score) <= 0)


@pytest.mark.parametrize("name", ["tf-weighted-voc", "coco"])
def test_any_number_of_threads_ranks_alike(name: str) -> None:
    """So many detections that the sorting of one pool is shared out; a third of the scores are equal to others."""
    tally = random_tally(5, 150_000, 3, protocols.get(name))
    made = [curves(tally, slices(tally.protocol)[:2], groups=[[0, 1, 2], [1]], threads=n) for n in (1, 2, 3, 7)]
    pooled = [curves(tally, slices(tally.protocol)[:2], groups=[[0, 1, 2]], threads=n) for n in (1, 2, 3, 7)]
    for some in (made, pooled):
        for other in some[1:]:
            assert_same(some[0], other)
    np.testing.assert_array_equal(made[0].true_positives[..., :1], pooled[0].true_positives)
