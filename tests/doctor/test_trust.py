"""Whether the doctor can be trusted: no repair without a real gain, no sound truth rewritten, no hasty all-clear."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from boxscore.checkup import examine
from boxscore.checkup.gain import FLOOR, LEAST, Gain, gain
from boxscore.checkup.sound import believable, odd_boxes
from boxscore.diagnostics.diagnoses import Checkup, Tables
from boxscore.report.checkup import summary
from boxscore.tables.model import Detections, Images, Truth, select
from doctor.scenes import good

Change = Callable[[np.ndarray], np.ndarray]
SIZE = np.array([[100.0, 50.0]])


def boxes(table: Any, corners: np.ndarray) -> Any:
    area = (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1])
    return replace(table, corners=np.ascontiguousarray(corners), box_area=area)


def sizes(tables: Tables, table: Truth | Detections) -> np.ndarray:
    images = tables.truth.images
    return np.stack([images.width, images.height], axis=1)[table.image]


def fixed_sides(made: Checkup) -> set[str]:
    return {d.side for d in made if d.fix is not None and d.mends}


def codes(made: Checkup) -> list[str]:
    return [d.code for d in made.at_least("warning")]


# Boxes by themselves


@pytest.mark.parametrize(
    ("box", "side", "odd"),
    [
        ((10, 10, 90, 40), "truth", False),
        ((10, 10, 101, 40), "truth", False),  # 1 % of the width
        ((10, 10, 103, 40), "truth", True),
        ((-3, 10, 90, 40), "truth", True),
        ((10, 10, 110, 40), "detections", False),  # nine tenths of it are inside
        ((60, 10, 160, 40), "detections", True),
        ((10, 10, 10, 40), "detections", True),
        ((90, 40, 10, 10), "truth", True),
        ((10, 10, np.nan, 40), "truth", True),
    ],
)
def test_boxes_that_cannot_be_right(box: tuple[float, ...], side: str, odd: bool) -> None:
    assert odd_boxes(np.array([box], float), SIZE, side).tolist() == [odd]


def test_without_sizes_only_negative_corners_are_odd() -> None:
    corners = np.array([[10, 10, 1e5, 1e5], [-3, 10, 20, 20], [-1, 10, 20, 20]], float)
    assert odd_boxes(corners, None, "truth").tolist() == [False, True, False]


def test_normalized_boxes_are_odd_together() -> None:
    corners = np.tile(np.array([[0.1, 0.1, 0.9, 0.8]]), (8, 1))
    assert odd_boxes(corners, np.tile(SIZE, (8, 1)), "detections").all()
    assert not odd_boxes(corners[:7], np.tile(SIZE, (7, 1)), "detections").any()  # too few to say so


@pytest.mark.parametrize(("area", "odd"), [(300, False), (200, False), (400, True), (5, True), (np.nan, False)])
def test_a_stated_area_that_is_not_the_box(area: float, odd: bool) -> None:
    """Of a box of 10 x 30: masks are smaller than their boxes, never larger."""
    corners = np.array([[20, 10, 30, 40]], float)
    assert odd_boxes(corners, SIZE, "truth", np.array([area])).tolist() == [odd]


@pytest.mark.parametrize(
    ("side", "now", "then", "offered"),
    [
        ("detections", 0.0, 0.0, True),
        ("detections", 0.0, 0.3, False),  # throws boxes out
        ("detections", 0.9, 0.3, True),
        ("truth", 0.0, 0.0, False),  # sound as it is
        ("truth", 0.5, 0.0, True),
        ("truth", 0.5, 0.4, False),  # and no sounder then
    ],
)
def test_who_may_be_read_otherwise(side: str, now: float, then: float, offered: bool) -> None:
    assert believable(side, now, then) is offered


# What a repair must bring


@pytest.mark.parametrize(
    ("now", "then", "chance", "error", "real"),
    [
        (0.0, 0.5, 0.0, 0.01, True),
        (0.0, 0.0, 0.0, 0.0, False),
        (0.5, 0.4, 0.0, 0.0, False),
        (0.5, 0.5 + LEAST / 2, 0.0, 0.0, False),
        (0.0, FLOOR * 0.9, 0.0, 0.0, False),  # as unexplained as before
        (0.0, 0.3, 0.3, 0.0, False),  # on any images
        (0.2, 0.3, 0.0, 0.06, False),  # no more than noise
    ],
)
def test_a_real_gain(now: float, then: float, chance: float, error: float, real: bool) -> None:
    assert Gain(now, then, 10, chance, error).real is real


def test_the_gain_of_undoing_nothing_is_none() -> None:
    tables = good(3, small=True)
    made = gain(tables, tables)
    assert made.now == made.then
    assert made.images == len(tables.truth.images)
    assert not made.real


def garbage(tables: Tables, random: np.random.Generator) -> np.ndarray:
    found = tables.detections
    assert found is not None
    size = sizes(tables, found)
    side = size * random.uniform(0.02, 0.6, (len(found), 2))
    corner = random.uniform(0, 1, (len(found), 2)) * (size - side)
    return np.concatenate([corner, corner + side], 1)


def as_corners(c: np.ndarray) -> np.ndarray:
    return np.concatenate([c[:, :2], c[:, :2] + c[:, 2:]], 1)


@pytest.mark.parametrize("change", [lambda c: c, as_corners, lambda c: c / 2, lambda c: c[:, [1, 0, 3, 2]]],
                         ids=["as read", "as corners", "half", "swapped"])  # fmt: skip
@pytest.mark.parametrize("seed", range(4))
def test_garbage_is_not_repaired_and_gets_no_all_clear(seed: int, change: Change) -> None:
    tables = good(seed, small=True)
    wrong = Tables(tables.truth, boxes(tables.detections, change(garbage(tables, np.random.default_rng(seed)))))
    made = examine(wrong)
    assert fixed_sides(made) == set(), made
    assert {"LOW101", "IMG108"} & set(codes(made)), made


@pytest.mark.parametrize("seed", range(4))
def test_numbers_in_random_order_do_not_make_the_truth_wrong(seed: int) -> None:
    """Boxes that overlap more the larger the truth is: its boxes are right all the same."""
    tables, random = good(seed, small=True), np.random.default_rng(seed)
    c = tables.detections.corners
    c = np.take_along_axis(c, random.permuted(np.tile(np.arange(4), (len(c), 1)), axis=1), axis=1)
    a, b = c[:, :2], c[:, 2:]
    c = as_corners(np.concatenate([np.minimum(a, b), np.maximum(a, b)], 1))
    made = examine(Tables(tables.truth, boxes(tables.detections, c)))
    assert "truth" not in fixed_sides(made), made
    assert codes(made)


# Who is to blame


def test_truth_that_leaves_its_images_is_repaired() -> None:
    tables = good(5, small=True)
    truth = boxes(tables.truth, tables.truth.corners[:, [1, 0, 3, 2]])
    made = examine(Tables(truth, tables.detections))
    assert [(d.code, d.side) for d in made.at_least("error")] == [("BOX101", "truth")]
    assert np.array_equal(made.fixed.truth.corners, tables.truth.corners)
    assert np.array_equal(made.fixed.detections.corners, tables.detections.corners)


@pytest.mark.parametrize("seed", range(1003, 1006))
def test_truth_that_is_wrong_from_an_image_on_where_the_next_boxes_are_sound(seed: int) -> None:
    """Where the cut is looked for closely, no box may be odd."""
    tables = good(seed)
    later = tables.truth.image >= len(tables.truth.images) // 2
    c = tables.truth.corners
    truth = boxes(tables.truth, np.where(later[:, None], c[:, [1, 0, 3, 2]], c))
    made = examine(Tables(truth, tables.detections))
    assert (made.diagnoses[0].code, made.diagnoses[0].side) == ("BOX101", "truth"), made
    assert np.isclose(made.fixed.truth.corners, c).all(axis=1).mean() > 0.97


def test_where_both_sides_are_sound_the_detections_are_repaired_and_both_are_named() -> None:
    tables = good(5, small=True)
    c, s = tables.truth.corners, sizes(tables, tables.truth)
    truth = boxes(tables.truth, np.stack([c[:, 0], s[:, 1] - c[:, 3], c[:, 2], s[:, 1] - c[:, 1]], 1))
    made = examine(Tables(truth, tables.detections))
    assert [(d.code, d.side) for d in made.at_least("error")] == [("BOX111", "detections")]
    assert "both sides are sound by themselves" in made.diagnoses[0].repair
    assert made.fixed.truth is truth


def letterboxed_truth() -> Tables:
    """Truth in letterboxes that are as wide as the images: sound by itself, and no reading of the detections helps."""
    tables = good(5, small=True)
    s = sizes(tables, tables.truth)
    ratio = 320.0 / s.max(axis=1, keepdims=True)
    corners = tables.truth.corners * ratio + np.tile((320.0 - s * ratio) / 2, 2)
    wide = np.flatnonzero(tables.truth.images.height >= 320)
    keep = np.isin(tables.truth.image, wide)
    truth = select(boxes(tables.truth, corners), keep)
    truth = replace(truth, area=np.full(len(truth), np.nan))
    return Tables(truth, select(tables.detections, np.isin(tables.detections.image, wide)))


def test_sound_truth_is_not_rewritten_only_said_to_agree_otherwise() -> None:
    tables = letterboxed_truth()
    made = examine(tables)
    (one,) = made.at_least("error")
    assert (one.code, one.side, one.fix) == ("BOX108", "truth", None)
    assert one.text.startswith("both sides agree if the boxes of the truth are those of the image letterboxed to 320")
    assert "it is left as it is" in one.repair
    assert one.evidence[0].then > 0.3 > FLOOR > one.evidence[0].now
    assert made.fixed.truth is tables.truth


def test_classes_at_random_are_not_given_other_names() -> None:
    for seed in range(6):
        tables, random = good(seed, small=True), np.random.default_rng(seed)
        label = random.integers(0, len(tables.truth.classes), len(tables.detections)).astype(np.int32)
        made = examine(Tables(tables.truth, replace(tables.detections, label=label)))
        assert fixed_sides(made) == set(), made


def test_shuffled_images_are_not_joined_otherwise() -> None:
    for seed in range(6):
        tables = good(seed, small=True)
        order = np.random.default_rng(seed).permutation(len(tables.truth.images))
        made = examine(
            Tables(tables.truth, replace(tables.detections, image=order[tables.detections.image].astype(np.int32)))
        )
        assert fixed_sides(made) == set(), made
        assert {"LOW101", "IMG108"} & set(codes(made)), made


def test_images_that_look_alike_are_joined_by_score() -> None:
    """Every image has the same boxes but for a few pixels, and objects of other classes."""
    tables = good(5, small=True)
    n, random = 40, np.random.default_rng(1)
    images = Images([str(i) for i in range(1, n + 1)], np.arange(1, n + 1), np.full(n, 640.0), np.full(n, 480.0))
    layout = np.array([[50 * k, 40 * k, 50 * k + 45, 40 * k + 38] for k in range(8)], float)
    corners = np.tile(layout, (n, 1)) + random.uniform(-1, 1, (8 * n, 4))
    image = np.repeat(np.arange(n), 8).astype(np.int32)
    label = random.integers(0, 2, 8 * n).astype(np.int32)
    classes = replace(tables.truth.classes, name=("a", "b"), id=(1, 2))
    rows = np.zeros(8 * n, np.int64)
    common = {"classes": classes, "image": image, "label": label, "position": np.arange(8 * n)}
    truth = boxes(select(tables.truth, rows), corners)
    truth = replace(truth, images=images, area=np.full(8 * n, np.nan), id=np.arange(1, 8 * n + 1), **common)
    ids = images.id + 1
    found = boxes(select(tables.detections, rows), corners + random.normal(0, 1, (8 * n, 4)))
    found = replace(found, images=Images([str(i) for i in ids], ids), score=random.random(8 * n), **common)
    made = examine(Tables(truth, found))
    assert made.diagnoses[0].code == "IMG101", made
    assert made.fixed.detections.image.tolist() == image.tolist()


def test_reversed_scores_of_a_detector_that_lists_many_boxes() -> None:
    tables, random = good(5, small=True), np.random.default_rng(1)
    more = select(tables.detections, random.integers(0, len(tables.detections), 6 * len(tables.detections)))
    size = sizes(tables, more)
    corner = random.uniform(0, 0.9, (len(more), 2)) * size
    c = np.concatenate([tables.detections.corners, np.concatenate([corner, corner + 0.1 * size], 1)])
    rows = np.concatenate([np.arange(len(tables.detections)), np.zeros(len(more), np.int64)])
    found = boxes(select(tables.detections, rows), c)
    found = replace(found, image=np.concatenate([tables.detections.image, more.image]), position=np.arange(len(c)),
                    score=np.concatenate([tables.detections.score, random.uniform(0, 0.05, len(more))]))  # fmt: skip
    assert "SCR107" not in codes(examine(Tables(tables.truth, found)))
    made = examine(Tables(tables.truth, replace(found, score=1 - found.score)))
    (one,) = [d for d in made if d.code == "SCR107"]
    assert one.evidence[0].what.startswith("AP50 on ")
    assert one.gain > 0.1


# No all-clear


def test_no_detections_are_no_all_clear() -> None:
    tables = good(5, small=True)
    made = examine(Tables(tables.truth, select(tables.detections, np.zeros(0, np.int64))))
    assert codes(made) == ["LOW101"]
    assert "there are no detections" in made.diagnoses[0].text


def many_low_scores() -> Tables:
    """A good detector that also lists many boxes where nothing is."""
    tables, random = good(5, small=True), np.random.default_rng(1)
    n = 12 * len(tables.detections)
    rows = np.concatenate([np.arange(len(tables.detections)), random.integers(0, len(tables.detections), n)])
    found = select(tables.detections, rows)
    corners, size = found.corners.copy(), sizes(tables, found)
    corner = random.uniform(0, 0.98, (len(found), 2)) * size
    corners[-n:] = np.concatenate([corner, corner + 0.01 * size], 1)[-n:]
    score = np.concatenate([tables.detections.score, random.uniform(0, 0.001, n)])
    return Tables(tables.truth, replace(boxes(found, corners), score=score, position=np.arange(len(found))))


def test_many_boxes_beside_all_objects_are_a_note_where_the_best_are_right() -> None:
    made = examine(many_low_scores())
    assert codes(made) == []
    (one,) = [d for d in made if d.code == "LOW101"]
    assert one.severity == "note"
    assert "of the best-scored ones do" in one.text
    assert "nothing that makes results wrong" not in summary(made)
    assert "nothing that makes results wrong" in summary(examine(good(11, small=True)))
