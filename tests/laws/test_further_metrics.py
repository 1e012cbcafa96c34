"""Best F against brute force, LRP against its minimum, bounds of recalls and overlaps, under every mixture of rules."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from boxscore import Result, evaluate, metrics, protocols
from boxscore.metrics import Expression, Numbers
from boxscore.metrics.overlaps import ciou, diou, giou, iou
from boxscore.protocols import Protocol
from boxscore.testing import Scene, scenes
from boxscore.testing import protocols as hybrids
from effort import examples
from protocol_names import OF_SCENES

rules = st.one_of(hybrids(), st.sampled_from([protocols.get(name) for name in OF_SCENES]))
EPS = 1e-12  # sums in another order


def made(scene: Scene, protocol: Protocol) -> Result:
    return evaluate(*scene.tables(), protocol=protocol, threads=1)


def numbers_of(result: Result) -> Numbers:
    assert result.numbers is not None
    return result.numbers


def value(result: Result, name: str, **keys: Any) -> float:
    return metrics.evaluate(numbers_of(result), Expression(name, **keys))


def objects(result: Result) -> dict[str, int]:
    """What there is to find of each class; a class of an absorbing object alone, of no weight, has nothing."""
    return {c.name: c.objects for c in result.per_class}


@settings(max_examples=examples(100))
@given(scenes(crowded=False, detections=14), rules, st.sampled_from([0.5, 1.0, 2.0]))
def test_the_best_f_is_the_highest_of_all_thresholds(scene: Scene, protocol: Protocol, beta: float) -> None:
    assume(protocol.greedy_by == "score")
    result = made(scene, protocol)
    scores = sorted(set(result.tally.score.tolist()), reverse=True)
    for label in (None, *result.tally.classes.name):
        keys: dict[str, Any] = {"label": label, "beta": beta}
        best, score = value(result, "Fmax", **keys), value(result, "Fmax.score", **keys)
        if not sum(n for name, n in objects(result).items() if label in (None, name)):
            assert math.isnan(best)
            assert math.isnan(score)
            continue
        tried = [value(result, "F", score=s, **keys) for s in scores]
        assert best == max([0.0, *(f for f in tried if not math.isnan(f))])
        if best:
            assert score == scores[tried.index(best)]
            for part in ("precision", "recall"):
                assert value(result, f"Fmax.{part}", **keys) == value(result, part, score=score, label=label)
        else:
            assert math.isnan(score)


@settings(max_examples=examples(100))
@given(scenes(crowded=False, detections=14), rules)
def test_one_threshold_for_all_classes_is_the_best_such(scene: Scene, protocol: Protocol) -> None:
    assume(protocol.greedy_by == "score")
    result = made(scene, protocol)
    there = [name for name, n in objects(result).items() if n]
    best, score = result["F1max.macro"], result["F1max.macro.score"]
    assume(there)

    def mean(s: float) -> float:
        return math.fsum(value(result, "F1", score=s, label=name) for name in there) / len(there)

    tried = [mean(s) for s in set(result.tally.score.tolist())]
    assert abs(best - max([0.0, *tried])) <= EPS
    assert math.isnan(score) if not best else abs(mean(score) - best) <= EPS
    assert result["F1max.classes"] >= best - EPS


@settings(max_examples=examples(80))
@given(scenes(crowded=False), rules, st.integers(0, 9))
def test_no_score_has_a_lower_lrp_than_the_optimum(scene: Scene, protocol: Protocol, s: int) -> None:
    """Lowered thresholds are left out: an overlap below tau makes the error of a true positive larger than 1."""
    assume(protocol.greedy_by == "score" and not protocol.iou_margin)
    result = made(scene, protocol)
    scores = sorted(set(result.tally.score.tolist()))
    at = scores[s % len(scores)] if scores else 0.5
    for name, n in objects(result).items():
        best, there = value(result, "oLRP", label=name), value(result, "LRP", label=name, score=at)
        assert math.isnan(best) == math.isnan(there) == (not n)
        assert not best > there
        if not math.isnan(score := value(result, "oLRP.score", label=name)):
            # Whole groups of equal scores are among all prefixes of the ranking.
            assert best <= value(result, "LRP", label=name, score=score)


@settings(max_examples=examples(60))
@given(scenes(crowded=False), rules)
def test_pairs_have_the_verdicts_of_the_tally(scene: Scene, protocol: Protocol) -> None:
    result = made(scene, protocol)
    numbers, tally = numbers_of(result), result.tally
    for t, threshold in enumerate(protocol.iou[:3]):
        for a, area in enumerate(result.protocol.areas[:2]):
            pairs = numbers.pairs(Expression("TP", iou=threshold, area=area.name))
            assert pairs.object is not None
            for mine, whole in ((pairs.hits, tally.hits), (pairs.ignored, tally.ignored)):
                np.testing.assert_array_equal(mine[:, 0] & 1, whole[:, a] >> whole.dtype.type(t) & 1)
            np.testing.assert_array_equal(pairs.score, tally.score)
            assert (pairs.object[(pairs.hits[:, 0] & 1) != 0] >= 0).all()


@settings(max_examples=examples(60))
@given(scenes(crowded=False), rules)
def test_recall_of_proposals_is_a_share_and_grows_with_their_number(scene: Scene, protocol: Protocol) -> None:
    result = made(scene, protocol)
    for label in (None, *result.tally.classes.name):
        for name in ("AR.Hosang", "AR.Hosang.grid"):
            few = [value(result, name, label=label, cap=n) for n in (1, 2, 3, 100)]
            if math.isnan(few[0]):
                assert np.isnan(few).all()
                continue
            assert few[0] >= 0
            assert few[-1] <= 1 + EPS
            assert all(after >= before - EPS for before, after in pairwise(few))


@settings(max_examples=examples(60))
@given(scenes(crowded=False), rules)
def test_miss_rates_are_shares(scene: Scene, protocol: Protocol) -> None:
    result = made(scene, protocol)
    for name, n in objects(result).items():
        for metric in ("LAMR", "LAMR.CrowdHuman"):
            rate = value(result, metric, label=name)
            assert math.isnan(rate) if not n else 0 <= rate <= 1


sides = st.floats(0.5, 50, width=32)
boxes = st.tuples(st.floats(-50, 50, width=32), st.floats(-50, 50, width=32), sides, sides).map(
    lambda b: (b[0], b[1], b[0] + b[2], b[1] + b[3])
)


@settings(max_examples=examples(150))
@given(st.lists(st.tuples(boxes, boxes), min_size=1, max_size=5))
def test_relatives_of_iou_are_never_higher(pairs: list[tuple[Any, Any]]) -> None:
    a, b = (np.array([pair[i] for pair in pairs]) for i in (0, 1))
    plain = iou(a, b)
    assert (giou(a, b) <= plain).all()
    assert (giou(a, b) > -1).all()
    assert (diou(a, b) <= plain).all()
    assert (ciou(a, b) <= diou(a, b)).all()
    for measure in (iou, giou, diou, ciou):
        # Corners are doubles: the area of the box around two equal ones is that of each.
        assert (measure(a, a) == 1).all()
        np.testing.assert_allclose(measure(a, b), measure(b, a), rtol=0, atol=EPS)


@settings(max_examples=examples(60))
@given(scenes(crowded=False), rules)
def test_true_positives_overlap_by_the_threshold(scene: Scene, protocol: Protocol) -> None:
    assume(not protocol.iou_margin)
    mean = made(scene, protocol)["meanIoU"]
    assert math.isnan(mean) or mean >= min(protocol.iou[0], protocol.iou_ceiling) - EPS
