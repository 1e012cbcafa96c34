"""Class lists, class maps, image sizes, and sides that cannot be joined."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import boxscore as bs
from boxscore.formats.io.class_lists import read_class_names
from boxscore.formats.io.class_maps import read_class_map
from boxscore.formats.io.size_tables import read_sizes
from boxscore.joining.align import align
from boxscore.joining.read import Reading, read_detections, read_truth
from small_coco import RESULTS, TRUTH, file

MAP = "`detections name = truth name` on each line, from,to as CSV, or a JSON object"
LINES = "`detections name = truth name` on each line"
SIZES = 'a table of image sizes: {"name": [width, height], …}, a list of images as of COCO, or name,width,height'
HOW = "--images FOLDER, --sizes FILE or --image-size WIDTH,HEIGHT (images=, sizes=, image_size= in Python)"
NAMED = {
    "images": [{"id": 1, "file_name": "a.jpg"}],
    "categories": [{"id": 1, "name": "dog"}],
    "annotations": RESULTS,
}


def names(content: str) -> Any:
    return read_class_names(file("names", content))


def a_map(content: str) -> Any:
    return read_class_map(file("map", content))


def sizes(content: Any, split: str | None = None) -> Any:
    return read_sizes(file("sizes", content), split)


def table() -> Any:
    return read_truth(file("t.json", TRUTH))[0]


def found(content: Any = RESULTS, **how: Any) -> Any:
    return read_detections(file("r.json", content), Reading(**how), table())[0]


def relative(side: Any) -> Any:
    return replace(side, relative=True)


def strangers() -> Any:
    columns = {"image": [1, 1], "labels": ["Cat", "tv"], "boxes": [[0, 0, 1, 1]] * 2, "scores": [1, 1]}
    return replace(read_detections(columns, Reading(box="xyxy"))[0], source="r.json")


def with_map(content: str, results: Any = NAMED) -> Any:
    return found(results, map_classes=file("map", content))


CASES: list[tuple[str, Callable[..., Any]]] = [
    # class lists
    ("names: no class names; expected a class name on each line", lambda: names("\n\n")),
    ("names: no class names; expected a class name on each line", lambda: bs.evaluate(1, 2, classes=file("names", ""))),
    ("nosuch: no such file", lambda: Reading(detections_classes="nosuch")),
    ("names:2: an empty line; expected a class name on each line", lambda: names("cat\n\ndog")),
    ("names:3: 'cat' stands on line 1 already; expected each class once", lambda: names("cat\ndog\ncat\n")),
    (
        "names:1: invalid YAML (expected ',' or ']', but got '<stream end>'); expected `names` as a list or by number",
        lambda: names("names: [a\n"),
    ),
    (
        "names: invalid YAML (odd characters); expected `names` as a list or by number",
        lambda: names("names: [a, \x07]"),
    ),
    ("names: `names` without class names; expected `names` as a list or by number", lambda: names("names: []")),
    ("names: `names` without class names; expected `names` as a list or by number", lambda: names("names: cat")),
    ("names: `names` without class names; expected `names` as a list or by number", lambda: names("names: [a, [b]]")),
    ("names: names has the number '2'; expected the numbers 0 to 1", lambda: names("names:\n  0: a\n  2: b\n")),
    ("names: names has 'a' twice; expected each class once", lambda: names("nc: 2\nnames: ['a', 'a']")),
    # class maps
    (f"map: no classes; expected {MAP}", lambda: a_map("# nothing\n\n")),
    (f"map: no classes; expected {MAP}", lambda: a_map("{}")),
    (f"map:2: 'b'; expected {MAP}", lambda: a_map("a = x\nb\n")),
    (f"map:1: 'a = b = c'; expected {MAP}", lambda: a_map("a = b = c")),
    (f"map:1: 'a ='; expected {MAP}", lambda: a_map("a =")),
    (
        "map:3: 'a' stands on line 1 already; expected each class of the detections once",
        lambda: a_map("a = x\nb = x\na = y"),
    ),
    ("map: 'a' twice; expected each name once", lambda: a_map('{"a": "x", "a": "y"}')),
    ("map: 'a' is 5; expected the name of a class of the truth", lambda: a_map('{"a": 5}')),
    ("map: a list; expected a JSON object of names", lambda: a_map('["a"]')),
    (f"map:2:1: invalid JSON (Expecting value); expected {MAP}", lambda: a_map('{"a": \n')),
    (f"map: JSON nested too deeply; expected {MAP}", lambda: a_map("[" * 100_000)),
    (f"map: a number with thousands of digits; expected {MAP}", lambda: a_map('{"a": ' + "1" * 5000 + "}")),
    (
        f"map: none of its 1 classes is among the detections' (dog); expected {LINES}",
        lambda: with_map("owl = cat"),
    ),
    (
        f"map: none of its 1 classes is among the detections' (dog); expected {LINES}"
        "\n  Its second names are those of the detections; is it the other way round?",
        lambda: with_map("cat = dog"),
    ),
    (
        "r.json: category_id 1; expected numbers from 0 to 0, as the list of classes for the detections has",
        lambda: found(detections_classes=("cat",)),
    ),
    # image sizes
    (f"sizes: no image sizes; expected {SIZES}", lambda: sizes("\n")),
    ("sizes:1: the columns name, width, depth; expected name, width and height", lambda: sizes("name,width,depth\n")),
    ("sizes:2: 2 values; expected name,width,height", lambda: sizes("a.jpg,3,4\nb.jpg,3")),
    (
        "sizes:1: the size '3' x '-4'; expected width and height in pixels, both above 0",
        lambda: sizes("a.jpg,3,-4"),
    ),
    (
        "sizes:2: the size '3' x '1_0'; expected width and height in pixels, both above 0",
        lambda: sizes("file_name;width;height\na.jpg;3;1_0"),
    ),
    (
        "sizes: a.jpg: the size True x inf; expected width and height in pixels, both above 0",
        lambda: sizes('{"a.jpg": [true, Infinity]}'),
    ),
    ("sizes: val/a.jpg: [1, 2, 3]; expected [width, height]", lambda: sizes({"val": {"a.jpg": [1, 2, 3]}})),
    ("sizes:2: another size for 'a' than before; expected each image once", lambda: sizes("a,3,4\na,4,3")),
    (f"sizes: [1]: no file_name; expected {SIZES}", lambda: sizes([{"file_name": "a", "width": 1, "height": 2}, 5])),
    (
        "sizes: no sizes for the split 'train'; expected one of val, test",
        lambda: sizes({"val": {"a": [1, 2]}, "test": {}}, "train"),
    ),
    (
        "t.json: a file; expected a folder or an archive of image files",
        lambda: read_truth(file("t.json", TRUTH), Reading(images="t.json")),
    ),
    (
        "here: no images (it holds a.txt); expected a folder or an archive of image files",
        lambda: (Path("here").mkdir(), file("here/a.txt", ""), read_truth(table(), Reading(images="here"))),
    ),
    # shares of images and pixels
    (
        f"t.json: boxes in normalized coordinates, but the size of one image is unknown (a.jpg); expected {HOW}\n"
        "  The detections are in pixels.",
        lambda: bs.evaluate(relative(table()), found()),
    ),
    (
        f"r.json: boxes in normalized coordinates, but the size of one image is unknown (a.jpg); expected {HOW}\n"
        "  The ground truth is in pixels.",
        lambda: bs.evaluate(table(), relative(found())),
    ),
    (
        f"t.json: boxes in normalized coordinates, but the size of one image is unknown (a.jpg); expected {HOW}",
        lambda: read_truth(relative(table()), Reading(sizes=file("sizes", "b.jpg,3,4"))),
    ),
    (
        "r.json: boxes in normalized coordinates; expected boxes in pixels, like the ground truth",
        lambda: align(table(), relative(found())),
    ),
    (
        "r.json: boxes in pixels; expected boxes in normalized coordinates, like the ground truth",
        lambda: align(relative(table()), found()),
    ),
    # nothing in common
    (
        "r.json: none of its 2 classes is in the ground truth (classes here: Cat, tv); expected classes of the "
        "ground truth: cat\n"
        "  Some may mean the same; if they do, write these lines into a file for --map-classes:\n    Cat = cat",
        lambda: bs.evaluate(table(), strangers()),
    ),
]
