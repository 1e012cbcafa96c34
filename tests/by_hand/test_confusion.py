"""Operating points, confusion matrices and thresholds on boxes that can be followed by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import boxscore as bs
from boxscore import Result, UsageError
from boxscore.metrics import NotEvaluated

CLASSES = ["cat", "dog", "cow"]


def evaluated(objects: list[Any], detections: list[Any], protocol: Any = "voc2012", **more: Any) -> Result:
    """Objects as (image, class, x), detections as (image, class, x, score); all boxes are 10 wide and high."""
    truth = {
        "image": [o[0] for o in objects], "images": ["a", "b", "c"], "labels": [CLASSES.index(o[1]) for o in objects],
        "boxes": [[o[2], 0, 10, 10] for o in objects],
    }  # fmt: skip
    found = {
        "image": [d[0] for d in detections], "labels": [CLASSES.index(d[1]) for d in detections],
        "boxes": [[d[2], 0, 10, 10] for d in detections], "scores": [d[3] for d in detections],
    }  # fmt: skip
    return bs.evaluate(truth | more, found, box="xywh", classes=CLASSES, protocol=protocol)


OBJECTS = [("a", "cat", 0), ("a", "dog", 100), ("a", "dog", 102), ("b", "cow", 0), ("b", "cat", 50)]
DETECTIONS = [
    ("a", "cat", 1, 0.9),  # finds the cat
    ("a", "cat", 101, 0.8),  # a dog taken for a cat: both dogs overlap equally, so the first
    ("a", "cow", 102, 0.7),  # the other dog taken for a cow
    ("a", "cow", 100, 0.6),  # too late: both dogs are gone
    ("b", "cow", 200, 0.5),  # nothing there
    ("c", "dog", 0, 0.4),  # nor here, though image a has dogs
    ("b", "cat", 0, 0.3),  # the cow taken for a cat
]


def test_every_left_over_finds_its_cell() -> None:
    p = evaluated(OBJECTS, DETECTIONS).at(0.3)
    assert (p.true_positives, p.false_positives, p.false_negatives) == (1, 6, 4)
    assert p.confusion.counts.tolist() == [
        # cat dog cow background
        [1, 0, 0, 1],
        [1, 0, 1, 0],
        [1, 0, 0, 0],
        [0, 1, 2, 0],
    ]
    cells = {
        ("cat", "cat"): ([0], [0]), ("dog", "cat"): ([1], [1]), ("dog", "cow"): ([2], [2]), ("cow", "cat"): ([6], [3]),
        ("cat", None): ([], [4]), (None, "dog"): ([5], []), (None, "cow"): ([3, 4], []), (None, None): ([], []),
    }  # fmt: skip
    for (true, predicted), (detections, objects) in cells.items():
        found = p.confusion.rows(true, predicted)
        assert (sorted(found.detections.tolist()), found.objects.tolist()) == (detections, objects)
    assert p.confusion.rows("background", "dog").detections.tolist() == [5]


def test_a_higher_score_leaves_more_to_the_background() -> None:
    p = evaluated(OBJECTS, DETECTIONS).at(0.75)
    assert p.confusion.counts.tolist() == [[1, 0, 0, 1], [1, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 0]]
    assert p.classes == {"cat": (1, 1, 1), "dog": (0, 0, 2), "cow": (0, 0, 1)}
    assert p.per_class["cat"] == (1, 1, 1, 0.5, 0.5, 0.5)
    assert p.per_class["dog"][3:5] == pytest.approx((math.nan, 0.0), nan_ok=True)


def test_the_surest_detection_chooses_first_whatever_its_overlap() -> None:
    p = evaluated([("a", "dog", 0)], [("a", "cat", 3, 0.9), ("a", "cow", 0, 0.8)]).at(0)
    assert p.confusion.counts.tolist() == [[0, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0]]


def test_the_largest_overlap_is_taken() -> None:
    p = evaluated([("a", "dog", 0), ("a", "cow", 2)], [("a", "cat", 2, 0.9)]).at(0)
    assert p.confusion.counts[:, 0].tolist() == [0, 0, 1, 0]


@pytest.mark.parametrize(
    ("rules", "confused"),
    [
        ({"iou": "0.25"}, 1),
        ({"iou": "0.25", "compare": ">"}, 0),
        ({"iou": "0.9", "iou_ceiling": "0.25"}, 1),
        ({"iou": "0.3"}, 0),
        ({"iou": "0.3", "iou_margin": "10"}, 1),  # lowered to 100 / 400 for this object
    ],
)
def test_left_overs_keep_to_the_threshold_and_its_comparison(rules: dict[str, str], confused: int) -> None:
    """The boxes share 40 of 160: exactly a quarter."""
    protocol = bs.protocols.variant(bs.protocols.get("coco-fixed"), **rules)
    assert evaluated([("a", "dog", 0)], [("a", "cat", 6, 0.9)], protocol).at(0).confusion.counts[1, 0] == confused


def test_a_second_detection_of_a_class_is_background_not_its_object_again() -> None:
    """A miss and a false positive of one class that the protocol did not pair stay apart."""
    p = evaluated([("a", "dog", 0)], [("a", "dog", 0, 0.9), ("a", "dog", 0, 0.8)]).at(0)
    assert p.confusion.counts[1].tolist() == [0, 1, 0, 0]
    assert p.confusion.counts[3].tolist() == [0, 1, 0, 0]


def test_ignored_ones_stay_out() -> None:
    objects, found = [("a", "dog", 0), ("a", "cow", 50)], [("a", "dog", 0, 0.9), ("a", "cat", 0, 0.8)]
    p = evaluated(objects, found, difficult=[1, 0]).at(0)
    assert p.rows("ignored").tolist() == [0]
    assert p.confusion.counts.sum() == 2  # the cow and the false cat
    assert p.confusion.counts[2, 3] == p.confusion.counts[3, 0] == 1


def test_the_agnostic_matrix_lets_a_wrong_class_take_an_object() -> None:
    """The surer detection says cat; a matching without classes gives it the dog, and the dog's own one nothing."""
    p = evaluated([("a", "dog", 0)], [("a", "cat", 1, 0.9), ("a", "dog", 0, 0.8)]).at(0)
    assert p.confusion.counts.tolist() == [[0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0]]
    assert p.confusion_agnostic().counts.tolist() == [[0, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 1, 0, 0]]


