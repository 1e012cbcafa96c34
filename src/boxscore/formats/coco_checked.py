"""COCO JSON read record by record: slower than the kernel, but it knows what is wrong and where."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from boxscore.errors import InputError, first_few
from boxscore.findings import finding
from boxscore.formats.coco_values import Numbering, Placed, Values, clean, kind
from boxscore.formats.lvis import Lists, checked_frequencies, checked_lists, name_in, numbered
from boxscore.formats.source import Source
from boxscore.ledger import Finding
from boxscore.model import Floats, Images, Indices, Ints, Truth, index_of

RECORD = 'a list of {"image_id", "category_id", "bbox", "score"}'
_SWAPPED = "Truth comes first, then detections; were they swapped?"


@dataclass
class Columns:
    """What a COCO file says, before it becomes a table. Images and classes are still named by their ids."""

    image: Ints
    label: Ints
    boxes: Floats  # (n, 4) x y width height
    keys: Sequence[str] | None = None
    image_ids: Ints | None = None  # None: images have names only, and `index_ids` numbers them
    index_ids: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    widths: Floats | None = None
    heights: Floats | None = None
    class_ids: list[int] = field(default_factory=list)
    class_names: list[str] = field(default_factory=list)
    class_keys: list[str] | None = None  # the source's ids where they are text, and `class_ids` numbers them
    area: Floats | None = None
    crowd: Ints | None = None
    ignore: Ints | None = None
    ids: Ints | None = None
    score: Floats | None = None
    lists: dict[str, Lists] = field(default_factory=dict)  # classes of each image, by what is said of them
    frequency: list[str] = field(default_factory=list)  # of each class, empty where unknown; [] without any
    rejected: tuple[tuple[str, int], ...] = ()


def load(source: Source) -> Any:
    """The file as Python values; an InputError with line and column if it is no JSON."""
    try:
        text = source.bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(source.name, f"byte {error.start} is not UTF-8", "a JSON file in UTF-8") from None
    if not text.strip():
        raise InputError(source.name, "the file is empty", "a JSON file")
    start = text.lstrip()[:1]
    if start not in '{["-0123456789tfnNI':
        expected = "a COCO file (JSON), or a folder with one text file per image"
        raise InputError(source.name, f"it begins with {start!r}, which is no JSON", expected)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        cut = not text[error.pos :].strip() or "Unterminated" in error.msg
        found = "the JSON ends too early, as in a truncated file" if cut else f"invalid JSON ({error.msg})"
        hint = "Records that stand one on a line must be put into a list." if error.msg == "Extra data" else ""
        raise InputError(f"{source.name}:{error.lineno}:{error.colno}", found, "complete JSON", hint) from None
    except ValueError:  # whole numbers of thousands of digits
        raise InputError(source.name, "a number with thousands of digits", "a COCO file") from None
    except RecursionError:
        raise InputError(source.name, "JSON nested too deeply", "a COCO file") from None


def truth_checked(source: Source) -> tuple[Columns, list[Finding]]:
    """Ground truth, checked value by value."""
    data = load(source)
    if isinstance(data, list):
        expected = "ground truth: an object with images, annotations and categories"
        raise InputError(source.name, f"a list of {len(data):,} records, as of results", expected, _SWAPPED)
    sections = _sections(source.name, data, ("images", "categories", "annotations"))
    take = Values(source.name)
    images, categories, annotations = (take.records(items, key) for key, items in sections.items())
    image_ids = [take.identity(r, "id") for r in images]
    sizes = [np.array([take.number(r, side, math.nan) for r in images], np.float64) for side in ("width", "height")]
    class_ids = [take.identity(r, "id") for r in categories]
    class_names = [take.text(r, "name") for r in categories]
    lists, frequency = checked_lists(take, images), checked_frequencies(take, categories)
    rows, rejected = take.boxed(annotations, "annotations")
    image, label = ([take.identity(r, key) for r in rows] for key in ("image_id", "category_id"))
    boxes, area = [take.box(r) for r in rows], [take.number(r, "area", math.nan) for r in rows]
    crowd, ignore = ([take.flag(r, key) for r in rows] for key in ("iscrowd", "ignore"))
    ids = _annotation_ids(take, rows)
    take.wrong.check()
    first_images, first_classes = _firsts(image_ids), _firsts(class_ids)
    findings = list(take.findings())
    for what, n_all, first in (
        ("images", len(images), first_images),
        ("categories", len(categories), first_classes),
    ):
        if len(first) < n_all:
            findings.append(finding("ID003", n_all - len(first), what))
    numbering = Numbering(image_ids[i] for i in first_images)
    classes = Numbering(class_ids[i] for i in first_classes)
    names = _image_names([images[i] for i in first_images]) if numbering.plain else None
    return Columns(
        keys=numbering.keys if names is None else names,
        image_ids=numbering.ids if numbering.plain else None,
        index_ids=numbering.ids,
        widths=_known(sizes[0][first_images]),
        heights=_known(sizes[1][first_images]),
        class_ids=classes.ids.tolist(),
        class_names=[class_names[i] for i in first_classes],
        class_keys=None if classes.plain else classes.keys,
        image=numbering.numbers(image),
        label=classes.numbers(label),
        boxes=np.array(boxes, np.float64).reshape(-1, 4),
        area=np.array(area, np.float64),
        crowd=np.array(crowd, np.int64),
        ignore=np.array(ignore, np.int64),
        ids=ids,
        lists={name: numbered([ids[i] for i in first_images], classes) for name, ids in lists.items()},
        frequency=[frequency[i] for i in first_classes] if frequency else [],
        rejected=rejected,
    ), findings


def results_checked(source: Source) -> tuple[Columns, list[Finding]]:
    """A results list (or a COCO file whose annotations carry scores), checked value by value."""
    data, section = load(source), ""
    take = Values(source.name)
    categories: list[Placed] = []
    listed: list[Placed] = []
    if isinstance(data, dict) and isinstance(data.get("annotations"), list):
        if data["annotations"] and not any(isinstance(r, dict) and "score" in r for r in data["annotations"]):
            found = "annotations without scores (this looks like ground truth)"
            raise InputError(source.name, found, f"results: {RECORD}", _SWAPPED)
        given = {key: value for key, value in data.items() if value is not None}
        sections = _sections(source.name, {"images": [], "categories": [], **given}, ("images", "categories"))
        listed, categories = (take.records(items, key) for key, items in sections.items())
        data, section = data["annotations"], "annotations"
    if not isinstance(data, list):
        keys = f" (its keys: {first_few(data, len(data)) or 'none'})" if isinstance(data, dict) else ""
        raise InputError(source.name, f"{kind(data)}{keys}", RECORD)
    class_ids = [take.identity(r, "id") for r in categories]
    class_names = [take.text(r, "name") for r in categories]
    image_ids = [take.identity(r, "id") for r in listed]
    rows, rejected = take.boxed(take.records(data, section), "results")
    image, label = ([take.identity(r, key) for r in rows] for key in ("image_id", "category_id"))
    boxes, score = [take.box(r) for r in rows], [take.number(r, "score") for r in rows]
    take.wrong.check()
    images, classes = Numbering([*image_ids, *image]), Numbering([*class_ids, *label])
    names = _image_names(listed) if set(image) <= set(image_ids) and len(set(image_ids)) == len(listed) else None
    return Columns(
        keys=(names or None) if images.plain else images.keys,
        image_ids=images.ids if images.plain else None,
        class_ids=classes.numbers(class_ids).tolist() if classes.plain else classes.ids.tolist(),
        class_names=class_names if classes.plain else _names(classes, class_ids, class_names),
        class_keys=None if classes.plain else classes.keys,
        image=images.numbers(image),
        label=classes.numbers(label),
        boxes=np.array(boxes, np.float64).reshape(-1, 4),
        score=np.array(score, np.float64),
        rejected=rejected,
    ), list(take.findings())


def named_images(columns: Columns, truth: Truth | None) -> tuple[Images, Indices]:
    """The images of results that have names, by id where ids and names agree with the truth's, else by name."""
    keys, ids = list(columns.keys or ()), columns.image_ids
    if ids is None:
        if truth is not None and truth.images.id is not None:  # some of the names may be numbers of the truth
            known = set(truth.images.key)
            numbers = dict(zip(map(str, truth.images.id.tolist()), truth.images.key, strict=True))
            keys = [key if key in known else numbers.get(key, key) for key in keys]
        return Images(keys), columns.image.astype(np.int32)
    if truth is not None and truth.images.id is not None:
        by_id = index_of(ids, truth.images.id)
        places = {key: i for i, key in enumerate(truth.images.key)}
        by_name = np.array([places.get(key, -1) for key in keys], np.int32)
        both = (by_id >= 0) & (by_name >= 0)
        if (by_id != by_name)[both].any() or (by_name >= 0).sum() > (by_id >= 0).sum():
            return Images(keys), index_of(columns.image, ids)
    return Images(keys, ids), index_of(columns.image, ids)


