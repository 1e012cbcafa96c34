"""Files of Label Studio that cannot be used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import boxscore as bs
from boxscore.formats.io.writing import made
from boxscore.joining.read import Reading, read_detections, read_truth
from small_coco import file

SIZE = {"original_width": 2, "original_height": 1}
SIDES = {"x": 1, "y": 2, "width": 3, "height": 4, "rectanglelabels": ["cat"]}
BOX = {"type": "rectanglelabels", "value": SIDES, **SIZE}
PLACE = "s.json: $[0].annotations[0].result[0]"
RUNS = f"{PLACE}.value.rle: "


def content(*results: Any, times: int = 1, **more: Any) -> str:
    task = {"id": 1, "data": {"image": "a.jpg"}, "annotations": [{"result": list(results)}], **more}
    return file("s.json", [task] * times)


def read(*results: Any, **more: Any) -> Any:
    return read_truth(content(*results, **more), Reading(truth_format="label-studio"))


def found(*results: Any, **more: Any) -> Any:
    return read_detections(content(*results, **more), Reading(detections_format="label-studio"))


def brush(*values: int) -> Any:
    return read({"type": "brushlabels", "value": {"rle": list(values), "brushlabels": ["cat"]}, **SIZE})


def packed(count: int, size: int, *blocks: str) -> list[int]:
    bits = f"{count:032b}" + f"{size - 1:05b}" + f"{3:04b}" * 4 + "".join(blocks)
    return [int(bits[k : k + 8].ljust(8, "0"), 2) for k in range(0, len(bits), 8)]


def unsized() -> Any:
    table, _ = bs.read_truth({"a.jpg": {"boxes": [[1, 2, 3, 4]], "labels": ["cat"]}}, box="xyxy")
    return list(made(table, "label-studio"))


CASES: list[tuple[str, Callable[..., Any]]] = [
    (
        "s.json: $: no `predictions`; expected tasks with the predictions of a model\n"
        "  Ground truth comes first, then detections; were they swapped?",
        lambda: found(BOX),
    ),
    (
        "s.json: $[0].predictions: 2 predictions of one task; expected one\n"
        "  Export the predictions of a single model version.",
        lambda: found(predictions=[{"result": []}] * 2),
    ),
    (
        "s.json: $[0].predictions[0].result[0]: no `score`; expected a number as `score` of the region or of the "
        "prediction",
        lambda: found(predictions=[{"result": [BOX]}]),
    ),
    (
        "s.json: images in several tasks (a.jpg); expected a task of its own for every image\n"
        "  Export each of the projects by itself.",
        lambda: read(times=2),
    ),
    (
        "s.json: $[0]: no image; expected a task with the address of an image",
        lambda: read_truth(file("s.json", [{"annotator": 1}]), Reading(truth_format="label-studio")),
    ),
    (
        f"{PLACE}: an image turned by 90 degrees; expected an image as it is, `image_rotation` 0",
        lambda: read({**BOX, "image_rotation": 90}),
    ),
    (
        f"{PLACE}: a region of an image of unknown size; expected `original_width` and `original_height`",
        lambda: read({"type": "rectanglelabels", "value": SIDES}),
    ),
    (
        f"{PLACE}.value.points: 1 point; expected 3 or more",
        lambda: read({"type": "polygonlabels", "value": {"points": [[1, 2]], "polygonlabels": ["cat"]}, **SIZE}),
    ),
    (f"{RUNS}numbers that are no bytes; expected the packed runs of a brush", lambda: brush(256)),
    (f"{RUNS}runs that end too early; expected the packed runs of a brush", lambda: brush(1)),
    (f"{RUNS}1 values of 9 bits; expected the packed runs of a brush", lambda: brush(*packed(1, 9))),
    (
        f"{RUNS}runs of more than 1 values; expected the packed runs of a brush",
        lambda: brush(*packed(1, 8, "1000001", "00000000")),
    ),
    (
        f"{RUNS}1 values, and an image of 2 x 1; expected 4 for each of 2 pixels",
        lambda: brush(*packed(1, 8, "1000000", "00000000")),
    ),
    (
        f"{RUNS}a mask without pixels; expected a mask of the object",
        lambda: brush(*packed(8, 8, "1000111", "00000000")),
    ),
    (
        "truth: boxes of a.jpg, whose size is unknown; expected image sizes: Label Studio has boxes in percent\n"
        "  State image sizes with --sizes, --images or --image-size.",
        unsized,
    ),
]
