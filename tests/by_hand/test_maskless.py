"""Objects without a mask, by hand: each stage of TensorFlow's matching of masks, and what other protocols say."""

from __future__ import annotations

import re

import numpy as np
import pytest

from boxscore import InputError, Result, evaluate
from boxscore.tables.model import Flag
from small_masks import Drawn, letters, masked, rectangle

PICTURE = """
    aaaa....gggggg
    aaaa....gggggg
    aaaa....gggggg
    aaaa....gggggg
"""
A, G = letters(PICTURE, "a"), letters(PICTURE, "g")
SIZE = A.shape
BOXED = (4.0, 0.0, 8.0, 4.0)  # an object between the two that nobody has drawn
GROUP = Flag.GROUP_OF
# openimages-challenge-segm wants image labels and a hierarchy, which change nothing here.
CHALLENGE = "openimages-challenge-segm"


def box(x0: int, y0: int, x1: int, y1: int, score: float) -> Drawn:
    """A detection that is a whole box."""
    return Drawn(rectangle((x0, y0, x1, y1), *SIZE), score=score)


def verdicts(result: Result) -> list[str]:
    """What becomes of the detections, as they are ranked."""
    tally = result.tally
    names = {(0, 0): "FP", (1, 0): "TP", (0, 1): "ignored"}
    return [names[int(h), int(i)] for h, i in zip(tally.hits[:, 0], tally.ignored[:, 0], strict=True)]


def test_masks_go_first() -> None:
    # The detection covers a whole (IoU 4/8 = 0.5) and the boxed object as much, by boxes: the mask counts.
    result = evaluate(*masked([Drawn(None, BOXED), Drawn(A)], [box(0, 0, 8, 4, 0.9)]), protocol="tf-voc-segm")
    assert verdicts(result) == ["TP"]
    assert result["mAP"] == 1.0
    assert result.curve("a").objects == 1


def test_an_object_without_a_mask_takes_one_detection_out() -> None:
    # Three detections on the boxed object: the surest is left out, the others are false; none of it is to be found.
    found = [box(4, 0, 8, 4, 0.9), box(4, 0, 8, 3, 0.8), box(4, 0, 8, 4, 0.7), box(0, 0, 4, 4, 0.6)]
    result = evaluate(*masked([Drawn(None, BOXED), Drawn(A)], found), protocol="tf-voc-segm")
    assert verdicts(result) == ["ignored", "FP", "FP", "TP"]
    assert result["mAP"] == 1 / 3
    [ignored] = [row.count for row in result.ledger.objects.rows if row.reason == "no mask"]
    assert ignored == 1


def test_a_mask_without_pixels_is_none() -> None:
    empty = Drawn(np.zeros(SIZE, np.bool_), BOXED)
    result = evaluate(*masked([empty, Drawn(A)], [box(4, 0, 8, 4, 0.9), box(0, 0, 4, 4, 0.6)]), protocol="tf-voc-segm")
    assert verdicts(result) == ["ignored", "TP"]


def test_a_difficult_object_without_a_mask_takes_any_number_out() -> None:
    found = [box(4, 0, 8, 4, 0.9), box(4, 0, 8, 3, 0.8)]
    objects = [Drawn(None, BOXED, Flag.DIFFICULT), Drawn(A)]
    assert verdicts(evaluate(*masked(objects, found), protocol="tf-voc-segm")) == ["ignored", "ignored"]


def test_the_best_of_the_objects_without_a_mask_alone_is_looked_at() -> None:
    # Both detections overlap the first object more (IoU 1 and 7/8) than the second (3/5 and 4/7): no second choice.
    objects = [Drawn(None, (4.0, 0.0, 8.0, 4.0)), Drawn(None, (3.0, 0.0, 7.0, 4.0)), Drawn(A)]
    found = [box(4, 0, 8, 4, 0.9), Drawn(rectangle((4, 0, 8, 4), *SIZE), (4.0, 0.0, 7.5, 4.0), score=0.8)]
    assert verdicts(evaluate(*masked(objects, found), protocol="tf-voc-segm")) == ["ignored", "FP"]


@pytest.mark.parametrize(("weight", "first", "to_find"), [(0, "ignored", 1), (1, "TP", 2)])
def test_a_group_with_a_mask_absorbs_by_its_pixels(weight: int, first: str, to_find: int) -> None:
    # Both detections lie within g (IoA 1): one is credited with the weight of the command line, none with the other.
    objects, found = [Drawn(G, None, GROUP), Drawn(A)], [box(8, 0, 10, 2, 0.9), box(8, 0, 9, 4, 0.8)]
    result = evaluate(*masked(objects, found), protocol=f"{CHALLENGE}[absorbed_weight={weight}]")
    assert verdicts(result) == [first, "ignored"]
    assert result.curve("a").objects == to_find


