"""COCO JSON read record by record: slower than the kernel, but it knows what is wrong and where."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from boxscore.diagnostics.findings import Finding, finding
from boxscore.errors import InputError, first_few
from boxscore.formats.coco.columns import Columns
from boxscore.formats.coco.images import by_file, image_names, written_keys
from boxscore.formats.coco.load import EXPECTED, RECORD, load, nested_results, sections
from boxscore.formats.coco.lvis import checked_frequencies, checked_lists, numbered
from boxscore.formats.coco.more import statements, videos_of
from boxscore.formats.coco.shapes import box_around, shapes_of
from boxscore.formats.io.ids import Numbering, lasts
from boxscore.formats.io.invalid import Invalid
from boxscore.formats.io.record_values import Placed, Values, kind, without_invalid
from boxscore.formats.io.source import Source
from boxscore.tables.model import Floats, Ints

_SWAPPED = "Truth comes first, then detections; were they swapped?"


@dataclass(frozen=True)
class _Records:
    """The values of annotations or results that both have."""

    rows: list[Placed]
    rejected: tuple[tuple[str, int], ...]
    image: list[int | str]
    label: list[int | str]
    boxes: Floats
    made: int  # boxes that the source does not state

    def findings(self, what: str) -> list[Finding]:
        return [finding("BOX010", self.made, what)] if self.made else []


def truth_checked(
    source: Source, form: str = "xywh", shapes: bool = False, invalid: Invalid | None = None
) -> tuple[Columns, list[Finding]]:
    """Ground truth, checked value by value; with `shapes` all that it says."""
    data = load(source, "truth")
    return without_invalid(source.name, invalid, lambda take: _truth(take, source, data, form, shapes))


def _truth(take: Values, source: Source, data: Any, form: str, shapes: bool) -> tuple[Columns, list[Finding]]:
    if isinstance(data, list):
        found = f"a list of {len(data):,} records, as of results"
        raise InputError(source.name, found, EXPECTED["truth"], _SWAPPED)
    unnamed = isinstance(data, dict) and data.get("categories") in (None, [])  # then the ids are names
    keys = ("images", "annotations") if unnamed else ("images", "categories", "annotations")
    lists_of = sections(source.name, data, keys)
    images, annotations = (take.records(lists_of[key], key) for key in ("images", "annotations"))
    categories = take.records(lists_of.get("categories", ()), "categories")
    image_ids = [take.identity(r, "id") for r in images]
    sizes = [np.array([take.number(r, side, math.nan) for r in images], np.float64) for side in ("width", "height")]
    class_ids = [take.identity(r, "id") for r in categories]
    class_names = [take.text(r, "name") for r in categories]
    lists, frequency = checked_lists(take, images), checked_frequencies(take, categories)
    records = _records(take, annotations, "annotations", form)
    rows = records.rows
    area = [take.number(r, "area", math.nan) for r in rows]
    crowd, ignore = ([take.flag(r, key) for r in rows] for key in ("iscrowd", "ignore"))
    ids = _annotation_ids(take, rows)
    made, said = (shapes_of(take, rows), statements(take, rows, True)) if shapes else (None, None)
    last_images, last_classes = lasts(image_ids), lasts(class_ids)
    videos, frames = videos_of(take, data, [images[i] for i in last_images]) if shapes else (None, None)
    take.wrong.check()
    findings = [*take.findings(), *records.findings("objects")]
    for what, n_all, last in (
        ("images", len(images), last_images),
        ("categories", len(categories), last_classes),
    ):
        if len(last) < n_all:
            findings.append(finding("ID003", n_all - len(last), what))
    if unnamed and rows:
        class_ids = list(dict.fromkeys(records.label))
        class_names, last_classes = [str(key) for key in class_ids], list(range(len(class_ids)))
        findings.append(finding("CLS010", len(class_ids)))
    numbering = Numbering(image_ids[i] for i in last_images)
    classes = Numbering(class_ids[i] for i in last_classes)
    names = image_names([images[i] for i in last_images]) if numbering.plain else None
    return Columns(
        keys=[str(i) for i in numbering.ids.tolist()] if numbering.plain and names is None else names or numbering.keys,
        image_ids=numbering.ids if numbering.plain else None,
        index_ids=numbering.ids,
        image_rank=None if numbering.rank is None else np.array(numbering.rank, np.int64),
        widths=_known(sizes[0][last_images]),
        heights=_known(sizes[1][last_images]),
        videos=videos,
        frames=frames,
        class_ids=classes.ids.tolist(),
        class_names=[class_names[i] for i in last_classes],
        class_keys=None if classes.plain else classes.keys,
        class_rank=classes.rank,
        image=numbering.numbers(records.image),
        label=classes.numbers(records.label),
        boxes=records.boxes,
        area=np.array(area, np.float64),
        crowd=np.array(crowd, np.int64),
        ignore=np.array(ignore, np.int64),
        ids=ids,
        lists={name: numbered([ids[i] for i in last_images], classes) for name, ids in lists.items()},
        frequency=[frequency[i] for i in last_classes] if frequency else [],
        rejected=records.rejected,
        shapes=made,
        said=said,
    ), findings


def results_checked(
    source: Source, form: str = "xywh", shapes: bool = False, invalid: Invalid | None = None
) -> tuple[Columns, list[Finding]]:
    """A results list (or a COCO file whose annotations carry scores), checked value by value."""
    data = load(source, "detections")
    return without_invalid(source.name, invalid, lambda take: _all_results(take, data, form, shapes))


def _all_results(take: Values, data: Any, form: str, shapes: bool) -> tuple[Columns, list[Finding]]:
    placed, listed, categories = _results(take, data)
    class_ids = [take.identity(r, "id") for r in categories]
    class_names = [take.text(r, "name") for r in categories]
    image_ids = [take.identity(r, "id") for r in listed]
    sizes = [np.array([take.number(r, side, math.nan) for r in listed], np.float64) for side in ("width", "height")]
    records = _records(take, placed, "results", form)
    rows = records.rows
    score = [take.number(r, "score") for r in rows]
    made, said = (shapes_of(take, rows), statements(take, rows, False)) if shapes else (None, None)
    videos, frames = videos_of(take, data, listed) if shapes and listed else (None, None)
    take.wrong.check()
    images, classes = Numbering([*image_ids, *records.image]), Numbering([*class_ids, *records.label])
    whole = set(records.image) <= set(image_ids) and len(set(image_ids)) == len(listed)
    names, image, ids = None, images.numbers(records.image), images.ids if images.plain else None
    if listed and whole and images.plain:
        names = image_names(listed)
    elif rows and not listed and all(isinstance(record.get("file_name"), str) for _, record in rows):
        names, ids, image = by_file(image, [record["file_name"] for _, record in rows])
    listing = listed and whole and len(images.keys) == len(listed)
    return Columns(
        keys=names if images.plain or names else images.keys,
        image_ids=ids,
        written=written_keys(images) if images.plain and names is None else None,
        widths=_known(sizes[0]) if listing else None,
        heights=_known(sizes[1]) if listing else None,
        videos=videos if listing else None,
        frames=frames if listing else None,
        class_ids=classes.numbers(class_ids).tolist() if classes.plain else classes.ids.tolist(),
        class_names=class_names if classes.plain else _names(classes, class_ids, class_names),
        class_keys=None if classes.plain else classes.keys,
        image=image,
        label=classes.numbers(records.label),
        boxes=records.boxes,
        score=np.array(score, np.float64),
        rejected=records.rejected,
        shapes=made,
        said=said,
    ), [*take.findings(), *records.findings("detections")]


def _results(take: Values, data: Any) -> tuple[list[Placed], list[Placed], list[Placed]]:
    """The records of results, and the images and categories that stand with them."""
    source, section = take.wrong.source, ""
    listed, categories = list[Placed](), list[Placed]()
    if isinstance(data, dict) and isinstance(data.get("annotations"), list):
        if data["annotations"] and not any(isinstance(r, dict) and "score" in r for r in data["annotations"]):
            found = "annotations without scores (this looks like ground truth)"
            raise InputError(source, found, f"results: {RECORD}", _SWAPPED)
        given = {key: value for key, value in data.items() if value is not None}
        lists = sections(source, {"images": [], "categories": [], **given}, ("images", "categories"))
        listed, categories = (take.records(items, key) for key, items in lists.items())
        data, section = data["annotations"], "annotations"
    elif isinstance(data, dict) and (nested := nested_results(take, data)) is not None:
        return nested, listed, categories
    if not isinstance(data, list):
        keys = f" (its keys: {first_few(data, len(data)) or 'none'})" if isinstance(data, dict) else ""
        raise InputError(source, f"{kind(data)}{keys}", RECORD)
    return take.records(data, section), listed, categories


def _records(take: Values, placed: list[Placed], what: str, form: str) -> _Records:
    rows, rejected = take.boxed(placed, what)
    image, label = ([take.identity(r, key) for r in rows] for key in ("image_id", "category_id"))
    stated = [record.get("bbox") not in (None, []) for _, record in rows]
    boxes = [take.box(r) if own else box_around(take, r, form) for r, own in zip(rows, stated, strict=True)]
    return _Records(rows, rejected, image, label, np.array(boxes, np.float64).reshape(-1, 4), stated.count(False))


def _annotation_ids(take: Values, rows: list[Placed]) -> Ints | None:
    """The objects' own numbers; none if one of them lacks it. Text counts from 1: it is never pycocotools' id 0."""
    if any(record.get("id") is None for _, record in rows):
        return None
    ids = [take.identity(r, "id") for r in rows]
    numbering = Numbering(ids)
    return numbering.numbers(ids) + (0 if numbering.plain else 1)


def _names(classes: Numbering, ids: list[int | str], names: list[str]) -> list[str]:
    """The name of each class, its id where no name is given."""
    named = dict(zip(map(str, ids), names, strict=True))
    return [named.get(key, key) for key in classes.keys]


def _known(values: Floats) -> Floats | None:
    return None if len(values) and np.isnan(values).all() else values
