"""`boxscore threshold` as people use it, and misuse it."""

from __future__ import annotations

import csv
import inspect
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from boxscore import protocols
from boxscore.cli import evaluate, reading_options, threshold

Command = Callable[..., Any]

TABLE = """\
Truth       truth.json (coco): 3 images, 4 objects
Detections  found.json (coco-results): 3 detections on 2 images

Threshold    score  precision  recall      F1  TP  FP  FN
all classes    0.8     1.0000  0.6667  0.8000   2   0   1
rule       the highest F1; at iou=0.5, area=all, max=100
signature  coco#SIGNED (boxscore VERSION)
"""
BY_CLASS = """\
Threshold    score  precision  recall      F1  TP  FP  FN
all classes    0.8     1.0000  0.6667  0.8000   2   0   1
cat            0.9     1.0000  0.5000  0.6667   1   0   1
dog            0.8     1.0000  1.0000  1.0000   1   0   0
rule       precision >= 0.9, with the highest recall; at iou=0.5, area=all, max=100
"""


@pytest.fixture
def found(boxscore: Command) -> Command:
    """Runs `boxscore threshold truth.json found.json` with further arguments."""
    return lambda *arguments: boxscore("threshold", "truth.json", "found.json", *arguments)


@pytest.fixture
def as_json(found: Command) -> Callable[..., dict[str, Any]]:
    """What it finds, as values."""

    def run(*arguments: str, code: int = 0) -> dict[str, Any]:
        done = found("--format", "json", *arguments)
        assert done.code == code, done.err
        document: dict[str, Any] = json.loads(done.out)
        return document

    return run


def test_the_highest_f1_unless_told_otherwise(found: Command) -> None:
    import boxscore as bs

    done = found()
    digest = protocols.get("coco").digest()
    assert (done.code, done.out) == (0, TABLE.replace("SIGNED", digest).replace("VERSION", bs.__version__))
    assert done.err == ""  # the table says what was read
    assert found("--f1", "-q") == (0, done.out, "")


def test_class_by_class(found: Command) -> None:
    assert BY_CLASS in found("--precision", "0.9", "--per-class").out


def test_what_cannot_be_reached_is_said_and_ends_in_1(found: Command, as_json: Command) -> None:
    done = found("--recall", "0.9", "--per-class", "-q")
    assert (done.code, done.err) == (1, "boxscore: no threshold meets it: recall reaches 0.6667\n")
    lines = [" ".join(line.split()) for line in done.out.splitlines()]
    assert "all classes n/a (recall reaches 0.6667)" in lines
    assert "cat n/a (recall reaches 0.5)" in lines
    assert "dog 0.8 1.0000 1.0000 1.0000 1 0 0" in lines
    assert "nan" not in done.out
    (row,) = as_json("--recall", "0.9", code=1)["rows"]
    assert row == {
        "class": None, "score": None, "precision": None, "recall": None, "F1": None, "TP": None, "FP": None,
        "FN": None, "reason": "recall reaches 0.6667", "threshold": None, "cut_off": False,
    }  # fmt: skip


def test_json(as_json: Command) -> None:
    document = as_json("--cost", "fp=1,fn=5", "--per-class")
    assert list(document) == [
        "schema", "version", "protocol", "signature", "signature_full", "truth", "detections", "rule", "rule_text",
        "iou", "area", "max_detections", "rows", "common", "classes",
    ]  # fmt: skip
    assert document["schema"] == "boxscore/threshold/1"
    assert document["signature"] == protocols.get("coco").signature()
    assert document["rule"] == {"cost": {"fp": 1, "fn": 5}}
    assert [row["class"] for row in document["rows"]] == [None, "cat", "dog"]
    assert document["rows"][0] == {
        "class": None, "score": 0.8, "precision": 1.0, "recall": 2 / 3, "F1": 0.8, "TP": 2, "FP": 0, "FN": 1,
        "reason": None, "threshold": 0.8, "cut_off": False,
    }  # fmt: skip
    assert document["common"] == 0.8
    assert document["classes"] == {row["class"]: row["threshold"] for row in document["rows"][1:]}


@pytest.mark.parametrize(
    ("arguments", "rule", "score"),
    [
        (["--f1"], {"f1": "max"}, 0.8),
        (["--precision", "0.5"], {"precision": 0.5}, 0.8),
        (["--recall", "0.3"], {"recall": 0.3}, 0.9),
        (["--cost", "fp=2, fn=0"], {"cost": {"fp": 2, "fn": 0}}, None),
        (["--cost", "fn=5,fp=1"], {"cost": {"fp": 1, "fn": 5}}, 0.8),
        (["--fp-per-image", "0"], {"fp_per_image": 0}, 0.8),
        (["--fp-per-image", "0.5"], {"fp_per_image": 0.5}, 0.4),
    ],
)
def test_rules(as_json: Command, arguments: list[str], rule: dict[str, Any], score: float | None) -> None:
    document = as_json(*arguments)
    assert document["rule"] == rule
    assert document["rows"][0]["score"] == score
    assert (document["rows"][0]["reason"] is None) == (score is not None)