def test_rates_rows_and_columns() -> None:
    matrix = evaluated(OBJECTS, DETECTIONS).at(0.3).confusion
    assert matrix.rates("true")[1].tolist() == [0.5, 0, 0.5, 0]
    assert matrix.rates("predicted")[:, 0].tolist() == [1 / 3, 1 / 3, 1 / 3, 0]
    assert np.isnan(matrix.rates("true")[:, :]).sum() == 0
    empty = evaluated([("a", "cat", 0)], []).at(0).confusion
    assert np.isnan(empty.rates("true")[1]).all()
    assert np.isnan(empty.rates("predicted")[:, 0]).all()
    assert matrix.largest() == [("dog", "cat", 1), ("dog", "cow", 1), ("cow", "cat", 1)]
    assert matrix.largest(1) == [("dog", "cat", 1)]


def test_pandas() -> None:
    pytest.importorskip("pandas")
    p = evaluated(OBJECTS, DETECTIONS).at(0.3)
    frame = p.confusion.to_pandas()
    assert list(frame.index) == list(frame.columns) == [*CLASSES, "background"]
    assert frame.loc["dog", "cow"] == 1
    assert frame.loc["cow", "dog"] == 0
    images = p.images.to_pandas()
    assert images.values.tolist() == [["a", 1, 3, 2], ["b", 0, 2, 2], ["c", 0, 1, 0]]


def test_classes_of_one_name_are_told_apart() -> None:
    truth = {
        "images": [{"id": 1}],
        "annotations": [{"id": k, "image_id": 1, "category_id": k, "bbox": [0, 0, 9, 9]} for k in (1, 2)],
        "categories": [{"id": 1, "name": "x"}, {"id": 2, "name": "x"}],
    }
    objects, _ = bs.read_truth(truth, bs.Reading())
    found, _ = bs.read_detections(
        [{"image_id": 1, "category_id": 2, "bbox": [0, 0, 9, 9], "score": 1}], bs.Reading(), objects
    )
    p = bs.evaluate(objects, found).at(0.5)
    assert p.classes == {"x (1)": (0, 0, 1), "x (2)": (1, 0, 0)}
    assert p.rows("TP", "x (2)").tolist() == [0]


def test_a_credited_group_counts_as_one_and_weighs_less() -> None:
    half = bs.protocols.variant(bs.protocols.get("openimages-challenge"), absorbed_weight="0.5", unverified="counted")
    objects, found = [("a", "dog", 0), ("a", "dog", 50)], [("a", "dog", 0, 0.9), ("a", "dog", 50, 0.8)]
    p = evaluated(objects, found, half, group_of=[0, 1]).at(0)
    assert (p.true_positives, p.false_positives, p.false_negatives) == (2, 0, 0)
    assert p.confusion.counts[1, 1] == 2
    missed = evaluated(objects, [*found[:1], ("a", "dog", 90, 0.7)], half, group_of=[0, 1]).at(0)
    assert (missed.true_positives, missed.false_positives, missed.false_negatives) == (1, 1, 1)
    assert (missed.precision, missed.recall) == (0.5, 1 / 1.5)
    assert evaluated(objects, found, half, group_of=[0, 1]).threshold(recall=2 / 3).common.true_positives == 1


