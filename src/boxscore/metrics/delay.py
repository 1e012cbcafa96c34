"""Average delay: how many frames pass before an object in a video is found (Mao et al. 2019)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from boxscore.evaluation.cuts import cuts
from boxscore.evaluation.tracked import ByTrack, by_track, mean_sides
from boxscore.metrics.expression import Expression
from boxscore.metrics.numbers import NotEvaluated, Numbers
from boxscore.metrics.registry import LOWER, metric
from boxscore.tables.model import Bools, Floats, Ints

_NEVER = np.iinfo(np.int64).max


class Delays(NamedTuple):
    """When the objects of videos are found, at several ratios of false positives to objects."""

    ratios: Floats
    scores: Floats  # (ratios) the lowest score that still counts
    video: tuple[str, ...]  # of each track
    track: Ints  # the source's own number
    label: Ints
    first: Ints  # (tracks) frames from the first to the last in which the track exists
    last: Ints
    size: Floats  # (tracks) mean shorter side
    found: Ints  # (ratios, tracks) the frame in which it is first found; -1 where it never is
    delay: Ints  # (ratios, tracks) frames until then, or up to the last if it is never found

    def mean(self, limit: float, tracks: Bools | None = None) -> Floats:
        """(ratios) the mean delay, longer ones counting as the limit; nan without tracks."""
        chosen = self.delay if tracks is None else self.delay[:, tracks]
        if not chosen.shape[1]:
            return np.full(len(self.ratios), np.nan)
        made: Floats = np.minimum(chosen, limit).mean(axis=1)
        return made


def delays(numbers: Numbers) -> Delays:
    """The delay of every track; made only once."""
    if numbers.protocol.size_from != "track-side":
        raise NotEvaluated("the delay needs tracks and their sizes; --protocol average-delay reads them")
    return numbers.once(("delays",), lambda: _delays(numbers))


def score_thresholds(numbers: Numbers) -> Floats:
    """The score of the detection at which false positives, all classes ranked together, first exceed each ratio of
    the objects; minus infinity where they never do.
    """
    tally, ratios = numbers.tally, np.array(numbers.protocol.delay_ratios)
    bit = tally.hits.dtype.type(1)
    rows = np.flatnonzero((tally.rank < numbers.whole.cap) & ((tally.ignored[:, 0] & bit) == 0))
    rows = rows[np.argsort(-tally.score[rows], kind="stable")]
    false = np.cumsum((tally.hits[rows, 0] & bit) == 0)
    objects = int(tally.to_find[:, 0].sum())
    if not objects or not len(rows):
        return np.full(len(ratios), -np.inf)
    # Ratios as the official code compares them: a quotient of doubles.
    place = np.searchsorted(false / objects, ratios, side="right")
    return np.append(tally.score[rows], -np.inf)[place]


def _delays(numbers: Numbers) -> Delays:
    truth, protocol = numbers.prepared.truth, numbers.protocol
    tracks = by_track(truth, "the average delay")
    # Each detection by the one object that overlaps it most, taken or not, in continuous coordinates.
    nearest = numbers.by(overlap="box", claim="shared", compare=">").pairs(Expression("TP"))
    assert nearest.object is not None
    object_, row = nearest.object[:, 0, 0], nearest.row
    detections, frames = numbers.prepared.detections, truth.images.frame
    if protocol.last_frame == "skipped":
        tracks = _without_last(numbers, tracks)
    n = len(tracks.video)
    track_of = np.full(len(truth) + 1, -1, np.int64)
    track_of[tracks.row] = tracks.track
    track = track_of[object_]
    known = np.flatnonzero((track >= 0) & (object_ >= 0))
    frame = np.zeros(0, np.int64) if frames is None else frames[detections.image[row[known]]].astype(np.int64)
    scores = score_thresholds(numbers)
    first, last = tracks.frame[tracks.begin[:-1]], tracks.frame[tracks.begin[1:] - 1]
    found = np.full((len(scores), n), -1, np.int64)
    for i, score in enumerate(scores.tolist()):
        sure = nearest.score[known] >= score
        earliest = np.full(n, _NEVER)
        np.minimum.at(earliest, track[known][sure], frame[sure])
        found[i] = np.where(earliest < _NEVER, earliest, -1)
    lead = tracks.row[tracks.begin[:-1]]
    assert truth.track is not None or not n
    return Delays(
        np.array(protocol.delay_ratios), scores, tuple(tracks.videos[v] for v in tracks.video.tolist()),
        np.zeros(0, np.int64) if truth.track is None else truth.track[lead], truth.label[lead].astype(np.int64),
        first, last, mean_sides(truth, tracks), found, np.where(found >= 0, found, last) - first,
    )  # fmt: skip


def _without_last(numbers: Numbers, tracks: ByTrack) -> ByTrack:
    """The tracks without what is in the last frame of its video: the last that has an object or a detection."""
    prepared = numbers.prepared
    images = prepared.truth.images
    if images.video is None or images.frame is None or not len(tracks.row):
        return tracks
    number = {name: i for i, name in enumerate(tracks.videos)}
    video = np.array([number[name] for name in images.video], np.int64)
    last = np.full(len(tracks.videos), np.iinfo(np.int64).min)
    for table in (prepared.truth, prepared.detections):
        used = table.image[(table.image >= 0) & (table.label >= 0)]
        np.maximum.at(last, video[used], images.frame[used].astype(np.int64))
    seen = tracks.frame < last[tracks.video][tracks.track]
    many = np.bincount(tracks.track[seen], minlength=len(tracks.video))
    some = many > 0
    begin = np.append(0, np.cumsum(many[some]))
    return tracks._replace(row=tracks.row[seen], begin=begin, frame=tracks.frame[seen], video=tracks.video[some])


@metric("AD", keys=("area",), better=LOWER, share=False)
def average_delay(numbers: Numbers, e: Expression) -> float:
    """Frames until an object is found: the mean over its tracks, longer delays cut at a limit, and the harmonic mean of
    one more frame over ratios of false positives (0.1 to 3.2 per object).
    """
    made = delays(numbers)
    at, area = cuts(numbers.protocol), numbers.part(e).area
    sizes = None if e.area is None else (made.size >= at.lowest[area]) & (made.size <= at.highest[area])
    mean = made.mean(numbers.protocol.delay_limit, sizes)
    return float(1 / np.mean(1 / (mean + 1)) - 1)
