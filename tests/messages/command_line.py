"""Command lines that make no sense: commands, arguments, options and their values, and where output goes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from boxscore import metrics, protocols
from boxscore.cli.commands import COMMANDS, run
from boxscore.formats.registry import formats
from boxscore.metrics import summary
from small_coco import RESULTS, TRUTH, file

COCO = protocols.get("coco")
METRICS = list(dict.fromkeys([*metrics.REGISTRY, *(r.name for r in (*summary.rows(COCO), *summary.class_rows(COCO)))]))
WRITTEN = [form.name for form in formats() if form.write_truth]


def files() -> tuple[str, str]:
    return file("t.json", TRUTH), file("r.json", RESULTS)


def evaluated(*words: str) -> Any:
    return run(["eval", *files(), *words])


def threshold(*words: str) -> Any:
    return run(["threshold", *files(), *words])


def converted(*words: str) -> Any:
    files()
    return run(["convert", *words])


def onto_a_full_disk(patch: pytest.MonkeyPatch) -> Any:
    """The version, written where there is no space left."""

    class Full:
        encoding = "utf-8"

        def write(self, text: str) -> int:
            raise OSError(28, "No space left on device")

    patch.setattr(sys, "stdout", Full())
    return run(["--version"])


def piped_twice() -> Any:
    os.mkfifo("pipe")
    return run(["eval", "pipe", "pipe"])


def folder(name: str) -> str:
    Path(name).mkdir()
    return name


def unwritable() -> Any:
    """A result for a folder that has become a file since it was looked for."""
    from boxscore.cli.output import write_file

    file("a", "")
    return write_file("", Path("a/b.json"))


CASES: list[tuple[str, Callable[..., Any]]] = [
    # commands and their words
    (
        f"unknown command 'evl'; did you mean 'eval'? (commands: {', '.join(COMMANDS)})",
        lambda: run(["evl", "t.json"]),
    ),
    ("unknown option '--verson'; did you mean '--version'? ('boxscore --help' lists all)", lambda: run(["--verson"])),
    ("unknown option '-x' ('boxscore --help' lists all)", lambda: run(["-x"])),
    (
        "unknown option '--strikt'; did you mean '--strict'? ('boxscore eval --help' lists all)",
        lambda: run(["eval", "t.json", "r.json", "--strikt=5"]),
    ),
    ("missing argument 'DETECTIONS' (see 'boxscore threshold --help')", lambda: run(["threshold", "t.json"])),
    ("unexpected argument 'three' (see 'boxscore explain --help')", lambda: run(["explain", "one", "two", "three"])),
    (
        "unexpected arguments 'three', '4' (see 'boxscore explain --help')",
        lambda: run(["explain", "one", "two", "three", "4"]),
    ),
    ("missing option '--to' (see 'boxscore convert --help')", lambda: run(["convert", "t.json", "out"])),
    ("option '--iou' needs a value (see 'boxscore eval --help')", lambda: run(["eval", "t.json", "r.json", "--iou"])),
    (
        "option '--strict' does not take a value (see 'boxscore eval --help')",
        lambda: run(["eval", "t.json", "r.json", "--strict=yes"]),
    ),
    # values of options
    (
        "unknown format 'jsn'; did you mean 'json'? (known: table, json, csv, md, html, latex, github, junit)",
        lambda: evaluated("--format", "jsn"),
    ),
    ("--set iou; expected FIELD=VALUE such as iou=0.3", lambda: evaluated("--set", "iou")),
    ("--set iou=0.3: iou is given twice", lambda: evaluated("--iou", "0.5", "--set", "iou=0.3")),
    (
        f"unknown metric 'APP'; did you mean 'AP', 'APs' or 'APm'? ({len(METRICS)} known; `boxscore rule` lists them)",
        lambda: evaluated("--metric", "APP"),
    ),
    (
        "--image-size 640x480; expected WIDTH,HEIGHT in pixels such as 640,480",
        lambda: evaluated("--image-size", "640x480"),
    ),
    (
        "--image-size 640,0; expected WIDTH,HEIGHT in pixels such as 640,480",
        lambda: evaluated("--image-size", "640,0"),
    ),
    ("--score high; expected a number", lambda: evaluated("--score", "high")),
    ("--score inf; expected a number", lambda: evaluated("--score", "inf")),
    ("--threads -1; expected a whole number from 0", lambda: evaluated("--threads", "-1")),
    ("'-' stands for standard input and can be given only once", lambda: run(["eval", "-", "-"])),
    ("pipe: this pipe is given twice and can be read only once; expected another input", piped_twice),
    # metrics and gates
    (
        "--require AP=0.3; expected METRIC>=NUMBER (or >, <=, <) such as AP>=0.3",
        lambda: evaluated("--require", "AP=0.3"),
    ),
    ("metric 'AP50-90'; expected AP50-95, or AP with --iou 0.5:0.9:0.05", lambda: evaluated("--metric", "AP50-90")),
    (
        "metric 'AP50-95' is the mean over IoU 0.5:0.95:0.05, which this protocol does not evaluate; add "
        "--iou 0.5:0.95:0.05 (iou= in Python) or take a protocol such as coco",
        lambda: evaluated("--protocol", "voc2012", "--metric", "AP50-95"),
    ),
    (
        "metric 'AP55[iou=0.75]': the IoU is stated twice; expected AP[iou=0.55]",
        lambda: evaluated("--metric", "AP55[iou=0.75]"),
    ),
    (
        "protocol 'ImageNet' can mean several, whose numbers differ; name one of them:"
        + "".join(f"\n  {n:22}{protocols.get(n).about}" for n in ("imagenet-det", "imagenet-vid", "imagenet-loc")),
        lambda: evaluated("--protocol", "ImageNet"),
    ),
    # thresholds
    (
        "--protocol toolkit: a group of protocols; expected a single one",
        lambda: threshold("--protocol", "toolkit"),
    ),
    (
        "--sweep cannot be written as yaml; expected one of table, json, csv, md",
        lambda: threshold("--sweep", "--format", "yaml"),
    ),
    ("--cost fp=1; expected fp=X,fn=Y such as fp=1,fn=5", lambda: threshold("--cost", "fp=1")),
    ("--cost fp=,fn=1; expected fp=X,fn=Y such as fp=1,fn=5", lambda: threshold("--cost", "fp=,fn=1")),
    ("--cost fp=1,fn=nan; expected fp=X,fn=Y such as fp=1,fn=5", lambda: threshold("--cost", "fp=1,fn=nan")),
    ("--cost fp=1,fn=1,fp=2; expected fp=X,fn=Y such as fp=1,fn=5", lambda: threshold("--cost", "fp=1,fn=1,fp=2")),
    ("cost fp=-1, fn=5; expected costs of 0 or more", lambda: threshold("--cost", "fp=-1,fn=5")),
    # options of pascalvoc.py
    (
        "these are options of pascalvoc.py; the same in boxscore:\n"
        "  boxscore eval a 'b c' --protocol toolkit-voc --iou 0.3 --box xywh\n"
        "  boxscore plot --all a 'b c' --protocol toolkit-voc --iou 0.3 --box xywh -o out",
        lambda: run(["-gt", "a", "--detfolder", "b c", "-t", "0.3", "-sp", "out", "-np"]),
    ),
    (
        "these are options of pascalvoc.py; the same in boxscore:\n"
        "  boxscore eval t.json r.json --protocol toolkit-voc --iou 0.5 --box xywh",
        lambda: evaluated("-t", "0.5"),
    ),
    # tables
    (
        "--percent is for --table; expected --table METRICS too, such as --table AP,AP50,AP75",
        lambda: evaluated("--percent"),
    ),
    (
        "--table cannot be written as json; expected one of table, csv, md, html, latex",
        lambda: evaluated("--table", "AP", "--format", "json"),
    ),
    ("--table AP,; expected metrics such as AP,AP50,AP75, or classes", lambda: evaluated("--table", "AP,")),
    # where output goes
    (
        "-o a.pdf: unknown ending '.pdf'; expected .txt, .json, .csv, .md, .markdown, .html, .htm, .tex, .xml, or "
        "state --format",
        lambda: evaluated("-o", "a.pdf"),
    ),
    ("-o out: a folder; expected a file", lambda: evaluated("-o", folder("out"))),
    ("-o no/a.json: there is no folder 'no'", lambda: evaluated("-o", "no/a.json")),
    ("-o r.json: this is an input; expected another file", lambda: evaluated("-o", "r.json")),
    ("-o a: no such folder; expected a folder to write into", unwritable),
    ("standard output: cannot be written (No space left on device)", onto_a_full_disk),
    # convert
    (
        f"--to: unknown ground-truth format 'voc'; did you mean 'voc-xml'? ({len(WRITTEN)} known; `boxscore formats` "
        "lists them)",
        lambda: converted("t.json", "out", "--to", "voc"),
    ),
    (
        "unknown side 'objects' (known: truth, detections)",
        lambda: converted("t.json", "out", "--to", "yolo", "--side", "objects"),
    ),
    (
        "--truth applies only with --side detections",
        lambda: converted("t.json", "out", "--to", "yolo", "--truth", "t.json"),
    ),
    (
        "r.json: already exists; expected a new path, or --overwrite",
        lambda: converted("t.json", "r.json", "--to", "coco"),
    ),
    (
        "t.json: this is an input; expected another path",
        lambda: converted("t.json", "t.json", "--to", "coco", "--overwrite"),
    ),
    # doctor
    (
        "--fix out: out already exists; expected a new path",
        lambda: run(["doctor", *files(), "--fix", folder("out")]),
    ),
]
