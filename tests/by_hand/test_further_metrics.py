"""Best F, LRP, miss rates, average recall of proposals, and overlaps, each worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from boxscore import Result, evaluate, protocols
from boxscore.metrics import Expression
from boxscore.metrics.best_f import best_threshold, class_thresholds, common_threshold
from boxscore.metrics.lrp import class_lrp
from boxscore.metrics.overlaps import ciou, diou, giou, iou
from boxscore.protocols import Protocol

PLAIN = Protocol("plain", iou=(0.5, 0.75))
Row = tuple[str, float, float]  # class, score, overlap with the next object of the class: 0 is on no object


def scored(
    rows: Sequence[Row], objects: dict[str, int], protocol: Protocol = PLAIN, images: int = 1, **options: Any
) -> Result:
    """Objects of 10 by 10 far from each other, all in the first image; a detection is one of them, cut to a share."""
    names = sorted(objects)
    places = [(name, i) for name in names for i in range(objects[name])]
    row_of = {name: iter(range(100)) for name in names}
    boxes = [
        [100.0 * next(row_of[name]), 100.0 * names.index(name), 10.0 * overlap, 10.0] if overlap else [5000, 0, 10, 10]
        for name, _, overlap in rows
    ]
    truth = {
        "images": list(range(images)),
        "image": [0] * len(places),
        "labels": [name for name, _ in places],
        "boxes": np.array([[100.0 * i, 100.0 * names.index(name), 10, 10] for name, i in places]).reshape(-1, 4),
        **options,
    }
    found = {
        "image": [0] * len(rows),
        "labels": [name for name, _, _ in rows],
        "boxes": np.array(boxes, np.float64).reshape(-1, 4),
        "scores": [score for _, score, _ in rows],
    }
    return evaluate(truth, found, box="xywh", classes=names, protocol=protocol, threads=1)


def close(value: float, expected: float) -> bool:
    """Equal but for the order of additions."""
    return value == pytest.approx(expected, abs=1e-12, rel=0)


CATS_DOGS: list[Row] = [("cat", 0.9, 1), ("cat", 0.7, 0), ("cat", 0.5, 1), ("dog", 0.8, 0), ("dog", 0.6, 0.8)]


def test_best_f_counts_all_classes_together() -> None:
    #  cat .9 hit, dog .8 miss, cat .7 miss, dog .6 hit, cat .5 hit; five objects
    result = scored(CATS_DOGS, {"cat": 2, "dog": 3})
    assert result["F1max"] == 6 / 10  # at .5: 3 true, 2 false, 2 missed
    assert (result["F1max.score"], result["F1max.precision"], result["F1max.recall"]) == (0.5, 3 / 5, 3 / 5)
    assert close(result["Fmax[beta=0.1]"], 1.01 / (1.01 + 0.01 * 4))  # precision is what counts: the first detection
    assert result["Fmax[beta=1]"] == result["F1max"]
    assert result["F1max[score=0.55]"] == 4 / 9
    assert result.numbers is not None
    best = best_threshold(result.numbers, Expression("F1max"))
    assert (best.tp, best.fp, best.fn) == (3, 2, 2)


def test_best_f_of_classes() -> None:
    result = scored(CATS_DOGS, {"cat": 2, "dog": 3})
    assert (result["F1max[class=cat]"], result["F1max.score[class=cat]"]) == (4 / 5, 0.5)
    assert (result["F1max[class=dog]"], result["F1max.score[class=dog]"]) == (2 / 5, 0.6)
    assert close(result["F1max.classes"], 3 / 5)
    assert result.numbers is not None
    each = class_thresholds(result.numbers, Expression("F1max"))
    assert (each.score.tolist(), each.tp.tolist(), each.fp.tolist()) == ([0.5, 0.6], [2, 1], [1, 1])
    assert (each.precision.tolist(), each.recall.tolist()) == ([2 / 3, 1 / 2], [1, 1 / 3])


def test_best_f_with_one_threshold_for_all_classes() -> None:
    #  cat is best from .9 on (2/2), dog from .3 on (2/4 of 1 true, 2 false); together .6: cat 2/3, dog 0 ...
    rows: list[Row] = [("cat", 0.9, 1), ("cat", 0.6, 0), ("cat", 0.2, 0), ("dog", 0.8, 0), ("dog", 0.3, 1)]
    result = scored(rows, {"cat": 1, "dog": 1})
    assert result["F1max.classes"] == (1 + 2 / 3) / 2
    assert result["F1max.macro.score"] == 0.3  # cat has one false positive by then: 2/3, dog 2/3
    assert close(result["F1max.macro"], 2 / 3)
    assert result["F1max.macro[class=cat]"] == 1
    assert result["F1max.macro.score[class=cat]"] == 0.9


def test_equal_scores_are_never_split_and_the_highest_threshold_wins() -> None:
    result = scored([("cat", 0.9, 0), ("cat", 0.9, 1), ("cat", 0.4, 1), ("cat", 0.4, 0)], {"cat": 2})
    assert (result["F1max"], result["F1max.score"]) == (4 / 6, 0.4)
    #  2/3 from .9 on and again from .3 on (4/6): the higher one
    rows: list[Row] = [("cat", 0.9, 1), ("cat", 0.5, 0), ("cat", 0.4, 0), ("cat", 0.3, 1)]
    assert scored(rows, {"cat": 2})["F1max.score"] == 0.9
    assert scored(rows, {"cat": 2})["F1max.macro.score"] == 0.9


def test_best_f_without_anything_to_find_or_found() -> None:
    nothing = scored([("cat", 0.9, 0)], {"cat": 0})
    assert all(math.isnan(nothing[f"F1max{part}"]) for part in ("", ".score", ".macro", ".macro.score", ".classes"))
    for rows in ([], [("cat", 0.9, 0.0)]):
        result = scored(rows, {"cat": 2})
        assert result["F1max"] == result["F1max.macro"] == result["F1max.classes"] == result["F1max.recall"] == 0
        undefined = ("F1max.score", "F1max.macro.score", "F1max.precision")
        assert all(math.isnan(result[name]) for name in undefined)


def test_best_f_by_weight() -> None:
    #  The dog is a group worth a third; it absorbs its first detection, the second is ignored.
    protocol = replace(PLAIN, group_of="absorbs", absorbed_weight=1 / 3)
    box = [0, 0, 10, 10]
    truth = [{"boxes": [box, [50, 0, 10, 10]], "labels": [0, 0], "group_of": [True, False]}]
    found = [{"boxes": [box, box, [90, 0, 10, 10]], "labels": [0, 0, 0], "scores": [0.9, 0.8, 0.95]}]
    result = evaluate(truth, found, box="xywh", protocol=protocol)
    assert close(result["F1max"], (2 / 3) / (1 / 3 + 4 / 3 + 1))
    assert result["F1max"] == result["F1[score=0.9]"] == result["F1max.macro"] == result["F1max.classes"]
    assert (result["F1max.score"], result["F1max.precision"]) == (0.9, result["precision[score=0.9]"])
    assert result.numbers is not None
    assert common_threshold(result.numbers, Expression("F1max"))[0] == 0.9


def test_lrp() -> None:
    #  Overlaps .9 and .6 and a false positive between; two objects, tau .5
    result = scored([("cat", 0.9, 0.9), ("cat", 0.8, 0), ("cat", 0.7, 0.6)], {"cat": 2, "dog": 0})
    assert close(result["LRP[score=0.9]"], (0.1 / 0.5 + 0 + 1) / 2)
    assert close(result["LRP[score=0.8]"], (0.1 / 0.5 + 1 + 1) / 3)
    assert close(result["LRP"], (0.5 / 0.5 + 1 + 0) / 3)
    assert result["LRP[score=0.95]"] == 1
    assert close(result["oLRP"], 0.6)
    assert close(result["oLRP.Loc"], 0.1)
    assert (result["oLRP.FP"], result["oLRP.FN"], result["oLRP.score"]) == (0, 0.5, 0.9)
    assert close(result["oLRP[iou=0.75]"], (0.1 / 0.25 + 1) / 2)


def test_lrp_without_true_positives() -> None:
    result = scored([("cat", 0.9, 0), ("dog", 0.8, 1)], {"bird": 0, "cat": 1, "dog": 1})
    assert (result["oLRP[class=cat]"], result["oLRP.FN[class=cat]"]) == (1, 1)
    assert all(math.isnan(result[f"oLRP.{part}[class=cat]"]) for part in ("Loc", "FP", "score"))
    assert all(math.isnan(result[f"oLRP{part}[class=bird]"]) for part in ("", ".Loc", ".FP", ".FN", ".score"))
    assert (result["oLRP"], result["oLRP.Loc"], result["oLRP.FP"], result["oLRP.FN"]) == (0.5, 0, 0, 0.5)
    assert result.numbers is not None
    assert class_lrp(result.numbers, Expression("oLRP")).score.tolist()[2] == 0.8


def test_miss_rate() -> None:
    #  Ten images: a hit, a miss (.1 false positives per image), a hit, nine misses (1.0), a hit; four objects.
    rows: list[Row] = [("cat", 0.9, 1), ("cat", 0.8, 0), ("cat", 0.7, 1), *[("cat", 0.6, 0.0)] * 9, ("cat", 0.5, 1)]
    result = scored(rows, {"cat": 4}, images=10)
    #  Below .1 one is found, from .1 to below 1 two, and at 1 three: Caltech takes the last point there.
    assert close(result["LAMR"], math.exp((4 * math.log(0.75) + 4 * math.log(0.5) + math.log(0.25)) / 9))
    #  CrowdHuman takes the first point that reaches .1 and 1, before the hits that follow it.
    assert close(result["LAMR.CrowdHuman"], math.exp((5 * math.log(0.75) + 4 * math.log(0.5)) / 9))
    assert close(result["LAMR[score=0.75]"], 0.75)


def test_miss_rate_at_its_ends() -> None:
    all_found = scored([("cat", 0.9, 1)], {"cat": 1, "dog": 0})
    assert close(all_found["LAMR"], 1e-10)
    assert all_found["LAMR.CrowdHuman"] == 0  # its logarithm of 0 is not kept away
    nothing_found = scored([], {"cat": 1, "dog": 1})
    assert nothing_found["LAMR"] == nothing_found["LAMR.CrowdHuman"] == 1
    assert math.isnan(all_found["LAMR[class=dog]"])


def test_proposals_of_the_table() -> None:
    """The overlaps that the 2021 paper prints for its twelve cats, exactly, with inclusive pixels."""
    shares = (91, 70, 86, 72, 91, 86, 92, 87, 84, 74, 76)
    truth = [{"boxes": [[0, 0, 99, 99]], "labels": ["cat"]}] * 12
    found = [{"boxes": [[0, 0, share - 1, 99]], "labels": ["cat"], "scores": [0.5]} for share in shares]
    none = {"boxes": np.zeros((0, 4)), "labels": [], "scores": []}
    result = evaluate(truth, [*found, none], box="xyxy", protocol="voc2012")
    assert close(result["AR.Hosang"], 2 * (sum(shares) - 550) / 1200)
    assert f"{result['AR.Hosang']:.6f} {result['AR.Hosang.grid']:.6f}" == "0.598333 0.599083"


def test_proposals_go_to_the_objects_that_they_fit_best() -> None:
    """By score the wide one would take the only object; by overlap the exact one does."""
    truth = [{"boxes": [[0, 0, 10, 10], [50, 0, 10, 10]], "labels": [0, 0]}]
    found = [{"boxes": [[0, 0, 10, 6], [0, 0, 10, 10]], "labels": [0, 0], "scores": [0.9, 0.1]}]
    result = evaluate(truth, found, box="xywh", protocol="coco-fixed")
    assert close(result["AR.Hosang"], 2 * 0.5 / 2)
    assert close(result["AR.Hosang[max=1]"], 2 * 0.1 / 2)
    assert close(result["AR.Hosang[max=7]"], 2 * 0.5 / 2)
    assert close(result["AR.Hosang[score=0.5]"], 2 * 0.1 / 2)
    assert close(result["AR.Hosang[area=small]"], 2 * 0.5 / 2)
    assert math.isnan(result["AR.Hosang[area=large]"])


def test_proposals_count_no_ignored_objects() -> None:
    truth = [{"boxes": [[0, 0, 9, 9], [50, 0, 59, 9]], "labels": [0, 0], "difficult": [False, True]}]
    found = [{"boxes": [[0, 0, 9, 9], [50, 0, 59, 9]], "labels": [0, 0], "scores": [0.9, 0.1]}]
    assert evaluate(truth, found, box="xyxy", protocol="voc2012")["AR.Hosang"] == 1


def test_overlaps_of_boxes() -> None:
    a, b = np.array([[0.0, 0, 2, 2]]), np.array([[1.0, 1, 3, 5]])
    #  1 of 11 in common; 15 around both, centres (1, 1) and (2, 3), diagonal 3² + 5²; atan(1) and atan(1/2)
    v = 4 / math.pi**2 * (math.atan(1) - math.atan(1 / 2)) ** 2
    assert close(iou(a, b)[0], 1 / 11)
    assert close(giou(a, b)[0], 1 / 11 - 4 / 15)
    assert close(diou(a, b)[0], 1 / 11 - 5 / 34)
    assert close(ciou(a, b)[0], 1 / 11 - 5 / 34 - v * v / (1 - 1 / 11 + v))


def test_mean_overlaps() -> None:
    result = scored([("cat", 0.9, 0.9), ("cat", 0.8, 0), ("cat", 0.7, 0.6), ("dog", 0.6, 1)], {"cat": 2, "dog": 1})
    assert close(result["meanIoU"], (0.9 + 0.6 + 1) / 3)
    assert close(result["meanIoU[class=cat]"], 0.75)
    assert close(result["meanIoU[iou=0.75]"], 0.95)
    assert close(result["meanIoU[score=0.7]"], 0.75)
    assert close(result["meanGIoU"], result["meanIoU"])  # a part of its object leaves nothing uncovered around both
    distance = [0.5**2 / 200, 2**2 / 200, 0.0]  # the right edge is cut off
    assert close(result["meanDIoU"], (0.9 + 0.6 + 1 - sum(distance)) / 3)
    assert result["meanCIoU"] < result["meanDIoU"]
    assert math.isnan(result["meanIoU[score=0.95]"])


def test_mean_overlap_is_the_protocols_own() -> None:
    truth = [{"boxes": [[0, 0, 9, 9]], "labels": [0]}]
    found = [{"boxes": [[0, 0, 9, 8]], "labels": [0], "scores": [0.9]}]
    result = evaluate(truth, found, box="xyxy", protocol="voc2012")
    assert (result["meanIoU"], result["meanGIoU"]) == (90 / 100, 72 / 81)


def test_reasons() -> None:
    names = ("oLRP.Loc[class=cat]", "AR.Hosang[max=7,class=dog]", "F1max.score", "F1max")
    cats = {"boxes": [[0, 0, 9, 9]], "labels": ["cat"]}
    none = {"boxes": np.zeros((0, 4)), "labels": [], "scores": []}
    result = evaluate(
        [cats], [none], box="xyxy", classes=["cat", "dog"], protocol=protocols.get("voc2012"), metrics=names
    )
    reasons = {name: result.reasons.get(name) for name in names}
    assert reasons == dict(
        zip(names, ("no detections of class cat to count", "no objects of class dog", "no detections to count", None),
            strict=True)
    )  # fmt: skip
