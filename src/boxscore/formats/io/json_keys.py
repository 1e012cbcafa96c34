"""The outline of a JSON text from its beginning: keys and first elements, without reading it all."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

DEPTH = 6  # of nesting that is looked at
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]]')
_LONG = re.compile(r'"[^"\\]{1000,}"')


class Outline(NamedTuple):
    """What was seen: objects with all keys that were met, arrays with their first element, texts and numbers."""

    value: Any
    complete: bool  # whether the value ended
    more: bool = False  # whether another value follows, as in files with one on each line


def outline(text: str) -> Outline:
    """The outline of the first value of a text, which may end anywhere.

    >>> outline('{"images": [{"id": 1}, {"id": 2}], "annotations": [{"bbox": [0, 1').value
    {'images': [{'id': 1.0}], 'annotations': [{'bbox': [0.0]}]}
    """
    root: Any = None
    stack: list[Any] = []
    key: str | None = None
    place = 0
    while found := _TOKEN.search(text, place):
        token, place = found.group(), found.end()
        if token in ("{", "["):
            new: Any = {} if token == "{" else []
            if not stack:
                root = new
                stack.append(new)
            elif _put(stack[-1], key, new) and len(stack) < DEPTH:
                stack.append(new)
            else:
                place = _behind(text, place)
            key = None
        elif token in ("}", "]"):
            if stack:
                stack.pop()
            if not stack:
                return Outline(root, True, bool(_TOKEN.search(text, place)))
        elif token == ",":
            key = None
        elif token != ":":
            if not stack:
                return Outline(_scalar(token), True)
            if isinstance(stack[-1], dict) and key is None:
                key = token[1:-1]
            else:
                _put(stack[-1], key, _scalar(token))
    return Outline(root, False)


def _behind(text: str, place: int) -> int:
    """The place behind an object or array that has just begun; the end of the text if it goes on."""
    depth = 1
    for found in _BRACKET.finditer(text, place):
        token = found.group()
        depth += (token in ("{", "[")) - (token in ("}", "]"))
        if not depth:
            return found.end()
    return len(text)


def without_long_texts(content: bytes) -> str:
    """A text without embedded images, which stand before what matters in some files."""
    return _LONG.sub('""', content.decode("utf-8-sig", "replace"))


def has(value: Any, path: str) -> bool:
    """Whether an outline has a value at a path: `a` is a key, `[]` the first element, `*` any value of an object.

    >>> has({"a": [{"b": 1}]}, "a[].b"), has({"x": {"b": 1}}, "*.b"), has([{"b": 1}], "[].c")
    (True, True, False)
    """
    return _has(value, [step for step in re.split(r"\.|(\[\])", path) if step])


def _has(value: Any, steps: list[str]) -> bool:
    if not steps:
        return True
    step, rest = steps[0], steps[1:]
    if step == "[]":
        return isinstance(value, list) and bool(value) and _has(value[0], rest)
    if not isinstance(value, dict):
        return False
    if step == "*":
        return any(_has(inner, rest) for inner in value.values())
    return step in value and _has(value[step], rest)


def _put(parent: Any, key: str | None, value: Any) -> bool:
    """Whether a value belongs to the outline; then it is put there."""
    if isinstance(parent, list):
        if parent:
            return False
        parent.append(value)
    elif key is not None:
        parent[key] = value
    return isinstance(parent, list) or key is not None


def _scalar(token: str) -> str | float | None:
    if token.startswith('"'):
        return token[1:-1]
    try:
        return float(token)
    except ValueError:
        return None
