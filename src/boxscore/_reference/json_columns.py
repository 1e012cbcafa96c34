"""JSON records as columns, defined: token by token, the whole text at once."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from boxscore._reference.json_shapes import shape_column
from boxscore._reference.json_values import NULL, Token, UnusualError, box, integer, integers, number, numbers, raw

INTEGER, NUMBER, BOX, STRING, INTEGERS, NUMBERS, SHAPE, MASK = range(8)  # kinds of fields
_TOKEN = re.compile(
    rb'[ \n\r\t]*(?:(?P<mark>[{}\[\],:])|"(?P<string>(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*)"'
    rb"|(?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)|(?P<word>true|false|null))"
)

Value = Token | list[Any] | dict[bytes, Any]  # a record maps each key to the list of its values
Fields = Sequence[tuple[str, int]]


def json_columns(
    text: bytes | None, descriptor: int, size: int, layout: Sequence[tuple[str, Fields]], main: int = 0,
    block_size: int = 0, threads: int = 1,
) -> dict[str, dict[str, tuple[Any, ...]]] | None:  # fmt: skip
    """The tables of a JSON text, each an array of records, as columns; None where the text is not of the usual kind.

    `layout` names the tables (keys of the outermost object; one table without a name is the outermost array) and their
    fields with kinds. A column is (values, mask of absent or null values or None, None); of strings the values are the
    ends in a common text, and the last part is (that text, whether anything in it is escaped); of lists of integers or
    numbers the values are the ends in a common list, and the last part is that list (see `reals`); of shapes see
    `shape_column`.
    """
    whole = os.pread(descriptor, size, 0) if text is None else text
    try:
        outermost = parse(whole)
        if isinstance(outermost, list):
            if [name for name, _ in layout] != [""]:
                raise UnusualError
            return {"": columns(outermost, layout[0][1])}
        tables = record(outermost)
        present = [(name, fields, tables[name.encode()]) for name, fields in layout if name.encode() in tables]
        return {name: columns(only(values), fields) for name, fields, values in present}
    except UnusualError:
        return None


def record(value: Any) -> dict[bytes, list[Any]]:
    """A record, whose keys must be written without escapes."""
    if not isinstance(value, dict) or any(b"\\" in key for key in value):
        raise UnusualError
    return value


def only(values: list[Any]) -> Any:
    """The value of a key that must be there once."""
    if len(values) != 1:
        raise UnusualError
    return values[0]


def columns(array: Any, fields: Fields) -> dict[str, tuple[Any, ...]]:
    """The asked fields of an array of records."""
    if not isinstance(array, list):
        raise UnusualError
    records = [record(value) for value in array]
    made = {}
    for name, kind in fields:
        listed = [r.get(name.encode(), []) for r in records]
        if any(len(values) > 1 for values in listed):
            raise UnusualError  # the same key twice
        given = [[v for v in values if v != NULL] for values in listed]
        missing = np.array([not values for values in given], np.uint8)
        made[name] = column([values[0] if values else None for values in given], kind, missing)
    return made


def column(values: Sequence[Any], kind: int, missing: Any) -> tuple[Any, ...]:
    """One column; absent values hold 0 or nothing."""
    absent = missing if missing.any() else None
    if kind == STRING:
        texts = [b"" if v is None else raw(v, "string") for v in values]
        ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
        return ends, absent, (b"".join(texts), any(b"\\" in text for text in texts))
    if kind == INTEGERS:
        lists = [[] if v is None else integers(v) for v in values]
        ends = np.cumsum([len(listed) for listed in lists], dtype=np.int64)
        return ends, absent, np.array([i for listed in lists for i in listed], np.int64)
    if kind == NUMBERS:
        given = [[] if v is None else numbers(v) for v in values]
        ends = np.cumsum([len(listed) for listed in given], dtype=np.int64)
        return ends, absent, reals([x for listed in given for x in listed])
    if kind in (SHAPE, MASK):
        return shape_column(values, fine=kind == MASK)
    if kind == INTEGER:
        return np.array([0 if v is None else integer(v) for v in values], np.int64), absent, None
    if kind == NUMBER:
        return np.array([0.0 if v is None else number(v) for v in values], np.float64), absent, None
    boxes = [[0.0] * 4 if v is None else box(v) for v in values]
    return np.array(boxes, np.float64).reshape(-1), absent, None


def reals(values: Sequence[float]) -> Any:
    """Numbers as singles where every one of them is a single, else as doubles."""
    doubles = np.array(values, np.float64)
    with np.errstate(over="ignore"):
        singles = doubles.astype(np.float32)
    return singles if np.array_equal(singles.astype(np.float64), doubles) else doubles


def parse(text: bytes) -> Value:
    """A JSON text as lists, records of lists of values, and tokens."""
    tokens, at = [], 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            if text[at:].strip(b" \n\r\t"):
                raise UnusualError
            break
        assert token.lastgroup is not None
        tokens.append(Token(token.lastgroup, token[token.lastgroup]))
        if token.lastgroup == "string" and not is_utf8(tokens[-1].text):
            raise UnusualError
        at = token.end()
    value, end = parse_value(tokens, 0)
    if end != len(tokens):
        raise UnusualError
    return value


def is_utf8(text: bytes) -> bool:
    """Whether bytes are UTF-8."""
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def parse_value(tokens: Sequence[Token], at: int) -> tuple[Value, int]:
    """The value that begins at a token, and where it ends."""
    token = take(tokens, at)
    if token.kind != "mark":
        return token, at + 1
    if token.text not in b"[{":
        raise UnusualError
    close = b"]" if token.text == b"[" else b"}"
    items: list[Value] = []
    keyed: dict[bytes, list[Value]] = {}
    at += 1
    if take(tokens, at) == Token("mark", close):
        return (items if close == b"]" else keyed), at + 1
    while True:
        key = b""
        if close == b"}":
            key = raw(take(tokens, at), "string")
            if take(tokens, at + 1) != Token("mark", b":"):
                raise UnusualError
            at += 2
        value, at = parse_value(tokens, at)
        items.append(value)
        keyed.setdefault(key, []).append(value)
        mark = take(tokens, at)
        at += 1
        if mark == Token("mark", close):
            return (items if close == b"]" else keyed), at
        if mark != Token("mark", b","):
            raise UnusualError


def take(tokens: Sequence[Token], at: int) -> Token:
    """The token at a place."""
    if at >= len(tokens):
        raise UnusualError
    return tokens[at]
