"""Size ranges that depend on the data, classes as one, any number of recall levels, and correct localisation."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from boxscore import InputError, evaluate, protocols
from boxscore.protocols import Area
from boxscore.tables.model import Flag
from small_tables import Found, Object, tables

INF = math.inf
PLAIN = replace(protocols.get("voc2012"), overlap="box")
ALL = Area("all", -INF, INF)


def square(side: float, at: float = 0) -> tuple[float, float, float, float]:
    return (at, 0, at + side, side)


def test_ranges_by_quantile() -> None:
    """Sizes 100, 400, 900, 1600: the median lies at 650, and only the two smaller ones are found."""
    rules = replace(
        PLAIN, area_unit="quantile", areas=(Area("all", 0, 1), Area("lower", 0, 0.5), Area("upper", 0.5, 1))
    )
    boxes = [square(side, 100 * i) for i, side in enumerate((10, 20, 30, 40))]
    objects, found = [Object(1, "a", b) for b in boxes], [Found(1, "a", b, 0.9) for b in boxes[:2]]
    result = evaluate(*tables(objects, found), protocol=rules)
    assert result.protocol.areas == (ALL, Area("lower", -INF, 650), Area("upper", 650, INF))
    assert (result.protocol.area_unit, rules.area_unit) == ("pixels", "quantile")
    assert (result["mAP"], result["AP[area=lower]"], result["AP[area=upper]"]) == (0.5, 1.0, 0.0)
    assert "lower:-inf-650" in result.protocol.signature_full()
    # Another truth has other edges, and so another signature.
    fewer = evaluate(*tables(objects[:3], found), protocol=rules)
    assert fewer.protocol.areas[1] == Area("lower", -INF, 400)
    assert fewer.protocol.digest() != result.protocol.digest()
    assert fewer["AP[area=upper]"] == 0.5  # 400 is the lower end of it; 900 is not found


def test_ranges_relative_to_the_image() -> None:
    """20 * 20 pixels are a 25th of one image and almost half of the other."""
    rules = replace(PLAIN, area_unit="image", areas=(ALL, Area("small", 0, 0.05), Area("large", 0.05, 1.01)))
    objects = [Object(1, "a", square(20)), Object(2, "a", square(20))]
    found = [Found(1, "a", square(20), 0.9), Found(2, "a", square(4, 25), 0.8)]  # the second one small, and false
    result = evaluate(*tables(objects, found, sizes=[(100, 100), (30, 30)]), protocol=rules)
    assert (result["TP[area=small]"], result["FN[area=small]"], result["FP[area=small]"]) == (1, 0, 1)
    assert (result["TP[area=large]"], result["FN[area=large]"], result["FP[area=large]"]) == (0, 1, 0)
    assert result.protocol.areas == rules.areas
    with pytest.raises(InputError, match="2 images have no width and height"):
        evaluate(*tables(objects, found), protocol=rules)
    with pytest.raises(InputError, match="1 image has no width and height"):
        evaluate(*tables(objects, found, sizes=[(100, 100), (0, 30)]), protocol=rules)


def test_all_classes_as_one() -> None:
    sides = tables(
        [Object(1, "a", square(20)), Object(1, "b", square(20, 100))],
        [Found(1, "b", square(20), 0.9), Found(1, "a", square(20), 0.8), Found(1, "b", square(20, 100), 0.7)],
    )
    each, one = (evaluate(*sides, protocol=replace(PLAIN, classes=how)) for how in ("each", "agnostic"))
    assert [c.metrics["AP"] for c in each.per_class] == [1.0, 0.5]
    assert [(c.name, c.objects, c.detections) for c in one.per_class] == [("object", 2, 3)]
    # found, a duplicate, found
    assert one.curve("object").precision.tolist() == [1, 1 / 2, 2 / 3]
    assert one["mAP"] == pytest.approx(1 / 2 + 1 / 2 * 2 / 3, abs=1e-12)  # a sum


@pytest.mark.parametrize("grid", ["exact", "float"])
@pytest.mark.parametrize(
    ("levels", "total"),
    [
        (7, 1 + 1 + 1 + 3 / 4),  # at 0, 1/6, 2/6, 3/6
        (3, 1 + 3 / 4),  # at 0, 1/2
        (2, 1.0),  # at 0
        (13, 5 * 1 + 2 * 3 / 4),  # at 0, 1/12 … 4/12, 5/12, 6/12
    ],
)
def test_any_number_of_recall_levels(levels: int, total: float, grid: str) -> None:
    """Found, found, false, found, of six: precision 1, 1, 2/3, 3/4 at a recall of 1/6, 2/6, 2/6, 3/6."""
    boxes = [square(20, 30 * i) for i in range(6)]
    found = [Found(1, "a", b, 0.9 - 0.1 * i) for i, b in enumerate((*boxes[:2], square(20, 900), boxes[2]))]
    rules = replace(PLAIN, recall_levels=levels, recall_grid=grid)
    result = evaluate(*tables([Object(1, "a", b) for b in boxes], found), protocol=rules)
    assert result["mAP"] == pytest.approx(total / levels, abs=1e-12)  # parts are added up


LOC: Any = protocols.get("tf-voc")


@pytest.mark.parametrize(
    ("found", "share"),
    [
        ([Found(1, "a", square(20), 0.9)], 1 / 2),  # of two images with the class
        ([Found(1, "a", square(20), 0.9), Found(2, "a", square(20), 0.1)], 1.0),
        ([Found(1, "a", square(20, 300), 0.9), Found(1, "a", square(20), 0.8)], 0.0),  # only the surest one counts
        ([Found(1, "a", square(20), 0.5), Found(1, "a", square(20, 300), 0.5)], 1 / 2),  # the first of equals
        ([Found(1, "a", square(20, 300), 0.5), Found(1, "a", square(20), 0.5)], 0.0),
        ([Found(1, "a", (0, 0, 0, 20), 0.9), Found(1, "a", square(20), 0.8)], 1 / 2),  # degenerate boxes vanish
        ([], 0.0),
    ],
)
@pytest.mark.parametrize("flag", [Flag(0), Flag.DIFFICULT, Flag.GROUP_OF])
def test_correct_localisation(found: list[Found], share: float, flag: Flag) -> None:
    """Whatever the flags of an object are."""
    objects = [Object(1, "a", square(20), flag), Object(1, "a", square(20, 100)), Object(2, "a", square(20), flag)]
    result = evaluate(*tables(objects, found), protocol=LOC)
    assert result["CorLoc[class=a]"] == result["CorLoc"] == share
    assert math.isnan(result["CorLoc[class=b]"])


def test_correct_localisation_knows_no_floor_of_scores() -> None:
    result = evaluate(*tables([Object(1, "a", square(20))], [Found(1, "a", square(20), -20.0)]), protocol=LOC)
    assert result["CorLoc"] == 1.0


def test_rates_at_a_score_keep_the_weight_of_groups() -> None:
    """The metric counts by weight; an operating point counts rows, and takes its rates by weight."""
    rules = replace(protocols.get("openimages-challenge"), absorbed_weight=0.5)
    group = Object(1, "a", square(100), Flag.GROUP_OF)
    result = evaluate(*tables([group], [Found(1, "a", square(20), 0.9)]), protocol=rules)
    assert (result["TP[score=0.5]"], result["precision[score=0.5]"]) == (0.5, 1.0)
    assert (result.at(0.5).true_positives, result.at(0.5).precision) == (1, 1.0)
