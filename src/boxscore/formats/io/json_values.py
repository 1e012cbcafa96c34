"""JSON values with their places: taken if they are what they should be, complained of with file and path if not."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any, TypeGuard

from boxscore.errors import InputError, first_few
from boxscore.formats.io.json_once import loads
from boxscore.formats.io.record_values import clean, kind
from boxscore.formats.io.source import Source


class Value:
    """A value of a JSON file that knows where it stands; the path is made only when a message needs it.

    >>> Value("a.json", {"shapes": [{"label": "cat"}]})["shapes"].items()[0]["label"].path
    '$.shapes[0].label'
    """

    __slots__ = ("file", "key", "parent", "value")

    def __init__(self, file: object, value: Any, parent: Value | None = None, key: str | int = "$") -> None:
        # `file` may be anything whose text is the name of the file.
        self.file, self.value, self.parent, self.key = file, value, parent, key

    @property
    def path(self) -> str:
        """Where it stands in the file."""
        if self.parent is None:
            return str(self.key)
        if isinstance(self.key, int):
            return f"{self.parent.path}[{self.key}]"
        return f"{self.parent.path}.{clean(self.key)}"

    @property
    def shown(self) -> str:
        """The value as a message shows it."""
        if isinstance(self.value, (dict, list)) and len(self.value) > 8:
            return f"{kind(self.value)} of {len(self.value):,}"
        text = json.dumps(self.value, ensure_ascii=True)
        return text if len(text) <= 40 else text[:37] + "..."

    def wrong(self, found: str, expected: str, hint: str = "") -> InputError:
        """The error for this place."""
        return InputError(f"{self.file}: {self.path}", found, expected, hint)

    def has(self, key: str) -> bool:
        """Whether it is an object with something under a key; null is nothing."""
        return isinstance(self.value, dict) and self.value.get(key) is not None

    def get(self, key: str) -> Value | None:
        """What stands under a key; None where nothing does, or null."""
        found = self.object().get(key)
        return None if found is None else Value(self.file, found, self, key)

    def __getitem__(self, key: str) -> Value:
        found = self.object()
        value = found.get(key)
        if value is None and key in found:
            raise Value(self.file, None, self, key).wrong("null", "a value")
        if value is None:
            keys = first_few(map(clean, found), len(found)) or "none"
            raise self.wrong(f"no `{key}` (its keys: {keys})", f"an object with `{key}`")
        return Value(self.file, value, self, key)

    def object(self) -> dict[str, Any]:
        """An object, as Python's dictionary."""
        if not isinstance(self.value, dict):
            raise self.wrong(self.shown, "an object")
        return self.value

    def entries(self) -> Iterator[tuple[str, Value]]:
        """The keys and values of an object."""
        return ((key, Value(self.file, value, self, key)) for key, value in self.object().items())

    def items(self) -> list[Value]:
        """The values of a list."""
        if not isinstance(self.value, list):
            raise self.wrong(self.shown, "a list")
        return [Value(self.file, value, self, i) for i, value in enumerate(self.value)]

    def text(self) -> str:
        """Text that is not blank."""
        if not isinstance(self.value, str) or not self.value.strip():
            raise self.wrong(self.shown, "text")
        return clean(self.value)

    def as_text(self) -> str:
        """Any value as text."""
        return clean(self.value if isinstance(self.value, str) else json.dumps(self.value, ensure_ascii=False))

    def number(self) -> float:
        """A finite number."""
        if type(self.value) is float and math.isfinite(self.value):  # nearly always
            return self.value
        if isinstance(self.value, bool) or not isinstance(self.value, (int, float)):
            raise self.wrong(self.shown, "a number")
        try:
            number = float(self.value)
        except OverflowError:  # a whole number of hundreds of digits
            number = math.inf
        if not math.isfinite(number):
            raise self.wrong(self.shown, "a finite number")
        return number

    def numbers(self, *keys: str) -> list[float]:
        """The finite numbers of an object under these keys."""
        if type(self.value) is dict:
            values = [self.value.get(key) for key in keys]
            if _finite(values):  # nearly always
                return [float(value) for value in values]
        return [self[key].number() for key in keys]

    def points(self) -> list[list[float]]:
        """A list of points, each of two finite numbers."""
        return [
            [float(v) for v in point] if type(point) is list and len(point) == 2 and _finite(point) else one.point()
            for point, one in ((one.value, one) for one in self.items())
        ]

    def point(self) -> list[float]:
        """Two finite numbers."""
        values = self.items()
        if len(values) != 2:
            raise self.wrong(self.shown, "[x, y]")
        return [value.number() for value in values]

    def length(self) -> float:
        """A number that is not below 0."""
        number = self.number()
        if number < 0:
            raise self.wrong(self.shown, "a number that is not below 0")
        return number

    def size(self, width: str, height: str) -> tuple[float, float]:
        """Width and height of an image; nan where missing, or 0 or less, which many write where they do not know it."""
        both = [math.nan if (side := self.get(name)) is None else side.number() for name in (width, height)]
        return both[0] if both[0] > 0 else math.nan, both[1] if both[1] > 0 else math.nan

    def whole(self) -> int:
        """A whole number below 2^63."""
        if isinstance(self.value, bool) or not isinstance(self.value, (int, float)) or self.value % 1:
            raise self.wrong(self.shown, "a whole number")
        if not -(2**63) <= self.value < 2**63:
            raise self.wrong(self.shown, "a number below 2^63")
        return int(self.value)

    def truth(self) -> bool:
        """True or false; 1 and 0 will do."""
        if self.value not in (True, False):
            raise self.wrong(self.shown, "true or false")
        return bool(self.value)


_NUMBERS = {int, float}


def _finite(values: list[Any]) -> TypeGuard[list[float]]:
    """Whether all are plain finite numbers; what is not may be one all the same."""
    return _NUMBERS.issuperset(map(type, values)) and all(-1e300 < value < 1e300 for value in values)


def load_value(source: Source, expected: str) -> Value:
    """The content of a JSON file; an error says where it is none, and what it should have been."""
    try:
        text = source.bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(source.name, f"byte {error.start} is not UTF-8", expected) from None
    try:
        return Value(source.name, loads(text, source.name))
    except json.JSONDecodeError as error:
        cut = text.strip() and (not text[error.pos :].strip() or "Unterminated" in error.msg)
        found = "the JSON ends too early, as in a truncated file" if cut else f"no valid JSON ({error.msg})"
        raise InputError(f"{source.name}:{error.lineno}:{error.colno}", found, expected) from None
    except ValueError:
        raise InputError(source.name, "a number with thousands of digits", expected) from None
    except RecursionError:
        raise InputError(source.name, "JSON nested too deeply", expected) from None
