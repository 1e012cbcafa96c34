"""Rows of a column in another order, defined."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

Array = npt.NDArray[Any]


def take(column: Array, rows: Array, out: Array, threads: int = 1) -> None:
    """Fills `out` with the given rows of a column."""
    for i, row in enumerate(rows):
        out[i] = column[row]
