"""What the records of TensorFlow's object detection say, collected into columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from boxscore.errors import InputError
from boxscore.formats.io.invalid import Invalid
from boxscore.formats.io.mask_runs import runs_of
from boxscore.formats.tfrecord.classes import Named
from boxscore.formats.tfrecord.example import Damaged, Example
from boxscore.formats.tfrecord.pictures import mask_in, size_in
from boxscore.tables.model import Flag, Floats, Mark
from boxscore.tables.shapes import Shape, ShapesMaker

SIDES = ("xmin", "ymin", "xmax", "ymax")
FLAGS = {
    "difficult": Flag.DIFFICULT, "truncated": Flag.TRUNCATED, "occluded": Flag.OCCLUDED, "group_of": Flag.GROUP_OF,
    "depiction": Flag.DEPICTION, "is_crowd": Flag.CROWD,
}  # fmt: skip
NUMBERS = {"image/neg_category_ids": Mark.NEGATIVE, "image/not_exhaustive_category_ids": Mark.NOT_EXHAUSTIVE}
TEXT = {"object": "image/object/class/text", "detection": "image/detection/class/text"}
NUMBER = {"object": "image/object/class/label", "detection": "image/detection/label"}


class _BadBox(Damaged):
    """What is wrong with a single box of a record."""


@dataclass
class Columns:
    """The lists up to `place` have an entry per image, those up to `score` one per box."""

    what: str  # "object" or "detection"
    filename: list[str] = field(default_factory=list)
    source_id: list[str] = field(default_factory=list)
    width: list[float] = field(default_factory=list)
    height: list[float] = field(default_factory=list)
    file: list[str] = field(default_factory=list)
    record: list[int] = field(default_factory=list)
    image: list[int] = field(default_factory=list)
    shares: list[Floats] = field(default_factory=lambda: [np.zeros((0, 4))])
    named: list[Named] = field(default_factory=list)
    flags: list[int] = field(default_factory=list)
    area: list[float] = field(default_factory=list)
    score: list[float] = field(default_factory=list)
    statements: list[tuple[int, Named, Mark]] = field(default_factory=list)  # of whole images
    known: list[Named] = field(default_factory=list)  # names and numbers of the objects, beside detections
    shapes: ShapesMaker = field(default_factory=ShapesMaker)
    any_of: set[str] = field(default_factory=set)  # of "object" and "detection", what some record has features of
    invalid: Invalid = field(default_factory=Invalid)
    bad: dict[int, str] = field(default_factory=dict)  # boxes of the last record that are left out, and why

    def place(self, image: int) -> str:
        """How messages name a record."""
        return f"record {self.record[image]}"

    def add(self, file: str, number: int, record: bytes, shapes: bool) -> None:
        """One more record."""
        self.file.append(file)
        self.record.append(number)
        self.bad.clear()
        try:
            self._add(Example(record), shapes)
        except Damaged as error:
            wrong = _wrong(file, number, str(error))
            wrong.of_record = isinstance(error, _BadBox)
            raise wrong from None
        for text in self.bad.values():
            self.invalid.add(_wrong(file, number, text))

    def _add(self, example: Example, shapes: bool) -> None:
        image = len(self.filename)
        self.any_of |= {what for what in TEXT if any(name.startswith(f"image/{what}/") for name in example.features)}
        for column, name in ((self.filename, "filename"), (self.source_id, "source_id")):
            column.append(next(iter(example.texts(f"image/{name}")), ""))
        if not self.filename[-1] and not self.source_id[-1]:
            raise Damaged("neither image/filename nor image/source_id")
        width, height = _size(example)
        self.width.append(width)
        self.height.append(height)
        boxes = self._boxes(example)
        n, named = len(boxes), self._named(example, self.what, len(boxes))
        columns: dict[str, Any] = {}
        if self.what == "detection":
            self.known += self._named(example, "object", None)
            score = example.floats("image/detection/score")
            columns["score"] = self._finite(score, "image/detection/score", n).tolist()
        else:
            columns = self._of_objects(example, n)
            self._add_statements(example, image)
        kept = [k for k in range(n) if k not in self.bad]
        self.image += [image] * len(kept)
        self.shares.append(boxes[kept])
        self.named += [named[k] for k in kept]
        for name, values in columns.items():
            getattr(self, name).extend(values[k] for k in kept)
        if shapes and self.what == "object":
            self._add_masks(example, n, kept)

    def _finite(self, values: Floats, name: str, n: int) -> Floats:
        """Numbers, one for each box; boxes whose number is not finite are bad."""
        _as_many(values, name, n)
        for k in np.flatnonzero(~np.isfinite(values)).tolist():
            self._is_bad(k, f"{name} holds {values[k]}")
        return values

    def _is_bad(self, box: int, text: str) -> None:
        if not self.invalid.skip:
            raise _BadBox(text)
        self.bad.setdefault(box, text)

    def _boxes(self, example: Example) -> Floats:
        names = [f"image/{self.what}/bbox/{side}" for side in SIDES]
        columns = [example.floats(name) for name in names]
        for name, column in zip(names, columns, strict=True):
            self._finite(column, name, len(columns[0]))
        return np.stack(columns, axis=1)

    def _named(self, example: Example, what: str, n: int | None) -> list[Named]:
        """Name and number of the class of each box; without `n`, of as many as have both."""
        texts, numbers = example.texts(TEXT[what]), example.ints(NUMBER[what])
        if n is None:
            return list(zip(texts, numbers, strict=False))
        for name, values in ((TEXT[what], texts), (NUMBER[what], numbers)):
            _as_many(values, name, n, optional=True)
        made = _pairs(texts, numbers, n)
        for k in [k for k, one in enumerate(made) if one == ("", None)]:
            self._is_bad(k, f"box {k} has no class")
        return made

    def _of_objects(self, example: Example, n: int) -> dict[str, Any]:
        flags = np.zeros(n, np.uint16)
        for word, flag in FLAGS.items():
            values = example.ints(f"image/object/{word}")
            if values:
                _as_many(values, f"image/object/{word}", n)
                flags[np.array(values) > 0] |= np.uint16(flag)
        area = example.floats("image/object/area")
        _as_many(area, "image/object/area", n, optional=True)
        for k in np.flatnonzero(np.isinf(area)).tolist():
            self._is_bad(k, f"image/object/area holds {area[k]}")
        return {"flags": flags.tolist(), "area": area.tolist() if len(area) else [np.nan] * n}

    def _add_statements(self, example: Example, image: int) -> None:
        texts, numbers = example.texts("image/class/text"), example.ints("image/class/label")
        n = max(len(texts), len(numbers))
        sure = example.floats("image/class/confidence")
        for name, values in (("text", texts), ("label", numbers), ("confidence", sure)):
            _as_many(values, f"image/class/{name}", n, optional=True)
        marks = [Mark.POSITIVE if value > 0 else Mark.NEGATIVE for value in sure] or [Mark.POSITIVE] * n
        pairs = zip(_pairs(texts, numbers, n), marks, strict=True)
        self.statements += [(image, named, mark) for named, mark in pairs if named != ("", None)]
        for name, mark in NUMBERS.items():
            self.statements += [(image, ("", number), mark) for number in example.ints(name)]

    def _add_masks(self, example: Example, n: int, kept: list[int]) -> None:
        """Masks of the size of the image: a PNG each, or all in one list of numbers."""
        name, first = "image/object/mask", len(self.named) - len(kept)
        if example.holds(name, "float"):
            values, sides = example.floats(name), (self.height[-1], self.width[-1])
            if len(values) != n * sides[0] * sides[1]:
                raise Damaged(f"{name} has {len(values):,} numbers for {n} masks of the size of the image")
            masks = list(values.reshape(n, int(sides[0]), int(sides[1])) > 0)
        else:
            pictures = example.bytes(name)
            _as_many(pictures, name, n, optional=True)
            masks = [mask_in(picture, name, self.width[-1], self.height[-1]) for picture in pictures]
        for row, k in enumerate(kept if masks else (), first):
            self.shapes.add(row, Shape.RLE, runs_of(masks[k], *masks[k].shape))


def _wrong(file: str, number: int, text: str) -> InputError:
    return InputError(file, f"record {number}: {text}", "a tf.train.Example of an image")


def _pairs(texts: list[str], numbers: list[int], n: int) -> list[Named]:
    unknown: list[int | None] = [None] * n
    return list(zip(texts or [""] * n, numbers or unknown, strict=True))


def _as_many(values: Sequence[object] | Floats, name: str, n: int, optional: bool = False) -> None:
    if len(values) != n and (len(values) or not optional):
        raise Damaged(f"{name} has {len(values)} value{'s' * (len(values) != 1)} for {n}")


def _size(example: Example) -> tuple[float, float]:
    """Width and height; where the features do not know them, those of the picture itself, and nan without one."""
    width, height = (next(iter(example.ints(f"image/{side}")), 0) for side in ("width", "height"))
    if width > 0 and height > 0:
        return float(width), float(height)
    encoded = next(iter(example.bytes("image/encoded")), b"")
    return size_in(encoded, "image/encoded") if encoded else (np.nan, np.nan)
