"""Arrays that do not fit together, or do not say what they are."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd

from boxscore.joining.read import Reading, read_detections, read_truth
from small_coco import TRUTH, file, truth

COLUMNS = {"image": [1, 2], "labels": [1, 1], "boxes": [[0, 0, 1, 1]] * 2, "scores": [0.5, 0.4]}
ONE = {"labels": [1], "boxes": [[0, 0, 1, 1]], "scores": [0.5]}


class OnAnotherDevice:
    """As a tensor on a graphics card answers."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise TypeError("can't convert cuda:0 device type tensor to numpy")


def columns(how: Reading | None = None, side: Any = None, **changes: Any) -> Any:
    """Detections in columns, changed; `...` deletes."""
    given = {k: v for k, v in {**(side or COLUMNS), **changes}.items() if v is not ...}
    return read_detections(given, how or Reading(box="xyxy"))


def mappings(*several: dict[str, Any], truth: list[dict[str, Any]] | None = None) -> Any:
    """Detections as a list of mappings, changed from one good one."""
    known = None if truth is None else read_truth([{**ONE, **one} for one in truth], Reading(box="xyxy"))[0]
    given = [{k: v for k, v in {**ONE, **one}.items() if v is not ...} for one in several]
    return read_detections(given, Reading(box="xyxy"), known)


def masked(values: Any, mask: Any) -> Any:
    return np.ma.masked_array(values, mask=mask)