def test_protocol_iou_area_and_cap(as_json: Command) -> None:
    assert as_json("--protocol", "voc2012")["protocol"] == "voc2012"
    strict = as_json("--iou", "0.95")
    assert (strict["iou"], strict["rows"][0]["TP"]) == (0.95, 1)
    assert as_json("--set", "iou=0.95")["rows"] == strict["rows"]
    assert as_json("--area", "medium")["rows"][0]["FN"] == 0
    assert as_json("--max-detections", "1,10")["max_detections"] == 10


def test_csv_and_markdown(found: Command) -> None:
    rows = list(csv.DictReader(io.StringIO(found("--format", "csv", "--recall", "0.9", "--per-class").out)))
    assert [(row["class"], row["score"], row["TP"], row["reason"]) for row in rows] == [
        ("", "", "", "recall reaches 0.6667"), ("cat", "", "", "recall reaches 0.5"), ("dog", "0.8", "1", ""),
    ]  # fmt: skip
    assert {row["rule"] for row in rows} == {"recall >= 0.9, at the highest score"}
    text = found("--format", "md").out
    assert "| all classes | 0.8 | 1.0000 | 0.6667 | 0.8000 | 2 | 0 | 1 |" in text
    assert "the highest F1; at iou=0.5" in text


@pytest.mark.parametrize(("name", "start"), [("t.json", "{"), ("t.csv", "protocol,"), ("t.md", "- "), ("t.txt", "T")])
def test_output_files(found: Command, folder: Path, name: str, start: str) -> None:
    done = found("-o", name)
    assert (done.code, done.out) == (0, "")
    assert done.err.endswith(f"written     {name}\n")
    assert (folder / name).read_text().startswith(start)


def test_the_same_bytes_every_time(found: Command) -> None:
    arguments = ("--format", "json", "--precision", "0.9", "--per-class")
    assert found(*arguments).out == found(*arguments, "--threads", "1").out


def test_colours(found: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[1mThreshold" in found().out


def test_findings_and_strict(boxscore: Command, folder: Path) -> None:
    (folder / "none.json").write_text("[]")
    done = boxscore("threshold", "truth.json", "none.json")
    assert done.code == 0
    assert "warning     DET001: there are no detections, so nothing is found\n" in done.err
    assert "all classes    n/a" in done.out
    assert "(no detections)" in done.out
    assert boxscore("threshold", "truth.json", "none.json", "--strict", "-q").code == 4


def test_text_files(boxscore: Command, folder: Path) -> None:
    for name, line in (("t", "cat 0 0 10 10"), ("d", "cat 0.5 0 0 10 10")):
        (folder / name).mkdir()
        (folder / name / "a.txt").write_text(line + "\n")
    done = boxscore("threshold", "t", "d", "--box", "xyxy", "--protocol", "voc2012", "-q")
    assert done.code == 0
    assert "all classes    0.5     1.0000  1.0000  1.0000   1   0   0\n" in done.out


def test_every_option_for_reading_is_that_of_eval() -> None:
    for command in (evaluate.command, threshold.command):
        assert {o.name for o in reading_options.OPTIONS} <= set(inspect.signature(command).parameters)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--sweep", "--format", "yaml"], "--sweep cannot be written as yaml; expected one of table, json, csv, md"),
        (["--precision", "high"], "--precision high; expected a number"),
        (["--precision", "95"], "precision=95; expected a value from 0 to 1"),
        (["--recall", "-1"], "recall=-1; expected a value from 0 to 1"),
        (["--fp-per-image", "-1"], "fp_per_image=-1; expected 0 or more"),
        (["--fp-per-image", "x"], "--fp-per-image x; expected a number"),
        (["--cost", "5"], "--cost 5; expected fp=X,fn=Y such as fp=1,fn=5"),
        (["--cost", "fp=1"], "--cost fp=1; expected fp=X,fn=Y such as fp=1,fn=5"),
        (["--cost", "fp=1,fp=2"], "--cost fp=1,fp=2; expected fp=X,fn=Y such as fp=1,fn=5"),
        (["--cost", "fp=1,fn="], "--cost fp=1,fn=; expected fp=X,fn=Y such as fp=1,fn=5"),
        (["--cost", "fp=1,fn=-2"], "cost fp=1, fn=-2; expected costs of 0 or more"),
        (["--area", "tiny"], "no size range 'tiny' in this protocol (it has all, small, medium, large)"),
        (["--protocol", "toolkit"], "--protocol toolkit: a group of protocols; expected a single one"),
        (["--protocol", "coc"], "unknown protocol 'coc'; did you mean 'coco' or 'tf-coco'? ("),
        (["--iou", "2"], "iou=2.0; expected thresholds above 0 and up to 1"),
        (["--format", "jsn"], "unknown format 'jsn'; did you mean 'json'? (known: table, json, yaml, csv, md)"),
        (["--metric", "AP"], "unknown option '--metric'"),
        (["-o", "truth.json"], "-o truth.json: this is an input; expected another file"),
        (["--protocol", "imagenet-loc"], "several detections may match one object, so verdicts alone do not tell how "),
    ],
)
def test_2_usage(found: Command, arguments: list[str], message: str) -> None:
    done = found(*arguments, "-q")
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith(f"boxscore: {message}")
    assert done.err.count("\n") == 1


