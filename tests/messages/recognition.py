"""Paths whose format nobody knows, is not read, or is not the one that was stated."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from boxscore.formats.recognise import looked_for
from boxscore.joining.read import Reading, read_detections, read_truth
from small_coco import TRUTH, file

SWAPPED = "Truth comes first, then detections; were they swapped?"


def folder(**files: Any) -> str:
    """A folder `t`; in the names of files `__` stands for a slash and `_` at the end for no extension."""
    for name, content in files.items():
        path = Path("t", name.replace("__", "/").replace("_dot_", "."))
        path.parent.mkdir(parents=True, exist_ok=True)
        file(str(path), content)
    return "t"


def unknown(name: str, found: str, side: str = "truth") -> str:
    hint = f"State it with {side}_format, or see what `boxscore formats {name}` says."
    return f"{name}: {found}; expected {looked_for(side)}\n  {hint}"


CASES: list[tuple[str, Callable[..., Any]]] = [
    # nothing fits
    (
        unknown("x.txt", "it begins with 'so it goes on and on'"),
        lambda: read_truth(file("x.txt", "\nso it goes on and on\n")),
    ),
    (unknown("x.txt", "the file is empty", "detections"), lambda: read_detections(file("x.txt", ""))),
    (unknown("x", "JSON with the keys `epoch`, `loss`"), lambda: read_truth(file("x", {"epoch": 1, "loss": 2}))),
    (unknown("x", "a binary file"), lambda: read_truth(file("x", b"\1\0\0\0abc"))),
    (unknown("t", "an empty folder"), lambda: (Path("t").mkdir(), read_truth("t"))),
    # texts beside labels that are not there
    (
        "t: no label files (data.yaml has train: images/a, val: images/b); expected a .txt file per image in the "
        "folders that it names",
        lambda: read_truth(folder(data_dot_yaml="train: images/a\nval: images/b\nnames: [cat, dog]\n")),
    ),
    (
        f"t: no annotations (it holds README.md); expected {looked_for('truth')}",
        lambda: read_truth(folder(README_dot_md="# what\n")),
    ),
    # not read
    (
        "t: this is nothing but images, which is not read\n  Give their annotations; the folder of images goes with "
        "--images.",
        lambda: read_truth(folder(a_dot_jpg=b"")),
    ),
    (
        "x.txt: this is MOTS, which is not read\n  Convert it to COCO JSON with frames as images.",
        lambda: read_truth(file("x.txt", "0 1001 1 375 1242 UdW31S;5L4\n")),
    ),
    # the other side
    (
        f"x.txt: what looks like imagenet-det (lines of 7 numbers); expected {looked_for('truth')}\n  {SWAPPED}",
        lambda: read_truth(file("x.txt", "1 1 0.5 1 2 3 4\n")),
    ),
    (
        "t: what looks like voc-results (a folder with a text file per class, comp4_det_test_cat.txt); expected "
        f"{looked_for('truth')}\n  {SWAPPED}",
        lambda: read_truth(folder(comp4_det_test_cat_dot_txt="a 0.5 1 2 3 4\n")),
    ),
    # one file of many, or many files
    (
        "x.txt: a single file of text (a class and 4 numbers on its only line); expected text (a folder with a text "
        "file per image)\n  Give the folder that holds it.",
        lambda: read_truth(file("x.txt", "\ncat 1 2 3 4\n")),
    ),
    (
        "standard input: a file, stated as yolo; expected yolo (a folder with a text file per image, boxes relative to "
        "its size)",
        lambda: read_truth("-", Reading(truth_format="yolo")),
    ),
    (
        "x.csv: a file, stated as text; expected text (a folder with a text file per image)",
        lambda: read_truth(file("x.csv", ""), Reading(truth_format="text")),
    ),
    (
        "t: a folder, stated as coco; expected COCO (a JSON file)",
        lambda: (Path("t").mkdir(), read_truth("t", Reading(truth_format="coco"))),
    ),
    (
        "t: 2 files in coco: a.json, b.json; expected one of them\n  Give the path of the one that is meant.",
        lambda: read_truth(folder(a_dot_json=TRUTH, b_dot_json=TRUTH)),
    ),
    (
        "t: 2 parts in coco: train, val; expected one of them\n  State it with split, such as --split val.",
        lambda: read_truth(folder(train__x_dot_json=TRUTH, valid__x_dot_json=TRUTH)),
    ),
    (
        "t: no part 'test' in coco; expected one of train, val",
        lambda: read_truth(folder(train__x_dot_json=TRUTH, valid__x_dot_json=TRUTH), Reading(split="test")),
    ),
    (
        "t: 2 folders of voc-xml: train, valid; expected one of them\n  State it with split, such as --split valid.",
        lambda: read_truth(folder(train__a_dot_xml="<annotation/>", valid__b_dot_xml="<annotation/>")),
    ),
    (
        "t: no part 'test'; expected one of train, valid",
        lambda: read_truth(
            folder(train__a_dot_xml="<annotation/>", valid__b_dot_xml="<annotation/>"), Reading(split="test")
        ),
    ),
    # two readings
    (
        "t: what can be read as voc-xml (its root is <annotation>, with <size>) or text (a class and 4 numbers on its "
        "only line); expected --truth-format voc-xml or --truth-format text (truth_format= in Python)",
        lambda: read_truth(folder(a_dot_xml="<annotation><size/></annotation>", a_dot_txt="cat 1 2 3 4\n")),
    ),
]
