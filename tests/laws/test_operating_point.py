"""One operating point, many views: counts, classes, images, rows, pairs, matrix and thresholds agree."""

from __future__ import annotations

import math
import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from boxscore import Result, evaluate, overlaps, protocols
from boxscore._reference.overlap import Pairs
from boxscore.analysis.operating_point import OperatingPoint
from boxscore.analysis.overlap import Overlaps
from boxscore.evaluation.curves import weighted
from boxscore.evaluation.kernel_inputs import limits, roles
from boxscore.metrics import NotEvaluated
from boxscore.protocols import Area, Protocol
from boxscore.tables.model import Detections, Flag, Truth
from boxscore.testing import Detection, Object, Scene, scenes
from boxscore.testing import protocols as hybrids
from effort import examples
from protocol_names import OF_SCENES

rules = st.one_of(hybrids(), st.sampled_from([protocols.get(name) for name in OF_SCENES]))
ranked = rules.map(lambda p: replace(p, greedy_by="score", claim="free" if p.claim == "shared" else p.claim))
everything = Area("all", -math.inf, math.inf)
loose = st.builds(  # so that little is cut or ignored, and much is confused
    lambda p, iou: replace(
        p, iou=(iou,), areas=(everything,), area_unit="pixels", max_detections=(), score_floor=-math.inf,
        unverified="counted", classes="each",
    ),
    rules,
    st.sampled_from((0.3, 0.5, 0.5, 0.9)),
)  # fmt: skip


