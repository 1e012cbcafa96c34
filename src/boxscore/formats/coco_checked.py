"""COCO JSON read record by record: slower than the kernel, but it knows what is wrong and where."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from boxscore.errors import InputError, first_few
from boxscore.findings import finding
from boxscore.formats.source import Source
from boxscore.ledger import Finding
from boxscore.model import Floats, Ints


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
    area: Floats | None = None
    crowd: Ints | None = None
    ignore: Ints | None = None
    ids: Ints | None = None
    score: Floats | None = None
    rejected: tuple[tuple[str, int], ...] = ()


class Complaints:
    """Collects what is wrong, place by place, and raises the first kind with its first three places."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.found: dict[tuple[str, str], list[str]] = {}

    def add(self, place: str, found: str, expected: str) -> None:
        """Something at a place is not what it should be."""
        self.found.setdefault((found, expected), []).append(place)

    def check(self) -> None:
        """Raises if there is anything."""
        for (found, expected), places in self.found.items():
            where = f"{self.source}: {places[0]}"
            more = f" ({len(places):,} such places: {first_few(places, len(places))})" if len(places) > 1 else ""
            raise InputError(where, found + more, expected)


def load(source: Source) -> Any:
    """The file as Python values; an InputError with line and column if it is no JSON."""
    try:
        text = source.bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(source.name, f"byte {error.start} is not UTF-8", "a JSON file in UTF-8") from None
    if not text.strip():
        raise InputError(source.name, "the file is empty", "a JSON file")
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        cut = not text[error.pos :].strip() or "Unterminated" in error.msg
        found = "the JSON ends too early, as in a truncated file" if cut else f"invalid JSON ({error.msg})"
        raise InputError(f"{source.name}:{error.lineno}:{error.colno}", found, "complete JSON") from None
    except RecursionError:
        raise InputError(source.name, "JSON nested too deeply", "a COCO file") from None


def truth_checked(source: Source) -> tuple[Columns, list[Finding]]:
    """Ground truth, checked value by value."""
    data = load(source)
    if isinstance(data, list):
        raise InputError(
            source.name, "a list of results", "ground truth: an object with images, annotations and categories",
            "Truth comes first, then detections; were they swapped?",
        )  # fmt: skip
    records = _sections(source.name, data, ("images", "annotations", "categories"))
    wrong = Complaints(source.name)
    reader = _Reader(wrong)
    image_ids = [reader.identity(r, "id", f"images[{i}]") for i, r in enumerate(records["images"])]
    names = [r.get("file_name") for r in records["images"] if isinstance(r, dict)]
    class_ids = [reader.identity(r, "id", f"categories[{i}]") for i, r in enumerate(records["categories"])]
    class_names = [reader.text(r, "name", f"categories[{i}]") for i, r in enumerate(records["categories"])]
    rows = [(f"annotations[{i}]", r) for i, r in enumerate(records["annotations"])]
    boxed, rejected = reader.boxed(rows)
    columns = {
        "image": [reader.identity(r, "image_id", p) for p, r in boxed],
        "label": [reader.identity(r, "category_id", p) for p, r in boxed],
        "boxes": [reader.box(r, p) for p, r in boxed],
        "area": [reader.number(r, "area", p, math.nan) for p, r in boxed],
        "crowd": [reader.flag(r, "iscrowd", p) for p, r in boxed],
        "ignore": [reader.flag(r, "ignore", p) for p, r in boxed],
        "ids": [r.get("id") for _, r in boxed],
    }
    sizes = [
        np.array([reader.number(r, side, f"images[{i}]", math.nan) for i, r in enumerate(records["images"])])
        for side in ("width", "height")
    ]
    wrong.check()
    findings = list(reader.findings())
    first_images, first_classes = _firsts(image_ids), _firsts(class_ids)
    for what, all_ids, first in (("images", image_ids, first_images), ("categories", class_ids, first_classes)):
        if len(first) < len(all_ids):
            findings.append(finding("ID003", len(all_ids) - len(first), what))
    numbering = _Numbering(image_ids[i] for i in first_images)
    classes = _Numbering(class_ids[i] for i in first_classes)
    ids = columns["ids"]
    return Columns(
        keys=[names[i] if numbering.plain and isinstance(names[i], str) else str(image_ids[i]) for i in first_images],
        image_ids=numbering.ids if numbering.plain else None,
        index_ids=numbering.ids,
        widths=sizes[0][first_images],
        heights=sizes[1][first_images],
        class_ids=classes.ids.tolist(),
        class_names=[class_names[i] for i in first_classes],
        image=numbering.numbers(columns["image"]),
        label=classes.numbers(columns["label"]),
        boxes=np.array(columns["boxes"], np.float64).reshape(-1, 4),
        area=np.array(columns["area"], np.float64),
        crowd=np.array(columns["crowd"], np.int64),
        ignore=np.array(columns["ignore"], np.int64),
        ids=np.array(ids, np.int64) if all(isinstance(i, int) for i in ids) else None,
        rejected=rejected,
    ), findings


