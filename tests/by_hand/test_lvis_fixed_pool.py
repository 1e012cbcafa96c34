"""AP-Fixed and AP-Pool in scenes small enough for a pencil: boxes fit exactly or not at all."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from boxscore import evaluate, protocols
from boxscore.tables.model import Mark
from small_tables import Found, Object, tables

HERE, THERE, NOWHERE = (0, 0, 20, 20), (100, 0, 120, 20), (300, 300, 320, 320)
FIXED, POOL = protocols.get("lvis-fixed"), protocols.get("lvis-pool")


def near(value: float) -> Any:
    """1e-12, because the protocol adds 2.2e-16 to the denominator of every precision."""
    return pytest.approx(value, abs=1e-12, rel=0)


def dropped(result: Any) -> dict[str, int]:
    return {row.reason: row.count for row in result.ledger.detections.rows if row.fate == "dropped"}


def test_the_cap_holds_for_a_class_over_all_images() -> None:
    sides = tables(
        [Object(1, "a", HERE), Object(2, "a", HERE), Object(2, "b", THERE)],
        [
            *(Found(1, "a", HERE, 0.9), Found(1, "a", NOWHERE, 0.8), Found(2, "a", HERE, 0.7)),
            Found(2, "b", THERE, 0.1),  # the others are not of its class
        ],
    )
    two = evaluate(*sides, protocol=replace(FIXED, max_detections=(2,)))
    assert two["AP50[class=a]"] == near(51 / 101)  # recall 1/2: the levels from 0 to 0.5
    assert two["AP50[class=b]"] == near(1.0)
    assert two["AR@2"] == near((1 / 2 + 1) / 2)
    assert dropped(two) == {"over the limit of 2 detections per class": 1}
    three = evaluate(*sides, protocol=replace(FIXED, max_detections=(3,)))
    assert three["AP50[class=a]"] == near((51 + 50 * 2 / 3) / 101)
    assert dropped(three) == {}
    # lvis itself counts per image, over all classes.
    per_image = evaluate(*sides, protocol=replace(protocols.get("lvis"), max_detections=(1,)))
    assert per_image["AP50[class=a]"] == near(1.0)
    assert per_image["AP50[class=b]"] == 0.0


@pytest.mark.parametrize(("before", "recall"), [(9_999, 1.0), (10_000, 0.0)])
def test_the_cap_is_ten_thousand(before: int, recall: float) -> None:
    wrong = [Found(1 + i % 2, "a", NOWHERE, 0.9) for i in range(before)]
    said = [(2, "a", Mark.NEGATIVE)]
    result = evaluate(*tables([Object(1, "a", HERE)], [*wrong, Found(1, "a", HERE, 0.5)], said=said), protocol=FIXED)
    assert result["AR@10000"] == recall


def test_of_equal_scores_at_the_cap_the_first_listed_stays() -> None:
    objects = [Object(1, "a", HERE), Object(2, "a", HERE)]
    one = replace(FIXED, max_detections=(1,))
    for found in ([Found(1, "a", HERE, 0.5), Found(2, "a", NOWHERE, 0.5)], [Found(2, "a", HERE, 0.5)] * 2):
        assert evaluate(*tables(objects, found), protocol=one)["AR@1"] == 0.5
    later = [Found(2, "a", NOWHERE, 0.5), Found(1, "a", HERE, 0.5)]
    assert evaluate(*tables(objects, later), protocol=one)["AR@1"] == 0.0


def test_detections_that_are_left_out_later_take_a_place_all_the_same() -> None:
    """The best of a class are chosen before anybody looks at what is verified in which image, or at sizes."""
    hit = Found(1, "a", HERE, 0.8)
    one = replace(FIXED, max_detections=(1,))
    unverified = evaluate(*tables([Object(1, "a", HERE)], [Found(2, "a", HERE, 0.9), hit]), protocol=one)
    assert unverified["AR@1"] == 0.0
    assert dropped(unverified) == {
        "over the limit of 1 detections per class": 1,
        "its class is not verified in its image": 1,
    }
    flat = evaluate(*tables([Object(1, "a", HERE)], [Found(1, "a", (5, 5, 5, 9), 0.9), hit]), protocol=one)
    assert flat["AR@1"] == 0.0
    assert dropped(flat) == {"over the limit of 1 detections per class": 1, "its size is not above zero": 1}


THREE = {"classes": ("a", "b", "c"), "frequency": "rff", "said": [(1, "c", Mark.NEGATIVE)]}
OBJECTS = [Object(1, "a", HERE), Object(1, "b", THERE)]
RANKING = [
    Found(1, "c", NOWHERE, 0.95),  # a class without objects, verified to be absent
    Found(1, "a", HERE, 0.9),
    Found(1, "b", NOWHERE, 0.8),
    Found(1, "b", THERE, 0.7),
]


def test_one_ranking_of_all_classes() -> None:
    result = evaluate(*tables(OBJECTS, RANKING, **THREE), protocol=POOL)
    # false, true, false, true: precision 0, 1/2, 1/3, 2/4 of two objects, so 1/2 at every level
    assert result["AP"] == result["AP50"] == near(1 / 2)
    assert result["APr"] == near(1.0)  # a alone
    assert result["APf"] == near(1 / 3)  # b and c: false, false, true
    assert math.isnan(result["APc"])
    assert result.ledger.detections.evaluated == 4
    # Class by class nothing is pooled, and a class without objects has no AP.
    assert [near(c.metrics["AP"]) for c in result.per_class[:2]] == [1.0, 1 / 2]
    assert math.isnan(result.per_class[2].metrics["AP"])


def test_without_the_class_that_has_no_objects() -> None:
    """As TensorFlow pools: true, false, true; precision 1 up to a recall of 1/2, then 2/3."""
    sides = tables(OBJECTS, RANKING, **THREE)
    result = evaluate(*sides, protocol=replace(POOL, empty_class="undefined"))
    assert result["AP"] == near((51 + 50 * 2 / 3) / 101)
    assert result["APf"] == near(1 / 2)
    assert result.ledger.detections.evaluated == 3
    assert evaluate(*sides, protocol=FIXED)["AP"] == near((1 + 1 / 2) / 2)


def test_recall_is_pooled_too() -> None:
    objects = [*OBJECTS, Object(2, "a", HERE)]
    sides = tables(objects, RANKING, **THREE)
    assert evaluate(*sides, protocol=POOL)["AR@10000"] == near(2 / 3)
    assert evaluate(*sides, protocol=FIXED)["AR@10000"] == near((1 / 2 + 1) / 2)


def test_the_cap_of_a_class_holds_before_pooling() -> None:
    result = evaluate(*tables(OBJECTS, RANKING, **THREE), protocol=replace(POOL, max_detections=(1,)))
    # c's and a's detection, and the false one of b
    assert result["AP"] == near(51 * (1 / 2) / 101)
    assert dropped(result) == {"over the limit of 1 detections per class": 1}
