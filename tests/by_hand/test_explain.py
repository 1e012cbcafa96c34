"""A gap of two rules, worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

import boxscore as bs

# Two objects of 10 x 10 pixels; the first is found exactly, the second by a box of 10 x 8: an overlap of 0.8.
TRUTH = {"image": [1, 1], "boxes": [[0, 0, 9, 9], [100, 0, 109, 9]], "labels": ["cat", "cat"], "images": [1]}
FOUND = {"image": [1, 1], "boxes": [[0, 0, 9, 9], [100, 0, 109, 7]], "labels": ["cat", "cat"], "scores": [0.9, 0.8]}


def test_two_rules_share_their_gap() -> None:
    """From voc2012 to an IoU of 0.9 and 11 recall levels.

    Neither changed: both found, AP 1. Only the IoU: one of two found, AP 1/2. Only the levels: AP 1. Both: precision 1
    at the levels 0 to 0.5, six of eleven, AP 6/11. The IoU first takes 1/2, after the levels it takes 5/11: on average
    21/44. The levels first give nothing, after the IoU they give 6/11 - 1/2 = 1/22: on average 1/44.
    """
    made = bs.explain(TRUTH, FOUND, "voc2012", "voc2012[iou=0.9,recall_levels=11]", box="xyxy")
    assert (made.before, made.after) == (1.0, pytest.approx(6 / 11, abs=1e-15))
    assert [(p.rule, p.fields) for p in made.parts] == [("iou", ("iou",)), ("recall_levels", ("recall_levels",))]
    assert [p.part for p in made.parts] == pytest.approx([-21 / 44, 1 / 44], abs=1e-15)
    assert [p.values for p in made.parts] == [(("iou", "0.5", "0.9"),), (("recall_levels", "0", "11"),)]
    assert (made.exact, made.orders, made.mixtures) == (True, 0, 4)
    (cat,) = made.per_class
    assert (cat.name, cat.before, cat.parts) == ("cat", 1.0, tuple(p.part for p in made.parts))


def test_rules_without_anything_to_apply_to_have_no_part() -> None:
    made = bs.explain(TRUTH, FOUND, "voc2012", "voc2012[difficult=ordinary,crowd=ignored,max_detections=2]", box="xyxy")
    assert [(p.rule, p.part, p.error) for p in made.parts] == [
        ("max_detections", 0.0, 0.0),
        ("crowd", 0.0, 0.0),
        ("difficult", 0.0, 0.0),
    ]
    assert {p.note for p in made.parts} == {"nothing in the data that it applies to"}
    assert made.mixtures == 1


def test_a_cap_that_cuts_has_a_part() -> None:
    made = bs.explain(TRUTH, FOUND, "voc2012", "voc2012[max_detections=1]", box="xyxy")
    assert [(p.rule, p.part, p.note) for p in made.parts] == [("max_detections", -0.5, "")]


def test_equal_rules_have_no_parts() -> None:
    made = bs.explain(TRUTH, FOUND, "voc2012", replace(bs.protocols.get("voc2012"), name="mine"), box="xyxy")
    assert (made.gap, made.parts, made.exact) == (0.0, (), True)
    assert "The two protocols have the same rules." in repr(made)


@pytest.mark.parametrize(
    ("from_", "to", "message"),
    [
        (
            "coco",
            "imagenet-loc",
            "AP of coco and top1_error of imagenet-loc measure different things (AP and LocError); expected "
            "protocols whose first metric is the same",
        ),
        (
            "coco[max_detections=1,10,300]",
            "coco",
            "AP of coco[max_detections=1,10,300] is undefined (a limit of 100 is not among max_detections (1, 10, "
            "300); `coco-fixed` takes the largest), so there is no gap to explain",
        ),
        ("coc", "coco", "unknown protocol 'coc'; did you mean 'coco' or 'tf-coco'? ("),
        ("coco[iou]", "coco", "protocol 'coco[iou]'; expected NAME or NAME[field=value,…] such as coco[iou=0.5]"),
        ("coco[iou=0.5", "coco", "protocol 'coco[iou=0.5'; expected NAME or NAME[field=value,…] such as coco[iou=0.5]"),
        ("coco[iuo=0.5]", "coco", "unknown protocol field 'iuo'; did you mean 'iou'?"),
    ],
)
def test_what_cannot_be_explained(from_: str, to: str, message: str) -> None:
    with pytest.raises(bs.UsageError) as caught:
        bs.explain(TRUTH, FOUND, from_, to, box="xyxy")
    assert str(caught.value).startswith(message)


def test_localisation_errors_are_of_one_kind() -> None:
    found = {"image": [1], "boxes": [[100, 0, 109, 7]], "labels": ["cat"], "scores": [0.9]}
    made = bs.explain(TRUTH, found, "imagenet-loc", "imagenet-loc[iou=0.9]", box="xyxy")
    assert (made.metrics, made.before, made.after) == (("top1_error", "top1_error"), 0.0, 1.0)
    assert [(p.rule, p.part) for p in made.parts] == [("iou", 1.0)]
    assert made.per_class == ()


def test_a_mixture_without_anything_to_find() -> None:
    """Either protocol leaves one of the objects; with the treatments of both, none is left."""
    truth = {**TRUTH, "crowd": [1, 0], "difficult": [0, 1]}
    with pytest.raises(bs.UsageError, match="no object is left to find with only difficult changed"):
        bs.explain(truth, FOUND, "voc2012[crowd=ignored,difficult=ordinary]", "voc2012", box="xyxy")


def test_nothing_to_find_at_all() -> None:
    truth = {**TRUTH, "crowd": [1, 1]}
    with pytest.raises(bs.UsageError, match=r"AP of coco is undefined \(no objects\), so there is no gap to explain"):
        bs.explain(truth, FOUND, "coco", "voc2012", box="xyxy")