_FILL = "expected a value in every row: leave the masked rows out, or fill them"
CASES: list[tuple[str, Callable[..., Any]]] = [
    # arrays without names
    (
        "detections[0]: an array of shape (1, 5); expected 6 columns, as detections_columns has",
        lambda: read_detections([np.zeros((1, 5))], detections_columns="x1 y1 x2 y2 score label"),
    ),
    (
        "detections_columns=5; expected names of columns, such as 'x1 y1 x2 y2 score label'",
        lambda: Reading(detections_columns=5),
    ),
    (
        "truth_columns='x1 x1' has a column twice; expected different names",
        lambda: Reading(truth_columns="x1 x1"),
    ),
    (
        "detections[0]: a value of type SimpleNamespace that is not like Results ('int' object has no attribute "
        "'cls'); expected `Detections` of supervision or `Results` of Ultralytics",
        lambda: read_detections([SimpleNamespace(boxes=1, orig_shape=(1, 1), names={})]),
    ),
    # classes by number
    (
        "classes={'a': 'cat'}; expected names by number, as {1: 'cat'}",
        lambda: Reading(classes={"a": "cat"}),
    ),
    (
        "classes=3; expected names, or the path of a file that lists them",
        lambda: Reading(classes=("cat", 3)),
    ),
    (
        "classes has the numbers 1, 3; expected the numbers from 0 on for files (coco)",
        lambda: read_truth(file("t.json", TRUTH), classes={1: "cat", 3: "dog"}),
    ),
    (
        "detections: labels[0]: 1; expected one of the numbers 2, 3, as in `classes`",
        lambda: columns(Reading(box="xyxy", classes={2: "cat", 3: "dog"})),
    ),
    # records that are left out, and then there are none
    (
        "truth: boxes[0]: [0.0, 0.0, nan, 1.0] (it is the only record); expected finite numbers",
        lambda: read_truth(
            {"boxes": [[0, 0, np.nan, 1]], "labels": [1], "image": ["a"]}, Reading(box="xyxy", skip_invalid=True)
        ),
    ),
    (
        "a.csv:2: xmax is 'x' (it is the only record); expected a finite number",
        lambda: (
            Path("a.csv").write_text("filename,width,height,class,xmin,ymin,xmax,ymax\na.jpg,10,10,cat,1,1,x,5\n"),
            read_truth("a.csv", Reading(skip_invalid=True)),
        ),
    ),
    # masked arrays, missing values
    (
        f"detections: scores: a masked array that hides 1 value; {_FILL}",
        lambda: columns(scores=masked([0.5, 0.4], [False, True])),
    ),
    (
        f"detections: boxes: a masked array that hides 8 values; {_FILL}",
        lambda: columns(boxes=masked([[0, 0, 1, 1]] * 2, True)),
    ),
    (
        f"detections[0]: boxes: a masked array that hides 2 values; {_FILL}",
        lambda: mappings({"boxes": [masked([0, 0, 1, 1], [0, 0, 1, 1])]}),
    ),
    (f"detections: scores: a masked array that hides 1 value; {_FILL}", lambda: columns(scores=[0.5, np.ma.masked])),
    (
        "detections: image[1]: nan; expected image ids: whole numbers or text",
        lambda: columns(image=pd.Series([1, None], dtype="Int64")),
    ),
    (
        "detections: scores[1]: nan; expected finite numbers",
        lambda: columns(scores=pd.Series([0.5, None], dtype="Float64")),
    ),
    (
        "truth: crowd: values that are no numbers; expected numbers",
        lambda: read_truth({**COLUMNS, "crowd": pd.array([True, None], "boolean")}, Reading(box="xyxy")),
    ),
    (
        "truth: crowd[1]: nan; expected finite numbers",
        lambda: read_truth({**COLUMNS, "crowd": [0, float("nan")]}, Reading(box="xyxy")),
    ),
    # ids as floats
    (
        "detections: image[1]: 9007199254740992.0, a float from 2^53 on, which may be its neighbour; "
        "expected ids as integers",
        lambda: columns(image=np.array([1.0, 2.0**53])),
    ),
    (
        "detections: image[0]: 16777216.0, a float from 2^24 on, which may be its neighbour; expected ids as integers",
        lambda: columns(image=np.array([2**24, 1], np.float32)),
    ),
    (
        "detections: labels[1]: 1e+300, a float from 2^53 on, which may be its neighbour; expected ids as integers",
        lambda: columns(labels=np.array([1, 1e300])),
    ),
    # arrays
    ("truth[0]: a value of type int; expected a mapping with boxes and labels", lambda: read_truth([5])),
    ("truth[0]: a value of type str; expected a mapping with boxes and labels", lambda: read_truth(["a", "b"])),
    (
        "detections: no `image` (columns: labels, boxes, scores); expected the image of each box",
        lambda: columns(image=...),
    ),
    ("detections: no `boxes` (columns: image, labels, scores); expected `boxes`", lambda: columns(boxes=...)),
    ("detections: no `labels` (columns: image, boxes, scores); expected `labels`", lambda: columns(labels=...)),
    (
        "detections: no `scores` (columns: image, labels, boxes); expected a score for each box\n  "
        "Truth comes first, then detections; were they swapped?",
        lambda: columns(scores=...),
    ),
    (
        "detections: unknown column 'scroes'; did you mean 'scores'? (known: image, images, labels, "
        "boxes, scores, area, keypoints, id, crowd, masks, quads, image_size, difficult, group_of, ignore, occluded, "
        "truncated, depiction, inside, generated, outside)",
        lambda: columns(scroes=[1, 2]),
    ),
    ("detections: `image` and `image_id` are both the image; expected one of them", lambda: columns(image_id=[1, 2])),
    (
        "detections: boxes: an array of shape (1, 3); expected shape (n, 4), or of oriented boxes (n, 5) or (n, 8)",
        lambda: columns(boxes=[[0, 0, 1]]),
    ),
    (
        "detections: boxes: an array of shape (4,); expected shape (n, 4), or of oriented boxes (n, 5) or (n, 8)",
        lambda: columns(boxes=[0, 0, 1, 1]),
    ),
    (
        "detections: boxes: cannot become an array (setting an array element with a sequence. The "
        "requested array has an inhomogeneous shape after 1 dimensions. The detected shape was (2,) + "
        "inhomogeneous part.); expected an array in main memory, or a list of numbers",
        lambda: columns(boxes=[[0, 0, 1, 1], [0, 0, 1]]),
    ),
    (
        "detections: boxes: cannot become an array (can't convert cuda:0 device type tensor to numpy); "
        "expected an array in main memory, or a list of numbers",
        lambda: columns(boxes=OnAnotherDevice()),
    ),
    ("detections: boxes: values of type <U1; expected numbers", lambda: columns(boxes=[["a", "b", "c", "d"]] * 2)),
    (
        "detections: boxes[1]: [0.0, nan, 1.0, 1.0]; expected finite numbers",
        lambda: columns(boxes=[[0, 0, 1, 1], [0, np.nan, 1, 1]]),
    ),
    ("detections: scores: 1 values; expected one per box (2)", lambda: columns(scores=[0.5])),
    (
        "detections: scores: an array of shape (2, 1); expected one value per box (2)",
        lambda: columns(scores=[[0.5], [0.4]]),
    ),
    ("detections: scores: values of type object; expected numbers", lambda: columns(scores=["high", "low"])),
    ("detections: scores: values of type bool; expected numbers", lambda: columns(scores=[True, False])),
    ("detections: scores[1]: inf; expected finite numbers", lambda: columns(scores=[0.5, np.inf])),
    ("detections: scores[1]: nan; expected finite numbers", lambda: columns(scores=np.array([0.5, None]))),
    (
        "detections: scores: values that are no numbers; expected numbers",
        lambda: columns(scores=np.array([0.5, pd.NA], object)),
    ),
    ("detections: labels[0]: 1.5; expected class ids or names", lambda: columns(labels=[1.5, 2.0])),
    ("detections: labels: values of type bool; expected class ids or names", lambda: columns(labels=[True, False])),
    ("detections: labels[1]: nan; expected class ids or names", lambda: columns(labels=pd.array([1, None], "Int64"))),
    (
        "detections: labels: text and numbers; expected class ids or names",
        lambda: columns(labels=np.array(["cat", 1], object)),
    ),
    (
        "detections: labels[1]: 18446744073709551615; expected ids below 2^63",
        lambda: columns(labels=np.array([1, 2**64 - 1], np.uint64)),
    ),
    ("detections: image: 1 values; expected one per box (2)", lambda: columns(image=[1])),
    (
        "detections: image[1]: 3 is not in `images`; expected images that are listed",
        lambda: columns(image=[1, 3], images=[1, 2]),
    ),
    ("detections: images: an image is listed twice; expected different images", lambda: columns(images=[1, 2, 1])),
    (
        "detections: the form of the boxes is not stated; expected box='xywh', box='xyxy' or box='cxcywh'",
        lambda: columns(Reading()),
    ),
    (
        "detections: relative boxes, and no image size; expected image_size=(width, height)",
        lambda: columns(Reading(box="xyxy", coords="relative")),
    ),
    (
        "detections: labels[0]: 1; expected numbers from 0 to 0, as in `classes`",
        lambda: columns(Reading(box="xyxy", classes=("cat",))),
    ),
    (
        "detections: labels[1]: unknown class 'dag'; did you mean 'dog'? (known: cat, dog)",
        lambda: columns(Reading(box="xyxy", classes=("cat", "dog")), labels=["cat", "dag"]),
    ),
    (
        "detections: h: an array of shape (2, 1); expected one value per box",
        lambda: columns(boxes=..., x=[1, 1], y=[1, 1], w=[5, 5], h=[[5], [5]]),
    ),
    (
        "detections: boxes in two forms: x, y, w, h and xmin, ymin, xmax, ymax; expected one of them",
        lambda: columns(
            boxes=..., x=[1, 1], y=[1, 1], w=[5, 5], h=[5, 5], xmin=[1, 1], ymin=[1, 1], xmax=[5, 5], ymax=[5, 5]
        ),
    ),
    (
        "detections: columns of xywh boxes, stated as xyxy; expected one or the other",
        lambda: columns(Reading(detections_box="xyxy"), boxes=..., x=[1, 1], y=[1, 1], w=[5, 5], h=[5, 5]),
    ),
    (
        "detections[1]: no `scores` (mappings 1, 2); expected `scores` in each mapping",
        lambda: mappings({}, {"scores": ...}, {"scores": ...}),
    ),
    (
        "detections: labels: text in some mappings, numbers in others; expected one of them",
        lambda: mappings({}, {"labels": ["cat"]}),
    ),
    (
        "detections[1]: boxes[1]: [0.0, 0.0, 0.0, inf]; expected finite numbers",
        lambda: mappings({}, {"boxes": [[0, 0, 1, 1], [0, 0, 0, np.inf]], "labels": [1, 1], "scores": [1, 1]}),
    ),
    (
        "detections: `images` in a mapping of one image; expected `image`, or nothing",
        lambda: mappings({"images": [1]}),
    ),
    (
        "detections: boxes in two forms; expected the same columns in each mapping",
        lambda: mappings({"boxes": ..., "x": [1], "y": [1], "w": [5], "h": [5]}, {}),
    ),
    (
        "detections[1]: no `image`, which others have; expected `image` in each mapping or in none",
        lambda: mappings({"image": 1}, {}),
    ),
    (
        "detections[2]: image: 1 again (first in detections[0]); expected a different image in each mapping",
        lambda: mappings({"image": 1}, {"image": 2}, {"image": 1}),
    ),
    ("detections[0]: image: 2 values; expected one for the whole mapping", lambda: mappings({"image": [1, 2]})),
    (
        "t.json: annotations[0]: `bbox` is [1, 1, 5, NaN] (5 such places: annotations[0], "
        "annotations[1], annotations[2] and 2 more); expected finite numbers, [x, y, width, height]",
        lambda: truth(json.dumps(TRUTH).replace("[1, 1, 5, 5]", "[1, 1, 5, NaN]")),
    ),
    (
        "detections: a list of length 1 without `image`, and a truth of 2 images; expected `image` in each mapping",
        lambda: mappings({}, truth=[{}, {}]),
    ),
    (
        "detections[0]: image: 2; expected a number from 0 to 1: the truth does not name its images",
        lambda: mappings({"image": 2}, truth=[{}, {}]),
    ),
    (
        "detections: a list of length 2 without `image`, and a truth of 2 images that is no list to be "
        "in the order of; expected `image` in each mapping",
        lambda: read_detections([ONE, ONE], Reading(box="xyxy"), truth()[0]),
    ),
]
