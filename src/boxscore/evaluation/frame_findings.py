"""Frames of videos that the two sides count from different numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from boxscore.diagnostics.findings import Finding, finding
from boxscore.evaluation.match import match
from boxscore.joining.align import Aligned
from boxscore.protocols import Protocol
from boxscore.tables.model import Indices, Ints

_SAME = Protocol("same", claim="shared")  # any object of the class, by half


def frame_findings(aligned: Aligned, threads: int = 0) -> list[Finding]:
    """Detections whose frames all lie one later, or one earlier, than the ground truth's, and would fit better there.

    Nothing is said unless some are in a frame that the ground truth does not list.
    """
    images, known, found = aligned.truth.images, aligned.known_images, aligned.detections
    if images.video is None or images.frame is None or not aligned.account.only_detections or not len(found):
        return []
    names = list(dict.fromkeys(images.video))
    number = {name: i for i, name in enumerate(names)}
    video = np.array([number[name] for name in images.video], np.int64)
    used = np.unique(found.image[found.image >= 0])
    ours = _ends(video[:known], images.frame[:known], len(names))
    theirs = _ends(video[used], images.frame[used], len(names))
    both = (ours[0] <= ours[1]) & (theirs[0] <= theirs[1])
    if not both.any():
        return []
    low, high = (t[both] - o[both] for t, o in zip(theirs, ours, strict=True))
    for shift in (1, -1):
        later = bool((low >= 1).all() and (high <= 1).all() and (high == 1).any())
        earlier = bool((low >= -1).all() and (high <= -1).all() and (low == -1).any())
        if not (later if shift == 1 else earlier):
            continue
        moved = _moved(video, images.frame, known, shift)
        as_read, instead = (_overlapping(aligned, column, threads) for column in (found.image, moved[found.image]))
        if instead > as_read:
            at = int(np.flatnonzero(both)[np.argmax((high == 1) if shift == 1 else (low == -1))])
            spans = [f"{end[0][at]} to {end[1][at]}" for end in (theirs, ours)]
            where = f"in video '{names[at]}' they have frames {spans[0]}, the ground truth {spans[1]}"
            return [finding("VID001", instead - as_read, where)]
    return []


def _ends(video: Ints, frame: Ints, n: int) -> tuple[Ints, Ints]:
    """The first and the last frame of each video; the first after the last where it has none."""
    low, high = np.full(n, np.iinfo(np.int64).max), np.full(n, np.iinfo(np.int64).min)
    np.minimum.at(low, video, frame)
    np.maximum.at(high, video, frame)
    return low, high


def _moved(video: Ints, frame: Ints, known: int, shift: int) -> Indices:
    """The image that each one would be if its frame were so much less; -1 where there is none, and for -1."""
    place = {key: i for i, key in enumerate(zip(video[:known].tolist(), frame[:known].tolist(), strict=True))}
    keys = zip(video.tolist(), (frame - shift).tolist(), strict=True)
    return np.array([*(place.get(key, -1) for key in keys), -1], np.int32)


def _overlapping(aligned: Aligned, image: Indices, threads: int) -> int:
    """How many detections overlap an object of their class by half, if they are in these images."""
    found = replace(aligned.detections, image=np.ascontiguousarray(image, np.int32))
    return int(np.count_nonzero(match(aligned.truth, found, _SAME, threads=threads).hits))
