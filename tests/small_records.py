"""Small TFRecords that several tests start from."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from boxscore.formats.io.files import Files
from boxscore.formats.tfrecord.container import record
from boxscore.formats.tfrecord.example import example
from boxscore.tables.model import Flag

FLAGS = [Flag.CROWD, Flag.DIFFICULT, Flag.GROUP_OF, Flag.OCCLUDED, Flag.TRUNCATED, Flag.DEPICTION]


def file(*features: dict, raw: bytes = b"") -> Files:
    content = raw or b"".join(record(example(one)) for one in features)
    return Files("a.record", ("",), None, {"": content})


def an_image(name: str = "a.jpg", **more) -> dict:
    return {"image/filename": [name.encode()], "image/width": [200], "image/height": [100], **more}


def boxes(*given: tuple[float, ...], what: str = "object") -> dict:
    sides = ("xmin", "ymin", "xmax", "ymax")
    columns = np.array(given, np.float64).reshape(-1, 4).T
    return {f"image/{what}/bbox/{side}": column for side, column in zip(sides, columns, strict=True)}


def named(*names: str) -> dict:
    return {"image/object/class/text": [name.encode() for name in names]}


TWO = {**boxes((0.25, 0.5, 0.75, 1), (0, 0, 0.5, 0.5)), **named("dog", "cat"), "image/object/class/label": [7, 3]}
floats = st.floats(width=32, allow_nan=False, allow_infinity=False)