@pytest.mark.parametrize("weight", [0, 1])
def test_a_group_without_a_mask_absorbs_by_its_box_and_is_never_credited(weight: int) -> None:
    objects, found = (
        [Drawn(None, (8.0, 0.0, 14.0, 4.0), GROUP), Drawn(A)],
        [box(8, 0, 10, 2, 0.9), box(7, 0, 9, 4, 0.8)],
    )
    result = evaluate(*masked(objects, found), protocol=f"{CHALLENGE}[absorbed_weight={weight}]")
    assert verdicts(result) == ["ignored", "ignored"]
    assert result.curve("a").objects == 1


def test_who_finds_an_object_taken_goes_on_to_the_group() -> None:
    # The second detection on the boxed object lies in the group around it, by boxes.
    objects = [Drawn(None, BOXED), Drawn(None, (2.0, 0.0, 8.0, 4.0), GROUP), Drawn(A)]
    found = [box(4, 0, 8, 4, 0.9), box(4, 0, 8, 4, 0.8), box(10, 0, 12, 2, 0.7)]
    assert verdicts(evaluate(*masked(objects, found), protocol=CHALLENGE)) == ["ignored", "ignored", "FP"]


def test_duplicates_of_a_mask_may_be_left_out_by_a_box() -> None:
    objects = [Drawn(A), Drawn(None, (0.0, 0.0, 4.0, 4.0))]
    found = [box(0, 0, 4, 4, 0.9), box(0, 0, 4, 4, 0.8), box(0, 0, 4, 4, 0.7)]
    assert verdicts(evaluate(*masked(objects, found), protocol="tf-voc-segm")) == ["TP", "ignored", "FP"]


def test_a_detection_without_pixels() -> None:
    # With a box it is a false positive; with a box of zeros it vanishes.
    nothing = np.zeros(SIZE, np.bool_)
    found = [Drawn(nothing, (9.0, 0.0, 11.0, 2.0), score=0.9), Drawn(nothing, score=0.8), box(0, 0, 4, 4, 0.7)]
    assert verdicts(evaluate(*masked([Drawn(A)], found), protocol="tf-voc-segm")) == ["FP", "TP"]


def test_one_pixel_is_not_all_of_itself() -> None:
    """In single precision 1 / (1 + 1e-7) is below 1: a detection of one pixel lies in no group at a threshold of 1."""
    objects = [Drawn(G, None, GROUP), Drawn(A)]
    for detection, verdict in ((box(8, 0, 9, 1, 0.9), "FP"), (box(8, 0, 10, 1, 0.9), "ignored")):
        result = evaluate(*masked(objects, [detection]), protocol=f"{CHALLENGE}[iou=1]")
        assert verdicts(result) == [verdict]


def test_objects_without_a_mask_under_coco() -> None:
    tables = masked([Drawn(A), Drawn(None, BOXED)], [box(4, 0, 8, 4, 0.9), box(0, 0, 4, 4, 0.8)])
    text = (
        "truth: 1 of 2 objects without a mask (row 2 in image 1); expected masks or polygons, which overlap=mask "
        "needs\n  Evaluate boxes instead (--protocol coco), or leave these rows out of the file; --set "
        "maskless_objects=dropped leaves such objects out, --set maskless_objects=boxes compares them by their boxes "
        "and ignores the detections that match them."
    )
    for name in ("coco-segm", "coco-boundary", "lvis-segm", "voc-segm", "tf-coco-segm"):
        with pytest.raises(
            InputError, match=re.escape(text.replace("=mask ", "=boundary ") if "bound" in name else text)
        ):
            evaluate(*tables, protocol=name)
    assert evaluate(*tables, protocol="coco-segm[maskless_objects=boxes]")["AP"] == pytest.approx(1.0, abs=1e-12)
    # Left out, its detection is false and ranks first.
    dropped = evaluate(*tables, protocol="coco-segm[maskless_objects=dropped]")
    assert dropped["AP"] == pytest.approx(0.5, abs=1e-12)
    assert [row.count for row in dropped.ledger.objects.rows if row.reason == "it has no mask"] == [1]


def test_detections_without_a_mask() -> None:
    tables = masked([Drawn(A)], [Drawn(None, BOXED, score=0.5), box(0, 0, 4, 4, 0.8)])
    text = (
        "detections: 1 of 2 detections without a mask (row 1 in image 1); expected masks or polygons, which "
        "overlap=mask-single needs\n  Evaluate boxes instead (--protocol coco), or leave these rows out of the file."
    )
    with pytest.raises(InputError, match=re.escape(text)):
        evaluate(*tables, protocol="tf-voc-segm")


def test_rows_that_take_no_part_need_no_mask() -> None:
    # A detection below the floor of -10 is left out before anybody looks at masks.
    tables = masked([Drawn(A)], [Drawn(None, BOXED, score=-11.0), box(0, 0, 4, 4, 0.8)])
    assert evaluate(*tables, protocol="tf-voc-segm")["mAP"] == 1.0
