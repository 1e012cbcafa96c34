"""YOLO folders that cannot be read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from boxscore.formats.io.files import Files
from boxscore.formats.yolo.dataset import open_data_set
from boxscore.joining.read import Reading, read_detections, read_truth

NO_CONFIDENCE = (
    "expected <class> <cx> <cy> <width> <height> <confidence>\n  Ultralytics writes it with save_conf=True; is this "
    "ground truth?"
)
ROWS = (
    "expected <class> <cx> <cy> <width> <height>, a polygon of three or more points, or a pose (--rows pose, rows= in "
    "Python)"
)


def folder(files: dict[str, str]) -> str:
    for name, content in files.items():
        path = Path("y", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")
    return "y"


def truth(content: str | dict[str, str], **how: Any) -> Any:
    files = content if isinstance(content, dict) else {"a.txt": content}
    return read_truth(folder(files), Reading(truth_format="yolo", **how))


def found(content: str | dict[str, str], **how: Any) -> Any:
    files = content if isinstance(content, dict) else {"a.txt": content}
    return read_detections(folder(files), Reading(detections_format="yolo", **how))


def sheet(content: str, files: dict[str, str] | None = None, **how: Any) -> Any:
    folder({"data.yaml": content, **(files or {})})
    return read_truth("y/data.yaml", **how)


BOX = "0 .5 .5 .1 .1\n"
SPLITS = {"labels/train/a.txt": BOX, "labels/val/b.txt": BOX}
CASES: list[tuple[str, Callable[..., Any]]] = [
    # which files
    ("y: no label files (it holds a.jpg); expected a .txt file per image", lambda: truth({"a.jpg": ""})),
    (
        "y: 2 splits (train, val); expected one of them: --split NAME (split= in Python)",
        lambda: truth(SPLITS),
    ),
    (
        "y: no split 'test' (there is train, val); expected the name of one split",
        lambda: truth(SPLITS, split="test"),
    ),
    (
        "train.txt: 'a' can be one/a.txt or two/a.txt; expected images with their folders",
        lambda: truth({"train.txt": "a.jpg\n", "one/a.txt": BOX, "two/a.txt": BOX}),
    ),
    # what lies beside them
    (
        "y: two lists of classes that differ, obj.names and classes.txt; expected one, or --classes (classes= in "
        "Python)",
        lambda: truth({"a.txt": BOX, "classes.txt": "cat\n", "obj.names": "dog\n"}),
    ),
    (
        "y/data.yaml:2: invalid YAML; expected names and places of the data",
        lambda: truth({"a.txt": BOX, "data.yaml": "names: [\n"}),
    ),
    (
        "y/data.yaml: invalid YAML; expected names and places of the data",
        lambda: truth({"a.txt": BOX, "data.yaml": "[" * 5000}),
    ),
    (
        "y/data.yaml: val is {'a': 'b'}; expected a folder, a list of images, or several of them",
        lambda: truth({"a.txt": BOX, "data.yaml": "val: {a: b}\n"}),
    ),
    (
        "y/data.yaml: names has the number x; expected the numbers from 0 to 2",
        lambda: truth({"a.txt": BOX, "data.yaml": "names: {0: cat, 2: dog, x: owl}\n"}),
    ),
    (
        "y/data.yaml: names is 'cat'; expected a list of names, or a name for each number",
        lambda: truth({"a.txt": BOX, "data.yaml": "names: cat\n"}),
    ),
    (
        "y/data.yaml: nc is 3, and there are 2 names; expected a name for each class",
        lambda: truth({"a.txt": BOX, "data.yaml": "nc: 3\nnames: [cat, dog]\n"}),
    ),
    (
        "y/data.yaml: kpt_shape is ['17', '4']; expected how many keypoints, and 2 or 3 numbers for each",
        lambda: truth({"a.txt": BOX, "data.yaml": "names: [cat]\nkpt_shape: [17, 4]\n"}),
    ),
    # a data.yaml instead of the folder
    (
        "y/data.yaml: a YAML file without names, train, val or test; expected the data.yaml of a YOLO data set",
        lambda: sheet("lr: 0.1\n"),
    ),
    (
        "y/data.yaml: no train, val or test; expected the data.yaml of a data set, with the places of its images",
        lambda: sheet("names: [cat]\n"),
    ),
    (
        "y/data.yaml: no split 'test' (there is train, val); expected the name of one split",
        lambda: sheet("train: a\nval: b\n", split="test"),
    ),
    (
        "y/data.yaml: no val, and 2 splits (train, test); expected one of them: --split NAME (split= in Python)",
        lambda: sheet("train: a\ntest: b\n"),
    ),
    (
        "y/data.yaml: val is images/val, and there is no such folder; expected the folder of the images, or of their "
        "labels\n  Looked for y/images/val. Correct path or val in it.",
        lambda: sheet("val: images/val\n"),
    ),
    (
        "y/data.yaml: val is val.txt, and there is no such list of images; expected the list, with an image per line\n"
        "  Looked for y/val.txt. Correct path or val in it.",
        lambda: sheet("val: val.txt\n"),
    ),
    (
        "y/data.yaml: val is a.jpg, and there is no such image; expected the image\n  Looked for y/a.jpg. Correct path "
        "or val in it.",
        lambda: sheet("val: a.jpg\n"),
    ),
    (
        "y/data.yaml: val is y/list.txt, and none of its 1 images is there (x.jpg); expected the folder of the images, "
        "or of their labels",
        lambda: sheet("val: list.txt\n", {"list.txt": "x.jpg\n"}),
    ),
    (
        "y/data.yaml: no label files for val (y/images); expected a .txt file per image",
        lambda: sheet("val: images\n", {"images/a.jpg": ""}),
    ),
    (
        "standard input.yaml: a YAML file whose folder is unknown; expected the path of the file, beside its data",
        lambda: open_data_set(Files("standard input.yaml", ("",), None, {"": b"val: images"}), None, None),
    ),
    # lines
    (
        "y/a.txt:2: 'x' is no finite number; expected <class> <cx> <cy> <width> <height>",
        lambda: truth(BOX + "0 .5 .5 .1 x\n"),
    ),
    (
        "y/a.txt:1: 'nan' is no finite number; expected <class> <cx> <cy> <width> <height>",
        lambda: truth("0 .5 .5 .1 nan\n"),
    ),
    (
        "y/a.txt:1: '0,5' is no finite number; expected <class> <cx> <cy> <width> <height>\n  Values are separated by "
        "spaces; decimals have a point.",
        lambda: truth("0 0,5 0,5 0,1 0,1\n"),
    ),
    (
        "y/a.txt:1: class 'cat'; expected the number of a class, from 0\n  Class names are of the format text.",
        lambda: truth("cat .5 .5 .1 .1\n"),
    ),
    (
        "y/b.txt:2: class 2; expected a number below 2: y/classes.txt lists 2 classes",
        lambda: truth({"a.txt": BOX, "b.txt": "1 .5 .5 .1 .1\n2 .5 .5 .1 .1\n", "classes.txt": "cat\ndog\n"}),
    ),
    (
        "y/a.txt:1: class 1; expected a number below 1: there are 1 classes",
        lambda: truth("1 .5 .5 .1 .1\n", classes=("cat",)),
    ),
    ("y/a.txt:1: 1 number after the class; " + ROWS, lambda: truth("0 .5\n")),
    (
        "y/a.txt:1: 1 number after the class (none of the 2 records can be used); " + ROWS,
        lambda: truth("0 .5\n0 .5 .5 .5\n", skip_invalid=True),
    ),
    ("y/a.txt:1: 7 numbers after the class; " + ROWS, lambda: truth("0 .5 .5 .1 .1 .2 .2 .3\n")),
    (
        "y/a.txt:2: 5 numbers after the class; expected <class> <cx> <cy> <width> <height>\n  One number more looks "
        "like a detection with its confidence; were truth and detections swapped?",
        lambda: truth(BOX + "0 .5 .5 .1 .1 .9\n"),
    ),
    (
        "y/a.txt:1: 5 numbers after the class; expected <class> <cx> <cy> <width> <height> and keypoints of 2 or 3 "
        "numbers",
        lambda: truth("0 .5 .5 .1 .1 .2\n", rows="pose"),
    ),
    (
        "y/a.txt:1: the number 120.0; expected normalized coordinates\n  Boxes in pixels are of the format text.",
        lambda: truth("0 .5 120 60 40\n"),
    ),
    # detections
    ("y/a.txt:1: 4 numbers after the class, and no confidence; " + NO_CONFIDENCE, lambda: found(BOX)),
    (
        "y/a.txt:1: 6 numbers after the class, and no confidence; " + NO_CONFIDENCE,
        lambda: found("0 .1 .1 .2 .2 .1 .2\n"),
    ),
    (
        "y/a.txt:1: cannot tell whether the confidence is the first or the last value; expected --confidence first "
        "(darknet) or --confidence last (Ultralytics; confidence= in Python)\n  It changes the result. Seen: "
        "boxes inside the image: 1 of 1 with the first, 1 with the last; the order of rows tells nothing.",
        lambda: found("0 .5 .4 .3 .2 .1\n"),
    ),
]
