"""When the objects of videos exist, when they are found, and how long that takes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from boxscore import overlaps
from boxscore.errors import UsageError
from boxscore.evaluation.result import Result
from boxscore.evaluation.tracked import by_track
from boxscore.report.views.common import class_index, numbers_of, shown_names, threshold_index
from boxscore.report.words import printable
from boxscore.tables.model import Bools, Ints

ROWS = 80  # tracks that are shown unless told otherwise

Runs = tuple[tuple[int, int], ...]  # frames from and to, both of them in it


@dataclass(frozen=True, eq=False)
class TrackLine:
    """One object of a video."""

    name: str
    exists: Runs
    found: Runs
    delay: int | None  # frames from its first to the first in which it is found; None where it never is


@dataclass(frozen=True, eq=False)
class VideoLines:
    """The objects of a video, by the frame in which they come."""

    name: str
    tracks: tuple[TrackLine, ...]


@dataclass(frozen=True, eq=False)
class TimelineView:
    """Videos one below the other, over the same frames."""

    score: float  # from which detections count; minus infinity for all
    iou: float
    called: str  # what the threshold is one of
    first: int  # frame
    last: int
    videos: tuple[VideoLines, ...]
    hidden: int  # tracks that are not shown
    missed: int  # tracks that are never found, among all
    tracks: int
    mean: float  # delay of those that are found; nan where none is


def view(
    results: Sequence[Result],
    label: str | None = None,
    iou: float | None = None,
    score: float | None = None,
    rows: int = ROWS,
) -> TimelineView:
    """The tracks of one result at a score threshold, by default that of the best F1; of one class if given."""
    if len(results) > 1:
        raise UsageError("a timeline shows one detection set; expected one result")
    numbers = numbers_of(results[0])
    aligned = numbers.prepared.aligned
    if overlaps.get(numbers.protocol).tracks:
        raise UsageError(f"a timeline is drawn frame by frame, which {numbers.protocol.name} does not evaluate; "
                         "expected a protocol of boxes such as coco")  # fmt: skip
    tracks, truth = by_track(aligned.truth, "a timeline"), aligned.truth
    point = results[0].best
    at = score if score is not None else point.score if point is not None else math.nan
    at = -math.inf if math.isnan(at) else at
    threshold = numbers.protocol.iou[threshold_index(numbers, iou)]
    found = np.zeros(len(truth), np.bool_)
    found[results[0].at(at, iou=threshold).rows("found")] = True
    wanted, names = class_index(numbers, label) if label is not None else None, shown_names(numbers)
    lines: dict[str, list[tuple[int, TrackLine]]] = {}
    for k in range(len(tracks.video)):
        part = slice(int(tracks.begin[k]), int(tracks.begin[k + 1]))
        some, frames = tracks.row[part], tracks.frame[part]
        if wanted is not None and truth.label[some[0]] != wanted:
            continue
        assert truth.track is not None
        hit = found[some]
        name = f"{names[truth.label[some[0]]]} {truth.track[some[0]]}"
        delay = int(frames[hit][0] - frames[0]) if hit.any() else None
        line = TrackLine(name, _runs(frames, np.ones(len(frames), np.bool_)), _runs(frames, hit), delay)
        lines.setdefault(tracks.videos[tracks.video[k]], []).append((int(frames[0]), line))
    made, shown = [], 0
    for video, some_lines in lines.items():
        ordered = [line for _, line in sorted(some_lines, key=lambda pair: pair[0])][: max(rows - shown, 0)]
        shown += len(ordered)
        if ordered:
            made.append(VideoLines(printable(video), tuple(ordered)))
    every = [line for some_lines in lines.values() for _, line in some_lines]
    delays = [line.delay for line in every if line.delay is not None]
    ends = [run for video in made for line in video.tracks for run in line.exists]
    return TimelineView(
        at, threshold, overlaps.get(numbers.protocol).called,
        min((a for a, _ in ends), default=0), max((b for _, b in ends), default=1), tuple(made),
        len(every) - shown, len(every) - len(delays), len(every), float(np.mean(delays)) if delays else math.nan,
    )  # fmt: skip


def _runs(frames: Ints, chosen: Bools) -> Runs:
    """Frames without gaps, as their first and last."""
    some = frames[chosen]
    if not len(some):
        return ()
    cuts = np.flatnonzero(np.diff(some) > 1)
    first, last = some[np.append(0, cuts + 1)], some[np.append(cuts, len(some) - 1)]
    return tuple(zip(first.tolist(), last.tolist(), strict=True))
