"""Paths, bytes and text files that cannot be read."""

from __future__ import annotations

import gzip
import json
import os
import socket
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boxscore.formats.io import pipes, source_text, unpacking
from boxscore.formats.io.source import open_source
from boxscore.formats.io.writing import Writing, write
from boxscore.joining.read import Reading, read_detections, read_truth
from small_coco import TRUTH, file, results, truth

COLUMNS = {"image": [1, 2], "labels": [1, 1], "boxes": [[0, 0, 1, 1]] * 2, "scores": [0.5, 0.4]}


def piped(name: str, content: bytes) -> None:
    """A named pipe that somebody writes to."""
    os.mkfifo(name)
    threading.Thread(target=lambda: Path(name).write_bytes(content), daemon=True).start()


def a_socket(name: str) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(name)


def long_row() -> str:
    return f"filename,width,height,class,xmin,ymin,xmax,ymax\na.jpg,9,9,cat,1,2,3,4\na.jpg{',1' * 200}\n"


def folder(name: str, **files: str | bytes) -> Path:
    Path(name).mkdir()
    for stem, content in files.items():
        Path(name, f"{stem}.txt").write_bytes(content.encode() if isinstance(content, str) else content)
    return Path(name)


def lines(content: str | bytes, **how: Any) -> Any:
    return read_truth(folder("t", a=content), Reading(**how))


def found_lines(content: str | bytes, **how: Any) -> Any:
    return read_detections(folder("d", a=content), Reading(**how))


def stated_text() -> Any:
    return read_truth("t", Reading(truth_format="text"))


def a_table(*keys: str, label: str = "cat") -> Any:
    columns = {"image": list(keys), "labels": [label] * len(keys), "boxes": [[0, 0, 1, 1]] * len(keys)}
    return replace(read_truth(columns, Reading(box="xyxy"))[0], source="boxes")