def test_3_input(boxscore: Command) -> None:
    done = boxscore("threshold", "truth.json", "nowhere.json")
    assert (done.code, done.out) == (3, "")
    assert "nowhere.json" in done.err
    assert boxscore("threshold", "-", "-").err == (
        "boxscore: '-' stands for standard input and can be given only once\n"
    )


def test_several_models_and_requirements(boxscore: Command) -> None:
    asked = ("--precision", "0.9", "--recall", "0.3", "--recall", "0.6", "--f1")
    done = boxscore("threshold", "truth.json", "found.json", "found.json", *asked, "--format", "json", "-q")
    document = json.loads(done.out)
    assert document["schema"] == "boxscore/thresholds/1"
    rules = [{"precision": 0.9}, {"recall": 0.3}, {"recall": 0.6}, {"f1": "max"}]
    assert [one["rule"] for one in document["thresholds"]] == rules * 2
    for one in document["thresholds"][:4]:
        (word, value), *_ = one["rule"].items()
        words = ["--f1"] if word == "f1" else [f"--{word}", str(value)]
        alone = json.loads(boxscore("threshold", "truth.json", "found.json", *words, "--format", "json", "-q").out)
        assert alone["rows"] == one["rows"]
    text = boxscore("threshold", "truth.json", "found.json", *asked, "-q").out
    assert [line.split("  ")[0] for line in text.splitlines()[4:8]] == [
        "precision >= 0.9", "recall >= 0.3", "recall >= 0.6", "best F1",
    ]  # fmt: skip


def test_one_of_several_that_is_not_met_ends_in_1(found: Command) -> None:
    done = found("--recall", "0.9", "--f1", "-q")
    assert done.code == 1
    assert done.err == "boxscore: found.json, recall >= 0.9: no threshold meets it: recall reaches 0.6667\n"


def test_a_sweep_counts_what_eval_counts(found: Command, boxscore: Command) -> None:
    (sweep,) = json.loads(found("--sweep", "--cost", "fp=1,fn=5", "--format", "json", "-q").out)["sweeps"]
    assert [row["score"] for row in sweep["rows"]] == [k / 20 for k in range(1, 20)]
    for row in sweep["rows"][::3]:
        text = boxscore("eval", "truth.json", "found.json", "--score", str(row["score"]), "--format", "json", "-q").out
        metrics = json.loads(text)["results"][0]["metrics"]
        names = {"TP": "true_positives", "FP": "false_positives", "FN": "false_negatives", "precision": "precision",
                 "recall": "recall", "F1": "f1"}  # fmt: skip
        for name, key in names.items():
            (value,) = [v for text, v in metrics.items() if text.startswith(f"{name}[")]
            assert row[key] == value, (row, name)
        assert row["cost"] == row["false_positives"] + 5 * row["false_negatives"]
        assert row["false_positives_per_image"] == row["false_positives"] / 3
    assert "FP per image" in found("--sweep").out


def test_the_same_detections_pass_from_the_short_threshold_on(boxscore: Command, folder: Path) -> None:
    rows = json.loads((folder / "found.json").read_text())
    for row, score in zip(rows, (0.912345678, 0.80000001192092896, 0.4), strict=True):
        row["score"] = score
    (folder / "long.json").write_text(json.dumps(rows))
    done = boxscore("threshold", "truth.json", "long.json", "--recall", "0.3", "--f1", "--format", "json", "-q")
    made = [one["rows"][0] for one in json.loads(done.out)["thresholds"]]
    assert [(row["score"], row["threshold"]) for row in made] == [(0.912345678, 0.9), (0.8000000119209290, 0.8)]
    for row in made:
        assert sum(r["score"] >= row["threshold"] for r in rows) == sum(r["score"] >= row["score"] for r in rows)


def test_the_cut_off_of_the_file_is_told(found: Command, boxscore: Command, folder: Path) -> None:
    (folder / "cut.json").write_text(json.dumps(json.loads((folder / "found.json").read_text())[:2]))
    done = boxscore("threshold", "truth.json", "cut.json", "-q")
    assert "The file's cut-off decides" in done.out
    assert "cut-off" not in found("-q").out
    assert "cut-off" not in boxscore("threshold", "truth.json", "cut.json", "--recall", "0.6", "-q").out


def test_yaml_is_the_same_document(found: Command) -> None:
    words = ("--precision", "0.9", "--per-class", "-q")
    assert yaml.safe_load(found(*words, "--format", "yaml").out) == json.loads(found(*words, "--format", "json").out)
