"""The rules of TensorFlow's evaluators, Open Images and ImageNet, each in the smallest scene that shows it."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from boxscore import Result, evaluate, protocols
from boxscore.tables.model import Flag, Mark
from small_tables import Found, Object, tables

HERE, THERE, NOWHERE = (0, 0, 20, 20), (200, 0, 220, 20), (300, 300, 320, 320)
GROUP = (0, 0, 100, 100)  # HERE lies within it
VOC, V2, CHALLENGE = (protocols.get(name) for name in ("tf-voc", "openimages-v2", "openimages-challenge"))


def near(value: float) -> Any:
    """1e-12, because areas under curves are sums."""
    return pytest.approx(value, abs=1e-12, rel=0)


def group(box: Any = GROUP, label: str = "a", image: int = 1) -> Object:
    return Object(image, label, box, Flag.GROUP_OF)


def points(result: Result, label: str = "a") -> tuple[list[float], list[float]]:
    curve = result.curve(label)
    return curve.precision.tolist(), curve.recall.tolist()


def dropped(result: Result) -> dict[str, int]:
    return {row.reason: row.count for row in result.ledger.detections.rows if row.fate == "dropped"}


def test_a_group_absorbs_a_duplicate() -> None:
    found = [Found(1, "a", HERE, 0.9), Found(1, "a", HERE, 0.8), Found(1, "a", NOWHERE, 0.7)]
    alone = tables([Object(1, "a", HERE)], found)
    assert points(evaluate(*alone, protocol=V2)) == ([1, 1 / 2, 1 / 3], [1, 1, 1])
    beside = tables([Object(1, "a", HERE), group()], found)
    assert points(evaluate(*beside, protocol=V2)) == ([1, 1 / 2], [1, 1])
    # In the challenge the duplicate finds the group.
    assert points(evaluate(*beside, protocol=CHALLENGE)) == ([1, 1, 2 / 3], [1 / 2, 1, 1])
    # An ordinary object comes first, however well the group fits.
    assert evaluate(*tables([group(), Object(1, "a", (0, 0, 20, 40))], found[:1]), protocol=V2)["TP"] == 1
    # The flag means nothing to PASCAL VOC.
    assert points(evaluate(*beside, protocol=VOC)) == ([1, 1 / 2, 1 / 3], [1 / 2, 1 / 2, 1 / 2])


def test_there_is_no_second_choice() -> None:
    """The best object is taken; the other one, free and overlapped enough, is not looked at."""
    objects = [Object(1, "a", HERE), Object(1, "a", (0, 0, 20, 16))]
    sides = tables(objects, [Found(1, "a", HERE, 0.9), Found(1, "a", (0, 0, 20, 19), 0.8)])
    for protocol in (VOC, V2, CHALLENGE):
        assert points(evaluate(*sides, protocol=protocol)) == ([1, 1 / 2], [1 / 2, 1 / 2])
    twice = [Found(1, "a", HERE, 0.9), Found(1, "a", HERE, 0.8)]
    difficult = tables([objects[0]._replace(flags=Flag.DIFFICULT), objects[1]], twice)
    assert points(evaluate(*difficult, protocol=VOC)) == ([], [])  # both ignored
    assert points(evaluate(*difficult, protocol=V2)) == ([1, 1 / 2], [1 / 2, 1 / 2])  # the flag means nothing


def test_the_share_of_the_detection_counts_by_the_same_threshold() -> None:
    half = tables([group(), Object(1, "a", NOWHERE)], [Found(1, "a", (90, 0, 110, 20), 0.9)])
    assert evaluate(*half, protocol=V2)["FP"] == 0
    assert evaluate(*half, protocol=replace(V2, iou=(0.75,)))["FP"] == 1


@pytest.mark.parametrize(
    ("scores", "ap"), [([0.0], 0.0), ([-1.0, -2.0], 0.0), ([1e-9], 1.0), ([0.5, 0.0], 1.0), ([0.0, 0.5], 1.0)]
)
def test_a_group_is_credited_only_above_a_score_of_0(scores: list[float], ap: float) -> None:
    result = evaluate(*tables([group()], [Found(1, "a", HERE, s) for s in scores]), protocol=CHALLENGE)
    assert result["AP"] == ap
    assert result["FP"] == 0
    assert result["FN"] == 1 - ap


@pytest.mark.parametrize(
    ("weight", "precision", "recall", "ap"),
    [
        (0.5, [1, 1 / 3, 0.6], [1 / 3, 1 / 3, 1], 1 / 3 + 2 / 3 * 0.6),
        (1.0, [1, 1 / 2, 2 / 3], [1 / 2, 1 / 2, 1], 1 / 2 + 1 / 2 * 2 / 3),
        (0.0, [0, 1 / 2], [0, 1], 1 / 2),
    ],
)
def test_the_weight_of_a_group(weight: float, precision: list[float], recall: list[float], ap: float) -> None:
    found = [Found(1, "a", HERE, 0.9), Found(1, "a", NOWHERE, 0.8), Found(1, "a", THERE, 0.7)]
    result = evaluate(
        *tables([group(), Object(1, "a", THERE)], found), protocol=replace(CHALLENGE, absorbed_weight=weight)
    )
    assert points(result) == (precision, recall)
    assert result.curve("a").objects == 1 + weight
    assert result["AP"] == near(ap)


def test_only_groups() -> None:
    sides = tables([group()], [Found(1, "a", HERE, 0.9)])
    assert math.isnan(evaluate(*sides, protocol=V2)["AP"])
    assert evaluate(*sides, protocol=CHALLENGE)["AP"] == 1.0


def test_of_nested_groups_the_first_takes() -> None:
    inner, outer = group((0, 0, 50, 50)), group()
    found = [Found(1, "a", HERE, 0.9), Found(1, "a", (60, 60, 80, 80), 0.8)]  # in both, in the outer one only
    assert evaluate(*tables([inner, outer], found), protocol=CHALLENGE)["TP"] == 2
    assert evaluate(*tables([outer, inner], found), protocol=CHALLENGE)["TP"] == 1
    twice = evaluate(*tables([inner, outer], found[:1] * 2), protocol=CHALLENGE)
    assert points(twice) == ([1], [1 / 2])


@pytest.mark.parametrize(("mark", "false"), [(None, 0), (Mark.POSITIVE, 1), (Mark.NEGATIVE, 1), (Mark.BLACKLISTED, 0)])
def test_a_class_that_nobody_verified(mark: Mark | None, false: int) -> None:
    objects = [Object(1, "a", HERE), Object(2, "b", HERE)]
    said = [] if mark is None else [(1, "b", mark)]
    sides = tables(objects, [Found(1, "b", HERE, 0.9), Found(2, "b", HERE, 0.8)], said=said)
    result = evaluate(*sides, protocol=CHALLENGE)
    assert (result["FP"], result["AP[class=b]"]) == (false, near(1 / (1 + false)))
    assert dropped(result) == ({} if false else {"its class is not verified in its image": 1})
    assert evaluate(*sides, protocol=V2)["FP"] == 1


ABOVE = {"animal": [], "cat": ["animal"], "siamese": ["cat"], "dog": ["animal"]}


def test_objects_count_for_the_classes_above() -> None:
    sides = tables(
        [Object(1, "siamese", HERE), Object(1, "dog", THERE)],
        [Found(1, "siamese", HERE, 0.9), Found(1, "animal", THERE, 0.8)],
        classes=list(ABOVE),
        parents=ABOVE,
    )
    result = evaluate(*sides, protocol=CHALLENGE)
    assert [c.objects for c in result.per_class] == [2, 1, 1, 1]
    assert [c.metrics["AP"] for c in result.per_class] == [1 / 2, 0, 1, 0]  # detections are not copied
    assert [(row.fate, row.count) for row in result.ledger.objects.rows] == [("evaluated", 5), ("added", 3)]
    both = evaluate(*sides, protocol=replace(CHALLENGE, hierarchy="both"))
    assert [c.metrics["AP"] for c in both.per_class] == [1, 1, 1, 0]
    assert both.ledger.detections.evaluated == 4
    assert [c.objects for c in evaluate(*sides, protocol=V2).per_class] == [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("label", "mark", "verified"),
    [
        ("cat", Mark.POSITIVE, {"animal", "cat"}),
        ("cat", Mark.NEGATIVE, {"cat", "siamese"}),
        ("animal", Mark.NEGATIVE, {"animal", "cat", "siamese", "dog"}),
        ("dog", Mark.POSITIVE, {"animal", "dog"}),
    ],
)
def test_presence_holds_for_classes_above_and_absence_for_those_below(
    label: str, mark: Mark, verified: set[str]
) -> None:
    objects = [Object(2, c, HERE) for c in ("siamese", "dog")]
    found = [Found(1, c, HERE, 0.9) for c in ABOVE]
    sides = tables(objects, found, classes=list(ABOVE), parents=ABOVE, said=[(1, label, mark)])
    counts = evaluate(*sides, protocol=CHALLENGE).at(0.0).classes
    assert {name for name, (_, false, _) in counts.items() if false} == verified


def test_detections_without_extent_vanish_and_objects_do_not() -> None:
    flat = [Found(1, "a", (5, 5, 5, 9), 0.95), Found(1, "a", (5, 5, 9, 5), 0.95), Found(1, "a", (9, 9, 5, 5), 0.95)]
    sides = tables([Object(1, "a", HERE), Object(2, "a", (5, 5, 5, 9))], [*flat, Found(1, "a", HERE, 0.9)])
    result = evaluate(*sides, protocol=VOC)
    assert points(result) == ([1], [1 / 2])
    assert dropped(result) == {"its width or height is not above zero": 3}


def test_scores_of_minus_ten_and_below_are_left_out() -> None:
    sides = tables([Object(1, "a", HERE)], [Found(1, "a", HERE, -9.5), Found(2, "a", HERE, -10.0)])
    result = evaluate(*sides, protocol=VOC)
    assert points(result) == ([1], [1])
    assert dropped(result) == {"its score is not above -10": 1}


@pytest.mark.parametrize(("protocol", "false"), [(VOC, 1), (V2, 1), (CHALLENGE, 0)])
def test_images_that_the_truth_does_not_have(protocol: Any, false: int) -> None:
    sides = tables([Object(1, "a", HERE)], [Found(9, "a", HERE, 0.9), Found(1, "a", HERE, 0.8)])
    result = evaluate(*sides, protocol=protocol)
    assert (result["TP"], result["FP"]) == (1, false)
    assert dropped(result) == ({} if false else {"its image is not in the ground truth": 1})


def test_of_equal_scores_the_last_listed_chooses_and_the_first_listed_ranks_first() -> None:
    sides = tables([Object(1, "a", HERE)], [Found(1, "a", (0, 0, 20, 18), 0.5), Found(1, "a", (0, 0, 20, 12), 0.5)])
    assert points(evaluate(*sides, protocol=VOC)) == ([0, 1 / 2], [0, 1])


def test_of_equal_scores_later_images_rank_first_and_groups_before_others() -> None:
    found = [Found(1, "a", HERE, 0.5), Found(2, "a", HERE, 0.5)]
    for image, expected in ((1, [0, 1 / 2]), (2, [1, 1 / 2])):
        assert points(evaluate(*tables([Object(image, "a", HERE)], found), protocol=VOC))[0] == expected
    within = [Found(1, "a", NOWHERE, 0.5), Found(1, "a", HERE, 0.5)]
    assert points(evaluate(*tables([group()], within), protocol=CHALLENGE)) == ([1, 1 / 2], [1, 1])


def test_the_pool_leaves_out_classes_without_objects() -> None:
    objects = [Object(1, "a", HERE), Object(1, "b", HERE)]
    found = [Found(1, "a", HERE, 0.9), Found(1, "b", NOWHERE, 0.8), Found(1, "b", HERE, 0.7)]
    sides = tables(objects, [*found, Found(1, "c", HERE, 0.95)], classes="abc")
    assert evaluate(*sides, protocol="tf-weighted-voc")["mAP"] == near(1 / 2 + 1 / 2 * 2 / 3)
    assert evaluate(*sides, protocol="tf-voc")["mAP"] == near((1 + 1 / 2) / 2)


@pytest.mark.parametrize(
    ("bounds", "ap"), [((0, 1), 0.9), ((0.5, 1), 0.9), ((0, 0.5), 0.5), ((0.6, 0.8), 0.5625), ((0.3, 0.6), 0.5)]
)
def test_a_part_of_the_curve(bounds: tuple[float, float], ap: float) -> None:
    """Two found, one false, two found, of four: precision 1, 1, 2/3, 3/4, 4/5."""
    boxes = [(30 * i, 0, 30 * i + 20, 20) for i in range(4)]
    found = [Found(1, "a", box, 0.9 - 0.1 * i) for i, box in enumerate([*boxes[:2], NOWHERE, *boxes[2:]])]
    rules = replace(protocols.get("tf-precision-at-recall"), recall_bounds=bounds)
    result = evaluate(*tables([Object(1, "a", box) for box in boxes], found), protocol=rules)
    assert result["mAP"] == near(ap)


@pytest.mark.parametrize(
    ("box", "hit"),
    [
        ((1, 1, 5, 5), True),  # 25 of 100 pixels; the threshold is 10 * 10 / (20 * 20)
        ((1, 1, 6, 4), False),
    ],
)
def test_imagenet_is_lenient_with_small_objects(box: Any, hit: bool) -> None:
    small = tables([Object(1, "a", (1, 1, 10, 10))], [Found(1, "a", box, 0.9)])
    assert evaluate(*small, protocol="imagenet-det")["TP"] == hit
    assert evaluate(*small, protocol="voc2012")["TP"] == 0
    wide = (*box[:2], 10 * box[2], 10 * box[3])  # of 100 * 100: 0.83, so the threshold is 1/2
    large = tables([Object(1, "a", (1, 1, 100, 100))], [Found(1, "a", wide, 0.9)])
    assert evaluate(*large, protocol="imagenet-det")["TP"] == 0
    half = tables([Object(1, "a", (1, 1, 100, 100))], [Found(1, "a", (1, 1, 100, 50), 0.9)])
    assert evaluate(*half, protocol="imagenet-det")["TP"] == 1


def test_tensorflow_takes_sizes_from_boxes() -> None:
    truth, found = tables([Object(1, "a", HERE)], [Found(1, "a", HERE, 0.9)])
    truth = replace(truth, area=np.array([1e6]))
    for protocol, size in (("tf-coco", "s"), ("coco", "l")):
        result = evaluate(truth, found, protocol=protocol)
        assert {s for s in "sml" if not math.isnan(result[f"AR{s}"])} == {size}
