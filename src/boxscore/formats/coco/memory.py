"""COCO values that somebody has in memory: results straight into columns, everything else by way of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import itemgetter
from typing import Any

import numpy as np

from boxscore.errors import InputError
from boxscore.formats.io.source import Source
from boxscore.tables.model import Floats, Ints, empty
from boxscore.tables.runs import Letters
from boxscore.tables.shapes import Shape

_WHOLE, _NUMBER = (int, np.integer), (int, float, np.integer, np.floating)
_JOINED = 1 << 13  # texts that are joined at a time: all at once would be a second copy of them
Column = tuple[Any, Any, Any]  # as the kernel gives it


class _Unusual(Exception):
    """Values that the reader of JSON must look at."""


@dataclass(frozen=True)
class Values(Source):
    """What a COCO file would hold, as Python values."""

    value: Any = field(default=None, compare=False)

    def bytes(self) -> bytes:
        """The JSON of a file; InputError where it cannot be written so."""
        try:
            return json.dumps(self.value, default=_plain).encode()
        except (TypeError, ValueError, AttributeError, RecursionError) as error:
            found = f"values that JSON cannot hold ({error})"
            raise InputError(self.name, found, "the content of a COCO file") from None

    def first_character(self) -> str:
        """As of the JSON."""
        return "{" if isinstance(self.value, Mapping) else "["

    def beginning(self) -> str:
        """As of the JSON: of a list, its first record."""
        value = self.value
        return "{" if isinstance(value, Mapping) else json.dumps([list(value[0])] if len(value) else [])

    def json_columns(
        self, layout: dict[str, dict[str, str]], main: int, threads: int = 0
    ) -> dict[str, dict[str, Any]] | None:
        """The columns of a list of records; where they are not as usual, those of the JSON."""
        if set(layout) == {""}:
            try:
                return {"": {name: _COLUMNS[kind](self.value, name) for name, kind in layout[""].items()}}
            except (_Unusual, KeyError, TypeError, ValueError, OverflowError):
                pass
        return Source(self.name, None, self.bytes()).json_columns(layout, main, threads)


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):  # as pycocotools encodes masks
        return value.decode("utf-8", "replace")
    return dict(value) if isinstance(value, Mapping) else value.tolist()


def _of_types(values: Sequence[Any], types: tuple[type, ...]) -> None:
    """Raises where some values are of other types; True and False are no numbers."""
    if not all(issubclass(kind, types) and kind is not bool for kind in set(map(type, values))):
        raise _Unusual


def _integers(records: Sequence[Any], name: str) -> Column:
    values = list(map(itemgetter(name), records))
    _of_types(values, _WHOLE)
    return np.fromiter(values, np.int64, len(values)), None, None


def _numbers(records: Sequence[Any], name: str) -> Column:
    values = list(map(itemgetter(name), records))
    _of_types(values, _NUMBER)
    return _finite(np.fromiter(values, np.float64, len(values))), None, None


def _finite(values: Floats) -> Floats:
    if not np.isfinite(values).all():
        raise _Unusual
    return values


def _boxes(records: Sequence[Any], name: str) -> Column:
    values = [record.get(name) for record in records]
    n = len(values)
    if n and values[0] is None and not any(value is not None for value in values):
        return np.zeros(4 * n), np.ones(n, np.uint8), None
    _groups(values, 4)
    _of_types(list(chain.from_iterable(values[:_JOINED])), _NUMBER)  # a text among the others does not become a number
    return _finite(np.fromiter(chain.from_iterable(values), np.float64, 4 * n)), None, None


def _groups(values: Sequence[Any], size: int) -> None:
    if values and (set(map(len, values)) != {size} or str in set(map(type, values))):
        raise _Unusual


def _masks(records: Sequence[Any], name: str) -> Column:
    """Masks as runs: what has polygons, or nothing, is not for here."""
    masks = list(map(itemgetter(name), records))
    n = len(masks)
    if set(map(type, masks)) - {dict}:
        raise _Unusual
    sizes, texts = (list(map(itemgetter(key), masks)) for key in ("size", "counts"))
    _groups(sizes, 2)
    sides = list(chain.from_iterable(sizes))
    _of_types(sides, _WHOLE)
    size = np.fromiter(sides, np.int32, 2 * n)  # OverflowError where it does not fit
    if len(size) and size.min() <= 0:
        raise _Unusual
    ends: Ints = np.cumsum(np.fromiter(map(len, texts), np.int64, n))
    letters = _letters(texts, int(ends[-1]) if n else 0)
    one = np.arange(1, n + 1, dtype=np.int64)
    return one, None, (np.full(n, int(Shape.RLE), np.uint8), 2 * one, size, ends, letters)


def _shapes(records: Sequence[Any], name: str) -> Column:
    ends, missing, (kind, value_ends, size, *letters) = _masks(records, name)
    return ends, missing, (kind, value_ends, size.astype(np.float64), *letters)


def _letters(texts: Sequence[Any], total: int) -> Letters:
    """All texts one after the other, those of pycocotools (bytes) as well."""
    kinds = set(map(type, texts))
    if kinds - {str, bytes} or len(kinds) > 1:
        raise _Unusual
    letters: Letters = empty(total, np.uint8)
    at = 0
    for first in range(0, len(texts), _JOINED):
        some = texts[first : first + _JOINED]
        piece = b"".join(some) if bytes in kinds else "".join(some).encode("ascii")
        letters[at : at + len(piece)] = np.frombuffer(piece, np.uint8)
        at += len(piece)
    return letters


_COLUMNS = {"integer": _integers, "number": _numbers, "box": _boxes, "shape": _shapes, "mask": _masks}