def results_checked(source: Source) -> tuple[Columns, list[Finding]]:
    """A results list (or a COCO file whose annotations carry scores), checked value by value."""
    data = load(source)
    prefix, class_ids, class_names = "", [], []
    wrong = Complaints(source.name)
    reader = _Reader(wrong)
    if isinstance(data, dict) and isinstance(data.get("annotations"), list):
        if data["annotations"] and not any(isinstance(r, dict) and "score" in r for r in data["annotations"]):
            raise InputError(
                source.name, "annotations without scores (this looks like ground truth)",
                'results: a list of {"image_id", "category_id", "bbox", "score"}',
                "Truth comes first, then detections; were they swapped?",
            )  # fmt: skip
        for i, r in enumerate(data.get("categories") or []):
            class_ids.append(reader.identity(r, "id", f"categories[{i}]"))
            class_names.append(reader.text(r, "name", f"categories[{i}]"))
        data, prefix = data["annotations"], "annotations"
    if not isinstance(data, list):
        raise InputError(source.name, f"a JSON {_kind(data)}", 'a list of {"image_id", "category_id", "bbox", "score"}')
    boxed, rejected = reader.boxed([(f"{prefix}[{i}]", r) for i, r in enumerate(data)])
    image = [reader.identity(r, "image_id", p) for p, r in boxed]
    label = [reader.identity(r, "category_id", p) for p, r in boxed]
    boxes = [reader.box(r, p) for p, r in boxed]
    score = [reader.number(r, "score", p) for p, r in boxed]
    wrong.check()
    images, classes = _Numbering(dict.fromkeys(image)), _Numbering([*class_ids, *dict.fromkeys(label)])
    return Columns(
        keys=None if images.plain else list(images.names),
        image_ids=images.ids if images.plain else None,
        class_ids=classes.numbers(class_ids).tolist() if classes.plain else list(range(len(classes.names))),
        class_names=class_names if classes.plain else list(classes.names),
        image=images.numbers(image),
        label=classes.numbers(label),
        boxes=np.array(boxes, np.float64).reshape(-1, 4),
        score=np.array(score, np.float64),
        rejected=rejected,
    ), list(reader.findings())


