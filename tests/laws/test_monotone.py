"""What more, fewer, rescaled or reordered detections can and cannot change; true of every mixture of rules."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from boxscore import evaluate, metrics, protocols
from boxscore.evaluation.match import match
from boxscore.evaluation.tally import Tally
from boxscore.metrics import Numbers
from boxscore.protocols import Protocol
from boxscore.tables.model import Detections, Truth, concatenate, select
from boxscore.testing import Scene, scenes
from boxscore.testing import protocols as hybrids
from effort import examples
from protocol_names import OF_SCENES

named = st.sampled_from([protocols.get(name) for name in OF_SCENES])
# A class without objects may make a mean undefined as soon as something is detected: that is no matter of order.
rules = st.one_of(hybrids(), named).map(
    lambda p: replace(p, empty_class="zero") if p.empty_class == "zero-if-undetected" else p
)
by_score = rules.map(lambda p: replace(p, greedy_by="score"))  # pairs by overlap: a late detection may take an object


def tally(truth: Truth, detections: Detections, protocol: Protocol) -> Tally:
    return Tally.of(match(truth, detections, protocol, threads=1), truth, protocol)


def values(t: Tally, *names: str) -> list[float]:
    numbers = Numbers(t, threads=1)
    return [metrics.evaluate(numbers, metrics.parse(name)) for name in names]


def bits(t: Tally) -> list[bytes]:
    return [np.float64(v).tobytes() for v in values(t, "AP", "AR", "TP", "FP", "FN")]


def not_less(after: float, before: float) -> bool:
    return after >= before or (np.isnan(after) and np.isnan(before))


@settings(max_examples=examples(150))
@given(scenes(min_detections=1, crowded=False), by_score, st.integers(0, 9))
def test_one_more_detection_at_the_end_of_the_ranking_never_lowers_ap(scene: Scene, protocol: Protocol, i: int) -> None:
    """Only precision can suffer; every level of recall keeps at least the precision that it had."""
    truth, detections = scene.tables()
    last = select(detections, np.array([i % len(detections)]))
    last = replace(last, score=np.nextafter([detections.score.min()], -np.inf))
    before, after = (
        values(tally(truth, d, protocol), "AP", "AR", "TP", "FP", "recall")
        for d in (detections, concatenate([detections, last]))
    )
    assert all(not_less(b, a) for a, b in zip(before, after, strict=True))


@settings(max_examples=examples(100))
@given(scenes(min_detections=1, crowded=False), rules)
def test_a_detection_on_an_empty_image_never_raises_anything(scene: Scene, protocol: Protocol) -> None:
    with_empty = replace(scene, images=(*scene.images, 555))
    stray = tuple(replace(d, image=555) for d in scene.detections[:1])
    before, after = (
        values(tally(*replace(with_empty, detections=d).tables(), protocol), "AP", "AR", "TP", "precision")
        for d in (scene.detections, (*scene.detections, *stray))
    )
    if np.isnan(before[3]):  # nothing was counted before, and an only detection cannot be true here
        before[3] = 0.0
    assert all(not_less(b, a) or (np.isnan(a) and b == 0.0) for a, b in zip(after, before, strict=True))


@settings(max_examples=examples(150))
@given(scenes(), by_score, st.integers(0, 10))
def test_detections_below_a_score_change_nothing_above_it(scene: Scene, protocol: Protocol, s: int) -> None:
    truth, detections = scene.tables()
    scores = np.unique(detections.score)
    assume(len(scores))
    limit = scores[s % len(scores)]
    whole = match(truth, detections, protocol, threads=1)
    part = match(truth, select(detections, detections.score >= limit), protocol, threads=1)
    above = whole.score >= limit
    for name in ("score", "image", "rank", "hits", "ignored"):
        np.testing.assert_array_equal(getattr(whole, name)[above], getattr(part, name), err_msg=name)


@settings(max_examples=examples(100))
@given(scene=scenes(), protocol=rules, s=st.integers(0, 10))
def test_the_operating_point_is_the_evaluation_of_what_is_left(scene: Scene, protocol: Protocol, s: int) -> None:
    scores = sorted({d.score for d in scene.detections})
    limit = scores[s % len(scores)] if scores else 0.5
    left = replace(scene, detections=tuple(d for d in scene.detections if d.score >= limit))
    whole, part = (evaluate(*x.tables(), protocol=protocol, threads=1) for x in (scene, left))
    point, left_over = whole.at(limit), part.at(-np.inf)
    assert point.per_class.keys() == left_over.per_class.keys()
    assert repr(point.per_class) == repr(left_over.per_class)


@settings(max_examples=examples(100))
@given(scenes(), rules)
def test_only_the_order_of_scores_counts(scene: Scene, protocol: Protocol) -> None:
    """But for the score from which groups are credited."""
    protocol = replace(protocol, absorbed_floor=-np.inf)
    truth, detections = scene.tables()
    order = np.unique(detections.score, return_inverse=True)[1].astype(np.float64)
    assert bits(tally(truth, detections, protocol)) == bits(
        tally(truth, replace(detections, score=order.reshape(-1) / 7 - 3), protocol)
    )


@settings(max_examples=examples(100))
@given(scenes(crowded=False), rules, st.permutations(range(10)))
def test_rows_with_different_scores_come_in_any_order(scene: Scene, protocol: Protocol, order: list[int]) -> None:
    truth, detections = scene.tables()
    detections = replace(detections, score=np.arange(len(detections)) / 16)
    rows = np.array([i for i in order if i < len(detections)], np.int64)
    shuffled = replace(select(detections, rows), position=detections.position)
    assert bits(tally(truth, detections, protocol)) == bits(tally(truth, shuffled, protocol))


@settings(max_examples=examples(100))
@given(scenes(), rules, st.sampled_from([2.0, 0.25]))
def test_a_larger_picture_is_the_same_picture(scene: Scene, protocol: Protocol, zoom: float) -> None:
    """Powers of two scale exactly; only inclusive pixels know how large a pixel is."""
    assume(protocol.overlap == "box" and protocol.area_unit == "pixels" and not protocol.iou_margin)
    truth, detections = scene.tables()
    areas = tuple(a._replace(low=a.low * zoom**2, high=a.high * zoom**2) for a in protocol.areas)
    larger = replace(truth, corners=truth.corners * zoom, box_area=truth.box_area * zoom**2, area=truth.area * zoom**2)
    seen = replace(detections, corners=detections.corners * zoom, box_area=detections.box_area * zoom**2)
    after = tally(larger, seen, replace(protocol, areas=areas))
    assert bits(tally(truth, detections, protocol)) == bits(after)


@pytest.mark.parametrize("name", ["coco-fixed", "toolkit-coco", "voc2012"])
@settings(max_examples=examples(60))
@given(scene=scenes(crowded=False))
def test_a_perfect_detector_scores_one(name: str, scene: Scene) -> None:
    """As long as no object is ignored: the detection of an ignored one may take its neighbour."""
    truth, _ = scene.tables()
    whole = (truth.corners[:, 2:] - truth.corners[:, :2]).min(axis=1, initial=np.inf) > 0
    distinct = np.array([(o.image, o.label, o.box) not in [(p.image, p.label, p.box) for p in scene.objects[:i]]
                         for i, o in enumerate(scene.objects)], bool)  # fmt: skip
    truth = select(replace(truth, flags=np.zeros_like(truth.flags)), whole & distinct)
    shared = {f: getattr(truth, f) for f in ("images", "classes", "image", "label", "corners", "box_area", "position")}
    t = tally(truth, Detections(**shared, score=np.linspace(1, 0, len(truth))), protocols.get(name))
    ap, ar = values(t, "AP", "AR")
    assert (ap, ar) == (1.0, 1.0) if t.to_find[:, 0].any() else np.isnan([ap, ar]).all()
