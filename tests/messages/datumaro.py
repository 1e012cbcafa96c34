"""Files of Datumaro that cannot be used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from boxscore.joining.read import Reading, read_detections, read_truth
from small_coco import file

BOX = {"type": "bbox", "label_id": 0, "bbox": [1, 2, 3, 4]}
PLACE = "d.json: $.items[0].annotations[0]"


def content(*annotations: Any, labels: Any = ("cat",), items: int = 1, **item: Any) -> str:
    one = {"id": "a", "annotations": list(annotations), **item}
    categories = {"label": {"labels": [{"name": name} for name in labels]}}
    return file("d.json", {"categories": categories, "items": [one] * items})


def read(*annotations: Any, **more: Any) -> Any:
    return read_truth(content(*annotations, **more), Reading(truth_format="datumaro"))


def mask(size: Any, counts: str) -> Any:
    return read({"type": "mask", "label_id": 0, "rle": {"size": size, "counts": counts}})


CASES: list[tuple[str, Callable[..., Any]]] = [
    (
        "d.json: $.items[1]: the image 'a' again; expected each image once, with all of its annotations",
        lambda: read(items=2),
    ),
    (
        "d.json: $.categories.label.labels: a `name` that several labels have; expected different names",
        lambda: read(labels=("cat", "cat")),
    ),
    (
        "d.json: $.items[0].image.size: [1]; expected [height, width]",
        lambda: read(image={"path": "a.jpg", "size": [1]}),
    ),
    (
        f"{PLACE}.label_id: the label 3, and 1 labels are listed; expected a listed label, counted from 0",
        lambda: read({**BOX, "label_id": 3}),
    ),
    (f"{PLACE}.bbox: [1, 2, 3]; expected [x, y, width, height]", lambda: read({**BOX, "bbox": [1, 2, 3]})),
    (
        f"{PLACE}.points: 5 numbers; expected x and y of 3 or more points",
        lambda: read({"type": "polygon", "label_id": 0, "points": [1, 2, 3, 4, 5]}),
    ),
    (
        f"{PLACE}: 1 points and 2 in `visibility`; expected as many of both",
        lambda: read({"type": "points", "label_id": 0, "points": [1, 2], "visibility": [1, 2]}),
    ),
    (f"{PLACE}.rle.size: [4]; expected [height, width]", lambda: mask([4], "52203")),
    (
        f"{PLACE}.rle.counts: runs that cannot be read (a character that is none of COCO's 64); expected COCO's "
        "compressed runs",
        lambda: mask([4, 4], "5 2"),
    ),
    (
        f"{PLACE}.rle: runs of 16 pixels, and a size of 4 x 5; expected runs of 20 pixels in all",
        lambda: mask([4, 5], "52203"),
    ),
    (
        f"{PLACE}: no `score`; expected a number as `score` among the `attributes`\n"
        "  Ground truth comes first, then detections; were they swapped?",
        lambda: read_detections(content(BOX), Reading(detections_format="datumaro")),
    ),
]
