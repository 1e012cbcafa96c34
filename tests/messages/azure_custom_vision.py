"""Files of Azure Custom Vision that cannot be used."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from boxscore.joining.read import Reading, read_detections, read_truth
from small_coco import file

NAME = "azure-custom-vision"
IMAGE = {"id": "a", "regions": []}
SWAPPED = "\n  Ground truth comes first, then detections; were they swapped?"


def truth(content: Any) -> Any:
    return read_truth(file("c.json", content), Reading(truth_format=NAME))


def found(content: Any) -> Any:
    return read_detections(file("c.json", content), Reading(detections_format=NAME))


def empty() -> Any:
    Path("t").mkdir()
    file("t/a.txt", "x")
    return read_truth("t", Reading(truth_format=NAME))


CASES: list[tuple[str, Callable[..., Any]]] = [
    ("t: no JSON files (it holds a.txt); expected images of Azure Custom Vision, each with `regions`", empty),
    ("c.json: $[1]: the image 'a', which c.json has too; expected each image once", lambda: truth([IMAGE, IMAGE])),
    (
        "c.json: $: no list of images; expected images of Azure Custom Vision, each with `regions`, as a list or under "
        "`images`" + SWAPPED,
        lambda: truth({"predictions": []}),
    ),
    (
        "c.json: $[0]: `regions`, as of ground truth; expected `predictions` of Azure Custom Vision" + SWAPPED,
        lambda: found([IMAGE]),
    ),
]