def unreadable(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> None:
    """As for a user who may not: root may read anything."""

    def refuse(*_: Any, **__: Any) -> Any:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(owner, name, refuse)


CASES: list[tuple[str, Callable[..., Any]]] = [
    # which input
    (
        "truth: a value of type int; expected a path, a table, a mapping of columns, a data frame, or "
        "a list with one mapping per image",
        lambda: read_truth(5),
    ),
    (
        "truth: an array of shape (2, 4); expected a mapping with boxes and labels, or the names of its columns: "
        "truth_columns='x1 y1 x2 y2 label'",
        lambda: read_truth(np.zeros((2, 4))),
    ),
    (
        "detections: a value of type bytes; expected a path, a table, a mapping of columns, a data "
        "frame, or a list with one mapping per image",
        lambda: read_detections(b"dets.json"),
    ),
    ("truth: the path ''; expected the path of a file or folder", lambda: read_truth("")),
    ("truth: the path 'a\\x00b'; expected the path of a file or folder", lambda: read_truth("a\0b")),
    ("missing.json: no such file", lambda: read_truth("missing.json")),
    (
        "-----------------------------------------------------------------------------------------------"
        "-----------------------------------------------------------------------------------------------"
        "-----------------------------------------------------------------------------------------------"
        "---------------: cannot be read (File name too long)",
        lambda: read_truth("-" * 300),
    ),
    (
        "t.json: cannot be read (Permission denied)",
        lambda m: (file("t.json", TRUTH), unreadable(m, Path, "open"), read_truth("t.json")),
    ),
    ("t.json: cannot be read (Permission denied)", lambda m: (unreadable(m, Path, "is_dir"), read_truth("t.json"))),
    (
        "p: nobody writes to this pipe (waited 0.01 s)\n  Start the program that writes to it, or give a file.",
        lambda m: (m.setattr(pipes, "WAIT", 0.01), os.mkfifo("p"), read_truth("p")),
    ),
    (
        "p: more than 5 bytes from a pipe; expected less, or a file",
        lambda m: (m.setattr(unpacking, "MOST", 5), piped("p", b"123456"), read_truth("p")),
    ),
    (
        "r.json: gzip data of more than 5 bytes once unpacked; expected less, or the unpacked file",
        lambda m: (m.setattr(unpacking, "MOST", 5), results(gzip.compress(b"[12345]"))),
    ),
    ("/dev/zero: a device; expected a file, a folder or a pipe", lambda: read_truth("/dev/zero")),
    ("s: a socket; expected a file, a folder or a pipe", lambda: (a_socket("s"), read_truth("s"))),
    (
        "sizes='a\\x00b'; expected the path of a file",
        lambda: Reading(sizes="a\0b"),
    ),
    (
        "t/a.txt:2: a line of more than 50 characters; expected a row of values",
        lambda m: (m.setattr(source_text, "LONGEST_LINE", 50), lines(f"cat 1 2 3 4\ncat,{'1 ' * 99}\n", box="xyxy")),
    ),
    (
        "a.csv:3: a line of more than 99 characters; expected a row of values",
        lambda m: (m.setattr(source_text, "LONGEST_LINE", 99), read_truth(file("a.csv", long_row()))),
    ),
    ("t: a folder; expected a file", lambda: (folder("t"), open_source("t"))),
    (
        "r.json: damaged gzip data (it ends early); expected a complete .gz file",
        lambda: results(gzip.compress(b"[]")[:-4]),
    ),
    (
        "truth: a table of detections; expected a table of objects (Truth)",
        lambda: read_truth(read_detections(COLUMNS, Reading(box="xyxy"))[0]),
    ),
    (
        "detections: a table of objects; expected a table of detections (Detections)",
        lambda: read_detections(truth()[0]),
    ),
    (
        "truth: values that JSON cannot hold ('set' object has no attribute 'tolist'); expected the "
        "content of a COCO file",
        lambda: read_truth({**TRUTH, "categories": [{"id": 1, "name": {"a"}}]}),
    ),
    # JSON
    ("t.json: the file is empty; expected a JSON file", lambda: truth("")),
    ("t.json: byte 13 is not UTF-8; expected a JSON file in UTF-8", lambda: truth(b'{"images": ["\xff"]}')),
    (
        "t.json: it begins with 'c', which is no JSON; expected a COCO file (JSON), or a folder with "
        "one text file per image",
        lambda: read_truth(file("t.json", "cat 1 2 3 4\n"), Reading(truth_format="coco")),
    ),
    (
        "t.json:1:427: the JSON ends too early, as in a truncated file; expected complete JSON",
        lambda: truth(json.dumps(TRUTH)[:-30]),
    ),
    (
        "t.json:1:23: the JSON ends too early, as in a truncated file; expected complete JSON",
        lambda: truth('{"images": [{"id": 1, "file_na'),
    ),
    (
        "t.json:2:18: invalid JSON (Expecting value); expected complete JSON",
        lambda: truth('{"images": [],\n "annotations": [,]}'),
    ),
    (
        "r.json:2:1: invalid JSON (Extra data); expected complete JSON\n  Records that stand one on a "
        "line must be put into a list.",
        lambda: results('[{"image_id": 1}]\n[{"image_id": 2}]'),
    ),
    (
        "t.json: a number with thousands of digits; expected a COCO file",
        lambda: truth('{"images": ' + "1" * 5000 + "}"),
    ),
    ("t.json: JSON nested too deeply; expected a COCO file", lambda: truth("[" * 100_000)),
    # text
    (
        "t: no .txt files (it holds nothing); expected a text file per image, or XML files as of PASCAL VOC",
        lambda: read_truth(folder("t"), Reading(truth_format="text")),
    ),
    (
        "t: no .txt files (it holds x.jpg); expected a text file per image, or XML files as of PASCAL VOC",
        lambda: (file("x.jpg", b""), folder("t"), Path("x.jpg").rename("t/x.jpg"), stated_text()),
    ),
    (
        "t: two files for the image 'a'; expected one file per image",
        lambda: (folder("t", a=""), file("t/a.TXT", ""), read_truth("t")),
    ),
    (
        "t: cannot be read (Permission denied)",
        lambda m: (folder("t", a=""), unreadable(m, os, "scandir"), read_truth("t")),
    ),
    (
        "t: cannot be read (Permission denied)",
        lambda m: (folder("t", a=""), unreadable(m, os, "scandir"), read_truth("t", Reading(truth_format="text"))),
    ),
    (
        "t/a.txt: cannot be read (Permission denied)",
        lambda m: (folder("t", a="é"), unreadable(m, os, "open"), read_truth("t")),
    ),
    (
        "t/a.txt: cannot be read (No such file or directory)",
        lambda: (folder("t"), Path("t/a.txt").symlink_to("nowhere"), read_truth("t")),
    ),
    ("t/a.txt: byte 13 is not UTF-8; expected a text file", lambda: lines(b"cat 1 2 3 4\nd\xf6g 1 2 3 4\n")),
    (
        "t/a.txt:3: 3 numbers after the class; expected <class> <4 numbers>",
        lambda: lines("cat 1 2 3 4\n\ncat 1 2 3\n"),
    ),
    ("t/a.txt:1: 'four' is not a number; expected <class> <4 numbers>", lambda: lines("cat 1 2 3 four\n")),
    ("t/a.txt:1: '4_0' is not a number; expected <class> <4 numbers>", lambda: lines("cat 1 2 3 4_0\n")),
    (
        "t/a.txt:1: the numbers [1.0, 2.0, 3.0, nan]; expected finite numbers",
        lambda: lines("cat 1 2 3 nan\n", box="xywh"),
    ),
    (
        "t/a.txt:1: 1 number after the class; expected <class> <4 numbers>",
        lambda: lines("cat 1\n"),
    ),
    (
        "t/a.txt:1: 3 numbers after the class; expected <class> <4 numbers>\n  With commas between values, decimals "
        "have a point.",
        lambda: lines("cat,1,2,3\n"),
    ),
    ("t/a.txt:1: 'x' is not a number; expected <class> <4 numbers>", lambda: lines("cat;1;2;3,5;x\n")),
    (
        "t/a.txt:1: 5 numbers: 'cat 0.9 1 2 3 4'; expected <class> <4 numbers>\n  Five numbers look "
        "like a detection with its confidence; were truth and detections swapped?",
        lambda: lines("cat 0.9 1 2 3 4\n"),
    ),
    (
        "t/labels.txt:1: 0 numbers after the class; expected <class> <4 numbers>\n  If this is a list "
        "of classes, move it out of the folder.",
        lambda: (folder("t", a="", labels="cat\ndog\n"), stated_text()),
    ),
    (
        "d/a.txt:1: 4 numbers after the class; expected <class> <confidence> <4 numbers>\n  Detections "
        "need a confidence on each line; is this ground truth?",
        lambda: found_lines("cat 1 2 3 4\n"),
    ),
    (
        "d/a.txt:1: 3 numbers after the class; expected <class> <confidence> <4 numbers>",
        lambda: found_lines("cat 0.9 1 2\n"),
    ),
    (
        "d/a.txt:1: 'high' is not a number; expected <class> <confidence> <4 numbers>",
        lambda: found_lines("cat high 1 2 3 4\n"),
    ),
    (
        "t/a.txt:1: four numbers that can be x y width height or x y right bottom; expected --box xywh "
        "or --box xyxy (box= in Python)\n  The numbers alone do not tell which, and it changes the result.",
        lambda: lines("cat 1 2 3 4\n"),
    ),
    (
        "t/a.txt:1: boxes as xyxy, and all numbers lie between -1 and 2, as of relative boxes; expected "
        "--coords relative (then centre, width, height and no --box) or --coords absolute (coords= in Python)",
        lambda: lines("cat .1 .2 .3 .4\n", box="xyxy"),
    ),
    (
        "t/a.txt: relative boxes as xyxy; expected relative boxes as centre, width, height",
        lambda: lines("cat .1 .2 .3 .4\n", coords="relative", box="xyxy"),
    ),
    (
        "t/a.txt:2: class '7'; expected one of the 2 listed classes, or a number below 2",
        lambda: lines("0 1 2 3 4\n7 1 2 3 4\n", box="xywh", classes=("cat", "dog")),
    ),
    (
        "t/a.txt:2: class 'owl'; expected one of the 2 listed classes, or a number below 2",
        lambda: lines("cat 1 2 3 4\nowl 1 2 3 4\n", box="xywh", classes=("cat", "dog")),
    ),
    # text, written
    (
        "t: normalized boxes, and the image size is unknown; expected image sizes, or coords=relative",
        lambda: write(lines("cat .1 .2 .3 .4\n")[0], "out", "text", Writing(coords="absolute")),
    ),
    (
        "t: relative boxes as xyxy; expected relative boxes as centre, width, height",
        lambda: write(lines("cat .1 .2 .3 .4\n")[0], "out", "text", Writing(box="xyxy")),
    ),
    (
        "boxes: 1 image of unknown size ('a'); expected image sizes, for boxes relative to them",
        lambda: write(a_table("a"), "out", "text", Writing(coords="relative")),
    ),
    (
        "boxes: two images whose file would be 'a.txt'; expected different names of images",
        lambda: write(a_table("a.jpg", "../a.png"), "out", "text"),
    ),
    (
        "boxes: the image 'x/classes.png', whose file 'x/classes.txt' nobody would take for labels; expected another "
        "name of the image",
        lambda: write(a_table("x/classes.png"), "out", "text"),
    ),
    (
        "boxes: the class name 'two  spaces', which a line of text cannot hold; expected words with single spaces "
        "between",
        lambda: write(a_table("a", label="two  spaces"), "out", "text"),
    ),
]
