"""Tubes, defined: what the boxes or masks of two objects share, frame by frame."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore._reference.masks import mask_intersections

Array = npt.NDArray[Any]


def tube_intersections(
    d_begin: Array, d_end: Array, d_frame: Array, d_corners: Array, d_area: Array,
    o_begin: Array, o_end: Array, o_frame: Array, o_corners: Array, o_area: Array,
    detection: Array, object: Array, shared: Array, either: Array, threads: int = 1,
) -> None:  # fmt: skip
    """The areas that pairs of tubes share, and that either covers, added up frame by frame in their order."""
    for p, (d, o) in enumerate(zip(detection.tolist(), object.tolist(), strict=True)):
        own = {int(d_frame[i]): i for i in range(d_begin[d], d_end[d])}
        theirs = {int(o_frame[i]): i for i in range(o_begin[o], o_end[o])}
        total = union = 0.0
        for frame in sorted({*own, *theirs}):
            if frame in own and frame in theirs:
                i, j = own[frame], theirs[frame]
                both = _shared(d_corners[i].tolist(), o_corners[j].tolist())
                total += both
                union += float(d_area[i]) + float(o_area[j]) - both
            else:
                union += float(d_area[own[frame]] if frame in own else o_area[theirs[frame]])
        shared[p], either[p] = total, union


def mask_tube_intersections(
    d_begin: Array, d_end: Array, d_frame: Array, d_letters: Array, d_first: Array, d_last: Array, d_size: Array,
    o_begin: Array, o_end: Array, o_frame: Array, o_letters: Array, o_first: Array, o_last: Array, o_size: Array,
    detection: Array, object: Array, shared: Array, threads: int = 1,
) -> None:  # fmt: skip
    """The pixels that pairs of tubes share, added up over the frames that both have."""
    for p, (d, o) in enumerate(zip(detection.tolist(), object.tolist(), strict=True)):
        theirs = {int(o_frame[i]): i for i in range(o_begin[o], o_end[o])}
        both = [(i, theirs[int(d_frame[i])]) for i in range(d_begin[d], d_end[d]) if int(d_frame[i]) in theirs]
        own, other = np.array(both, np.int64).reshape(-1, 2).T
        pixels = np.empty(len(both))
        mask_intersections(
            d_letters, d_first, d_last, o_letters, o_first, o_last, d_size, o_size, own, other, pixels, None
        )
        shared[p] = pixels.sum()


def _shared(a: list[float], b: list[float]) -> float:
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    return max(width, 0.0) * max(height, 0.0)
