"""TFRecords that cannot be read, and tables that cannot become some."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from boxscore.formats.io.writing import write
from boxscore.formats.tfrecord.container import record
from boxscore.formats.tfrecord.example import example
from boxscore.joining.read import Reading, read_detections, read_truth
from boxscore.tables.model import Images
from small_coco import file

HOW = Reading(truth_format="tfrecord", detections_format="tfrecord", shapes=True)
WHOLE = "expected a complete TFRecord file"
EXAMPLE = "expected a tf.train.Example of an image"
SIDES = ("xmin", "ymin", "xmax", "ymax")
SIZE = {"image/width": [2], "image/height": [1]}


def read(content: bytes, side: Any = read_truth) -> Any:
    file("a.record", content)
    return side("a.record", HOW)


def box(what: str = "object", n: int = 1, value: float = 0.5) -> dict[str, Any]:
    return {f"image/{what}/bbox/{side}": np.full(n, value) for side in SIDES}


NAMED = {"image/object/class/text": [b"cat"]}


def message(*records: dict[str, Any], side: Any = read_truth) -> Any:
    return read(b"".join(record(example({"image/filename": [b"a.jpg"], **one})) for one in records), side)


def skipped(one: dict[str, Any]) -> Any:
    file("a.record", record(example({"image/filename": [b"a.jpg"], **one})))
    return read_truth("a.record", replace(HOW, skip_invalid=True))


def picture(mode: str, width: int) -> bytes:
    content = io.BytesIO()
    Image.new(mode, (width, 1)).save(content, "PNG")
    return content.getvalue()


def listed(*records: dict[str, Any]) -> Any:
    file("a.record", b"".join(record(example({"image/filename": [b"a.jpg"], **one})) for one in records))
    return read_truth("a.record", replace(HOW, classes=("dog",)))


def bits(content: bytes) -> Any:
    return read(record(content))


def folder(*names: str, split: str | None = None) -> Any:
    Path("f").mkdir()
    for name in names:
        file(f"f/{name}", b"")
    return read_truth("f", replace(HOW, split=split))


def broken(at: int) -> Any:
    content = bytearray(record(example({"image/filename": [b"a.jpg"]})) + record(b"abc"))
    content[at] ^= 1
    return read(bytes(content))


def table(**more: Any) -> Any:
    truth, _ = message({**box(), **NAMED, **SIZE})
    return replace(truth, **more)


CASES: list[tuple[str, Callable[..., Any]]] = [
    (
        "a.record: record 1: class 'cat'; expected one of the 1 listed classes",
        lambda: listed({}, {**box(), **NAMED, **SIZE}),
    ),
    (
        f"a.record: record 0: image/object/bbox/xmin holds nan (it is the only record); {EXAMPLE}",
        lambda: skipped({**box(value=np.nan), **NAMED, **SIZE}),
    ),
    (f"a.record: record 1: the file ends after 3 of its bytes; {WHOLE}",
     lambda: read(record(example({"image/filename": [b"a"]})) + b"abc")),
    (f"a.record: record 0: its length does not fit its checksum; {WHOLE}", lambda: broken(0)),
    (f"a.record: record 0: its length does not fit its checksum; {WHOLE}", lambda: read(b"some text, which is long")),
    (f"a.record: record 0: its content does not fit its checksum; {WHOLE}", lambda: broken(14)),
    (f"a.record: record 1: its content does not fit its checksum; {WHOLE}", lambda: broken(-1)),
    (f"a.record: record 0: the file ends 3 bytes before the record; {WHOLE}", lambda: read(record(b"abc")[:-3])),
    (
        "a.record: damaged compressed data (it ends early); expected a TFRecord file, perhaps compressed",
        lambda: read(zlib.compress(record(b"abc"))[:-3]),
    ),
    (
        f"a.record: record 0: a SequenceExample, whose features are lists of lists; {EXAMPLE}",
        lambda: bits(b"\x0a\x00\x12\x02\x0a\x00"),
    ),
    (f"a.record: record 0: a field of the unknown kind 3; {EXAMPLE}", lambda: bits(b"\x0b")),
    (f"a.record: record 0: a field ends 4 bytes after what it is part of; {EXAMPLE}", lambda: bits(b"\x0a\x05a")),
    (f"a.record: record 0: it ends within a number; {EXAMPLE}", lambda: bits(b"\x80")),
    (f"a.record: record 0: a number of more than 10 bytes; {EXAMPLE}", lambda: bits(b"\xff" * 11)),
    (
        f"a.record: record 0: image/filename is not UTF-8; {EXAMPLE}",
        lambda: message({"image/filename": [b"\xff"]}),
    ),
    (
        f"a.record: record 0: the name of a feature is not UTF-8; {EXAMPLE}",
        lambda: bits(b"\x0a\x05\x0a\x03\x0a\x01\xff"),
    ),
    (
        f"a.record: record 0: image/filename is a list of int64, not of bytes; {EXAMPLE}",
        lambda: message({"image/filename": [1]}),
    ),
    (
        f"a.record: record 0: image/object/area holds 3 bytes, which are no whole number of floats; {EXAMPLE}",
        lambda: read(record(example({"image/filename": [b"a"]}) + b"\x0a\x20\x0a\x1e\x0a\x11image/object/area\x12\x09"
                            b"\x12\x07\x0a\x03abc\x12\x00")),
    ),
    (
        f"a.record: record 1: neither image/filename nor image/source_id; {EXAMPLE}",
        lambda: message({}, {"image/filename": [b""]}),
    ),
    (
        f"a.record: record 0: image/object/bbox/xmax has 1 value for 2; {EXAMPLE}",
        lambda: message({**box(n=2), "image/object/bbox/xmax": np.ones(1)}),
    ),
    (
        f"a.record: record 0: image/object/bbox/xmin holds nan; {EXAMPLE}",
        lambda: message({**box(value=np.nan), **NAMED}),
    ),
    (
        f"a.record: record 0: image/object/area holds inf; {EXAMPLE}",
        lambda: message({**box(), **NAMED, "image/object/area": np.array([np.inf])}),
    ),
    (
        f"a.record: record 0: image/object/class/text has 1 value for 2; {EXAMPLE}",
        lambda: message({**box(n=2), **NAMED}),
    ),
    (f"a.record: record 0: box 0 has no class; {EXAMPLE}", lambda: message(box())),
    (
        f"a.record: record 0: image/object/difficult has 2 values for 1; {EXAMPLE}",
        lambda: message({**box(), **NAMED, "image/object/difficult": [1, 1]}),
    ),
    (
        f"a.record: record 0: image/class/text has 1 value for 2; {EXAMPLE}",
        lambda: message({"image/class/text": [b"a"], "image/class/label": [1, 2]}),
    ),
    (
        f"a.record: record 0: image/object/mask has 3 numbers for 1 masks of the size of the image; {EXAMPLE}",
        lambda: message({**box(), **NAMED, **SIZE, "image/object/mask": np.ones(3)}),
    ),
    (
        f"a.record: record 0: image/object/mask is no picture (UnidentifiedImageError); {EXAMPLE}",
        lambda: message({**box(), **NAMED, **SIZE, "image/object/mask": [b"x"]}),
    ),
    (
        f"a.record: record 0: a mask of 3 x 1 in an image of 2 x 1; {EXAMPLE}",
        lambda: message({**box(), **NAMED, **SIZE, "image/object/mask": [picture("L", 3)]}),
    ),
    (
        f"a.record: record 0: image/object/mask holds a picture with colours; {EXAMPLE}",
        lambda: message({**box(), **NAMED, **SIZE, "image/object/mask": [picture("RGB", 2)]}),
    ),
    (
        f"a.record: record 0: image/object/mask is no picture (OSError); {EXAMPLE}",
        lambda: message({**box(), **NAMED, **SIZE, "image/object/mask": [picture("L", 2)[:45]]}),
    ),
    (
        f"a.record: record 0: image/encoded is no picture (UnidentifiedImageError); {EXAMPLE}",
        lambda: message({"image/encoded": [b"x"]}),
    ),
    (
        f"a.record: record 0: image/detection/score has 0 values for 1; {EXAMPLE}",
        lambda: message({**box("detection"), "image/detection/label": [1]}, side=read_detections),
    ),
    (
        "a.record: record 1: image 'a.jpg' again, after record 0; "
        "expected a record for each image, with a name of its own",
        lambda: message({}, {}),
    ),
    (
        "a.record: records without features image/detection/…; expected TFRecords with detections\n"
        "  They hold the objects only.",
        lambda: message({**box(), **NAMED}, side=read_detections),
    ),
    (
        "a.record: records without features image/object/…; expected TFRecords with objects\n"
        "  They hold the detections only.",
        lambda: message(box("detection", 0) | {"image/detection/score": np.ones(1)}),
    ),
    (
        "a.record: records without features image/detection/…; expected TFRecords with detections",
        lambda: message({}, side=read_detections),
    ),
    (
        "f: no TFRecord files (it holds a.txt); expected files such as train.record or train.record-00000-of-00010",
        lambda: folder("a.txt"),
    ),
    (
        "f: no TFRecord file of 'val' (it holds train.record); expected a file such as val.record, or a folder val",
        lambda: folder("train.record", split="val"),
    ),
    (
        "f: 1 of 3 shards; x-00001-of-00003, x-00002-of-00003 missing; expected all shards of a set",
        lambda: folder("x-00000-of-00003"),
    ),
    (
        "a.record: boxes in pixels without image sizes; expected image sizes, for boxes relative to them",
        lambda: write(table(images=Images(["a.jpg"])), "x.record", "tfrecord"),
    ),
    (
        "a.record: image 'a.jpg' has the size 2.5 x nan; expected whole numbers, for boxes relative to them",
        lambda: write(
            table(images=Images(["a.jpg"], None, np.array([2.5]), np.array([np.nan]))), "x.record", "tfrecord"
        ),
    ),
]  # fmt: skip