class _Reader:
    """Takes values out of records and complains where they are not what they should be."""

    def __init__(self, wrong: Complaints) -> None:
        self.wrong = wrong
        self.text_ids: list[str] = []

    def boxed(self, rows: list[tuple[str, Any]]) -> tuple[list[tuple[str, dict[str, Any]]], tuple[tuple[str, int], ...]]:
        """The records that have a box, and how many have none."""
        kept = []
        for place, record in rows:
            if not isinstance(record, dict):
                self.wrong.add(place, f"a {_kind(record)}", "an object")
            elif record.get("bbox") is not None and record["bbox"] != []:
                kept.append((place, record))
        self.wrong.check()
        without = len(rows) - len(kept)
        return kept, (("no box", without),) if without else ()

    def identity(self, record: Any, key: str, place: str) -> int | str:
        """An id: a whole number, or text; text that is a number counts as that number."""
        value = record.get(key) if isinstance(record, dict) else None
        if isinstance(value, str) and value.strip():
            if value.strip().lstrip("-").isdigit():
                self.text_ids.append(f"{place}.{key}")
                return int(value)
            return value
        if isinstance(value, float) and value.is_integer():
            return int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            found = f"no `{key}`" if value is None else f"`{key}` is {_shown(value)}"
            self.wrong.add(place, found, f"a whole number as `{key}`")
            return 0
        if abs(value) >= 2**63:
            self.wrong.add(place, f"`{key}` is {_shown(value)}", "a number below 2^63")
            return 0
        return value

    def text(self, record: Any, key: str, place: str) -> str:
        """A name."""
        value = record.get(key) if isinstance(record, dict) else None
        if not isinstance(value, str):
            found = f"no `{key}`" if value is None else f"`{key}` is {_shown(value)}"
            self.wrong.add(place, found, f"text as `{key}`")
            return ""
        return value

    def number(self, record: Any, key: str, place: str, absent: float | None = None) -> float:
        """A finite number; `absent` stands in for a missing one, without it a missing one is wrong."""
        value = record.get(key) if isinstance(record, dict) else None
        if value is None and absent is not None:
            return absent
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            found = f"no `{key}`" if value is None else f"`{key}` is {_shown(value)}"
            self.wrong.add(place, found, f"a number as `{key}`")
            return 0.0
        return self._finite(value, key, place)

    def _finite(self, value: float, key: str, place: str) -> float:
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            self.wrong.add(place, f"`{key}` is {_shown(value)}", "finite numbers")
        return number

    def flag(self, record: dict[str, Any], key: str, place: str) -> int:
        """0 or 1; missing is 0."""
        value = record.get(key) or 0
        if not isinstance(value, (bool, int, float)):
            self.wrong.add(place, f"`{key}` is {_shown(value)}", "0 or 1")
            return 0
        return int(bool(value))

    def box(self, record: dict[str, Any], place: str) -> list[float]:
        """Four finite numbers."""
        box = record["bbox"]
        expected = "[x, y, width, height]"
        if not isinstance(box, list):
            self.wrong.add(place, f"`bbox` is {_shown(box)}", expected)
        elif len(box) != 4:
            self.wrong.add(place, f"`bbox` has {len(box)} values", expected)
        elif not all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in box):
            self.wrong.add(place, f"`bbox` is {_shown(box)}", f"four numbers, {expected}")
        else:
            return [self._finite(v, "bbox", place) for v in box]
        return [0.0] * 4

    def findings(self) -> Iterable[Finding]:
        """What was read with a grain of salt."""
        if self.text_ids:
            yield finding("ID004", len(self.text_ids), first_few(self.text_ids, len(self.text_ids)))


class _Numbering:
    """Ids as numbers: the ids themselves where all are numbers, else a number for each name."""

    def __init__(self, ids: Iterable[int | str]) -> None:
        self.names = {name: i for i, name in enumerate(dict.fromkeys(map(str, ids)))}
        self.plain = all(map(_is_number, self.names))
        self.ids = np.array([int(n) for n in self.names] if self.plain else list(self.names.values()), np.int64)

    def numbers(self, ids: Iterable[int | str]) -> Ints:
        """The ids as numbers; those that are not known get one that is nobody's."""
        nobody = -(2**62)
        if self.plain:
            return np.array([i if isinstance(i, int) else nobody for i in ids], np.int64)
        return np.array([self.names.get(str(i), nobody) for i in ids], np.int64)


def _is_number(text: str) -> bool:
    return text.lstrip("-").isdigit()


def _firsts(ids: list[int | str]) -> list[int]:
    """Where each id is met for the first time."""
    first: dict[int | str, int] = {}
    for i, key in enumerate(ids):
        first.setdefault(key, i)
    return list(first.values())


def _sections(source: str, data: Any, keys: tuple[str, ...]) -> dict[str, list[Any]]:
    if not isinstance(data, dict):
        raise InputError(source, f"a JSON {_kind(data)}", f"an object with {', '.join(keys)}")
    for key in keys:
        if key not in data:
            raise InputError(source, f"no `{key}` (its keys: {first_few(data, len(data)) or 'none'})", f"`{key}`: a list")
        if not isinstance(data[key], list):
            raise InputError(f"{source}: {key}", f"a {_kind(data[key])}", "a list")
    return {key: data[key] for key in keys}


def _kind(value: Any) -> str:
    names = {dict: "object", list: "list", str: "text", bool: "truth value", int: "number", float: "number"}
    return names.get(type(value), "null")


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else text[:37] + "…"
