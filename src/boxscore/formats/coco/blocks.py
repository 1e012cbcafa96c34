"""Values of a block of COCO records under one key: at once where all are as usual, else one by one, with places."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import chain
from typing import Any

import numpy as np

from boxscore.formats.io.placed_records import Placed
from boxscore.formats.io.record_values import Values
from boxscore.tables.model import Floats, Ints

_LOWEST = -(2**63)
_INTS, _FLAGS, _NUMBERS, _NULL = {int}, {int, type(None)}, {int, float}, type(None)


def identities(take: Values, rows: list[Placed], key: str) -> Ints | list[int | str]:
    """The ids of all rows."""
    values: list[Any] = [record.get(key) for _, record in rows]
    if set(map(type, values)) == _INTS and min(values) > _LOWEST and max(values) < -_LOWEST:
        return np.array(values, np.int64)
    return [take.identity(r, key) for r in rows]


def numbers(take: Values, rows: list[Placed], key: str) -> Floats:
    """A finite number of each row, which must be there."""
    return _usual([record.get(key) for _, record in rows], lambda: [take.number(r, key) for r in rows])


def numbers_or_nan(take: Values, rows: list[Placed], key: str) -> Floats:
    """A finite number of each row, nan where it has none."""
    return _usual([record.get(key) for _, record in rows], lambda: [take.number(r, key, math.nan) for r in rows])


def flags(take: Values, rows: list[Placed], key: str) -> Ints:
    """0 or 1 for each row; missing is 0."""
    values: list[Any] = [record.get(key) for _, record in rows]
    kinds = set(map(type, values))
    if kinds == {_NULL}:
        return np.zeros(len(rows), np.int64)
    if kinds == _INTS and not set(values) - {0, 1}:
        return np.array(values, np.int64)
    return np.array([take.flag(r, key) for r in rows], np.int64)


def boxes(rows: list[Placed], one_by_one: Callable[[], list[list[float]]]) -> Floats:
    """The boxes of all rows."""
    values: list[Any] = [record.get("bbox") for _, record in rows]
    if set(map(type, values)) == {list} and set(map(len, values)) == {4}:
        return _usual(list(chain.from_iterable(values)), one_by_one).reshape(-1, 4)
    return np.array(one_by_one(), np.float64).reshape(-1, 4)


def _usual(values: list[Any], one_by_one: Callable[[], Any]) -> Floats:
    """Plain finite numbers as an array; anything else one by one."""
    if _NUMBERS.issuperset(map(type, values)):
        try:
            made = np.array(values, np.float64)
        except OverflowError:  # a whole number of hundreds of digits
            return np.array(one_by_one(), np.float64)
        if np.isfinite(made).all():
            return made
    return np.array(one_by_one(), np.float64)
