"""Values of JSON records, defined: what the usual way to write them is, and what they are."""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple


class UnusualError(Exception):
    """The text is no JSON, or not written in the usual way; a general reader must look at it."""


class Token(NamedTuple):
    """A mark, a string (escapes as they are written), a number (its text) or a word."""

    kind: str
    text: bytes


NULL = Token("word", b"null")


def raw(value: Any, kind: str) -> bytes:
    """The text of a token of the given kind."""
    if not isinstance(value, Token) or value.kind != kind:
        raise UnusualError
    return value.text


def integer(value: Any) -> int:
    """A whole number of up to 18 digits, written without point and exponent."""
    text = raw(value, "number")
    if not re.fullmatch(rb"-?[0-9]{1,18}", text):
        raise UnusualError
    return int(text)


def integers(value: Any) -> list[int]:
    """Any number of whole numbers."""
    if not isinstance(value, list):
        raise UnusualError
    return [integer(v) for v in value]


def numbers(value: Any) -> list[float]:
    """Any number of numbers."""
    if not isinstance(value, list):
        raise UnusualError
    return [number(v) for v in value]


def number(value: Any) -> float:
    """The double nearest to a decimal number; too large and too small ones are not usual."""
    text = raw(value, "number")
    nearest = float(text)
    vanished = nearest == 0 and re.search(rb"[1-9]", re.split(rb"[eE]", text)[0])
    if math.isinf(nearest) or vanished:
        raise UnusualError
    return nearest


def box(value: Any) -> list[float]:
    """Four numbers."""
    if not isinstance(value, list) or len(value) != 4:
        raise UnusualError
    return [number(v) for v in value]
