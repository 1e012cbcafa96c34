"""COCO JSON, written: ground truth with images and categories, and results."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore.errors import InputError
from boxscore.formats.coco.write_more import more_of_images, more_of_rows
from boxscore.formats.io.writing import Made, Writing
from boxscore.formats.io.written_boxes import with_sides
from boxscore.tables.model import Classes, Detections, Flag, Images, Ints, Truth, select

_BLOCK = 10_000  # rows that become text at once


def write_truth(truth: Truth, how: Writing) -> Made:
    """Ground truth; what has no number gets one from 1, in the order of the table.

    An object whose area is not given gets that of its box, as pycocotools needs one. Flags that COCO has no key for
    stand among the `attributes`, and frames of videos as in COCO-VID.
    """
    known = _known(truth)
    number = known + 1 if truth.id is None else truth.id[known]
    area = np.nan_to_num(np.where(np.isfinite(truth.area), truth.area, truth.box_area)[known])
    crowd = ((truth.flags[known] & Flag.CROWD) != 0).astype(np.int64)
    fields = {"id": number, **_placed(truth, known), "area": area, "iscrowd": crowd}
    yield "", _file(truth, _rows(truth, known, fields))


def write_detections(detections: Detections, how: Writing) -> Made:
    """A list of results, or, where their numbers would say nothing, a whole file whose annotations have scores.

    The ids of images and classes in a list are those of the truth. Where the table has none of its own, the file
    lists images and categories, so that they are known by name; `read_results` takes both. A list that is asked for
    has names in place of such numbers, as Ultralytics writes them.
    """
    known = _known(detections)
    listed = how.as_read == "coco-results"
    named = not listed and (detections.images.id is None or not _are_numbers(detections.classes))
    fields = {**_placed(detections, known), "score": detections.score[known]}
    if listed and detections.images.id is None:
        fields["image_id"] = _names(detections.images.key)[detections.image[known]]
    if listed and not _are_numbers(detections.classes):
        fields["category_id"] = _names(detections.classes.name)[detections.label[known]]
    if named:
        fields = {"id": known + 1, **fields, "area": np.nan_to_num(detections.box_area[known])}
    rows = _rows(detections, known, fields)
    yield "", _file(detections, rows) if named else b"".join([b"[", *rows, b"]"])


class _Json(str):
    """A name that is written as JSON has it."""

    def __repr__(self) -> str:
        return json.dumps(str(self), ensure_ascii=False)


def _names(names: Sequence[str]) -> npt.NDArray[np.object_]:
    return np.array([*map(_Json, names), None], np.object_)[:-1]


def _file(table: Truth | Detections, rows: list[bytes]) -> bytes:
    """A whole file around the text of its annotations."""
    images, classes = table.images, table.classes
    class_ids = _class_ids(classes)
    videos, more = more_of_images(table, class_ids)
    listed = [
        {"id": key, **_image(images, i), **{name: column[i] for name, column in more.items() if column[i] is not None}}
        for i, key in enumerate(_image_ids(images).tolist())
    ]
    categories = [{"id": key, "name": name} for key, name in zip(class_ids.tolist(), classes.name, strict=True)]
    if classes.frequency is not None:
        pairs = zip(categories, classes.frequency, strict=True)
        categories = [{**category, "frequency": letter} for category, letter in pairs]
    if classes.sigmas is not None:
        categories = [
            {**category, **({"sigmas": list(own)} if own else {})}
            for category, own in zip(categories, classes.sigmas, strict=True)
        ]
    sections = {"videos": json_text(videos)} if videos else {}
    sections.update(images=json_text(listed))
    before = "".join(f'"{name}":{text},\n' for name, text in sections.items())
    after = f'],\n"categories":{json_text(categories)}}}\n'
    return b"".join([_encoded("{" + before + '"annotations":['), *rows, _encoded(after)])


def json_text(value: Any) -> str:
    """JSON in short, with letters as they are."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _placed(table: Truth | Detections, known: Ints) -> dict[str, Any]:
    """Image, class and box of each row."""
    return {
        "image_id": _image_ids(table.images)[table.image[known]],
        "category_id": _class_ids(table.classes)[table.label[known]],
        "bbox": with_sides(table.corners[known], table.box_area[known]),
    }


def _rows(table: Truth | Detections, known: Ints, fields: Mapping[str, Any]) -> list[bytes]:
    """The records of all rows as text, some at a time: as Python values they take much memory."""
    blocks = []
    for first in range(0, len(known), _BLOCK):
        rows = slice(first, first + _BLOCK)
        part = select(table, known[rows]) if isinstance(table, Truth) else select(table, known[rows])  # noqa: RUF034
        more = more_of_rows(part)
        text = _text({name: column[rows] for name, column in fields.items()}, more)
        blocks.append(_encoded(",\n" * bool(first) + text))
    return blocks


def _text(fields: Mapping[str, Any], more: Mapping[int, str]) -> str:
    """The records of some rows, made column by column."""
    columns: list[list[Any]] = []
    parts = []
    for name, column in fields.items():
        columns += column.T.tolist() if column.ndim == 2 else [column.tolist()]
        parts.append(f'"{name}":' + ("[%r,%r,%r,%r]" if column.ndim == 2 else "%r"))
    if more:
        columns.append([more.get(row, "") for row in range(len(columns[0]))])
    record = "{" + ",".join(parts) + ("%s}" if more else "}")
    return ",\n".join([record] * len(columns[0])) % tuple(chain.from_iterable(zip(*columns, strict=True)))


def _known(table: Truth | Detections) -> Ints:
    """Rows whose image and class the table lists; the others have no number that could be written."""
    if table.relative:
        found = "normalized boxes, and the image size is unknown"
        raise InputError(table.source, found, "image sizes, for boxes in pixels")
    return np.flatnonzero((table.image >= 0) & (table.label >= 0))


def _image_ids(images: Images) -> Ints:
    return np.arange(1, len(images) + 1, dtype=np.int64) if images.id is None else images.id


def _are_numbers(classes: Classes) -> bool:
    return all(isinstance(key, int) for key in classes.id)


def _class_ids(classes: Classes) -> Ints:
    """The numbers of the classes: their own if they are whole numbers, else from 1."""
    return np.array(classes.id if _are_numbers(classes) else range(1, len(classes) + 1), np.int64)


def _image(images: Images, i: int) -> dict[str, Any]:
    sizes = {"width": images.width, "height": images.height}
    known = {name: float(side[i]) for name, side in sizes.items() if side is not None and np.isfinite(side[i])}
    return {"file_name": images.key[i], **{name: _whole(value) for name, value in known.items()}}


def _whole(value: float) -> float | int:
    return int(value) if value.is_integer() else value
