"""The images of formats that know sequences and frames by number only."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from boxscore.tables.model import Floats, Images, Ints, Truth


@dataclass(frozen=True)
class Frames:
    """A sequence, and the frame of each of its rows."""

    name: str
    frame: Ints
    key: Callable[[int], str]  # what the image of a frame is called
    first: int = 1  # how frames are counted
    count: int = 0  # how many frames it is said to have
    size: tuple[float, float] = (math.nan, math.nan)


def frame_images(listed: Sequence[Frames], dense: bool, truth: Truth | None = None) -> tuple[Images, Ints]:
    """The frames of all sequences, and the image of each row.

    Dense: from the first to the last, with a box or without, as ground truth has them. Detections of one sequence
    are of the one that the ground truth has, whatever both are called.
    """
    keys, videos, numbers, places, sizes = list[str](), list[str](), list[int](), list[Ints](), list[Floats]()
    theirs = _known_frames(truth)
    for one in listed:
        last = max(one.first + one.count - 1, int(one.frame.max(initial=one.first - 1)))
        frames = np.arange(one.first, last + 1) if dense else np.unique(one.frame)
        places.append(len(keys) + np.searchsorted(frames, one.frame))
        video = next(iter(theirs)) if len(theirs) == len(listed) == 1 else one.name
        names = theirs.get(video, {})
        keys += [names.get(number) or one.key(number) for number in frames.tolist()]
        videos += [video] * len(frames)
        numbers += frames.tolist()
        sizes.append(np.full((len(frames), 2), one.size))
    width, height = (np.concatenate(sizes) if sizes else np.zeros((0, 2))).T
    sized = bool(np.isfinite(width).any())
    images = Images(
        keys, None, width.copy() if sized else None, height.copy() if sized else None, videos,
        np.array(numbers, np.int64), videos=[one.name for one in listed] if dense else None,
    )  # fmt: skip
    return images, np.concatenate(places) if places else np.zeros(0, np.int64)


def _known_frames(truth: Truth | None) -> dict[str, dict[int, str]]:
    """What the ground truth calls its frames, by video."""
    known: dict[str, dict[int, str]] = {}
    if truth is not None and truth.images.video is not None and truth.images.frame is not None:
        for video, frame, key in zip(truth.images.video, truth.images.frame.tolist(), truth.images.key, strict=True):
            known.setdefault(video, {})[frame] = key
    return known
