"""`--require`: a pipeline stops where a number is not what it must be."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import boxscore as bs
from boxscore.analysis.gates import Outcome, gate

Command = Callable[..., Any]


@pytest.mark.parametrize(
    ("text", "value", "met"),
    [
        ("AP>=0.3", 0.3, True), ("AP>0.3", 0.3, False), ("FP<=2", 2.0, True), ("FP<2", 2.0, False),
        ("AP >= .3", 0.31, True), ("AP>=0.3", float("nan"), False), ("FP<2", float("nan"), False),
    ],
)  # fmt: skip
def test_signs(text: str, value: float, met: bool) -> None:
    assert Outcome(gate(text), value).met == met


@pytest.mark.parametrize(
    ("outcome", "says"),
    [
        (Outcome(gate("AP>=0.5"), 0.25), "AP>=0.5 not met: AP is 0.25, 0.25 too low"),
        (Outcome(gate("FP<=2"), 5.0), "FP<=2 not met: FP is 5, 3 too high"),
        (Outcome(gate("AP>0.5"), 0.5), "AP>0.5 not met: AP is 0.5, > excludes the bound"),
        (Outcome(gate("APs>0.5"), float("nan"), "no small objects"), "APs>0.5 not met: APs is n/a (no small objects)"),
    ],
)
def test_by_how_much(outcome: Outcome, says: str) -> None:
    assert str(outcome) == says


def test_what_is_met_passes(evaluated: Command) -> None:
    done = evaluated("--require", "AP>=0.01", "--format", "json")
    assert done.code == 0
    (entry,) = json.loads(done.out)["results"]
    assert entry["requirements"] == [{"text": "AP>=0.01", "value": entry["metrics"]["AP"], "met": True}]
    keys = list(entry)
    assert keys.index("operating_point") + 1 == keys.index("requirements") == keys.index("ledger") - 1


def test_what_is_not_met_ends_in_1_with_everything_printed(evaluated: Command) -> None:
    done = evaluated("--require", "AP>=0.01", "--require", "mAP50[class=cat]>1", "--protocol", "coco,coco-fixed")
    assert done.code == 1
    assert "Summary" in done.out
    for name in ("coco", "coco-fixed"):
        assert f"boxscore: {name} on found.json: AP>=0.01 met: AP is " in done.err
        assert f"boxscore: {name} on found.json: mAP50[class=cat]>1 not met: mAP50[class=cat] is " in done.err


def test_a_gate_comes_before_warnings_under_strict(evaluated: Command) -> None:
    assert evaluated("--require", "AP>1", "--strict").code == 1


def test_github(evaluated: Command) -> None:
    done = evaluated("--require", "AP>1", "--format", "github")
    assert done.code == 1
    lines = done.out.splitlines()
    assert lines[0].startswith("::notice title=coco on found.json::AP ")
    assert lines[1].startswith("::error title=coco on found.json::AP>1 not met: AP is ")


def test_junit(evaluated: Command) -> None:
    done = evaluated("--require", "AP>1", "--require", "AP>0", "--format", "junit")
    assert done.code == 1
    (suite,) = ElementTree.fromstring(done.out)
    assert (suite.get("name"), suite.get("tests"), suite.get("failures")) == ("coco on found.json", "2", "1")
    failed, passed = suite.findall("testcase")
    assert (failed.get("name"), passed.get("name")) == ("AP>1", "AP>0")
    assert failed.find("failure") is not None
    assert passed.find("failure") is None


def test_gates_survive_the_file(evaluated: Command, tmp_path: Path) -> None:
    done = evaluated("--require", "AP>1", "--format", "json")
    from boxscore.report.json import dumps, from_document

    results = from_document(json.loads(done.out))
    assert [o.met for o in results[0].gates] == [False]
    assert dumps(results) == done.out


def test_a_document_with_a_gate_that_is_none(evaluated: Command) -> None:
    from boxscore.report.json import from_document

    document = json.loads(evaluated("--require", "AP>1", "--format", "json").out)
    document["results"][0]["requirements"][0]["text"] = "AP"
    with pytest.raises(bs.InputError, match="requirements: --require AP; expected METRIC>=NUMBER"):
        from_document(document)


def test_quiet_silences_what_is_met_and_nothing_else(evaluated: Command) -> None:
    assert evaluated("--require", "AP>0", "-q").err == ""
    assert evaluated("--require", "AP>0", "--require", "AP>1", "-q").err.count("\n") == 1


@pytest.mark.parametrize("percent", range(50, 100, 5))
def test_every_threshold_of_coco_by_its_percent(evaluated: Command, percent: int) -> None:
    done = evaluated("--metric", f"AP@{percent}", "--metric", f"AP[iou={percent / 100}]", "--format", "json")
    metrics = json.loads(done.out)["results"][0]["metrics"]
    assert metrics[f"AP@{percent}"] == metrics[f"AP[iou={percent / 100}]"] is not None


def test_a_range_that_is_only_nearly_that_of_coco(evaluated: Command) -> None:
    assert evaluated("--metric", "AP50-95", "--iou", "0.5:0.95:0.05", "--protocol", "voc2012").code == 0
    done = evaluated("--metric", "AP50-95", "--iou", "0.501:0.951:0.05")
    assert done.code == 2
    assert "which this protocol does not evaluate" in done.err


def test_names_as_the_field_writes_them(evaluated: Command) -> None:
    names = ["mAP50", "mAP@0.5", "mAP@.5", "AP@50", "ap50", "AP_50"]
    whole = ["mAP50-95", "AP50-95", "mAP@[.5:.95]", "mAP@0.5:0.95", "mAP@[0.5:0.05:0.95]"]
    done = evaluated(*(word for name in [*names, *whole] for word in ("--metric", name)), "--format", "json")
    (entry,) = json.loads(done.out)["results"]
    assert {entry["metrics"][name] for name in names} == {entry["metrics"]["AP50"]}
    assert {entry["metrics"][name] for name in whole} == {entry["metrics"]["AP"]}


def test_protocols_in_a_list_and_in_any_case(evaluated: Command) -> None:
    done = evaluated("--protocol", "COCO,Voc2012[iou=0.5,0.75]", "--protocol", "tf_voc", "--format", "json")
    names = [entry["protocol"] for entry in json.loads(done.out)["results"]]
    assert names == ["coco", "voc2012[iou=0.5,0.75]", "tf-voc"]


def test_voc_is_ambiguous() -> None:
    with pytest.raises(bs.UsageError, match="'VOC' can mean several") as caught:
        bs.protocols.get("VOC")
    assert [line.split()[0] for line in str(caught.value).splitlines()[1:]] == ["voc2007", "voc2012", "tf-voc"]
    for several in bs.protocols.AMBIGUOUS.values():
        assert {*several} <= {*bs.protocols.REGISTRY}
