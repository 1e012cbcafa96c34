"""Tubes, defined: what the boxes of two objects share, frame by frame."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

Array = npt.NDArray[Any]


def tube_intersections(
    d_begin: Array, d_end: Array, d_frame: Array, d_corners: Array,
    o_begin: Array, o_end: Array, o_frame: Array, o_corners: Array,
    detection: Array, object: Array, shared: Array, threads: int = 1,
) -> None:  # fmt: skip
    """The areas that pairs of tubes share, added up over the frames that both have, in their order."""
    for p, (d, o) in enumerate(zip(detection.tolist(), object.tolist(), strict=True)):
        theirs = {int(o_frame[i]): o_corners[i].tolist() for i in range(o_begin[o], o_end[o])}
        total = 0.0
        for i in range(d_begin[d], d_end[d]):
            if (other := theirs.get(int(d_frame[i]))) is not None:
                total += _shared(d_corners[i].tolist(), other)
        shared[p] = total


def _shared(a: list[float], b: list[float]) -> float:
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    return max(width, 0.0) * max(height, 0.0)
