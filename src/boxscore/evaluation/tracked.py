"""Objects in videos by track: how much they move, how large their tracks are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from boxscore.errors import InputError
from boxscore.overlaps.boxes import INCLUSIVE, shared_area
from boxscore.tables.model import Floats, Ints, Truth, factorise

WINDOW = 10  # frames before and after an object's own in which its motion is measured
FIRST_FRAMES = 30  # frames of a track over which its size is measured
NONE = np.inf  # what an object without a track, or alone in it, has instead: it lies in no range that ends


class ByTrack(NamedTuple):
    """The objects of tracks, track by track and in each by ascending frame; others are not in it."""

    row: Ints
    begin: Ints  # (tracks + 1)
    frame: Ints
    video: Ints  # of each track, index into `videos`
    videos: tuple[str, ...]

    @property
    def length(self) -> Ints:
        """How many boxes each track has."""
        return np.diff(self.begin)

    @property
    def track(self) -> Ints:
        """The track of each of the rows."""
        return np.repeat(np.arange(len(self.video)), self.length)


def by_track(truth: Truth, needed_for: str) -> ByTrack:
    """The objects that take part, by video, class and track.

    Raises InputError without videos or tracks, and where a track has two boxes in a frame.
    """
    images = truth.images
    part = (truth.image >= 0) & (truth.label >= 0)
    if part.any() and (images.video is None or images.frame is None):
        raise _missing(truth, "images that are not frames of videos", needed_for)
    if part.any() and (truth.track is None or not bool((truth.track[part] >= 0).any())):
        raise _missing(truth, "no track ids", needed_for)
    if truth.track is None or images.video is None or images.frame is None:
        nothing = np.zeros(0, np.int64)
        return ByTrack(nothing, np.zeros(1, np.int64), nothing, nothing, ())
    names = tuple(dict.fromkeys(images.video))
    number = {name: i for i, name in enumerate(names)}
    video = np.array([number[name] for name in images.video], np.int64)
    rows = np.flatnonzero(part & (truth.track >= 0))
    of_video, frame = video[truth.image[rows]], images.frame[truth.image[rows]].astype(np.int64)
    _, track = factorise(truth.track[rows])
    keys = (of_video, truth.label[rows].astype(np.int64), np.asarray(track, np.int64))
    order = np.lexsort((frame, *keys[::-1]))
    same = np.ones(max(len(rows) - 1, 0), np.bool_)
    for key in keys:
        same &= key[order][1:] == key[order][:-1]
    rows, frame = rows[order], frame[order]
    if (twice := np.flatnonzero(same & (frame[1:] == frame[:-1]))).size:
        row = int(rows[twice[0]])
        raise InputError(
            truth.source or "truth",
            f"track {truth.track[row]} of video '{images.video[truth.image[row]]}' has two boxes in frame "
            f"{frame[twice[0]]}", "one box per frame of a track", "Do two objects share a track id?",
        )  # fmt: skip
    first = np.append(0, np.flatnonzero(~same) + 1) if len(rows) else np.zeros(0, np.int64)
    return ByTrack(rows, np.append(first, len(rows)), frame, of_video[order][first], names)


def _missing(truth: Truth, actual: str, needed_for: str) -> InputError:
    return InputError(
        truth.source or "truth", actual, f"frames of videos with track ids, for {needed_for}",
        "Without tracks, evaluate frame by frame: --protocol imagenet-vid, or any other protocol of boxes.",
    )  # fmt: skip


def motion(truth: Truth) -> Floats:
    """How little each object moves: the mean overlap of its box, in inclusive pixels, with those of its track in the
    10 frames before and after; the frames that the track has there, its own excluded.

    Infinite for objects that have no such frame.
    """
    tracks = by_track(truth, "size_from=motion")
    corners, track = truth.corners[tracks.row].T, tracks.track
    rule = INCLUSIVE.in_kernel
    assert rule is not None
    area = (corners[2] - corners[0] + rule.pixel) * (corners[3] - corners[1] + rule.pixel)
    total, frames = np.zeros(len(track)), np.zeros(len(track), np.int64)
    # A track has a frame once, so that those within reach stand at most so many places away. Earlier ones come first.
    for step in (*range(-WINDOW, 0), *range(1, WINDOW + 1)):
        one = np.arange(max(-step, 0), len(track) - max(step, 0))
        other = one + step
        near = (track[one] == track[other]) & (np.abs(tracks.frame[one] - tracks.frame[other]) <= WINDOW)
        one, other = one[near], other[near]
        both = shared_area(corners[:, one], corners[:, other], rule)
        total[one] += both / (area[one] + area[other] - both)
        frames[one] += 1
    made = np.full(len(truth), NONE)
    made[tracks.row] = np.where(frames > 0, total / np.maximum(frames, 1), NONE)
    return made


def mean_sides(truth: Truth, tracks: ByTrack) -> Floats:
    """The shorter side of each track, the mean over its first 30 frames; nan for a track without any."""
    sides = (truth.corners[tracks.row, 2:] - truth.corners[tracks.row, :2]).min(axis=1)
    place = np.arange(len(sides)) - np.repeat(tracks.begin[:-1], tracks.length)
    early = place < FIRST_FRAMES
    n, track = len(tracks.video), tracks.track[early]
    with np.errstate(invalid="ignore"):
        made: Floats = np.bincount(track, sides[early], minlength=n) / np.bincount(track, minlength=n)
    return made


def track_sides(truth: Truth) -> Floats:
    """The size of each object's track (`mean_sides`); infinite for objects without a track."""
    tracks = by_track(truth, "size_from=track-side")
    made = np.full(len(truth), NONE)
    made[tracks.row] = mean_sides(truth, tracks)[tracks.track]
    return made
