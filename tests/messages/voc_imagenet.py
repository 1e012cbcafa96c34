"""Files of PASCAL VOC and ImageNet that cannot be used, and paths whose format nobody knows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from boxscore.formats import Reading, read_detections, read_truth
from boxscore.formats.recognise import looked_for
from small_coco import file

NUMBER = {"xmin": 1, "ymin": 2, "xmax": 3, "ymax": 4}
DET = "<image number> <class number> <score> <xmin> <ymin> <xmax> <ymax>"
TRUTH, DETECTIONS = looked_for("truth"), looked_for("detections")


def xml(content: str | bytes, **how: Any) -> Any:
    Path("t").mkdir(exist_ok=True)
    file("t/a.xml", content)
    return read_truth("t", Reading(**how))


def one(name: str = "<name>cat</name>", more: str = "", **corners: Any) -> Any:
    """A file with one object; a corner of None is not there."""
    inner = "".join(f"<{c}>{v}</{c}>" for c, v in {**NUMBER, **corners}.items() if v is not None)
    return xml(f"<annotation><object>{name}{more}<bndbox>{inner}</bndbox></object></annotation>")


def results(how: Reading | None = None, **files: str) -> Any:
    Path("d").mkdir()
    for name, content in files.items():
        file(f"d/{name}.txt", content)
    return read_detections("d", how)


def det(content: str, form: str = "imagenet-det", **how: Any) -> Any:
    """Detections in a text file; lists are given by their content."""
    file("p.txt", content)
    for name in ("image_list", "class_list"):
        if name in how:
            file(name, how[name])
            how[name] = name
    return read_detections("p.txt", Reading(detections_format=form, **how))


def listed(**lists: str) -> Any:
    for name, content in lists.items():
        file(name, content)
    return xml("<annotation/>", **{name: name for name in lists})


CASES: list[tuple[str, Callable[..., Any]]] = [
    # XML
    (
        "t/a.xml: invalid XML (mismatched tag: line 1, column 14); expected an XML file with annotations of an image",
        lambda: xml("<annotation></a>"),
    ),
    (
        "t/a.xml: invalid XML (a document type declaration is not accepted); expected an XML file with annotations of "
        "an image",
        lambda: xml('<!DOCTYPE a [<!ENTITY x "y">]><annotation>&x;</annotation>'),
    ),
    (
        "t/a.xml: invalid XML (multi-byte encodings are not supported); expected an XML file with annotations of an "
        "image",
        lambda: xml("<?xml version='1.0' encoding='gbk'?><annotation/>"),
    ),
    (
        "t/a.xml: the element <annotations>; expected an element <annotation>, as in files of PASCAL VOC",
        lambda: xml("<annotations/>"),
    ),
    ("t/a.xml: object[0] has no name; expected the name of its class", lambda: one(name="<name/>")),
    ("t/a.xml: object[0]: no ymax; expected a finite number", lambda: one(ymax=None)),
    ("t/a.xml: object[0]: ymax is 'high'; expected a finite number", lambda: one(ymax="high")),
    ("t/a.xml: object[0]: ymax is 'inf'; expected a finite number", lambda: one(ymax="inf")),
    (
        "t/a.xml: object[0]: difficult is 'very'; expected a finite number",
        lambda: one(more="<difficult>very</difficult>"),
    ),
    (
        "t: no XML files (it holds nothing); expected an XML file per image, in it or in its folder Annotations",
        lambda: (Path("t", "Annotations").mkdir(parents=True), read_truth("t", Reading(truth_format="voc-xml"))),
    ),
    (
        "t/a.xml: cannot be read (No such file or directory)",
        lambda: (Path("t").mkdir(), Path("t/a.xml").symlink_to("nowhere"), read_truth("t")),
    ),
    # lists
    (
        "t: no XML file for b, c; expected one for each of the 3 images of image_list",
        lambda: listed(image_list="a\nb\nc\n"),
    ),
    ("image_list: no images; expected the name of an image on each line", lambda: listed(image_list="\n")),
    ("image_list: the image 'a' twice; expected different images", lambda: listed(image_list="a.jpg\na.png\n")),
    ("class_list: no classes; expected the name of a class on each line", lambda: listed(class_list="")),
    ("class_list: the name 'cat' twice; expected different classes", lambda: listed(class_list="cat\ncat\n")),
    ("class_list: the number '2' twice; expected different classes", lambda: listed(class_list="2 cat\n2 dog\n")),
    # results
    (
        "d: no .txt files (it holds nothing); expected a text file per class, such as comp4_det_test_cat.txt",
        lambda: results(Reading(detections_format="voc-results")),
    ),
    (
        "d: comp3_det_val_cat.txt, comp4_det_val_cat.txt are all of class 'cat'; expected one file per class",
        lambda: results(comp3_det_val_cat="", comp4_det_val_cat=""),
    ),
    (
        "d/comp3_det_val_cat.txt:3: 5 values; expected <image> <score> <xmin> <ymin> <xmax> <ymax>",
        lambda: results(comp3_det_val_cat="a 0.5 1 2 3 4\n\na 0.5 1 2 3\n"),
    ),
    (
        "d/comp3_det_val_cat.txt:1: score is 'high'; expected a finite number",
        lambda: results(comp3_det_val_cat="a high 1 2 3 4\n"),
    ),
    # ImageNet
    (f"p.txt:2: 6 values; expected {DET}", lambda: det("1 1 0.5 1 2 3 4\n1 1 1 2 3 4\n")),
    ("p.txt:1: the image number is '1.5'; expected a whole number", lambda: det("1.5 1 0.5 1 2 3 4\n")),
    ("p.txt:1: the class number is 'cat'; expected a finite number", lambda: det("1 cat 0.5 1 2 3 4\n")),
    (
        "p.txt:2: image 3; expected a number of image_list (1 to 2)",
        lambda: det("1 1 0.5 1 2 3 4\n3 1 0.5 1 2 3 4\n", image_list="a\nb\n"),
    ),
    (
        "p.txt:1: class 0; expected a number of class_list (1 to 2)",
        lambda: det("1 0 0.5 1 2 3 4\n", class_list="a\nb\n"),
    ),
    ("p.txt:1: class 7; expected a number of classes (1 to 1)", lambda: det("1 7 0.5 1 2 3 4\n", classes=("cat",))),
    (
        "p.txt:3: 6 values; expected up to 5 groups of <class number> <xmin> <ymin> <xmax> <ymax>",
        lambda: det("1 1 2 3 4\n\n1 1 2 3 4 5\n", "imagenet-loc"),
    ),
    (
        "p.txt:1: 30 values; expected up to 5 groups of <class number> <xmin> <ymin> <xmax> <ymax>",
        lambda: det("1 1 2 3 4 " * 6, "imagenet-loc"),
    ),
    (
        "p.txt:3: ymin is 'x'; expected a finite number",
        lambda: det("1 1 2 3 4\n\n1 1 x 3 4\n", "imagenet-loc"),
    ),
    (
        "p.txt:2: image 2; expected a number of image_list (1 to 1)",
        lambda: det("1 1 2 3 4\n1 1 2 3 4\n", "imagenet-loc", image_list="a\n"),
    ),
    (
        "b.txt: 3 values; expected <image number> <class number>, or only <image number>, on each line",
        lambda: (file("b.txt", "1 2 3\n"), xml("<annotation/>", blacklist="b.txt")),
    ),
    (
        "b.txt:2: 1 value; expected <image number> <class number>, or only <image number>, on each line",
        lambda: (file("b.txt", "1 2\n3\n"), xml("<annotation/>", blacklist="b.txt")),
    ),
    (
        "b.txt: numbers of classes, and those of t have none; expected a class_list, whose numbers it uses",
        lambda: (file("b.txt", "1 1\n"), one(), read_truth("t", Reading(blacklist="b.txt"))),
    ),
    (
        "c.txt: 2 lines for 1 images; expected the class of each image on a line\n  An image_list gives their order.",
        lambda: (file("c.txt", "1\n2\n"), one(), read_truth("t", Reading(image_labels="c.txt"))),
    ),
    (
        "c.txt:1: 1 unknown class (n9); expected a class of the truth, or its number in the class_list",
        lambda: (file("c.txt", "n9\n"), one(), read_truth("t", Reading(image_labels="c.txt"))),
    ),
    # which format
    (
        f"x.txt: it begins with 'cat 1 2 3 4'; expected {TRUTH}\n  State it with truth_format.",
        lambda: (file("x.txt", "\ncat 1 2 3 4\n"), read_truth("x.txt")),
    ),
    (
        f"x.txt: the file is empty; expected {DETECTIONS}\n  State it with detections_format.",
        lambda: (file("x.txt", ""), read_detections("x.txt")),
    ),
    (
        f"x.txt: what looks like imagenet-det (lines of 7 numbers); expected {TRUTH}\n  Truth comes first, then "
        "detections; were they swapped?",
        lambda: (file("x.txt", "1 1 0.5 1 2 3 4\n"), read_truth("x.txt")),
    ),
    (
        f"t: what looks like voc-xml (a folder of XML files); expected {DETECTIONS}\n  Truth comes first, then "
        "detections; were they swapped?",
        lambda: (xml("<annotation/>"), read_detections("t")),
    ),
    (
        "x.csv: a file, stated as voc-xml; expected voc-xml (a folder of XML files)",
        lambda: (file("x.csv", ""), read_truth("x.csv", Reading(truth_format="voc-xml"))),
    ),
    (
        "t: a folder, stated as coco; expected COCO (a JSON file)",
        lambda: (Path("t").mkdir(), read_truth("t", Reading(truth_format="coco"))),
    ),
]
