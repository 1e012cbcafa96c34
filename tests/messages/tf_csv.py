"""CSV files with a box a row that cannot be used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from boxscore.formats.io.writing import made
from boxscore.joining.read import Reading, read_detections, read_truth
from small_coco import TRUTH, file

HEAD = "filename,class,xmin,ymin,xmax,ymax"
COLUMNS = HEAD.replace(",", ", ")
FOUR = "filename,class,bbox"
ROW = "a class and four numbers, or neither for an image without objects"


def truth(content: str | bytes, **how: Any) -> Any:
    file("t.csv", content)
    return read_truth("t.csv", Reading(truth_format="tf-csv", **how))


def found(content: str | bytes, **how: Any) -> Any:
    file("p.csv", content)
    return read_detections("p.csv", Reading(detections_format="tf-csv", **how))


def relative() -> Any:
    file("t.json", TRUTH)
    return replace(read_truth("t.json")[0], relative=True)


CASES: list[tuple[str, Callable[..., Any]]] = [
    (
        "t.csv:1: the columns a, b; expected a header with filename, class, xmin, ymin, xmax, ymax, or rows "
        "path,x1,y1,x2,y2,class",
        lambda: truth("a,b\n1,2\n"),
    ),
    (
        "t.csv:1: the columns a, b, c, d, e, f; expected a header with filename, class, xmin, ymin, xmax, ymax, or "
        "rows path,x1,y1,x2,y2,class",
        lambda: truth("a,b,c,d,e,f\n"),
    ),
    (
        f"p.csv:1: no column of scores (columns: {COLUMNS}); expected a column confidence or score",
        lambda: found(f"{HEAD}\na,b,1,2,3,4\n"),
    ),
    ("p.csv:3: no score; expected a number", lambda: found(f"{HEAD},score\na,,,,,,\na,b,1,2,3,4,\n")),
    ("t.csv:2: no name of an image; expected a name", lambda: truth(f"{HEAD}\n,b,1,2,3,4\n")),
    (f"t.csv:3: no class; expected {ROW}", lambda: truth(f"{HEAD}\na,b,1,2,3,4\na,,1,2,3,4\n")),
    (f"t.csv:2: a class without a box; expected {ROW}", lambda: truth(f"{HEAD}\na,b,,,,\n")),
    (f"t.csv:2: a box without four numbers; expected {ROW}", lambda: truth(f"{HEAD}\na,b,1,,3,4\n")),
    ("t.csv:2: ymin is 'top'; expected a finite number", lambda: truth(f"{HEAD}\na,b,1,top,3,4\n")),
    ("t.csv:3: xmax is 'inf'; expected a finite number", lambda: truth(f"{HEAD}\na,,,,,\na,b,1,2,inf,4\n")),
    ("t.csv:2: 5 values; expected as many values as columns (6)", lambda: truth(f"{HEAD}\na,b,1,2,3\n")),
    ("t.csv:3: the box '[1, 2, 3]'; expected four numbers", lambda: truth(f'{FOUR}\na,,\na,b,"[1, 2, 3]"\n')),
    (
        "t.csv:2: a number of the box is 'x'; expected a finite number",
        lambda: truth(f'{FOUR}\na,b,"[1, 2, 3, x]"\n'),
    ),
    (
        "t.csv:2: four numbers that can be x y width height or x y right bottom; expected --box xywh or --box xyxy "
        "(box= in Python)\n  The numbers alone do not tell which, and it changes the result.",
        lambda: truth(f'{FOUR}\na,b,"[1, 2, 3, 4]"\n'),
    ),
    (
        "t.csv:3: x, y, width, height that leave the image in 1 of 2 rows; expected --box cxcywh if x and y are the "
        "centre, else --box xywh (box= in Python)",
        lambda: truth("image,label,x,y,width,height\na,b,0.5,0.5,0.1,0.1\na,b,0.75,0.75,0.5,0.5\n"),
    ),
    (
        "t.csv: no rows of the set 'val' (sets: TRAIN, TEST); expected one of these sets as split",
        lambda: truth("TRAIN,a,b,0,0,,,1,1,,\nTEST,a,b,0,0,,,1,1,,\n", split="val"),
    ),
    (
        "t.csv:2: class 'b'; expected one of the 1 listed classes, or a number below 1",
        lambda: truth(f"{HEAD}\na,b,1,2,3,4\n", classes=("cat",)),
    ),
    # writing
    (
        "t.json: normalized boxes, and the image size is unknown; expected image sizes, for boxes in pixels",
        lambda: list(made(relative(), "tf-csv")),
    ),
]
