"""Keypoints worked out by hand: similarity, objects without labelled points, sigmas, and everything built on pairs."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

import boxscore
from boxscore import Result, _core, evaluate, evaluate_many, protocols
from boxscore.errors import InputError, UsageError
from boxscore.protocols import variant

COCO = protocols.get("coco-keypoints")
#
#      0         10        20             An object of two points, A (10, 10) and B (20, 10), with an area of 100.
#   10 |         A----a    B              The detection has A at (15, 10), 5 to the right, and B where it is.
#      |                                  With sigmas of 0.25 the variances are (2 * 0.25)^2 = 0.25:
#                                         e = 5^2 / 0.25 / 100 / 2 = 0.5 for A, 0 for B
#                                         OKS = (exp(-0.5) + 1) / 2 = 0.80327
#
SIGMAS = (0.25, 0.25)
BY_HAND = (math.exp(-0.5) + 1) / 2
TRUTH = {"image_id": 1, "category_id": 1, "bbox": [10, 5, 10, 10], "area": 100, "iscrowd": 0}
IMAGES = [{"id": 1, "width": 100, "height": 100, "file_name": "1.jpg"}]


def truth_of(*points: list[float], **more: Any) -> dict[str, Any]:
    annotations = [
        {**TRUTH, "id": i, "keypoints": own, "num_keypoints": sum(v > 0 for v in own[2::3]), **more}
        for i, own in enumerate(points, 1)
    ]
    return {"images": IMAGES, "annotations": annotations, "categories": [{"id": 1, "name": "arm"}]}


def result(points: list[float], score: float = 0.9) -> dict[str, Any]:
    return {"image_id": 1, "category_id": 1, "keypoints": points, "score": score}


def evaluated(truth: Any, results: list[Any], **more: Any) -> Result:
    return evaluate(truth, results, protocol=replace(COCO, sigmas=SIGMAS), **more)


def test_similarity() -> None:
    made = evaluated(truth_of([10, 10, 2, 20, 10, 1]), [result([15, 10, 0, 20, 10, 0])])
    assert made.metrics["AR50"] == 1.0
    assert made.metrics["AR"] == pytest.approx(0.7, abs=1e-15)  # of the ten thresholds it reaches those up to 0.8
    [overlap] = made.at(0.5).pairs.overlap
    assert overlap == pytest.approx(BY_HAND, rel=1e-15)


def test_unlabelled_points_do_not_count() -> None:
    made = evaluated(truth_of([0, 0, 0, 20, 10, 2]), [result([77, 77, 1, 20, 10, 1])])
    assert made.metrics["AR"] == 1.0


@pytest.mark.parametrize(("x", "ignored"), [(0.0, True), (30.0, True), (29.9, True), (80.0, False)])
def test_objects_without_labelled_points_take_what_is_in_twice_their_box(x: float, ignored: bool) -> None:
    # The box 10..20 x 5..15 doubled about its centre goes from 0 to 30 and from -5 to 25.
    made = evaluated(truth_of([0, 0, 0, 0, 0, 0], [50, 50, 2, 60, 50, 2]), [result([x, 10, 1, x, 10, 1])])
    assert made.metrics["AR"] == 0.0
    at = made.at(0.0)
    assert at.false_positives == (0 if ignored else 1)


def test_what_the_annotation_states_is_believed() -> None:
    truth = truth_of([10, 10, 2, 20, 10, 1], num_keypoints=0)
    made = evaluated(truth, [result([10, 10, 1, 20, 10, 1])])
    assert math.isnan(made.metrics["AP"])
    assert "KPT002" in [f.code for f in made.ledger.findings]


def test_sigmas_of_the_data_set() -> None:
    truth = truth_of([10, 10, 2, 20, 10, 1])
    truth["categories"][0]["sigmas"] = list(SIGMAS)
    made = evaluate(truth, [result([15, 10, 0, 20, 10, 0])], protocol="coco-keypoints")
    assert made.protocol.sigmas == SIGMAS
    assert made.protocol.signature() == replace(COCO, sigmas=SIGMAS).signature()
    stated = variant(COCO, sigmas="0.5,0.5")
    assert evaluate(truth, [result([15, 10, 0, 20, 10, 0])], protocol=stated).protocol.sigmas == (0.5, 0.5)


def test_sigmas_of_classes_with_different_points() -> None:
    truth = truth_of([10, 10, 2, 20, 10, 1], [10, 10, 2])
    truth["annotations"][1]["category_id"] = 2
    truth["categories"] = [{"id": 1, "name": "arm"}, {"id": 2, "name": "tip", "keypoint_sigmas": [1]}]
    truth["categories"][0]["sigmas"] = list(SIGMAS)
    found = [result([15, 10, 0, 20, 10, 0]), {**result([15, 10, 0]), "category_id": 2}]
    made = evaluate(truth, found, protocol="coco-keypoints")
    assert made.protocol.sigmas == (*SIGMAS, 1.0)
    assert made.metrics["AR50"] == 1.0
    assert evaluate(truth, found, protocol=variant(COCO, sigmas="0.25,0.25,1"))["AP"] == made["AP"]
    with pytest.raises(UsageError, match="evaluated one by one"):
        evaluate(truth, found, protocol=variant(COCO, classes="agnostic"))


def test_unknown_and_wrong_sigmas() -> None:
    truth, found = truth_of([10, 10, 2, 20, 10, 1]), [result([15, 10, 0, 20, 10, 0])]
    with pytest.raises(InputError, match=r"'arm' has 2 keypoints and no sigmas(.|\n)*--set sigmas"):
        evaluate(truth, found, protocol="coco-keypoints")
    with pytest.raises(UsageError, match=r"sigmas has 3 values; expected 2, one for each keypoint of 'arm'"):
        evaluate(truth, found, protocol=variant(COCO, sigmas="1,1,1"))
    for bad in ("0,1", "-1,1", "inf,1"):
        with pytest.raises(UsageError, match="above 0"):
            variant(COCO, sigmas=bad)
    truth["categories"][0]["sigmas"] = [0.1]
    with pytest.raises(InputError, match=r"1 sigma for 'arm', whose objects have 2 keypoints"):
        evaluate(truth, found, protocol="coco-keypoints")


def test_different_numbers_of_points() -> None:
    truth = truth_of([10, 10, 2, 20, 10, 1])
    with pytest.raises(InputError, match=r"detection 2 \(image 1.jpg\): 1 keypoint; expected 2 keypoints for 'arm'"):
        evaluated(truth, [result([10, 10, 1, 20, 10, 1]), result([10, 10, 1])])
    with pytest.raises(InputError, match=r"object 2 \(image 1.jpg\): 1 keypoint; expected 2 keypoints for 'arm'"):
        evaluated(truth_of([10, 10, 2, 20, 10, 1], [1, 1, 1]), [result([10, 10, 1, 20, 10, 1])])


def test_no_keypoints_at_all() -> None:
    truth = {**truth_of([1, 1, 1, 2, 2, 2])}
    with pytest.raises(InputError, match="no keypoints"):
        evaluated(truth, [{"image_id": 1, "category_id": 1, "bbox": [1, 2, 3, 4], "score": 0.5}])
    assert evaluated(truth, []).metrics["AP"] == 0.0


def test_odd_visibility_and_points_far_away() -> None:
    truth = truth_of([10, 10, 3, 20, 10, 1], [10, 10, 2, 5000, 10, 1])
    codes = {f.code: f for f in evaluated(truth, [result([10, 10, 0.3, 20, 10, 0.7])]).ledger.findings}
    assert codes["KPT003"].count == 1
    assert codes["KPT004"].count == 1


def test_far_points_are_counted_in_all_blocks_of_rows() -> None:
    truth, near, far = truth_of([10, 10, 2, 20, 10, 1]), [10, 10, 1, 20, 10, 1], [10, 10, 1, 20, -5000, 1]
    away = (0, 2047, 2048, 4095, 4096, 4999)
    found = [result(far if i in away else near) for i in range(5000)]
    codes = {f.code: f for f in evaluated(truth, found).ledger.findings}
    assert codes["KPT004"].count == len(away)


def test_missing_count() -> None:
    truth = truth_of([10, 10, 2, 20, 10, 1], [0, 0, 0, 0, 0, 0])
    for annotation in truth["annotations"]:
        del annotation["num_keypoints"]
    made = evaluated(truth, [result([10, 10, 1, 20, 10, 1])])
    assert made.metrics["AR"] == 1.0
    assert {f.code: f.count for f in made.ledger.findings}["KPT001"] == 2


def test_everything_that_is_built_on_pairs() -> None:
    truth = truth_of([10, 10, 2, 20, 10, 1], [50, 50, 2, 60, 50, 2])
    found = [result([15, 10, 0, 20, 10, 0]), result([80, 80, 0, 90, 90, 0], 0.5)]
    protocol = replace(COCO, sigmas=SIGMAS)
    loose = replace(protocol, name="loose", max_detections=(100,), headline_max=0)
    one, other = evaluate_many(truth, found, [protocol, loose], metrics=["oLRP", "F1max"])
    assert one.metrics["AP"] == other.metrics["AP"]
    at = one.at(0.4)
    assert (at.true_positives, at.false_positives, at.false_negatives) == (1, 1, 1)
    assert at.confusion.counts.sum() == 3
    assert one["oLRP"] == other["oLRP"]
    # With other sigmas and thresholds the gap is that of these two rules.
    gap = boxscore.explain(truth, found, protocol, replace(protocol, name="strict", sigmas=(1.0, 1.0), iou=(0.9,)))
    assert {part.rule for part in gap.parts} == {"overlap", "iou"}
    assert sum(part.part for part in gap.parts) == pytest.approx(gap.after - gap.before, abs=1e-12)


def test_similarities_are_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    truth = truth_of([10, 10, 2, 20, 10, 1])
    found = [result([15, 10, 0, 20, 10, 0], 0.9 - k / 100) for k in range(30)]
    protocol, calls = replace(COCO, sigmas=SIGMAS), []
    kernel = _core.keypoint_means
    monkeypatch.setattr(_core, "keypoint_means", lambda *a, **k: (calls.append(len(a[2])), kernel(*a, **k))[1])
    all_, best = (
        replace(protocol, name="all", max_detections=(), headline_max=0),
        replace(protocol, name="b", iou=(0.9,)),
    )
    evaluate_many(truth, found, [protocol, all_, best])
    assert calls == [30]
    calls.clear()
    evaluate(truth, found, protocol=protocol)
    assert calls == [20]  # what is beyond the cap is not measured