@st.composite
def tangles(draw: st.DrawFn) -> Scene:
    """Boxes on top of one another in one or two images, many of them of classes that nobody detects or has."""
    start, side = st.sampled_from((0.0, 0.0, 0.0, 5.0)), st.sampled_from((20.0, 20.0, 10.0, 24.0))
    box = st.tuples(start, start, side, side)  # some overlap by exactly a half
    image, number = st.sampled_from((7, 7, 7, 7, 3)), st.integers(0, 9)
    row = st.tuples(image, st.sampled_from((1, 2, 2, 17)), box, number)
    found = st.tuples(image, st.sampled_from((1, 90, 44, 90, 44)), box, number)
    flags, repeats = (*(Flag(0),) * 8, Flag.GROUP_OF, Flag.CROWD), draw(st.sampled_from((1, 1, 2)))
    objects = tuple(
        Object(image, label, place, i // repeats + 1, 400.0, flags[s])
        for i, (image, label, place, s) in enumerate(draw(st.lists(row, min_size=3, max_size=8)))
    )
    detections = tuple(
        Detection(image, label, place, s / 10)
        for image, label, place, s in draw(st.lists(found, min_size=4, max_size=12))
    )
    classes = ((1, "cat"), (90, "dog"), (2, "cow"), (44, "hen"), (17, "pig"))
    return Scene((7, 3), classes, objects, detections)


anything = st.one_of(scenes(), tangles(), tangles())


def made(scene: Scene, protocol: Protocol) -> Result:
    return evaluate(*scene.tables(), protocol=protocol, threads=1)


def point(scene: Scene, protocol: Protocol, s: int, part: int) -> tuple[Result, OperatingPoint, str]:
    """An operating point at some score, threshold, size range and cap, and the same as keys of a metric."""
    result = made(scene, protocol)
    scores = sorted({d.score for d in scene.detections} | {-math.inf, 0.35})
    score = scores[s % len(scores)]
    iou, area = protocol.iou[part % len(protocol.iou)], protocol.areas[part % len(protocol.areas)].name
    cap = protocol.max_detections[part % len(protocol.max_detections)] if protocol.max_detections else None
    keys = f"[iou={iou},area={area},score={score}" + (f",max={cap}]" if cap else "]")
    return result, result.at(score, iou=iou, area=area, max_detections=cap), keys


def same(a: float, b: float) -> bool:
    return a == b or (math.isnan(a) and math.isnan(b))


@settings(max_examples=examples(250))
@given(anything, st.one_of(rules, loose), st.integers(0, 12), st.integers(0, 7))
def test_all_views_agree(scene: Scene, protocol: Protocol, s: int, part: int) -> None:
    result, p, keys = point(scene, protocol, s, part)
    counts = [p.true_positives, p.false_positives, p.false_negatives]
    assert counts == [len(p.rows(v)) for v in ("TP", "FP", "FN")]
    assert counts == [sum(row[i] for row in p.classes.values()) for i in range(3)]
    table = p.images
    assert counts == [int(c.sum()) for c in (table.true_positives, table.false_positives, table.false_negatives)]

    ids = {name: key for key, name in scene.classes}
    tally, at = p._counted().numbers.tally, [a.name for a in protocol.areas].index(p.area)
    for k, (name, row) in enumerate(p.per_class.items()):
        rows = {v: p.rows(v, name) for v in ("TP", "FP", "ignored", "FN", "found")}
        assert (*p.classes[name], len(rows["FN"]) + len(rows["found"])) == (*row[:3], tally.to_find[k, at])
        assert list(row[:3]) == [len(rows[v]) for v in ("TP", "FP", "FN")]
        if protocol.classes == "each":
            assert {scene.detections[r].label for v in ("TP", "FP", "ignored") for r in rows[v]} <= {ids[name]}
            assert {scene.objects[r].label for v in ("FN", "found") for r in rows[v]} <= {ids[name]}
    for i, image in enumerate(sorted(scene.images)):
        columns = [c[i] for c in (table.true_positives, table.false_positives, table.false_negatives)]
        rows = {v: p.rows(v, image=image) for v in ("TP", "FP", "FN")}
        assert columns == [len(r) for r in rows.values()]
        assert {scene.detections[r].image for v in ("TP", "FP") for r in rows[v]} <= {image}
        assert {scene.objects[r].image for r in rows["FN"]} <= {image}

    if protocol.claim != "shared":
        rates = {"precision": p.precision, "recall": p.recall, "F1": p.f1}
        assert all(same(value, result[name + keys]) for name, value in rates.items())
        if not weighted(tally):
            assert counts == [result[name + keys] for name in ("TP", "FP", "FN")]
            for k, row in enumerate(p.per_class.values()):
                assert row.true_positives + row.false_negatives == tally.to_find[k, at]


@settings(max_examples=examples(150))
@given(anything, rules, st.integers(0, 12), st.integers(0, 7))
def test_pairs_are_the_true_positives(scene: Scene, protocol: Protocol, s: int, part: int) -> None:
    _, p, _ = point(scene, protocol, s, part)
    detection, object_, overlap = p.pairs
    assert np.array_equal(np.sort(detection), p.rows("TP"))
    found = np.sort(object_) if protocol.claim != "shared" else np.unique(object_)
    assert np.array_equal(found, np.unique(p.rows("found")) if protocol.claim == "shared" else p.rows("found"))
    for d, o in zip(detection.tolist(), object_.tolist(), strict=True):
        assert scene.detections[d].image == scene.objects[o].image
        assert scene.detections[d].label == scene.objects[o].label or protocol.classes == "agnostic"
        assert scene.detections[d].score >= p.score
    assert (np.isfinite(overlap) | (overlap == np.inf)).all()


def defined_pairs(truth: Truth, detections: Detections, rules: Protocol) -> Pairs:
    """What measures overlaps by their definition."""
    measure = overlaps.get(rules).areas
    assert measure is not None
    areas = measure(detections, rules), measure(truth, rules)
    pixel = 1.0 if rules.overlap.startswith("inclusive") else 0.0
    touching, single = rules.overlap == "inclusive-touching", rules.overlap == "single"
    return Pairs(detections.corners, areas[0], truth.corners, areas[1], roles(truth, rules), pixel, touching, single)


def matrix_by_hand(p: OperatingPoint) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The confusion matrix by its definition, left-over by left-over."""
    seen, n = p._found, len(p.classes)
    rules, truth, detections = seen.prepared.protocol, seen.prepared.truth, seen.prepared.detections
    pairs, limit = defined_pairs(truth, detections, rules), limits(truth, rules)
    rounded = (lambda value: float(np.float32(value))) if rules.overlap == "single" else float
    made = np.zeros((n + 1, n + 1), np.int64)
    for d in seen.true.tolist():
        made[detections.label[d], detections.label[d]] += 1
    free = seen.missed.tolist()
    for d in sorted(seen.false.tolist(), key=lambda d: (-detections.score[d], d)):
        best, most = None, -math.inf
        for o in sorted(free, reverse=rules.equal_overlaps == "last"):
            if truth.image[o] != detections.image[d] or truth.label[o] == detections.label[d]:
                continue
            with np.errstate(all="ignore"):
                overlap = pairs.overlap(d, o)
            asked = rounded(min(rules.iou[0], rules.iou_ceiling, math.inf if limit is None else float(limit[o])))
            if (overlap > asked if rules.compare == ">" else overlap >= asked) and overlap > most:
                best, most = o, overlap
        made[n if best is None else truth.label[best], detections.label[d]] += 1
        if best is not None:
            free.remove(best)
    for o in free:
        made[truth.label[o], n] += 1
    return made


@settings(max_examples=examples(250))
@given(anything, st.one_of(rules, loose, loose), st.integers(0, 12), st.integers(0, 7))
def test_the_matrix_agrees_with_the_counts_and_its_definition(
    scene: Scene, protocol: Protocol, s: int, part: int
) -> None:
    _, p, _ = point(scene, protocol, s, part)
    matrix = p.confusion
    assert matrix.classes == tuple(p.classes)
    if not overlaps.needed([protocol]):  # the definition is that of boxes; the others have kernels of their own
        np.testing.assert_array_equal(matrix.counts, matrix_by_hand(p))
    rows = list(p.per_class.values())
    assert matrix.counts.diagonal().tolist() == [*(row.true_positives for row in rows), 0]
    assert matrix.counts[:-1].sum(axis=1).tolist() == [r.true_positives + r.false_negatives for r in rows]
    assert matrix.counts[:, :-1].sum(axis=0).tolist() == [r.true_positives + r.false_positives for r in rows]
    names = [*matrix.classes, None]
    cells = {(t, q): matrix.rows(t, q) for t in names for q in names}
    for (t, q), (found, meant) in cells.items():
        count = matrix.counts[names.index(t), names.index(q)]
        assert (len(found), len(meant)) == (count if q else 0, count if t else 0)
    for views, verdict, side in (
        ([cells[k, k] for k in matrix.classes], "TP", 0),
        ([cells[t, q] for t in names for q in names if t != q], "FP", 0),
        ([cells[t, q] for t in names for q in names if t != q], "FN", 1),
    ):
        assert np.array_equal(np.sort(np.concatenate([cell[side] for cell in views])), p.rows(verdict))
    for of, axis in (("true", 1), ("predicted", 0)):
        total = matrix.rates(of).sum(axis=axis)
        assert np.allclose(total[~np.isnan(total)], 1)
        assert np.array_equal(np.isnan(total), matrix.counts.sum(axis=axis) == 0)


@settings(max_examples=examples(150))
@given(anything, rules, st.integers(0, 12), st.integers(0, 7))
def test_the_agnostic_matrix_has_the_same_boxes(scene: Scene, protocol: Protocol, s: int, part: int) -> None:
    _, p, _ = point(scene, protocol, s, part)
    matrix = p.confusion_agnostic()
    objects = np.concatenate([p.rows("FN"), p.rows("found")])
    assert np.array_equal(np.sort(matrix.object[matrix.object >= 0]), np.sort(objects))
    kept = np.concatenate([p.rows(v) for v in ("TP", "FP", "ignored")])
    assert not len(np.setdiff1d(matrix.detection[matrix.detection >= 0], kept))
    if protocol.classes == "agnostic" and (protocol.claim, protocol.greedy_by) == ("free", "score"):
        assert np.array_equal(matrix.counts, p.confusion.counts)


@settings(max_examples=examples(100))
@given(scenes(crowded=False), rules, st.data())
def test_overlaps_are_those_of_the_definition(scene: Scene, protocol: Protocol, data: st.DataObject) -> None:
    assume(scene.objects and scene.detections)
    assume(not overlaps.needed([protocol]))  # those of boxes; the others have kernels of their own
    truth, detections = scene.tables()
    measure, pairs = Overlaps(truth, detections, protocol), defined_pairs(truth, detections, protocol)
    d, o = (g.reshape(-1) for g in np.meshgrid(np.arange(len(detections)), np.arange(len(truth))))
    with np.errstate(all="ignore"):
        expected = [pairs.overlap(i, j) for i, j in zip(d, o, strict=True)]
    np.testing.assert_array_equal(measure(d, o), expected)


@settings(max_examples=examples(60))
@given(scenes(crowded=False), ranked, st.integers(0, 12), st.integers(0, 7))
def test_counts_need_no_boxes(scene: Scene, protocol: Protocol, s: int, part: int) -> None:
    result, p, _ = point(scene, protocol, s, part)
    again = pickle.loads(pickle.dumps(result)).at(p.score, iou=p.iou, area=p.area, max_detections=p.max_detections)
    assert repr(again) == repr(p)
    assert again.per_class.keys() == p.per_class.keys()
    for name in ("true_positives", "false_positives", "false_negatives"):
        assert np.array_equal(getattr(again.images, name), getattr(p.images, name))
    with pytest.raises(NotEvaluated, match="the boxes are needed"):
        again.rows("TP")


COSTS = ((1, 1), (1, 5), (3, 0.5), (0, 1), (1, 0))


def chosen(points: list[Any], rule: dict[str, Any], images: int) -> Any:
    """The best of all operating points by the definition of a rule; None where it cannot be met."""
    ((name, value),) = rule.items()
    if name == "precision":
        enough = [p for p in points if p.precision >= value]
        return max(enough, key=lambda p: (p.true_positives, p.score), default=None)
    if name == "recall":
        return max((p for p in points if p.recall >= value), key=lambda p: p.score, default=None)
    if name == "f1":
        return max(points, key=lambda p: (p.f1, p.score))
    if name == "cost":
        return min(
            points, key=lambda p: (value["fp"] * p.false_positives + value["fn"] * p.false_negatives, -p.score)
        )  # fmt: skip
    return min((p for p in points if p.false_positives / images <= value), key=lambda p: p.score, default=None)


@settings(max_examples=examples(200))
@given(
    st.one_of(scenes(min_detections=1), tangles(), tangles()),
    ranked,
    st.one_of(
        st.sampled_from([{"precision": p} for p in (0.0, 0.3, 0.5, 2 / 3, 0.95, 1.0)]),
        st.sampled_from([{"recall": q} for q in (0.0, 0.3, 0.5, 2 / 3, 0.95, 1.0)]),
        st.just({"f1": "max"}),
        st.sampled_from([{"cost": {"fp": fp, "fn": fn}} for fp, fn in COSTS]),
        st.sampled_from([{"fp_per_image": x} for x in (0.0, 0.25, 0.5, 1.0, 30.0)]),
    ),
)
def test_thresholds_are_the_best_of_all(scene: Scene, protocol: Protocol, rule: dict[str, Any]) -> None:
    result = made(scene, protocol)
    assume(not weighted(result.tally))
    tally = result.tally
    judged = (((tally.ignored[:, 0] & 1) == 0) | ((tally.hits[:, 0] & 1) != 0)) & (
        tally.rank < max(protocol.max_detections, default=2**31)
    )
    scores = sorted(set(tally.score[judged].tolist()))
    points = [result.at(s) for s in (scores if "cost" not in rule else [*scores, math.inf])]
    images = len(scene.images)
    found = result.threshold(**rule, per_class=True)

    def check(row: Any, some: list[Any], any_object: bool) -> None:
        if not some or (not any_object and not {"cost", "fp_per_image"} & set(rule)):
            assert math.isnan(row.score)
            assert row.reason == ("no objects" if some else "no detections")
            return
        best = chosen(some, rule, images)
        if best is None:
            assert math.isnan(row.score)
            assert (row.true_positives, row.reason != "") == (None, True)
            return
        assert row.score == best.score
        for name in ("true_positives", "false_positives", "false_negatives", "precision", "recall", "f1"):
            assert same(getattr(row, name), getattr(best, name)), name

    check(found.common, points, points[0].true_positives + points[0].false_negatives > 0 if points else False)
    for k, (name, row) in enumerate(found.per_class.items()):
        own = set(tally.score[judged & (tally.label == k)].tolist()) | {math.inf}
        some = [_of_class(p, name) for p in points if p.score in own]
        check(row, some, bool(tally.to_find[k, 0]))


def _of_class(p: OperatingPoint, name: str) -> Any:
    return replace(p, **p.per_class[name]._asdict())


@settings(max_examples=examples(100))
@given(scenes(crowded=False), ranked)
def test_the_best_point_is_the_threshold_of_the_highest_f1(scene: Scene, protocol: Protocol) -> None:
    result = made(scene, protocol)
    best, common = result.point, result.threshold(f1="max").common
    assert best is not None
    assert same(best.score, common.score)
    assert best.reason == common.reason
    at = result.at(math.inf if math.isnan(best.score) else best.score)
    assert repr(best.rates) == repr(tuple(row[3:] for row in at.per_class.values()))
    if not math.isnan(common.score):
        # By weight the sums are made in another order.
        assert common[1:4] == pytest.approx((at.precision, at.recall, at.f1), abs=1e-12, nan_ok=True)
        assert common[4:7] == (at.true_positives, at.false_positives, at.false_negatives)


@settings(max_examples=examples(60))
@given(scenes(crowded=False), ranked)
def test_the_metric_and_the_threshold_of_the_best_f1_are_one(scene: Scene, protocol: Protocol) -> None:
    result = evaluate(*scene.tables(), protocol=protocol)
    point = result.threshold(f1="max").common
    assert np.isclose(result["F1max"], point.f1, rtol=0, atol=1e-12, equal_nan=True) or not point.true_positives
    if point.true_positives:  # without any, the metric names no score
        assert result["F1max.score"] == point.score


@given(scenes(crowded=False), rules)
@settings(max_examples=examples(50))
def test_thresholds_that_a_ranking_cannot_give_are_refused(scene: Scene, protocol: Protocol) -> None:
    for field, value, reason in (
        ("greedy_by", "overlap", "pairs are matched by overlap"),
        ("claim", "shared", "several detections may match one object"),
    ):
        result = made(scene, replace(protocol, greedy_by="score", **{field: value}) if field != "greedy_by" else
                      replace(protocol, greedy_by=value))  # fmt: skip
        with pytest.raises(NotEvaluated, match=reason):
            result.threshold(f1="max")
        assert result.point is not None
        assert reason in result.point.reason
        assert all(math.isnan(value) for row in result.point.rates for value in row)
