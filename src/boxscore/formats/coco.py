"""COCO JSON: ground truth (images, annotations, categories; also what LVIS adds) and results lists."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from boxscore.formats.coco_checked import Columns, named_images, results_checked, truth_checked
from boxscore.formats.lvis import image_labels, in_order, name_in, usual_frequencies, usual_lists
from boxscore.formats.reading import Reading
from boxscore.formats.source import Source
from boxscore.geometry import to_corners
from boxscore.ledger import Finding
from boxscore.model import (
    Classes,
    Detections,
    Flag,
    Floats,
    Images,
    Indices,
    Ints,
    Truth,
    factorise,
    index_of,
    row_numbers,
)
from boxscore.names import Names

TRUTH_LAYOUT = {
    "images": {
        "id": "integer", "file_name": "string", "coco_url": "string", "width": "number", "height": "number",
        "neg_category_ids": "integers", "not_exhaustive_category_ids": "integers",
    },
    "annotations": {
        "id": "integer", "image_id": "integer", "category_id": "integer", "bbox": "box", "area": "number",
        "iscrowd": "integer", "ignore": "integer",
    },
    "categories": {"id": "integer", "name": "string", "frequency": "string"},
}  # fmt: skip
RESULTS_LAYOUT = {"": {"image_id": "integer", "category_id": "integer", "bbox": "box", "score": "number"}}


def read_truth(source: Source, threads: int = 0, form: str = "xywh") -> tuple[Truth, list[Finding]]:
    """Ground truth, and what is odd about it; `form` is for files that do not write x y width height."""
    columns = _usual_truth(source.json_columns(TRUTH_LAYOUT, 1, threads) if source.first_character() == "{" else None)
    findings: list[Finding] = []
    if columns is None:
        columns, findings = truth_checked(source)
    assert columns.keys is not None
    images = Images(columns.keys, columns.image_ids, columns.widths, columns.heights)
    # pycocotools reports classes by ascending id, and the last bit of a mean depends on the order.
    order = sorted(range(len(columns.class_ids)), key=columns.class_ids.__getitem__)
    class_ids = np.array([columns.class_ids[i] for i in order], np.int64)
    classes = Classes(
        tuple(columns.class_names[i] for i in order),
        tuple(columns.class_keys or class_ids.tolist()),
        in_order(columns.frequency, order),
    )
    labels, more = image_labels(columns.lists, class_ids, images.key)
    corners, box_area = to_corners(columns.boxes, form, in_place=True, threads=threads)
    flags = np.zeros(len(corners), np.uint16)
    for values, flag in ((columns.crowd, Flag.CROWD), (columns.ignore, Flag.IGNORE)):
        if values is not None and values.any():
            flags[values != 0] |= int(flag)
    n = len(corners)
    truth = Truth(
        images,
        classes,
        index_of(columns.image, columns.index_ids),
        index_of(columns.label, class_ids),
        corners,
        box_area,
        row_numbers(n),
        source.name,
        "lvis" if columns.lists or columns.frequency else "coco",
        rejected=columns.rejected,
        area=np.full(n, np.nan) if columns.area is None else columns.area,
        flags=flags,
        id=columns.ids,
        labels=labels,
    )
    return truth, [*findings, *more]


def read_results(
    source: Source, truth: Truth | None = None, threads: int = 0, form: str = "xywh"
) -> tuple[Detections, list[Finding]]:
    """A results list, or a COCO file whose annotations carry scores, and what is odd about it.

    With `truth`, ids that are all its own are joined at once.
    """
    listed = source.first_character() == "["
    columns = _usual_results(source.json_columns(RESULTS_LAYOUT, 0, threads)) if listed else None
    findings: list[Finding] = []
    if columns is None:
        columns, findings = results_checked(source)
    images, image = _images(columns, truth)
    classes, label = _classes(columns, truth)
    corners, box_area = to_corners(columns.boxes, form, in_place=True, threads=threads)
    assert columns.score is not None
    detections = Detections(
        images,
        classes,
        image,
        label,
        corners,
        box_area,
        row_numbers(len(corners)),
        source.name,
        "coco-results",
        rejected=columns.rejected,
        score=columns.score,
    )
    return detections, findings


def _images(columns: Columns, truth: Truth | None) -> tuple[Images, Indices]:
    """The images of a results list, and the image of each row."""
    if columns.keys is not None:
        return named_images(columns, truth)
    if truth is not None and truth.images.id is not None:
        image = index_of(columns.image, truth.images.id)
        if len(image) == 0 or image.min() >= 0:
            return truth.images, image
    ids, image = factorise(columns.image)
    return Images([str(i) for i in ids.tolist()], ids), image


def _classes(columns: Columns, truth: Truth | None) -> tuple[Classes, Indices]:
    """The classes of a results list, and the class of each row."""
    if truth is not None and not columns.class_names and all(isinstance(i, int) for i in truth.classes.id):
        label = index_of(columns.label, np.array(truth.classes.id, np.int64))
        if len(label) == 0 or label.min() >= 0:
            return truth.classes, label
    ids, label = factorise(columns.label)
    named = dict(zip(columns.class_ids, columns.class_names, strict=True))
    keys: list[int | str] = ids.tolist() if columns.class_keys is None else [columns.class_keys[k] for k in ids]
    return Classes(tuple(named.get(k, str(k)) for k in ids.tolist()), tuple(keys)), label


def _usual_truth(tables: dict[str, dict[str, Any]] | None) -> Columns | None:
    """The columns of a file in the usual form; None sends it to the careful reader, which knows what to say."""
    if tables is None or set(tables) != set(TRUTH_LAYOUT):
        return None
    images, rows, categories = tables["images"], tables["annotations"], tables["categories"]
    required = (images["id"], rows["image_id"], rows["category_id"], rows["bbox"], categories["id"], categories["name"])
    if any(missing is not None for _, missing, _ in required):
        return None
    image_ids: Ints = images["id"][0]
    class_ids, class_names = categories["id"][0].tolist(), _strings(categories["name"])
    keys, frequency = _keys(images), usual_frequencies(categories["frequency"])
    if keys is None or class_names is None or frequency is None:
        return None
    if len(set(class_ids)) != len(class_ids) or _repeats(image_ids):
        return None
    return Columns(
        keys=keys,
        image_ids=image_ids,
        index_ids=image_ids,
        widths=_optional(images["width"]),
        heights=_optional(images["height"]),
        class_ids=class_ids,
        class_names=list(class_names),
        image=rows["image_id"][0],
        label=rows["category_id"][0],
        boxes=rows["bbox"][0].reshape(-1, 4),
        area=_optional(rows["area"]),
        crowd=rows["iscrowd"][0],
        ignore=rows["ignore"][0],
        ids=rows["id"][0] if rows["id"][1] is None else None,
        lists=usual_lists(images),
        frequency=frequency,
    )


def _usual_results(tables: dict[str, dict[str, Any]] | None) -> Columns | None:
    if tables is None or any(missing is not None for _, missing, _ in tables[""].values()):
        return None
    rows = {name: values for name, (values, _, _) in tables[""].items()}
    return Columns(
        image_ids=rows["image_id"],
        image=rows["image_id"],
        label=rows["category_id"],
        boxes=rows["bbox"].reshape(-1, 4),
        score=rows["score"],
    )


def _keys(images: dict[str, Any]) -> Sequence[str] | None:
    """Names of files or what addresses end with, if every image has one, else ids; None asks for a general reader."""
    if images["file_name"][1] is None:
        return _strings(images["file_name"])
    if images["coco_url"][1] is None:
        urls = _strings(images["coco_url"])
        names = None if urls is None else [name_in(url) for url in urls]
        if names is None or all(names):
            return names
    return [str(i) for i in images["id"][0].tolist()]


def _repeats(ids: Ints) -> bool:
    return not bool(np.all(ids[1:] > ids[:-1])) and len(np.unique(ids)) != len(ids)


def _optional(column: tuple[Floats, Any, Any]) -> Floats | None:
    """Numbers with nan where there are none; None where there are none at all."""
    values, missing, _ = column
    if missing is None:
        return values
    if missing.all():
        return None
    values[missing != 0] = np.nan
    return values


def _strings(column: tuple[Ints, Any, tuple[bytes, bool]]) -> Names | None:
    """Strings of a column; None where some are missing or need a general reader."""
    ends, missing, (text, escaped) = column
    if missing is not None:
        return None
    try:
        text.decode()
    except UnicodeDecodeError:
        return None
    if not escaped:
        return Names(text, ends)
    starts = [0, *ends.tolist()[:-1]]
    try:
        parts = [json.loads(b'"' + text[a:b] + b'"').encode() for a, b in zip(starts, ends.tolist(), strict=True)]
    except (json.JSONDecodeError, UnicodeEncodeError):
        return None
    return Names(b"".join(parts), np.cumsum([len(p) for p in parts], dtype=np.int64))


def truth_of(source: Source, how: Reading) -> tuple[Truth, list[Finding]]:
    """As `read_truth`, in the way that is stated."""
    return read_truth(source, how.threads, how.truth_box or "xywh")


def results_of(source: Source, how: Reading, truth: Truth | None) -> tuple[Detections, list[Finding]]:
    """As `read_results`, in the way that is stated."""
    return read_results(source, truth, how.threads, how.detections_box or "xywh")


__all__ = ["read_results", "read_truth", "results_of", "truth_of"]
