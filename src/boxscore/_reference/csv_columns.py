"""Rows between delimiters as columns, defined: line by line, the whole text at once."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from boxscore._reference.json_values import UnusualError

_NUMBER = re.compile(rb"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def csv_columns(
    text: bytes | None, descriptor: int, begin: int, size: int, delimiter: str, width: int,
    wanted: Sequence[tuple[bool, Sequence[int]]], block_size: int = 0, threads: int = 1,
) -> list[Any] | None:  # fmt: skip
    """The wanted fields of all rows from the byte `begin` on; None where the text is not written in the usual way.

    `wanted` are pairs: whether it is a text, and which fields it is made of. Numbers (one or several fields) are an
    array with the fields of a row side by side, nan for an empty field. A text (one field) is (codes, texts): the code
    of each row, and the different texts as they first come, a line each.
    Every row has `width` fields; spaces around a field do not count, nor do lines of nothing but spaces and delimiters.
    """
    whole = os.pread(descriptor, size, 0) if text is None else text
    try:
        rows = rows_of(whole[begin:size], delimiter.encode(), width)
        return [texts(rows, fields[0]) if is_text else numbers(rows, fields) for is_text, fields in wanted]
    except UnusualError:
        return None


def rows_of(text: bytes, delimiter: bytes, width: int) -> list[list[bytes]]:
    """The fields of each row; a quote may stand only before and behind a whole field, which is of one line."""
    try:
        text.decode()
    except UnicodeDecodeError:
        raise UnusualError from None
    field = re.compile(
        rb' *(?:" *(?P<quoted>[^"\x00-\x1f]*?) *" *|(?P<plain>[^"\x00-\x1f%b]*?) *)(?P<end>%b|$)'
        % (delimiter, delimiter)
    )
    *ended, last = text.split(b"\n")
    rows = []
    for line in [*(line.removesuffix(b"\r") for line in ended), last]:
        if not line.strip(b" " + delimiter):
            continue
        if line.lstrip(b" ").startswith(b'""'):
            raise UnusualError  # the row may be blank
        rows.append(fields_of(line, field))
        if len(rows[-1]) != width:
            raise UnusualError
    return rows


def fields_of(line: bytes, field: re.Pattern[bytes]) -> list[bytes]:
    """The fields of a line."""
    found, at = list[bytes](), 0
    while True:
        match = field.match(line, at)
        if match is None:
            raise UnusualError
        found.append(match["plain"] if match["quoted"] is None else match["quoted"])
        at = match.end()
        if not match["end"]:
            return found


def numbers(rows: Sequence[Sequence[bytes]], fields: Sequence[int]) -> Any:
    """The numbers of some fields, row by row."""
    return np.array([number(row[f]) for row in rows for f in fields], np.float64)


def number(text: bytes) -> float:
    """The double nearest to a decimal number, nan for nothing; too large and too small ones are not usual."""
    if not text:
        return math.nan
    if not _NUMBER.fullmatch(text):
        raise UnusualError
    nearest = float(text)
    vanished = nearest == 0 and re.search(rb"[1-9]", re.split(rb"[eE]", text)[0])
    if math.isinf(nearest) or vanished:
        raise UnusualError
    return nearest


def texts(rows: Sequence[Sequence[bytes]], field: int) -> tuple[Any, bytes]:
    """The texts of a field, numbered as they first come."""
    known: dict[bytes, int] = {}
    codes = np.array([known.setdefault(row[field], len(known)) for row in rows], np.int32)
    return codes, b"".join(text + b"\n" for text in known)
