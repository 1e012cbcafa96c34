"""How tools evaluate by default: each preset says in what it is approximate, and does what it says."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import boxscore as bs
from boxscore import protocols
from boxscore._reference.overlap import single_overlap
from boxscore.evaluation.result import Result
from boxscore.joining.read import Reading, read_detections, read_truth
from boxscore.report import meanings
from boxscore.report.html import as_html
from boxscore.report.json import as_dict
from boxscore.report.markdown import as_markdown
from boxscore.report.text import as_text
from boxscore.tables.model import Detections, ImageLabels, Truth

PRESETS = ("ultralytics", "torchmetrics", "fiftyone", "detectron2")


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_says_in_what_it_is_approximate(name: str) -> None:
    protocol = protocols.get(name)
    assert any(d.title.startswith("approximate: ") for d in protocol.deviations) == (name != "ultralytics")
    for d in protocol.deviations:
        assert meanings.find(d.code)[0].text == d.text
        assert hasattr(protocol, d.field)


def test_presets_differ_from_all_others() -> None:
    digests = [p.digest() for p in protocols.REGISTRY.values()]
    assert all(digests.count(protocols.get(name).digest()) == 1 for name in PRESETS)


def scored(name: str, boxes: list[list[float]], scores: list[float], truth: list[list[float]], **more: Any) -> float:
    objects = {"image": [1] * len(truth), "boxes": truth, "labels": ["cat"] * len(truth), **more}
    found = {"image": [1] * len(boxes), "boxes": boxes, "labels": ["cat"] * len(boxes), "scores": scores}
    return bs.evaluate(objects, found, box="xyxy", protocol=name)["AP50"]


A, B = [0.0, 0.0, 10.0, 10.0], [100.0, 0.0, 110.0, 10.0]


@pytest.mark.parametrize(
    ("name", "counted"), [("ultralytics", 2), ("torchmetrics", 2), ("fiftyone", 2), ("detectron2", 1)]
)
def test_score_floors(name: str, counted: int) -> None:
    """Of two perfect detections one has a score of 0.01: below the floor of Detectron2 only."""
    levels = {1: 0.495, 2: 0.995} if name == "ultralytics" else {1: 51 / 101, 2: 1.0}
    assert scored(name, [A, B], [0.9, 0.01], [A, B]) == pytest.approx(levels[counted], abs=1e-12)
    assert scored(name, [A, B], [0.9, 0.001], [A, B]) == pytest.approx(
        levels[1 if name in ("ultralytics", "detectron2") else 2], abs=1e-12
    )


@pytest.mark.parametrize(("name", "expected"), [("ultralytics", 0.995), ("ultralytics[claim=any]", 0.495)])
def test_older_versions_of_ultralytics_have_no_second_choice(name: str, expected: float) -> None:
    """The second detection prefers the first object, which is taken; COCO gives it the other one."""
    near = [3.0, 0.0, 13.0, 10.0]
    found = [A, [1.0, 0.0, 11.0, 10.0]]
    assert scored(name, found, [0.9, 0.8], [A, near]) == pytest.approx(expected, abs=1e-12)  # a sum of 100 strips
    assert scored("fiftyone", found, [0.9, 0.8], [A, near]) == pytest.approx(1.0, abs=1e-12)


def test_ultralytics_draws_no_line_to_the_right_of_its_last_detection() -> None:
    """One of three objects: precision is 1 at the 34 recalls up to 0.33 and 0 from 0.34 on, half a strip between."""
    assert scored("ultralytics", [A], [0.9], [A, B, [200.0, 0.0, 210.0, 10.0]]) == pytest.approx(0.335, abs=1e-12)


def test_ultralytics_takes_a_recall_from_above() -> None:
    """The first is right, the second wrong, the third right: at the recall 0.5 the precision is that of the third."""
    expected = (49 + (1 + 2 / 3) / 2 + 49 * (2 / 3) + (2 / 3) / 2) / 100
    found = [A, [50.0, 0.0, 60.0, 10.0], B]
    assert scored("ultralytics", found, [0.9, 0.8, 0.7], [A, B]) == pytest.approx(expected, abs=1e-12)


def test_ultralytics_leaves_crowds_out() -> None:
    """What lies on a crowd is wrong, and comes first; the crowd is not to be found."""
    value = scored("ultralytics", [B, A], [0.9, 0.8], [A, B], crowd=[False, True])
    assert value == pytest.approx(0.995 / 2, abs=1e-12)
    truth = {"image": [1, 1], "boxes": [A, B], "labels": ["cat"] * 2, "crowd": [False, True]}
    found = {"image": [1], "boxes": [A], "labels": ["cat"], "scores": [0.9]}
    rows = bs.evaluate(truth, found, box="xyxy", protocol="ultralytics").ledger.objects.rows
    assert [(r.fate, r.reason, r.count) for r in rows] == [("evaluated", "", 1), ("dropped", "it is a crowd", 1)]


@pytest.mark.parametrize(
    ("rule", "reason"),
    [("difficult", "it is difficult"), ("group_of", "it is a group"), ("ignore_flag", "it is flagged with ignore")],
)
def test_flagged_objects_can_be_left_out(rule: str, reason: str) -> None:
    flag = {"ignore_flag": "ignore"}.get(rule, rule)
    truth = {"image": [1, 1], "boxes": [A, B], "labels": ["cat"] * 2, flag: [False, True]}
    found = {"image": [1], "boxes": [B], "labels": ["cat"], "scores": [0.9]}
    result = bs.evaluate(truth, found, box="xyxy", protocol=f"tf-voc[{rule}=dropped]")
    assert result["mAP"] == 0
    rows = result.ledger.objects.rows
    assert [(r.fate, r.reason, r.count) for r in rows] == [("evaluated", "", 1), ("dropped", reason, 1)]


def test_overlaps_in_single_precision() -> None:
    """A threshold is rounded as overlaps are: 11 of 20 reach 0.55 either way. A tiny box feels the 1e-7."""
    whole, part = [0.0, 0.0, 20.0, 1.0], [0.0, 0.0, 11.0, 1.0]
    assert single_overlap(np.array(part), np.array(whole), False) == float(np.float32(11) / np.float32(20))
    tiny = np.array([0.0, 0.0, 0.001, 0.001])
    assert single_overlap(tiny, tiny, False) == pytest.approx(1e-6 / (1e-6 + 1e-7), rel=1e-6)
    assert single_overlap(tiny, tiny * 2, True) == pytest.approx(1e-6 / (1e-6 + 1e-7), rel=1e-6)
    for name in ("voc2012[overlap=single,iou=0.55]", "voc2012[overlap=box,iou=0.55]"):
        truth = {"image": [1], "boxes": [whole], "labels": ["cat"]}
        found = {"image": [1], "boxes": [part], "labels": ["cat"], "scores": [0.9]}
        assert bs.evaluate(truth, found, box="xyxy", protocol=name)["mAP"] == 1


def test_precision_and_recall_at_the_highest_smooth_f1() -> None:
    """Right at 0.9 and 0.5, wrong at 0.1, of two objects: with few points the moving mean is highest in the plateau.

    From 0.5 down to 0.1 recall is 1 and precision falls from 1 to 2/3 in a straight line.
    """
    truth = {"image": [1, 1], "boxes": [A, B], "labels": ["cat"] * 2}
    found = {"image": [1] * 3, "boxes": [A, B, [50.0, 0.0, 60.0, 10.0]], "labels": ["cat"] * 3}
    result = bs.evaluate(truth, {**found, "scores": [0.9, 0.5, 0.1]}, box="xyxy", protocol="ultralytics")
    score = result["F1smooth.score"]
    assert 0.4 < score < 0.5
    assert result["F1smooth.recall"] == 1
    assert result["F1smooth.precision"] == pytest.approx(1 - (0.5 - score) / 0.4 / 3, abs=1e-12)
    p, r = result["F1smooth.precision"], result["F1smooth.recall"]
    assert result["F1smooth"] == pytest.approx(2 * p * r / (p + r), abs=1e-12)
    assert result["F1smooth.precision[class=cat]"] == p


def tables() -> tuple[Truth, Detections]:
    reading = Reading(box="xyxy")
    truth, _ = read_truth({"image": [1], "boxes": [A], "labels": ["cat"]}, reading)
    found = {"image": [1], "boxes": [A], "labels": ["cat"], "scores": [0.9]}
    return truth, read_detections(found, reading, truth)[0]


def evaluated(name: str) -> Result:
    return bs.evaluate(*tables(), protocol=name)


def written(result: Result, form: str) -> str:
    makers = {"table": as_text, "md": as_markdown, "html": as_html}
    return makers[form]([result]) if form in makers else json.dumps(as_dict(result)["results"][0]["findings"])


def test_torchmetrics_numbers_annotations_itself() -> None:
    assert scored("coco", [A], [0.9], [A], id=[0]) == 0.0
    assert scored("torchmetrics", [A], [0.9], [A], id=[0]) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("name", [name for name in protocols.names() if protocols.get(name).approximations])
@pytest.mark.parametrize("form", ["table", "md", "html", "json"])
def test_an_approximation_says_so_beside_the_number(name: str, form: str) -> None:
    result = evaluated(name)
    code = protocols.get(name).approximations[0].code
    (found,) = (f for f in result.ledger.findings if f.code == "PRO001")
    assert (found.severity, found.count) == ("note", len(protocols.get(name).approximations))
    assert found.text.startswith("the protocol is an approximation of its tool: ")
    assert code in found.text
    assert code in written(result, form)


def test_a_table_marks_approximations_beside_their_names() -> None:
    text = as_text([evaluated("coco"), evaluated("torchmetrics")], ledger=True)
    for title in ("Ledger", "Summary", "Classes: AP"):
        above, line = next((a, b) for a, b in pairwise(text.splitlines()) if b.startswith(title))
        assert above.split() == ["(approximate)"]
        assert line.split()[-2:] == ["coco", "torchmetrics"]
    assert "(approximate)" not in as_text([evaluated("coco")])


@pytest.mark.parametrize("form", ["table", "md", "html", "json"])
def test_open_images_without_labels_and_hierarchy_says_so_beside_the_number(form: str) -> None:
    result = evaluated("openimages-challenge")
    (found,) = (f for f in result.ledger.findings if f.code == "PRO002")
    assert found.severity == "warning"
    assert found.text == (
        "evaluated without image-level labels and without a hierarchy; the official number needs both "
        "(--image-labels, --hierarchy)"
    )
    assert "PRO002" in written(result, form)


@pytest.mark.parametrize(
    ("name", "labels", "parents", "missing"),
    [
        ("openimages-challenge", True, True, ""),
        ("openimages-challenge", True, False, "a hierarchy; the official number needs it (--hierarchy)"),
        (
            *("openimages-challenge", False, True),
            "image-level labels; the official number needs them (--image-labels)",
        ),
        ("lvis", False, False, "image-level labels; the official number needs them (neg_category_ids of the images)"),
        ("lvis", True, False, ""),
        ("openimages-v2", False, False, ""),
        ("coco", False, False, ""),
    ],
)
def test_what_is_there_is_not_missed(name: str, labels: bool, parents: bool, missing: str) -> None:
    truth, found = tables()
    if parents:
        truth = replace(truth, classes=replace(truth.classes, parents=((),)))
    if labels:
        truth = replace(truth, labels=ImageLabels(np.zeros(1, np.int32), np.zeros(1, np.int32), np.ones(1, np.uint8)))
    findings = [f.text for f in bs.evaluate(truth, found, protocol=name).ledger.findings if f.code == "PRO002"]
    assert findings == ([f"evaluated without {missing}"] if missing else [])
