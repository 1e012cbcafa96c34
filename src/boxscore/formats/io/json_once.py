"""JSON in which no object has a key twice: parsers keep the last one, and nobody could say which one counts."""

from __future__ import annotations

import json
from typing import Any

from boxscore.errors import InputError


class _Repeating(dict[str, Any]):
    """An object with a repeated key."""

    key = ""


def loads(text: str, file: object) -> Any:
    """The values of a JSON text; the text of `file` is what messages call it.

    >>> loads('{"a": [{"b": 1, "b": 2}]}', "x.json")
    Traceback (most recent call last):
    ...
    boxscore.errors.InputError: x.json: a[0]: 'b' twice; expected each name once
    """
    repeating = list[_Repeating]()

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) == len(pairs):
            return made
        odd, names = _Repeating(made), [name for name, _ in pairs]
        odd.key = next(name for name in names if names.count(name) > 1)
        repeating.append(odd)
        return odd

    values = json.loads(text, object_pairs_hook=once)
    if repeating:
        found, path = _first(values)
        raise InputError(f"{file}: {path}" if path else str(file), f"'{found.key}' twice", "each name once")
    return values


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
    raise AssertionError("the outermost one is always there: only what stands within one can be lost")
