"""Files of DOTA that cannot be used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from boxscore.formats.io.writing import made
from boxscore.joining.read import Reading, read_detections, read_truth
from boxscore.tables.model import Classes, Detections, Images, Truth

LINE = "expected <x1> <y1> <x2> <y2> <x3> <y3> <x4> <y4> <class> <difficult>"
RESULT = "expected <image> <score> <x1> <y1> <x2> <y2> <x3> <y3> <x4> <y4>"
QUAD = "1 1 4 1 4 4 1 4"


def folder(files: dict[str, str]) -> str:
    for name, content in files.items():
        path = Path("d", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")
    return "d"


def truth(content: str | dict[str, str], **how: Any) -> Any:
    files = content if isinstance(content, dict) else {"labelTxt/a.txt": content}
    return read_truth(folder(files), Reading(truth_format="dota", **how))


def found(files: dict[str, str], **how: Any) -> Any:
    return read_detections(folder(files), Reading(detections_format="dota", **how))


def written(side: str = "detections", **changes: Any) -> Any:
    columns = (Images(["a.jpg"]), Classes(("cat",), (1,)), np.zeros(1, np.int32), np.zeros(1, np.int32))
    box = (np.array([[1.0, 1, 4, 4]]), np.array([9.0]), np.arange(1), "boxes")
    table: Any = (
        Detections(*columns, *box, score=np.ones(1))
        if side == "detections"
        else Truth(*columns, *box, area=np.full(1, np.nan), flags=np.zeros(1, np.uint16))
    )
    return list(made(replace(table, **changes), "dota"))


CASES: list[tuple[str, Callable[..., Any]]] = [
    # label files
    (
        "d: no .txt files (it holds a.jpg); expected a text file per image, in it or in its folder labelTxt",
        lambda: truth({"a.jpg": ""}),
    ),
    (
        "d: labelTxt/a.TXT and labelTxt/a.txt are both of image 'a'; expected one file per image",
        lambda: truth({"labelTxt/a.txt": "", "labelTxt/a.TXT": ""}),
    ),
    (f"d/labelTxt/a.txt:2: 7 numbers before the class; {LINE}", lambda: truth("gsd:1\n1 1 4 1 4 4 1 cat 0\n")),
    (f"d/labelTxt/a.txt:1: 9 numbers before the class; {LINE}", lambda: truth(f"{QUAD} 5 cat 0\n")),
    (f"d/labelTxt/a.txt:1: 9 numbers and no class; {LINE}", lambda: truth(f"{QUAD} 0\n")),
    (f"d/labelTxt/a.txt:1: 1 number and no class; {LINE}", lambda: truth("5\n")),
    (f"d/labelTxt/a.txt:1: 'x' is not a number; {LINE}", lambda: truth("1 x 4 1 4 4 1 4 cat 0\n")),
    (
        f"d/labelTxt/a.txt:1: 'P1' is not a number; {LINE}\n  An image, a score and coordinates are a detection; were "
        "truth and detections swapped?",
        lambda: truth(f"P1 0.5 {QUAD}\n"),
    ),
    ("d/labelTxt/a.txt:1: y4 is 'nan'; expected a finite number", lambda: truth("1 1 4 1 4 4 1 nan cat 0\n")),
    (
        "d/labelTxt/a.txt:1: difficult is '0.9'; expected 0 or 1, the last value of a line",
        lambda: truth(f"{QUAD} cat 0.9\n"),
    ),
    # result files
    (
        "d: no .txt files (it holds a.jpg); expected a text file per class, such as Task1_plane.txt",
        lambda: found({"a.jpg": ""}),
    ),
    (
        "d: Task1_cat.txt, task1_cat.txt are all of class 'cat'; expected one file per class",
        lambda: found({"Task1_cat.txt": "", "task1_cat.txt": ""}),
    ),
    (
        "d: files of both tasks of DOTA; expected --rows oriented for task 1 or --rows box for task 2 (rows= in "
        "Python)",
        lambda: found({"Task1_cat.txt": "", "Task2_cat.txt": ""}),
    ),
    (
        "d: class files in the folders one, two; expected the path of one of them",
        lambda: found({"one/Task1_cat.txt": "", "two/Task1_dog.txt": ""}),
    ),
    (f"d/Task1_cat.txt:1: 6 values; {RESULT}", lambda: found({"Task1_cat.txt": "a 0.5 1 1 4 4\n"})),
    (
        "d/Task2_cat.txt:1: ymax is 'inf'; expected a finite number",
        lambda: found({"Task2_cat.txt": "a 0.5 1 1 4 inf\n"}),
    ),
    # writing
    (
        "boxes: normalized boxes, and the image size is unknown; expected image sizes, for boxes in pixels",
        lambda: written("truth", relative=True),
    ),
    (
        "boxes: the class name '2 cats', which a line of text cannot hold; expected words with single spaces between",
        lambda: written("truth", classes=Classes(("2 cats",), (1,))),
    ),
    (
        "boxes: the image name 'my a.jpg'; expected names without white space, which separates values",
        lambda: written(images=Images(["my a.jpg"])),
    ),
    (
        "boxes: several images 'a' but for the extension; expected images with names of their own",
        lambda: written(images=Images(["a.jpg", "a.png"])),
    ),
    (
        "boxes: the class 'a/b'; expected names that a file can have",
        lambda: written(classes=Classes(("a/b",), (1,))),
    ),
]
