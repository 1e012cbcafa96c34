"""VOC's AP of masks (AP^r), by hand, and where masks are boxes: then it is voc2012 without the last pixel."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore import evaluate
from boxscore.tables.model import Flag
from effort import examples
from small_masks import Drawn, letters, masked, rectangle


def test_pixels_decide_where_boxes_do_not() -> None:
    # Two triangles share a box. The detection of the lower one (d and b) misses the upper one.
    picture = """
        aaab
        aabb
        abbb
        bbbb
    """
    a, b = letters(picture, "a"), letters(picture, "b")
    objects = [Drawn(a, (0.0, 0.0, 4.0, 4.0)), Drawn(b, (0.0, 0.0, 4.0, 4.0))]
    found = [Drawn(b, (0.0, 0.0, 4.0, 4.0), score=0.9), Drawn(b, (0.0, 0.0, 4.0, 4.0), score=0.8)]
    result = evaluate(*masked(objects, found), protocol="voc-segm")
    assert result.tally.hits[:, 0].tolist() == [1, 0]
    assert result["mAP"] == 0.5
    assert evaluate(*masked(objects, found), protocol="voc2012")["mAP"] == 0.5  # both boxes are the first object's


def test_half_of_the_pixels_is_enough() -> None:
    # The object is o and x, 4 of its 8 pixels are x: the detection x has IoU 4/8, the detection x and d 4/12.
    picture = """
        ooxxdd
        ooxxdd
    """
    object_ = Drawn(letters(picture, "o", "x"))
    for wanted, found in (("x", 1.0), ("xd", 0.0)):
        tables = masked([object_], [Drawn(letters(picture, *wanted), score=1.0)])
        assert evaluate(*tables, protocol="voc-segm")["mAP"] == found


def test_difficult_objects_are_ignored() -> None:
    picture = """
        aa..bb
        aa..bb
    """
    a, b = letters(picture, "a"), letters(picture, "b")
    objects = [Drawn(a, None, Flag.DIFFICULT), Drawn(b)]
    found = [Drawn(a, score=0.9), Drawn(a, score=0.8), Drawn(b, score=0.7)]
    result = evaluate(*masked(objects, found), protocol="voc-segm")
    assert result["mAP"] == 1.0
    assert result.curve("a").objects == 1


SIDE = 12
sides = st.tuples(st.integers(0, SIDE - 1), st.integers(1, 6))
boxes = st.tuples(sides, sides).map(lambda xy: (xy[0][0], xy[1][0], min(sum(xy[0]), SIDE), min(sum(xy[1]), SIDE)))


@settings(max_examples=examples(60))
@given(
    st.lists(st.tuples(boxes, st.sampled_from([Flag(0), Flag.DIFFICULT])), min_size=1, max_size=6),
    st.lists(st.tuples(boxes, st.integers(1, 5)), min_size=1, max_size=8),
)
def test_masks_that_are_boxes(objects: list, found: list) -> None:
    """Whole boxes of whole pixels have the overlap of boxes without the +1."""
    tables = masked(
        [Drawn(rectangle(box, SIDE, SIDE), None, flags) for box, flags in objects],
        [Drawn(rectangle(box, SIDE, SIDE), score=score / 5) for box, score in found],
    )
    by_mask = evaluate(*tables, protocol="voc-segm")
    by_box = evaluate(*tables, protocol="voc2012[overlap=box]")
    np.testing.assert_equal(by_mask.metrics, by_box.metrics)
    np.testing.assert_array_equal(by_mask.tally.hits, by_box.tally.hits)
    np.testing.assert_array_equal(by_mask.tally.ignored, by_box.tally.ignored)


def test_it_is_named_after_what_it_is() -> None:
    with pytest.raises(Exception, match="no masks"):
        evaluate({"boxes": [[0, 0, 1, 1]], "labels": [0], "image": [1]},
                 {"boxes": [[0, 0, 1, 1]], "labels": [0], "image": [1], "scores": [1.0]},
                 protocol="voc-segm", box="xyxy")  # fmt: skip
