"""Files of KITTI that cannot be used."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import boxscore as bs
from boxscore.formats.io.writing import made
from boxscore.joining.read import Reading, read_detections, read_truth
from small_coco import file

SPACE = "-1 -1 -1 -1000 -1000 -1000 -10"
CAR = f"Car 0 0 0 1 2 3 4 {SPACE}"
EXPECTED = "expected [frame track] type truncated occluded alpha left top right bottom, 7 numbers of a place, [score]"


def read(*lines: str, **more: Any) -> Any:
    return read_truth(file("a.txt", "\n".join(lines)), Reading(truth_format="kitti", **more))


def folder(**files: str) -> Any:
    Path("t").mkdir()
    for name, text in files.items():
        file(f"t/{name.replace('_dot_', '.')}", text)
    return read_truth("t", Reading(truth_format="kitti"))


def written(*names: str, label: str = "cat") -> Any:
    one = {"boxes": [[1, 2, 3, 4]], "labels": [label]}
    table, _ = bs.read_truth(dict.fromkeys(names, one), box="xyxy")
    return list(made(table, "kitti"))


CASES: list[tuple[str, Callable[..., Any]]] = [
    (f"a.txt:2: 5 values; {EXPECTED}", lambda: read(CAR, "Car 1 2 3 4")),
    (
        "a.txt:1: a value that is not finite; expected finite numbers",
        lambda: read(f"Car 0 0 0 1 2 inf 4 {SPACE}"),
    ),
    ("a.txt:1: the frame -1; expected a frame number from 0", lambda: read(f"-1 1 {CAR}")),
    ("a.txt:1: the track 0.5; expected a whole number", lambda: read(f"0 0.5 {CAR}")),
    (
        "a.txt:2: track 1 again in frame 0; expected one box of a track in a frame",
        lambda: read(f"0 1 {CAR}", f"0 1 {CAR}"),
    ),
    ("a.txt:2: lines with a frame and lines without one; expected lines of one kind", lambda: read(CAR, f"0 1 {CAR}")),
    (
        "t: files of images and files of sequences; expected files of one kind",
        lambda: folder(a_dot_txt=CAR, b_dot_txt=f"0 1 {CAR}"),
    ),
    (
        "a.txt:2: class 'Car'; expected one of the 1 listed classes",
        lambda: read(f"Van 0 0 0 1 2 3 4 {SPACE}", CAR, classes=("Van",)),
    ),
    (
        "a.txt:1: no score; expected a score as the last number\n"
        "  Ground truth comes first, then detections; were they swapped?",
        lambda: read_detections(file("a.txt", CAR), Reading(detections_format="kitti")),
    ),
    ("t: no .txt files (it holds a.csv); expected a text file per image or sequence", lambda: folder(a_dot_csv="x")),
    (
        "truth: several images named 'a'; expected names without extensions that differ",
        lambda: written("a.jpg", "a.png"),
    ),
    (
        "truth: the image name '.a', whose file would be hidden; expected names that do not begin with a point, nor "
        "their folders",
        lambda: written(".a.jpg"),
    ),
    (
        "truth: the class 'cat 5', which would not be read again; expected names without numbers and double spaces",
        lambda: written("a.jpg", label="cat 5"),
    ),
]
