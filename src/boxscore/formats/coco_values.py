"""Values out of JSON records: taken if they are what they should be, complained of with their place if not."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from boxscore.errors import InputError, first_few
from boxscore.findings import finding
from boxscore.ledger import Finding
from boxscore.model import Ints

_WHOLE = re.compile(r"-?[0-9]{1,18}")
_LIMIT = 2**63
_NUMBERS = {int, float}
_NOBODY = -(2**62)  # a number that no source uses as an id

Record = dict[str, Any]
Placed = tuple[str, Record]  # where a record stands, and the record


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


class Values:
    """Takes values out of records."""

    def __init__(self, source: str) -> None:
        self.wrong = Complaints(source)
        self.text_ids: list[str] = []

    def records(self, items: Iterable[Any], section: str) -> list[Placed]:
        """The items of a list, which must be objects, with their places."""
        placed = [(f"{section}[{i}]", item) for i, item in enumerate(items)]
        for place, item in placed:
            if not isinstance(item, dict):
                self.wrong.add(place, kind(item), "an object")
        self.wrong.check()
        return placed

    def boxed(self, placed: list[Placed], what: str) -> tuple[list[Placed], tuple[tuple[str, int], ...]]:
        """The records that have a box, and how many have none; an error if none has one."""
        kept = [(place, record) for place, record in placed if record.get("bbox") not in (None, [])]
        if placed and not kept:
            found = f"none of the {len(placed):,} {what} has a `bbox`"
            raise InputError(self.wrong.source, found, "[x, y, width, height] as `bbox`")
        without = len(placed) - len(kept)
        return kept, (("no box", without),) if without else ()

    def identity(self, placed: Placed, key: str) -> int | str:
        """An id: a whole number, or text; text that is a number counts as that number."""
        place, record = placed
        value = record.get(key)
        if type(value) is int and -_LIMIT < value < _LIMIT:  # nearly always
            return value
        if isinstance(value, str) and value.strip():
            if _WHOLE.fullmatch(value.strip()):
                self.text_ids.append(f"{place}.{key}")
                return int(value)
            return clean(value)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            self.wrong.add(place, _found(key, value), f"a whole number as `{key}`")
            return 0
        if not -_LIMIT < value < _LIMIT:
            self.wrong.add(place, _found(key, value), "a number below 2^63")
            return 0
        return value

    def identities(self, placed: Placed, key: str) -> list[int | str]:
        """A list of ids; missing is empty."""
        place, record = placed
        values = record.get(key)
        if values is None:
            return []
        if not isinstance(values, list):
            self.wrong.add(place, _found(key, values), f"a list of whole numbers as `{key}`")
            return []
        named = ((f"{key}[{i}]", value) for i, value in enumerate(values))
        return [self.identity((place, {name: value}), name) for name, value in named]

    def choice(self, placed: Placed, key: str, known: Sequence[str]) -> str:
        """One of the known texts; missing is empty."""
        place, record = placed
        value = record.get(key)
        if value is None or value in known:
            return value or ""
        self.wrong.add(place, _found(key, value), f"one of {', '.join(known)} as `{key}`")
        return ""

    def text(self, placed: Placed, key: str) -> str:
        """A name."""
        place, record = placed
        value = record.get(key)
        if isinstance(value, str):
            return clean(value)
        self.wrong.add(place, _found(key, value), f"text as `{key}`")
        return ""

    def number(self, placed: Placed, key: str, absent: float | None = None) -> float:
        """A finite number; `absent` stands in for a missing one, without it a missing one is wrong."""
        place, record = placed
        value = record.get(key)
        if type(value) is float and math.isfinite(value):  # nearly always
            return value
        if value is None and absent is not None:
            return absent
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            self.wrong.add(place, _found(key, value), f"a number as `{key}`")
            return 0.0
        number = _double(value)
        if not math.isfinite(number):
            self.wrong.add(place, _found(key, value), "a finite number")
        return number

    def flag(self, placed: Placed, key: str) -> int:
        """0 or 1; missing is 0."""
        place, record = placed
        value = record.get(key)
        if value is None:
            return 0
        if not isinstance(value, (bool, int, float)) or value != value or value % 1:
            self.wrong.add(place, _found(key, value), f"0 or 1 as `{key}`")
            return 0
        return int(value != 0)

    def box(self, placed: Placed) -> list[float]:
        """Four finite numbers."""
        place, record = placed
        box = record["bbox"]
        if type(box) is list and len(box) == 4 and _NUMBERS.issuperset(map(type, box)):  # nearly always
            values = [_double(v) for v in box]
            if math.isfinite(sum(map(abs, values))):
                return values
        expected = "[x, y, width, height]"
        if not isinstance(box, list):
            self.wrong.add(place, _found("bbox", box), expected)
        elif len(box) != 4:
            self.wrong.add(place, f"`bbox` has {len(box)} values", expected)
        elif not all(map(_is_number, box)):
            self.wrong.add(place, _found("bbox", box), f"four numbers, {expected}")
        else:
            values = [_double(v) for v in box]
            if not all(map(math.isfinite, values)):
                self.wrong.add(place, _found("bbox", box), f"finite numbers, {expected}")
            return values
        return [0.0] * 4

    def findings(self) -> Iterable[Finding]:
        """What was read with a grain of salt."""
        if self.text_ids:
            yield finding("ID004", len(self.text_ids), first_few(self.text_ids, len(self.text_ids)))


class Numbering:
    """Ids as numbers: the ids themselves where all are numbers, else a number for each, counted from 0.

    >>> Numbering(["a", 7]).numbers([7, "a", "b"]).tolist() == [1, 0, _NOBODY]
    True
    """

    def __init__(self, ids: Iterable[int | str]) -> None:
        distinct = list(dict.fromkeys(ids))
        self.plain = all(isinstance(i, int) for i in distinct)
        self.keys: list[str] = list(dict.fromkeys(map(str, distinct)))
        self.ids = np.array(distinct if self.plain else range(len(self.keys)), np.int64)
        self._place = {key: i for i, key in enumerate(self.keys)}

    def numbers(self, ids: Sequence[int | str]) -> Ints:
        """The ids as numbers; those that are not known get one that is nobody's."""
        if self.plain:
            return np.array([i if isinstance(i, int) else _NOBODY for i in ids], np.int64)
        return np.array([self._place.get(str(i), _NOBODY) for i in ids], np.int64)


def clean(text: str) -> str:
    """Text that can be printed: halves of surrogate pairs, which JSON lets through, become question marks."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def kind(value: Any) -> str:
    """What a JSON value is.

    >>> kind([]), kind(None)
    ('a list', 'null')
    """
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false", int: "a number", float: "a number"}
    return next((name for type_, name in names.items() if isinstance(value, type_)), "null")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _double(value: float) -> float:
    try:
        return float(value)
    except OverflowError:  # a whole number of hundreds of digits
        return math.inf


def _found(key: str, value: Any) -> str:
    if value is None:
        return f"no `{key}`"
    text = json.dumps(value, ensure_ascii=True, default=repr)
    return f"`{key}` is {text if len(text) <= 40 else text[:37] + '...'}"
