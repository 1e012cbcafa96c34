"""Files of MOTChallenge that cannot be used."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import boxscore as bs
from boxscore.formats.io.writing import made
from boxscore.joining.read import Reading, read_detections, read_truth
from small_coco import file

EXPECTED = "expected frame, id, left, top, width, height, and up to 4 numbers"


def read(text: str, **more: Any) -> Any:
    return read_truth(file("gt.txt", text), Reading(truth_format="mot", **more))


def found(text: str) -> Any:
    return read_detections(file("d.txt", text), Reading(detections_format="mot"))


def folder(*paths: str) -> Any:
    for path in paths:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        file(path, "1,1,1,1,5,5,1\n")
    return read_truth("t", Reading(truth_format="mot"))


def unframed() -> Any:
    table, _ = bs.read_truth({"a.jpg": {"boxes": [[1, 2, 3, 4]], "labels": ["cat"]}}, box="xyxy")
    return list(made(table, "mot"))


CASES: list[tuple[str, Callable[..., Any]]] = [
    (f"gt.txt:2: 3 values; {EXPECTED}", lambda: read("1,1,1,1,5,5,1\n1,2,3\n")),
    (f"gt.txt:1: 'x' is not a number; {EXPECTED}", lambda: read("1,1,x,1,5,5,1\n")),
    ("gt.txt:1: a value that is not finite; expected finite numbers", lambda: read("1,1,nan,1,5,5,1\n")),
    (
        "gt.txt:1: the frame 0; expected a whole number from 1\n"
        "  MOTChallenge counts frames from 1; add 1 where a tool counts from 0.",
        lambda: read("0,1,1,1,5,5,1\n"),
    ),
    ("gt.txt:1: the id 1.5; expected a whole number, -1 for none", lambda: read("1,1.5,1,1,5,5,1\n")),
    (
        "gt.txt:4: track 1 again in frame 2; expected one box of a track in a frame",
        lambda: read("1,1,1,1,5,5,1\n\n2,1,1,1,5,5,1\n2,1,1,1,5,5,1\n"),
    ),
    (
        "gt.txt:2: the class 3, and 2 are listed; expected 1 to 2",
        lambda: read("1,1,1,1,5,5,1,1,1\n1,2,1,1,5,5,1,3,1\n", classes=("cat", "dog")),
    ),
    (
        "d.txt:1: no confidence; expected a seventh value: the confidence, -1 where there is none\n"
        "  Ground truth comes first, then detections; were they swapped?",
        lambda: found("1,1,1,1,5,5\n"),
    ),
    ("t: no .txt files (it holds a.csv); expected gt.txt, det.txt or a file per sequence", lambda: folder("t/a.csv")),
    (
        "t: t/x/A.txt and t/y/A.txt are both of the sequence 'A'; expected one file per sequence",
        lambda: folder("t/x/A.txt", "t/y/A.txt"),
    ),
    ("truth: images that are not frames of videos; expected frames of videos, for MOTChallenge", unframed),
]