def _annotation_ids(take: Values, rows: list[Placed]) -> Ints | None:
    """The objects' own numbers; none if one of them lacks it. Text counts from 1: it is never pycocotools' id 0."""
    if any(record.get("id") is None for _, record in rows):
        return None
    ids = [take.identity(r, "id") for r in rows]
    numbering = Numbering(ids)
    return numbering.numbers(ids) + (0 if numbering.plain else 1)


def _image_names(images: list[Placed]) -> list[str] | None:
    """The file names, or what the addresses end with, if every image has one."""
    names = [name for _, record in images if isinstance(name := record.get("file_name"), str)]
    if len(names) < len(images):
        urls = [url for _, record in images if isinstance(url := record.get("coco_url"), str)]
        names = [name for url in urls if (name := name_in(url))]
    return [clean(name) for name in names] if len(names) == len(images) else None


def _names(classes: Numbering, ids: list[int | str], names: list[str]) -> list[str]:
    """The name of each class, its id where no name is given."""
    named = dict(zip(map(str, ids), names, strict=True))
    return [named.get(key, key) for key in classes.keys]


def _firsts(ids: list[int | str]) -> list[int]:
    """Where each id is met for the first time."""
    first: dict[int | str, int] = {}
    for i, key in enumerate(ids):
        first.setdefault(key, i)
    return list(first.values())


def _known(values: Floats) -> Floats | None:
    return None if len(values) and np.isnan(values).all() else values


def _sections(source: str, data: Any, keys: tuple[str, ...]) -> dict[str, list[Any]]:
    if not isinstance(data, dict):
        raise InputError(source, kind(data), f"an object with {', '.join(keys)}")
    for key in keys:
        if key not in data:
            found = f"no `{key}` (its keys: {first_few(data, len(data)) or 'none'})"
            raise InputError(source, found, f"`{key}`: a list")
        if not isinstance(data[key], list):
            raise InputError(f"{source}: {key}", kind(data[key]), "a list")
    return {key: data[key] for key in keys}
