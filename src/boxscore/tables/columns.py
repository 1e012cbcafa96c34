"""Columns: memory for them, numbers of rows, ids as indices."""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from boxscore import _core
from boxscore.tables.shapes import Ints
from boxscore.tables.threads import thread_count

Indices = npt.NDArray[np.int32]


def empty(shape: int | tuple[int, ...], dtype: npt.DTypeLike = np.float64) -> npt.NDArray[Any]:
    """As `np.empty`, but large arrays begin on a cache line and stay in pages of the usual size.

    NumPy asks for huge pages from 4 MiB on. Where memory comes fresh from the host of a virtual machine, filling those
    took so much longer that whole evaluations took 1.4 times as long.
    """
    size = np.dtype(dtype).itemsize * (shape if isinstance(shape, int) else math.prod(shape))
    if size < 1 << 20:
        return np.empty(shape, dtype)
    return cast("npt.NDArray[np.uint8]", _core.memory(size)).view(dtype).reshape(shape)


def row_numbers(n: int) -> Ints:
    """0, 1, … n - 1: the positions of rows that are all there are in their source."""
    numbers: Ints = empty(n, np.int64)
    np.cumsum(np.broadcast_to(np.int64(1), n), out=numbers)  # np.arange would take memory of its own
    numbers -= 1
    return numbers


def factorise(values: Ints) -> tuple[Ints, Indices]:
    """The distinct values in ascending order, and for each row the index of its value.

    >>> factorise(np.array([30, 10, 30]))
    (array([10, 30]), array([1, 0, 1], dtype=int32))
    """
    if len(values) == 0:
        return values, np.zeros(0, np.int32)
    low, high = int(values.min()), int(values.max())
    if high - low > 4 * len(values) + (1 << 20):  # far apart: a table over the range would not pay
        distinct, codes = np.unique(values, return_inverse=True)
        return distinct, codes.astype(np.int32)
    shifted = values - low
    present = np.zeros(high - low + 1, np.bool_)
    present[shifted] = True
    table = np.cumsum(present, dtype=np.int32) - np.int32(1)
    return np.flatnonzero(present) + low, table[shifted]


def index_of(values: Ints, known: Ints, threads: int = 0) -> Indices:
    """For each value its index in `known`, -1 where it is not there; the first of equal ones counts.

    >>> index_of(np.array([7, 5, 9]), np.array([5, 7]))
    array([ 1,  0, -1], dtype=int32)
    """
    found = empty(len(values), np.int32)
    _core.index_of(
        np.ascontiguousarray(values, np.int64), np.ascontiguousarray(known, np.int64), found, thread_count(threads)
    )
    return found
