"""Exit codes and the messages that come with them."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from boxscore import cli

Command = Callable[..., Any]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--protocol", "coc"], "unknown protocol 'coc'; did you mean 'coco' or 'tf-coco'? ("),
        (["--set", "iuo=0.3"], "unknown protocol field 'iuo'; did you mean 'iou'? ("),
        (["--set", "iou"], "--set iou; expected FIELD=VALUE such as iou=0.3"),
        (["--set", "iou="], "iou=; expected 0.3, a list 0.5,0.75 or a range 0.5:0.95:0.05"),
        (["--set", "compare=<"], "compare='<'; expected one of >=, >"),
        (["--iou", "0.3", "--set", "iou=0.5"], "--set iou=0.5: iou is given twice"),
        (["--set", "iou=0.5", "--set", "iou=0.6"], "--set iou=0.6: iou is given twice"),
        (["--iou", "half"], "iou=half; expected 0.3, a list 0.5,0.75 or a range 0.5:0.95:0.05"),
        (["--iou", "1.5"], "iou=1.5; expected thresholds above 0 and up to 1"),
        (["--max-detections", "x"], "max_detections=x; expected whole numbers such as 1,10,300, or none"),
        (["--metric", "ap5O"], "unknown metric 'ap5O'; did you mean 'AP50', "),
        (["--metric", "AP[iuo=0.5]"], "unknown metric key 'iuo'; did you mean 'iou'? (known: iou, "),
        (["--metric", "AP[iou"], "metric 'AP[iou'; expected Name or Name[key=value,…] such as AP[iou=0.5,area=small]"),
        (["--metric", "AP[class=cta]", "-q"], "unknown class 'cta'; did you mean 'cat'? (known: cat, dog)"),
        (["--score", "high"], "--score high; expected a number"),
        (["--score", "nan"], "--score nan; expected a number"),
        (["--threads", "-1"], "--threads -1; expected a whole number from 0"),
        (
            ["--format", "jsn"],
            "unknown format 'jsn'; did you mean 'json'? (known: table, json, csv, md, html, latex, github, junit)",
        ),
        (["--box", "xxyy"], "box='xxyy'; expected one of xywh, xyxy, cxcywh"),
        (["--truth-box", "xxyy"], "truth_box='xxyy'; expected one of xywh, xyxy, cxcywh"),
        (["--detections-box", "xxyy"], "detections_box='xxyy'; expected one of xywh, xyxy, cxcywh"),
        (["--coords", "rel"], "coords='rel'; expected one of absolute, relative"),
        (["--image-size", "640"], "--image-size 640; expected WIDTH,HEIGHT in pixels such as 640,480"),
        (["--image-size", "0,9"], "--image-size 0,9; expected WIDTH,HEIGHT in pixels such as 640,480"),
        (["--truth-format", "cocoo"], "unknown truth_format 'cocoo'; did you mean 'coco'? ("),
        (["--detections-format", "wider"], "unknown detections_format 'wider' ("),
        (["-o", "."], "-o .: a folder; expected a file"),
        (["-o", "nowhere/r.json"], "-o nowhere/r.json: there is no folder 'nowhere'"),
        (["-o", "truth.json"], "-o truth.json: this is an input; expected another file"),
        (["-o", "./found.json"], "-o found.json: this is an input; expected another file"),
        (
            ["--protcol", "coco"],
            "unknown option '--protcol'; did you mean '--protocol'? ('boxscore eval --help' lists all)",
        ),
        (["-Z"], "unknown option '-Z' ('boxscore eval --help' lists all)"),
        (["--iou"], "option '--iou' needs a value (see 'boxscore eval --help')"),
    ],
)
def test_2_usage(evaluated: Command, arguments: list[str], message: str) -> None:
    done = evaluated(*arguments)
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith(f"boxscore: {message}")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["evl"],
            "unknown command 'evl'; did you mean 'eval'? (commands: eval, threshold, explain, doctor, inspect, "
            "convert, draw, plot, app, demo, formats, protocols, rule, completion)",
        ),
        (
            ["qqq", "a"],
            "unknown command 'qqq' (commands: eval, threshold, explain, doctor, inspect, convert, draw, plot, app, "
            "demo, formats, protocols, rule, completion)",
        ),
        (["--versoin"], "unknown option '--versoin'; did you mean '--version'? ('boxscore --help' lists all)"),
        (["eval"], "missing argument 'TRUTH' (see 'boxscore eval --help')"),
        (["eval", "truth.json"], "missing argument 'DETECTIONS' (see 'boxscore eval --help')"),
        (["eval", "-", "-"], "'-' stands for standard input and can be given only once"),
        (["eval", "truth.json", "-", "-"], "'-' stands for standard input and can be given only once"),
        (["protocols", "coc"], "unknown protocol 'coc'; did you mean 'coco' or 'tf-coco'? ("),
        (["protocols", "--format", "yaml"], "unknown format 'yaml' (known: table, json)"),
        (["rule", "id01"], "unknown rule 'id01'; did you mean 'ID001'? (`boxscore rule` lists all)"),
        (["rule", "AP[x]"], "metric 'AP[x]': 'x'; expected key=value"),
    ],
)
def test_2_usage_of_other_commands(boxscore: Command, arguments: list[str], message: str) -> None:
    done = boxscore(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"boxscore: {message}")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nosuch.json", "found.json"], "nosuch.json: no such file"),
        (["truth.json", "nosuch.json", "-q"], "nosuch.json: no such file"),
        (["found.json", "truth.json"], "found.json: a list of "),
        (
            ["truth.json", "found.json", "--classes", "nosuch"],
            "nosuch: no such file",
        ),
        (
            ["truth.json", "found.json", "--truth-format", "text"],
            "truth.json: a file, stated as text; expected text (a folder with a text file ",
        ),
        (
            ["folder", "found.json", "--truth-format", "coco"],
            "folder: a folder, stated as coco; expected COCO (a JSON file)",
        ),
        (
            ["truth.json", "-", "--detections-format", "text"],
            "standard input: a file, stated as text; expected text (a folder with a text file per image",
        ),
    ],
)
def test_3_input(boxscore: Command, folder: Path, arguments: list[str], message: str) -> None:
    (folder / "folder").mkdir()
    done = boxscore("eval", *arguments)
    assert (done.code, done.out) == (3, "")
    said = [line for line in done.err.splitlines() if not line.startswith("truth  ")]  # what was read before that
    assert said[0].startswith(f"boxscore: {message}")
    assert "Traceback" not in done.err


def test_4_suspicious_only_if_strict(boxscore: Command, folder: Path) -> None:
    truth = json.loads((folder / "truth.json").read_text())
    truth["annotations"][0]["id"] = 0
    (folder / "odd.json").write_text(json.dumps(truth))
    plain, strict = (boxscore("eval", "odd.json", "found.json", "-q", *more) for more in ([], ["--strict"]))
    assert (plain.code, strict.code) == (0, 4)
    assert "warning  ID001" in plain.out
    assert "boxscore doctor" not in plain.out  # nothing looks wrong, so the doctor was not asked
    assert "boxscore doctor" in strict.out
    assert strict.err == "boxscore: warnings under --strict: ID001\n"  # of the evaluation and of the doctor, one code


def test_strict_is_content_with_notes(boxscore: Command, folder: Path) -> None:
    found = json.loads((folder / "found.json").read_text())
    many = [
        {**row, "score": row["score"] - k / 1000, "bbox": [row["bbox"][0] + k, *row["bbox"][1:]]}
        for k in range(101)
        for row in found
    ]
    (folder / "many.json").write_text(json.dumps(many))
    done = boxscore("eval", "truth.json", "many.json", "--strict")
    assert "note     CAP001" in done.out
    assert done.code == 0


def test_130_interrupted(evaluated: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("boxscore.cli.evaluate.read_truth", interrupt)
    assert evaluated() == (130, "", "")


def test_running_out_of_memory_is_told_as_such(evaluated: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("boxscore.cli.evaluate.read_truth", fail)
    done = evaluated()
    assert (done.code, done.err) == (3, f"boxscore: {cli.OUT_OF_MEMORY}\n")


@pytest.mark.parametrize("threads", ["99999999999", "9" * 5000])
def test_any_number_of_threads(evaluated: Command, threads: str) -> None:
    assert evaluated("--threads", threads).code == 0


def test_terminals_are_not_commanded(boxscore: Command, folder: Path) -> None:
    odd = "a\x1b[31m\x07\u202e\nb"
    categories = [{"id": 1, "name": odd}, {"id": 2, "name": "dog"}]
    text = json.dumps({**json.loads((folder / "truth.json").read_text()), "categories": categories})
    (folder / f"{odd}.json").write_text(text)
    for line in (("eval", f"{odd}.json", "found.json"), ("inspect", f"{odd}.json"), ("doctor", f"{odd}.json"),
                 ("threshold", f"{odd}.json", "found.json"), ("formats", f"{odd}.json"), ("eval", odd, odd),
                 ("explain", f"{odd}.json", "found.json", "--per-class"), ("eval", "truth.json", odd, "--box", odd),
                 ("convert", f"{odd}.json", "o", "--to", "yolo"), (odd,)):  # fmt: skip
        done = boxscore(*line)
        for stream in (done.out, done.err):
            assert not {"\x1b", "\x07", "\u202e"} & {*stream}, line
        assert "\\x1b[31m" in done.out + done.err, line


def test_our_own_mistake_is_said_to_be_ours(evaluated: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyError("oh\nno")

    monkeypatch.setattr("boxscore.cli.evaluate.read_truth", fail)
    done = evaluated()
    assert done.code == 70
    first, second = done.err.splitlines()
    assert first.startswith("boxscore: this is a bug in boxscore ")
    assert first.endswith(", not yours: KeyError: 'oh\\nno'")
    assert "BOXSCORE_DEBUG=1" in second
    monkeypatch.setenv("BOXSCORE_DEBUG", "1")
    with pytest.raises(KeyError):
        evaluated()


def test_broken_pipe_inside_the_process(evaluated: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    class Closed(io.TextIOWrapper):
        def flush(self) -> None:
            raise BrokenPipeError

    monkeypatch.setattr("sys.stdout", Closed(io.BytesIO()))
    monkeypatch.setattr(cli, "_silence", lambda: None)
    for arguments in ((), ("--format", "md")):
        assert evaluated("-q", *arguments) == (141, "", "")
