"""Messages of corrected copies that cannot be of the kind that was read."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from boxscore.formats.io.correction import correction
from boxscore.formats.tfrecord.container import record
from boxscore.formats.tfrecord.example import example
from boxscore.joining.read import Reading, read_detections, read_truth
from boxscore.joining.rewriting import check_read_back, rewritten
from boxscore.tables.model import Classes

SIDES = ("xmin", "ymin", "xmax", "ymax")


def yolo() -> Any:
    """Detections of two images of unknown size."""
    Path("d").mkdir()
    for name in ("a", "b"):
        Path("d", f"{name}.txt").write_text("0 0.5 0.5 0.2 0.2 0.9\n")
    return read_detections("d", Reading(confidence="last"))[0]


def unknown_size() -> None:
    found = yolo()
    correction(found, replace(found, relative=False, corners=found.corners * 2), found.images).boxes("cxcywh", True)


def no_word() -> None:
    found = yolo()
    after = replace(found, classes=Classes(("cat",), ("cat",)))
    rewritten("d", "detections", Reading(confidence="last"), found, after, after)  # type: ignore[arg-type]


def never_written() -> None:
    Path("d.txt").write_text("1 1 0.9 1 2 30 40\n")
    how = Reading(detections_format="imagenet-det")
    rewritten("d.txt", "detections", how, None, None, None)  # type: ignore[arg-type]


def several_files() -> None:
    for k in range(2):
        asset = {"id": str(k), "name": f"{k}.jpg", "size": {"width": 64, "height": 48}, "path": f"file:{k}.jpg"}
        box = {"left": 1, "top": 2, "width": 30, "height": 20}
        region = {"id": "r", "type": "RECTANGLE", "tags": ["cat"], "boundingBox": box}
        Path("t").mkdir(exist_ok=True)
        Path("t", f"{k}-asset.json").write_text(json.dumps({"asset": asset, "regions": [region], "version": "2.2.0"}))
    found, _ = read_truth("t")
    rewritten("t", "truth", Reading(), found, replace(found, corners=found.corners + 1), found)


def shards() -> None:
    """Two shards with an image each."""
    Path("t").mkdir()
    for k in range(2):
        sides = {
            f"image/object/bbox/{side}": np.full(1, v) for side, v in zip(SIDES, (0.1, 0.1, 0.5, 0.5), strict=True)
        }
        size = {"image/width": [64], "image/height": [48]}
        made = example({"image/filename": [b"%d.jpg" % k], "image/object/class/text": [b"cat"], **size, **sides})
        Path("t", f"a.record-0000{k}-of-00002").write_bytes(record(made))
    found, _ = read_truth("t")
    rewritten("t", "truth", Reading(), found, replace(found, corners=found.corners + 1), found)


def truth() -> Any:
    Path("t").mkdir()
    Path("t", "a.txt").write_text("cat 1 2 30 40\n")
    return read_truth("t", Reading(box="xywh"))[0]


def unreadable() -> None:
    table = truth()
    Path("copy").mkdir()
    Path("copy", "a.txt").write_text("cat 1 2 30\n")
    check_read_back(Path("copy"), "truth", Reading(box="xywh"), table, None)


def other_boxes() -> None:
    table = truth()
    check_read_back(Path("t"), "truth", Reading(box="xywh"), replace(table, corners=table.corners + 1), None)


CASES = [
    (
        "d: 2 corrected boxes on images of unknown size ('a'); expected image sizes, for boxes relative to them",
        unknown_size,
    ),
    ("d: the class 'cat', which its files have no number or word for; expected a class that they list", no_word),
    (
        "d.txt: ImageNet detections can be read but not written; expected a copy in another format "
        "(`boxscore convert`), then --fix",
        never_written,
    ),
    (
        "t: 2 files of VoTT JSON, which would be written as one; expected a copy in one file (`boxscore convert`), "
        "then --fix",
        several_files,
    ),
    (
        "t: 2 files of TFRecord, which would be written as one; expected a copy in one file (`boxscore convert`), then "
        "--fix",
        shards,
    ),
    (
        "t: the corrected copy could not be read with the same options (OUT/a.txt:1: 3 numbers after the class; "
        "expected <class> <4 numbers>); expected options that fit, or a copy in another format (`boxscore convert`)",
        unreadable,
    ),
    (
        "t: text files with this layout cannot hold all corrections; expected a copy in another format "
        "(`boxscore convert`), then --fix",
        other_boxes,
    ),
]
