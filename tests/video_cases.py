"""Tables of videos from the stored cases: frames, tracks, detections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from boxscore.tables.model import Classes, Detections, Images, Truth

Frame = tuple[str, int]  # video, frame


def video_tables(
    objects: Sequence[tuple[Frame, str, int, Sequence[float]]],
    found: Sequence[tuple[Frame, str, float, Sequence[float]]],
    frames: Sequence[Frame],
    classes: Sequence[str],
) -> tuple[Truth, Detections]:
    """Both sides over all frames: objects are frame, class, track, corners; detections frame, class, score, corners."""
    number = {frame: i for i, frame in enumerate(frames)}
    images = Images(
        [f"{video}/{frame:06d}" for video, frame in frames],
        video=[video for video, _ in frames],
        frame=np.array([frame for _, frame in frames], np.int64),
    )
    names = Classes(tuple(classes), tuple(range(1, len(classes) + 1)))

    def rows(some: Sequence[Any]) -> dict[str, Any]:
        corners = np.array([row[3] for row in some], np.float64).reshape(-1, 4)
        return {
            "images": images,
            "classes": names,
            "image": np.array([number[row[0]] for row in some], np.int32),
            "label": np.array([classes.index(row[1]) for row in some], np.int32),
            "corners": corners,
            "box_area": (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1]),
            "position": np.arange(len(some), dtype=np.int64),
        }

    n = len(objects)
    truth = Truth(
        **rows(objects), track=np.array([row[2] for row in objects], np.int64), area=np.full(n, np.nan),
        flags=np.zeros(n, np.uint16),
    )  # fmt: skip
    return truth, Detections(**rows(found), score=np.array([row[2] for row in found], np.float64))
