"""Looking ids up, defined."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt


def index_of(values: npt.NDArray[Any], known: npt.NDArray[Any], out: npt.NDArray[Any], threads: int = 1) -> None:
    """For each value its index in `known`, -1 where it is not there; the first of equal ones counts."""
    listed = known.tolist()
    for i, value in enumerate(values.tolist()):
        out[i] = listed.index(value) if value in listed else -1