def test_thresholds() -> None:
    """hit 0.9, miss 0.8, hit 0.7, hit 0.7 and miss 0.7 tied, miss 0.6; four objects."""
    r = evaluated(
        [("a", "cat", x) for x in (0, 20, 40, 60)],
        [("a", "cat", 0, 0.9), ("a", "cat", 200, 0.8), ("a", "cat", 20, 0.7), ("a", "cat", 40, 0.7),
         ("a", "cat", 300, 0.7), ("a", "cat", 400, 0.6)],
    )  # fmt: skip
    assert r.threshold(precision=0.6).common[:7] == (0.7, 0.6, 0.75, 2 / 3, 3, 2, 1)
    assert r.threshold(precision=0.61).score == 0.9
    assert r.threshold(recall=0.5).score == 0.7
    assert r.threshold(recall=0.25).score == 0.9
    assert r.threshold(f1="max").score == 0.7
    assert r.threshold(cost={"fp": 1, "fn": 5}).score == 0.7
    assert r.threshold(cost={"fp": 9, "fn": 1}).score == 0.9
    assert r.threshold(fp_per_image=0.5).score == 0.8  # three images
    assert r.threshold(fp_per_image=1).score == 0.6
    unreachable = r.threshold(recall=0.8).common
    assert (math.isnan(unreachable.score), unreachable.reason) == (True, "recall reaches 0.75")
    assert unreachable.true_positives is None


def test_no_detection_at_all_may_cost_least() -> None:
    r = evaluated([("a", "cat", 0)], [("a", "cat", 100, 0.9)])
    common = r.threshold(cost={"fp": 1, "fn": 1}).common
    assert (common.score, common.true_positives, common.reason) == (math.inf, 0, "no detection at all costs least")
    assert r.threshold(precision=0.5).common.reason == "precision reaches 0 at 0.9"
    assert r.threshold(fp_per_image=0).common.reason == "the highest score has 0.3333 per image"


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ({}, "no requirement; expected one of precision, recall, f1, cost, fp_per_image"),
        ({"precision": 0.5, "f1": "max"}, "precision and f1 cannot be combined; expected one of precision, recall, "),
        ({"precision": 95}, "precision=95; expected a value from 0 to 1"),
        ({"recall": -0.1}, "recall=-0.1; expected a value from 0 to 1"),
        ({"recall": "all"}, "recall='all'; expected a number"),
        ({"precision": True}, "precision=True; expected a number"),
        ({"precision": math.nan}, "precision=nan; expected a number"),
        ({"fp_per_image": -1}, "fp_per_image=-1; expected 0 or more"),
        ({"f1": "best"}, "f1='best'; expected \"max\""),
        ({"cost": {"fp": 1}}, "cost={'fp': 1}; expected the costs of a false positive and a missed object, such as"),
        ({"cost": {"fp": 1, "fn": -1}}, "cost fp=1, fn=-1; expected costs of 0 or more"),
        ({"cost": {"fp": 1, "fn": "x"}}, "cost of fn='x'; expected a number"),
        ({"f1": "max", "iou": 0.3}, "IoU 0.3 is not among the protocol's thresholds (0.5)"),
        ({"f1": "max", "area": "tiny"}, "no size range 'tiny' in this protocol (it has all)"),
    ],
)
def test_rules_that_make_no_sense(rule: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as error:
        evaluated([("a", "cat", 0)], [("a", "cat", 0, 0.9)]).threshold(**rule)
    assert str(error.value).startswith(message)


def test_what_there_is_not() -> None:
    r = evaluated([("a", "cat", 0)], [("a", "cat", 0, 0.9)])
    p = r.at(0.5)
    for ask, message in (
        (lambda: p.rows("tp"), "unknown verdict 'tp'; did you mean 'TP'? (known: TP, FP, ignored, FN, found)"),
        (lambda: p.rows("TP", "cta"), "unknown class 'cta'; did you mean 'cat'? (known: cat, dog, cow)"),
        (lambda: p.rows("TP", image="z"), "unknown image 'z': it is in neither the"),
        (lambda: p.rows("TP", image=7), "unknown image 7: it is in neither the"),
        (lambda: p.confusion.rows("cta", None), "unknown class 'cta'; did you mean 'cat'? (known: cat, dog, cow)"),
        (lambda: p.confusion.rates("row"), "unknown side 'row' (known: true, predicted)"),
        (lambda: r.at(math.nan), "score=nan; expected a number"),
        (lambda: bs.Result.from_dict(r.to_dict()).threshold(f1="max"), "this result holds only its stored numbers"),
    ):
        with pytest.raises(UsageError) as error:
            ask()
        assert str(error.value).startswith(message)
    with pytest.raises(NotEvaluated, match="a limit of 7 is not among max_detections"):
        evaluated([("a", "cat", 0)], [], "coco").at(0.5, max_detections=7)
