"""Files of LabelMe that cannot be used, and any file whose JSON is broken."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any

from boxscore.formats.io.base64_image import png_of
from boxscore.joining.read import Reading, read_detections, read_truth
from small_coco import file

FORM = "a JSON file of LabelMe, with `shapes` and `imagePath`"
SHAPE = {"label": "cat", "points": [[1, 2], [3, 4]], "shape_type": "rectangle"}
KNOWN = "rectangle, polygon, circle, mask, oriented_rectangle, rotation, quadrilateral, line, linestrip, point, points"
PNG = b"\x89PNG\r\n\x1a\n"


def content(*shapes: Any, **more: Any) -> Any:
    """Shapes that change the usual one; None for a key takes it away."""
    made = [{k: v for k, v in {**SHAPE, **s}.items() if v != "gone"} if isinstance(s, dict) else s for s in shapes]
    return {"shapes": made, "imagePath": "a.jpg", "imageWidth": 50, "imageHeight": 40, **more}


def read(what: Any, name: str = "a.json", **how: Any) -> Any:
    return read_truth(file(name, what), Reading(truth_format="labelme", **how))


def shapes(*some: Any, **how: Any) -> Any:
    return read(content(*some), **how)


def mask(text: str, points: Any = ((0, 0), (5, 5)), size: Any = 50, **how: Any) -> Any:
    return read(content({"shape_type": "mask", "points": points, "mask": text}, imageWidth=size), **how)


def scored(*some: Any) -> Any:
    return read_detections(file("a.json", content(*some)), Reading(detections_format="labelme"))


def twice() -> Any:
    Path("t").mkdir()
    file("t/a.json", content())
    file("t/b.json", content())
    return read_truth("t", Reading(truth_format="labelme"))


def empty() -> Any:
    Path("t").mkdir()
    file("t/a.txt", "x")
    return read_truth("t", Reading(truth_format="labelme"))


def ones(n: int) -> str:
    import numpy as np

    return png_of(np.ones((n, n), np.bool_))


CASES: list[tuple[str, Callable[..., Any]]] = [
    # JSON
    (f"a.json: byte 1 is not UTF-8; expected {FORM}", lambda: read(b'"\xff"')),
    (f"a.json:1:1: no valid JSON (Expecting value); expected {FORM}", lambda: read("")),
    (f"a.json:1:2: the JSON ends too early, as in a truncated file; expected {FORM}", lambda: read("[")),
    (f"a.json:2:1: no valid JSON (Expecting value); expected {FORM}", lambda: read("[1,\n<]")),
    (f"a.json: JSON nested too deeply; expected {FORM}", lambda: read("[" * 100_000)),
    (f"a.json: a number with thousands of digits; expected {FORM}", lambda: read("1" * 10_000)),
    ("a.json: $: [1, 2]; expected an object", lambda: read([1, 2])),
    ("a.json: $: a list of 9; expected an object", lambda: read([1] * 9)),
    (
        'a.json: $: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...; expected an object',
        lambda: read('"' + "a" * 90 + '"'),
    ),
    # What LabelMe has
    (
        "a.json: $: no `shapes` (its keys: images); expected an object with `shapes`",
        lambda: read({"images": []}),
    ),
    ("a.json: $: no `shapes` (its keys: none); expected an object with `shapes`", lambda: read({})),
    ("a.json: $.shapes: 5; expected a list", lambda: read({"shapes": 5})),
    (
        "a.json: $.imagePath: null; expected a value",
        lambda: read({"shapes": [], "imagePath": None}),
    ),
    ('a.json: $.imagePath: " "; expected text', lambda: read(content(imagePath=" "))),
    ('a.json: $.imageWidth: "5"; expected a number', lambda: read(content(imageWidth="5"))),
    ('a.json: $.imageData: "no"; expected an image in base64', lambda: read(content(imageData="no", imageWidth=0))),
    ("t: no JSON files (it holds a.txt); expected a JSON file of LabelMe per image", empty),
    (
        "t/b.json: the image 'a.jpg', which t/a.json has too; expected an image of its own in every file (`imagePath`)",
        twice,
    ),
    # Shapes
    ("a.json: $.shapes[1]: 5; expected an object", lambda: shapes({}, 5)),
    (
        "a.json: $.shapes[0]: no `label` (its keys: points, shape_type); expected an object with `label`",
        lambda: shapes({"label": "gone"}),
    ),
    ("a.json: $.shapes[0].label: 5; expected text", lambda: shapes({"label": 5})),
    ("a.json: $.shapes[0].shape_type: 5; expected text", lambda: shapes({"shape_type": 5})),
    (f"a.json: $.shapes[0]: the shape 'cuboid'; expected one of {KNOWN}", lambda: shapes({"shape_type": "cuboid"})),
    ("a.json: $.shapes[0].points: 3 points of a rectangle; expected 2 or 4", lambda: shapes({"points": [[1, 2]] * 3})),
    (
        "a.json: $.shapes[0].points: 1 point of a polygon; expected 3 or more",
        lambda: shapes({"points": [[1, 2]], "shape_type": "polygon"}),
    ),
    ("a.json: $.shapes[0].points[1]: [1]; expected [x, y]", lambda: shapes({"points": [[1, 2], [1]]})),
    ("a.json: $.shapes[0].points[1][0]: null; expected a number", lambda: shapes({"points": [[1, 2], [None, 3]]})),
    ("a.json: $.shapes[0].points[0][1]: true; expected a number", lambda: shapes({"points": [[1, True], [1, 3]]})),
    (
        "a.json: $.shapes[0].points[0][0]: NaN; expected a finite number",
        lambda: shapes({"points": [[float("nan"), 1], [1, 3]]}),
    ),
    (
        "a.json: $.shapes[0].points[0][0]: 1000000000000000000000000000000000000...; expected a finite number",
        lambda: shapes({"points": [[10**400, 1], [1, 3]]}),
    ),
    ("a.json: $.shapes[0].group_id: 0.5; expected a whole number", lambda: shapes({"group_id": 0.5})),
    (
        "a.json: $.shapes[0].group_id: 9223372036854775808; expected a number below 2^63",
        lambda: shapes({"group_id": 2**63}),
    ),
    ('a.json: $.shapes[0].flags.wet: "no"; expected true or false', lambda: shapes({"flags": {"wet": "no"}})),
    ("a.json: $.shapes[0].difficult: 2; expected true or false", lambda: shapes({"difficult": 2})),
    # Masks
    (
        "a.json: $.shapes[0]: no `mask` (its keys: label, points, shape_type); expected an object with `mask`",
        lambda: shapes({"shape_type": "mask"}),
    ),
    ('a.json: $.shapes[0].mask: "?"; expected an image in base64', lambda: mask("?")),
    (
        'a.json: $.shapes[0].mask: "AAAA", which is no PNG image of a usual size; expected a mask as PNG in base64',
        lambda: mask("AAAA"),
    ),
    (
        "a.json: $.shapes[0].mask: a PNG image that cannot be read; expected a mask as PNG in base64",
        lambda: mask(base64.b64encode(PNG + bytes(8)).decode()),
    ),
    (
        "a.json: $.shapes[0].mask: a mask without pixels; expected a mask of the object",
        lambda: mask(ones(3), points=((-9, 0), (5, 5))),
    ),
    (
        "a.json: $.shapes[0].mask: a mask at [0.0, 0.0, 1e+30, 5.0]; expected a place inside of the image",
        lambda: mask(ones(3), points=((0, 0), (1e30, 5))),
    ),
    (
        "a.json: $.shapes[0].mask: a mask in an image of 1000000000 by 40 pixels; expected a smaller image",
        lambda: mask(ones(3), size=1e9, shapes=True),
    ),
    # Detections
    (
        "a.json: $.shapes[0]: no `score`; expected a number as `score` in every shape\n"
        "  Files of LabelMe are truth; were the two sides swapped?",
        lambda: scored({}),
    ),
    ('a.json: $.shapes[0].score: "1"; expected a number', lambda: scored({"score": "1"})),
    (
        "a.json: $.shapes[1]: the scores 0.5 and 0.25 in one group; expected the same score in all shapes of an object",
        lambda: scored({"score": 0.5, "group_id": 1}, {"score": 0.25, "group_id": 1}),
    ),
]
