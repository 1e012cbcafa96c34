"""Values out of JSON records: taken if they are what they should be, complained of with their place if not."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from boxscore.diagnostics.findings import Finding, finding
from boxscore.errors import InputError, first_few
from boxscore.formats.io.complaints import Complaints
from boxscore.formats.io.ids import Written
from boxscore.formats.io.invalid import Invalid
from boxscore.formats.io.json_records import Records
from boxscore.formats.io.placed_records import Placed, Rows, TextIds

_WHOLE = re.compile(r"-?[0-9]{1,18}")
_LIMIT = 2**63
_NUMBERS = {int, float}


T = TypeVar("T")


def without_invalid(source: str, invalid: Invalid | None, make: Callable[[Values], T]) -> T:
    """What `make` reads, if need be without the objects or detections that something is wrong with."""
    left_out: set[str] = set()
    while True:
        take = Values(source, left_out)
        try:
            return make(take)
        except InputError:
            wrong = take.wrong.of_rows()
            if invalid is None or not invalid.skip or not wrong:
                raise
        for error in wrong.values():
            invalid.add(error)
        left_out |= set(wrong)


class Values:
    """Takes values out of records."""

    def __init__(self, source: str, left_out: Container[str] = ()) -> None:
        self.wrong = Complaints(source)
        self.left_out = left_out  # places of records
        self.text_ids: dict[str, TextIds] = {}  # by column
        self.at("")

    def at(self, column: str) -> None:
        """Values are taken for a column from now on; messages go by the order in which columns are first named."""
        self.wrong.at(column)
        self._text_ids = self.text_ids.setdefault(column, TextIds())

    def forget(self, column: str) -> None:
        """A column is not used, and nothing is said of it."""
        self.wrong.columns.pop(column, None)
        self.text_ids.pop(column, None)

    def records(self, items: Sequence[Any] | Records, section: str) -> Rows:
        """The items of a list, which must be objects, with their places."""
        odd = items.odd if isinstance(items, Records) else range(len(items))
        return self._objects(
            lambda: ((f"{section}[{i}]", item) for i, item in enumerate(items)),
            ((f"{section}[{i}]", items[i]) for i in odd),
        )

    def placed(self, placed: Callable[[], Iterator[tuple[str, Any]]]) -> Rows:
        """Items, which must be objects, at their places, but for those that are left out."""
        return self._objects(placed, placed())

    def _objects(self, placed: Callable[[], Iterator[tuple[str, Any]]], look: Iterable[tuple[str, Any]]) -> Rows:
        """The rows at their places; the items that may be no objects are looked at."""
        for place, item in look:
            if not isinstance(item, dict) and place not in self.left_out:
                self.wrong.add(place, kind(item), "an object")
        self.wrong.check()
        return Rows(placed, self.left_out)

    def identity(self, placed: Placed, key: str) -> int | str:
        """An id: a whole number, or text; text that is a number counts as that number."""
        place, record = placed
        value = record.get(key)
        if type(value) is int and -_LIMIT < value < _LIMIT:  # nearly always
            return value
        if isinstance(value, str) and value.strip():
            if _WHOLE.fullmatch(value.strip()):
                self._text_ids.add(f"{place}.{key}")
                return Written(value)
            return clean(value)
        if isinstance(value, float) and value.is_integer():
            if abs(value) >= 2**53:  # the file may say its neighbour
                expected = f"a whole number as `{key}`, without a decimal point or exponent from 2^53 on"
                self.wrong.add(place, described(key, value), expected)
                return 0
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            self.wrong.add(place, described(key, value), f"a whole number as `{key}`")
            return 0
        if not -_LIMIT < value < _LIMIT:
            self.wrong.add(place, described(key, value), "a number below 2^63")
            return 0
        return value

    def whole(self, placed: Placed, key: str) -> int:
        """A whole number that must be there."""
        value = self.identity(placed, key)
        if isinstance(value, str):
            self.wrong.add(placed[0], described(key, value), f"a whole number as `{key}`")
            return 0
        return value

    def identities(self, placed: Placed, key: str) -> list[int | str]:
        """A list of ids; missing is empty."""
        place, record = placed
        values = record.get(key)
        if values is None:
            return []
        if not isinstance(values, list):
            self.wrong.add(place, described(key, values), f"a list of whole numbers as `{key}`")
            return []
        named = ((f"{key}[{i}]", value) for i, value in enumerate(values))
        return [self.identity((place, {name: value}), name) for name, value in named]

    def choice(self, placed: Placed, key: str, known: Sequence[str]) -> str:
        """One of the known texts; missing is empty."""
        place, record = placed
        value = record.get(key)
        if value is None or value in known:
            return value or ""
        self.wrong.add(place, described(key, value), f"one of {', '.join(known)} as `{key}`")
        return ""

    def text(self, placed: Placed, key: str) -> str:
        """A name."""
        place, record = placed
        value = record.get(key)
        if isinstance(value, str):
            return clean(value)
        self.wrong.add(place, described(key, value), f"text as `{key}`")
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
            self.wrong.add(place, described(key, value), f"a number as `{key}`")
            return 0.0
        number = _double(value)
        if not math.isfinite(number):
            self.wrong.add(place, described(key, value), "a finite number")
        return number

    def flag(self, placed: Placed, key: str) -> int:
        """0 or 1; missing is 0."""
        place, record = placed
        value = record.get(key)
        if value is None:
            return 0
        if not isinstance(value, (bool, int, float)) or value != value or value % 1:
            self.wrong.add(place, described(key, value), f"0 or 1 as `{key}`")
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
            self.wrong.add(place, described("bbox", box), expected)
        elif len(box) != 4:
            more = "; a fifth value is often a score or an angle" if len(box) == 5 else ""
            self.wrong.add(place, f"`bbox` has {len(box)} values", expected + more)
        elif not all(map(_is_number, box)):
            self.wrong.add(place, described("bbox", box), f"four numbers, {expected}")
        else:
            values = [_double(v) for v in box]
            if not all(map(math.isfinite, values)):
                self.wrong.add(place, described("bbox", box), f"finite numbers, {expected}")
            return values
        return [0.0] * 4

    def findings(self) -> Iterable[Finding]:
        """What was read with a grain of salt."""
        if count := sum(ids.count for ids in self.text_ids.values()):
            first = (place for ids in self.text_ids.values() for place in ids.first)
            yield finding("ID004", count, first_few(first, count))


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


def described(key: str, value: Any) -> str:
    """What a record has under a key, as messages say it."""
    if value is None:
        return f"no `{key}`"
    text = json.dumps(value, ensure_ascii=True, default=repr)
    return f"`{key}` is {text if len(text) <= 40 else text[:37] + '...'}"
