"""JSON in which no object has a key twice: parsers keep the last one, and nobody could say which one counts."""

from __future__ import annotations

import json
import re
from json import decoder
from typing import Any

from boxscore.errors import InputError
from boxscore.formats.io.json_records import Records

_SPACE = re.compile(r"[ \t\n\r]*")


class _Repeating(dict[str, Any]):
    """An object with a repeated key."""

    key = ""


class _Repeats:
    """Makes objects of keys and values, and counts those that have a key twice."""

    def __init__(self) -> None:
        self.count = 0

    def once(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) == len(pairs):
            return made
        odd, names = _Repeating(made), [name for name, _ in pairs]
        odd.key = next(name for name in names if names.count(name) > 1)
        self.count += 1
        return odd

    def check(self, values: Any, file: object) -> None:
        """Raises if there is one."""
        if self.count:
            found, path = _first(values)
            raise InputError(f"{file}: {path}" if path else str(file), f"'{found.key}' twice", "each name once")


def loads(text: str, file: object) -> Any:
    """The values of a JSON text; the text of `file` is what messages call it.

    >>> loads('{"a": [{"b": 1, "b": 2}]}', "x.json")
    Traceback (most recent call last):
    ...
    boxscore.errors.InputError: x.json: a[0]: 'b' twice; expected each name once
    """
    repeats = _Repeats()
    values = json.loads(text, object_pairs_hook=repeats.once)
    repeats.check(values, file)
    return values


def loads_records(text: str, file: object) -> Any:
    """As `loads`, but a list that is the whole text or stands in its outermost object is `Records`, unless empty.

    >>> loads_records('{"a": [{"b": 1}], "c": []}', "x.json")["a"][0]
    {'b': 1}
    """
    # The outermost lists and objects go through the parsers that the standard library has beside its compiled ones,
    # with the same messages at the same places.
    repeats = _Repeats()
    scan = json.JSONDecoder(object_pairs_hook=repeats.once).raw_decode

    def listed(text: str, start: int) -> tuple[Any, int]:
        if not text.startswith("[", start):
            return scan(text, start)
        records = Records(text)

        def note(text: str, start: int) -> tuple[None, int]:
            before = repeats.count
            item, end = scan(text, start)
            if not isinstance(item, dict):
                records.odd.append(len(records))
            if repeats.count > before and not records.repeating:
                records.repeating.append((len(records), item))
            records.starts.append(start)
            return None, end

        _, end = decoder.JSONArray((text, start + 1), note)  # type: ignore[attr-defined]
        return (records if len(records) else []), end

    start = _end_of_space(text, 0)
    if text.startswith("{", start):
        values, end = decoder.JSONObject((text, start + 1), True, listed, None, repeats.once, {})  # type: ignore[attr-defined]
    else:
        values, end = listed(text, start)
    if (end := _end_of_space(text, end)) != len(text):
        raise json.JSONDecodeError("Extra data", text, end)
    repeats.check(values, file)
    return values


def _end_of_space(text: str, start: int) -> int:
    found = _SPACE.match(text, start)
    assert found is not None
    return found.end()


def _first(values: Any) -> tuple[_Repeating, str]:
    """The first object with a repeated key that is still there, and where it stands."""
    waiting: list[tuple[Any, str]] = [(values, "")]
    while waiting:
        value, path = waiting.pop()
        if isinstance(value, _Repeating):
            return value, path
        if isinstance(value, dict):
            waiting += [(v, f"{path}.{k}" if path else k) for k, v in reversed(value.items())]
        elif isinstance(value, list):
            waiting += [(v, f"{path}[{i}]") for i, v in reversed(list(enumerate(value)))]
        elif isinstance(value, Records):
            waiting += [(v, f"{path}[{i}]") for i, v in value.repeating]
    raise AssertionError("the outermost one is always there: only what stands within one can be lost")
