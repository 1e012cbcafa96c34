"""Files of PASCAL VOC and ImageNet that cannot be used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from boxscore.formats.io.writing import Writing, made
from boxscore.joining.read import Reading, read_detections, read_truth
from boxscore.tables.model import Classes, Detections, Images
from small_coco import file

ORIENTED = "<cx>1</cx><cy>1</cy><w>1</w><h>?</h><angle>0</angle>"

NUMBER = {"xmin": 1, "ymin": 2, "xmax": 3, "ymax": 4}
DET = "<image number> <class number> <score> <xmin> <ymin> <xmax> <ymax>"


def xml(content: str | bytes, **how: Any) -> Any:
    Path("t").mkdir(exist_ok=True)
    file("t/a.xml", content)
    return read_truth("t", Reading(**how))


def one(name: str = "<name>cat</name>", more: str = "", **corners: Any) -> Any:
    """A file with one object; a corner of None is not there."""
    inner = "".join(f"<{c}>{v}</{c}>" for c, v in {**NUMBER, **corners}.items() if v is not None)
    return xml(f"<annotation><object>{name}{more}<bndbox>{inner}</bndbox></object></annotation>")


def of_classes(classes: tuple[str, ...]) -> Any:
    """A file with a cat, read with a list of classes."""
    corners = "".join(f"<{c}>{v}</{c}>" for c, v in NUMBER.items())
    content = f"<annotation><object><name>cat</name><bndbox>{corners}</bndbox></object></annotation>"
    return xml(content, classes=classes)


def shape(inner: str) -> Any:
    """A file with one object that has no box."""
    return xml(f"<annotation><object><name>cat</name>{inner}</object></annotation>")


def deep(levels: int) -> Any:
    """An object that says something within many elements."""
    corners = "".join(f"<{c}>{v}</{c}>" for c, v in NUMBER.items())
    inner = "<x>" * levels + "1" + "</x>" * levels
    return xml(
        f"<annotation><object><name>cat</name>{inner}<bndbox>{corners}</bndbox></object></annotation>", shapes=True
    )


def twice() -> Any:
    xml("<annotation/>")
    file("t/a.XML", "<annotation/>")
    return read_truth("t")


def split(**files: str) -> Any:
    for name, content in files.items():
        Path("t", name).parent.mkdir(parents=True, exist_ok=True)
        file(f"t/{name}", content)
    return read_truth("t", Reading(truth_format="voc-xml", split="val"))


def found(**changes: Any) -> Detections:
    """A table with one detection."""
    columns = (np.zeros(1, np.int32), np.zeros(1, np.int32), np.array([[0.0, 0, 2, 2]]), np.full(1, 4.0), np.arange(1))
    table = Detections(Images(["a.jpg"]), Classes(("cat",), (1,)), *columns, "boxes", score=np.full(1, 0.5))
    return replace(table, **changes)


def written(form: str, **changes: Any) -> Any:
    return list(made(found(**changes), form))


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
    (
        "t/a.xml: class 'cat'; expected one of the 2 listed classes\n"
        "  To leave out what is not in the list, state it as class_list (--class-list).",
        lambda: of_classes(("dog", "owl")),
    ),
    (
        "t/a.xml: object[0]: XML nested too deeply; expected an object of PASCAL VOC",
        lambda: deep(3000),
    ),
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
        "t/a.xml: the element <html>; expected an element <annotation>, as in files of PASCAL VOC",
        lambda: xml("<html/>", truth_format="voc-xml"),
    ),
    (
        "t/a.xml: the element <annotations>; expected an element <annotation>, as in files of PASCAL VOC\n  The "
        "annotations of CVAT begin so: if they are, state the format cvat.",
        lambda: xml("<annotations/>", truth_format="voc-xml"),
    ),
    (
        "t/a.xml: an annotation of LabelMe's web page, with imagesize/nrows; expected an element <annotation>, as in "
        "files of PASCAL VOC, with size",
        lambda: xml("<annotation><imagesize><nrows>9</nrows></imagesize></annotation>", truth_format="voc-xml"),
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
        "t/a.xml: object[0]: trackid is '1.5'; expected a whole number",
        lambda: one(more="<trackid>1.5</trackid>"),
    ),
    ("t/a.xml: object[0]: h is '?'; expected a finite number", lambda: shape(f"<robndbox>{ORIENTED}</robndbox>")),
    (
        "t/a.xml: object[0]: h is -2; expected a side above 0 in robndbox",
        lambda: shape(f"<robndbox>{ORIENTED.replace('?', '-2')}</robndbox>"),
    ),
    (
        "t/a.xml: object[0]: angle is 45; expected radians, at most a full turn\n  Degrees become radians when they "
        "are multiplied by pi / 180.",
        lambda: shape(f"<robndbox>{ORIENTED.replace('?', '2').replace('>0<', '>45<')}</robndbox>"),
    ),
    (
        "t/a.xml: object[0]: a polygon of x1, x2; expected x1, y1, x2, y2, …",
        lambda: shape("<polygon><x1>1</x1><x2>1</x2></polygon>"),
    ),
    (
        "t/a.xml: object[0] has no score; expected a <score> or <confidence> in every object\n  Truth comes first, "
        "then detections; were they swapped?",
        lambda: (one(), read_detections("t")),
    ),
    (
        "t/a.xml: object[0]: score is 'high'; expected a finite number",
        lambda: (one(more="<score>high</score>"), read_detections("t")),
    ),
    ("t: a.XML and a.xml are both of image 'a'; expected one XML file per image", twice),
    (
        "t: no XML files (it holds nothing); expected an XML file per image, in it or in its folder Annotations",
        lambda: (Path("t", "Annotations").mkdir(parents=True), read_truth("t", Reading(truth_format="voc-xml"))),
    ),
    (
        "t/a.xml: cannot be read (No such file or directory)",
        lambda: (Path("t").mkdir(), Path("t/a.xml").symlink_to("nowhere"), read_truth("t")),
    ),
    # lists and splits
    (
        "t: no split 'val'; expected one of test, train",
        lambda: split(**{"ImageSets/Main/train.txt": "a", "test/b.xml": "<annotation/>"}),
    ),
    (
        "t: no XML file for b; expected one for each of the 1 images of t/ImageSets/Main/val.txt",
        lambda: split(**{"ImageSets/Main/val.txt": "b", "Annotations/a.xml": "<annotation/>"}),
    ),
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
    (
        "d: class files in the folders VOC2007, VOC2012; expected the path of one of them",
        lambda: (
            Path("d/VOC2007").mkdir(parents=True),
            Path("d/VOC2012").mkdir(),
            file("d/VOC2007/comp3_det_val_cat.txt", ""),
            file("d/VOC2012/comp3_det_val_cat.txt", ""),
            read_detections("d", Reading(detections_format="voc-results")),
        ),
    ),
    # writing
    (
        "boxes: normalized boxes, and the image size is unknown; expected image sizes, for boxes in pixels",
        lambda: written("voc-xml", relative=True),
    ),
    (
        "boxes: the class 'a  b', which XML would change; expected a name with single spaces, and none around it",
        lambda: written("voc-xml", classes=Classes(("a  b",), (1,))),
    ),
    (
        "boxes: the image name '../a.jpg'; expected names of files that are not hidden and not in a folder Annotations",
        lambda: written("voc-xml", images=Images(["../a.jpg"])),
    ),
    (
        "boxes: the images 'a.jpg' and 'a.png', which differ in the extension only; expected images whose files have "
        "names of their own",
        lambda: written("voc-xml", images=Images(["a.jpg", "a.png"])),
    ),
    (
        "boxes: the character '\\x01' at image 'a.jpg'; expected characters that XML has",
        lambda: written("voc-xml", classes=Classes(("a\x01b",), (1,))),
    ),
    (
        "boxes: normalized boxes, and the image size is unknown; expected image sizes, for boxes in pixels",
        lambda: written("voc-results", relative=True),
    ),
    (
        "boxes: the split 'test_dev'; expected a name without underscores, which separate it from the class",
        lambda: list(made(found(), "voc-results", Writing(split="test_dev"))),
    ),
    (
        "boxes: the image name 'my a.jpg'; expected names without white space, which separates values",
        lambda: written("voc-results", images=Images(["my a.jpg"])),
    ),
    (
        "boxes: several images 'a' but for the extension; expected images with names of their own",
        lambda: written("voc-results", images=Images(["a.jpg", "a.png"])),
    ),
    (
        "boxes: the class 'a/b'; expected names that a file can have",
        lambda: written("voc-results", classes=Classes(("a/b",), (1,))),
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
]
