"""From boxes in frames to tracks in videos: a track becomes a row, its video the image."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore import _core
from boxscore.errors import InputError
from boxscore.evaluation.ledger import ImageAccount
from boxscore.joining.align import Aligned
from boxscore.joining.track_columns import around, known_areas, mask_tubes, mean_areas, sums, video_labels
from boxscore.overlaps.tubes import WITHOUT
from boxscore.protocols.parts import Tracks
from boxscore.tables.model import (
    Bools,
    Detections,
    Floats,
    Images,
    Ints,
    Table,
    Truth,
    Words,
    empty,
    factorise,
    select,
    thread_count,
)
from boxscore.tables.tubes import Tubes


def as_tracks(aligned: Aligned, rules: Tracks | None = None, threads: int = 0) -> Aligned:
    """Both sides with a row per track; a box without a track id is a track of one frame.

    Raises InputError where there are no tracks, or where a track has two boxes in a frame or (unless the rules say of
    which it is) two classes.
    """
    rules = rules or Tracks()
    images = aligned.truth.images
    if images.video is None and not len(aligned.truth) and not len(aligned.detections):  # nothing lacks a video
        images = replace(images, video=images.key, frame=np.zeros(len(images), np.int64))
        aligned = replace(
            aligned,
            truth=replace(aligned.truth, images=images),
            detections=replace(aligned.detections, images=images),
        )
    if images.video is None or images.frame is None:
        raise InputError(
            aligned.truth.source or "truth", "images that are not frames of videos",
            "frames of videos with track ids, for overlap=tube", WITHOUT,
        )  # fmt: skip
    names = list(dict.fromkeys((*(images.videos or ()), *images.video[: aligned.known_images])))
    known = len(names)
    listed = set(names)
    names += [name for name in dict.fromkeys(images.video) if name not in listed]
    number = {name: i for i, name in enumerate(names)}
    video = np.array([number[name] for name in images.video] + [-1], np.int32)
    videos = Images(names, rank=_by_name(names))
    truth = _tracked(aligned.truth, videos, video, rules, threads)
    found = aligned.detections
    if rules.max_per_frame and len(found):
        found = select(found, _best_of_frames(found, rules.max_per_frame))
    detections = _tracked(found, videos, video, rules, threads)
    theirs = np.unique(detections.image[detections.image >= 0])
    only = int((theirs >= known).sum())
    account = ImageAccount(known, len(theirs), len(theirs) - only, known - len(theirs) + only, only)
    unknown = tuple(names[i] for i in theirs[theirs >= known][:3].tolist())
    return Aligned(truth, detections, known, account, unknown, aligned.unknown_classes)


def _by_name(names: list[str]) -> Ints:
    """What official codes sort videos by: their names, with dashes for what separates folders."""
    rank = np.empty(len(names), np.int64)
    rank[sorted(range(len(names)), key=lambda i: names[i].replace("/", "-"))] = np.arange(len(names))
    return rank


def _best_of_frames(found: Detections, most: int) -> Ints:
    """The rows of detections frame by frame, in the order in which frames first come; the best of too many."""
    _, group = factorise(found.image.astype(np.int64))
    n = int(group.max()) + 1
    first = np.full(n, len(found))
    np.minimum.at(first, group, np.arange(len(found)))
    over = (np.bincount(group, minlength=n) > most)[group]
    by_frame = np.lexsort((np.where(over, -found.score, 0.0), first[group]))
    begin = np.flatnonzero(np.append(True, group[by_frame][1:] != group[by_frame][:-1]))
    place = np.arange(len(found)) - np.repeat(begin, np.diff(np.append(begin, len(found))))
    kept: Ints = by_frame[place < most]
    return kept


def _tracked(table: Table, videos: Images, video_of: npt.NDArray[np.int32], rules: Tracks, threads: int) -> Table:
    """A table with a row per track, in the order in which tracks first come."""
    if table.track is None or (len(table) and not (table.track >= 0).any()):
        if len(table):
            side = "truth" if isinstance(table, Truth) else "detections"
            raise InputError(table.source or side, "no track ids", "track ids, for overlap=tube", WITHOUT)
        table = replace(table, track=np.zeros(0, np.int64))
    assert table.track is not None
    assert table.images.frame is not None
    video = video_of[table.image]
    frame = np.append(table.images.frame, 0)[table.image]
    group, first_row = _groups(table.track, video)
    order, frame, same = _by_group(group, frame, len(first_row))
    begin = np.append(np.int64(0), np.cumsum(np.bincount(group, minlength=len(first_row)), dtype=np.int64))
    _check(table, frame, order, same, rules)
    corners, areas = (_taken(column, order, threads) for column in (table.corners, table.box_area))
    made: dict[str, Any] = {
        "images": videos,
        "image": np.ascontiguousarray(video[first_row]),
        "label": table.label[first_row],
        "corners": around(corners, begin),
        "box_area": mean_areas(areas, begin),
        "position": np.arange(len(first_row)) if rules.max_per_frame else table.position[first_row],
        "track": table.track[first_row],
        "places": None, "shapes": None, "masks": None, "quads": None, "keypoints": None, "attributes": None,
    }  # fmt: skip
    frames = np.ascontiguousarray(frame, np.int64)
    pixels = mask_tubes(table, order, begin)
    made["tubes"] = Tubes(begin[:-1], begin[1:], frames, corners, areas, sums(areas, begin), pixels)
    stated = known_areas(table, order)
    if isinstance(table, Truth):
        made |= {
            "area": np.full(len(first_row), np.nan) if stated is None else mean_areas(stated, begin, nonzero=True),
            "flags": _flags(table, order, begin),
            "id": table.track[first_row],
            "labels": video_labels(table, video_of),
            "sides": None, "labelled": None,
        }  # fmt: skip
    else:
        made |= {
            "area": None if stated is None else mean_areas(stated, begin, nonzero=True),
            "track_score": None,
            "score": _scores(table, order, begin, first_row, threads),
        }
    return replace(table, **made)


def _groups(track: Ints, video: npt.NDArray[np.int32]) -> tuple[Ints, Ints]:
    """The number of the track of each row, in the order in which tracks first come, and the first row of each."""
    n = len(track)
    if not n:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    _, codes = factorise(track)
    several = int(codes.max()) + 1
    key = (video.astype(np.int64) + 1) * several + codes
    alone = np.flatnonzero((track < 0) | (video < 0))  # each is a track of its own
    key[alone] = int(key.max()) + 1 + np.arange(len(alone))
    _, group = factorise(key)
    first = np.empty(int(group.max()) + 1, np.int64)
    first[group[::-1]] = np.arange(n - 1, -1, -1)
    by_row = np.argsort(first, kind="stable")
    place = np.empty_like(by_row)
    place[by_row] = np.arange(len(by_row))
    return place[group], first[by_row]


def _by_group(group: Ints, frame: Ints, n: int) -> tuple[Ints, Ints, Bools]:
    """Rows by track, and in a track by frame; rows of one frame in their order.

    Also their frames, and whether each but the first is of the same track as the one before it.
    """
    few = group.astype(np.uint16) if n <= 1 << 16 else group  # which are sorted by their digits
    order = np.argsort(few, kind="stable")
    sorted_group, sorted_frame = few[order], frame[order]
    same = sorted_group[1:] == sorted_group[:-1]
    if bool((same & (sorted_frame[1:] < sorted_frame[:-1])).any()):
        order = np.lexsort((frame, group))
        sorted_frame = frame[order]
    return order, sorted_frame, np.asarray(same, np.bool_)


def _taken(column: Floats, rows: Ints, threads: int) -> Floats:
    """The given rows of a column."""
    out: Floats = empty((len(rows), *column.shape[1:]))
    _core.take(np.ascontiguousarray(column), rows.astype(np.uint32), out, threads=thread_count(threads))
    return out


def _flags(truth: Truth, order: Ints, begin: Ints) -> Words:
    """What is said of any box of each track."""
    if not truth.flags.any():
        return np.zeros(len(begin) - 1, truth.flags.dtype)
    return np.bitwise_or.reduceat(truth.flags[order], begin[:-1])


def _check(table: Any, frame: Ints, order: Ints, same: Bools, rules: Tracks) -> None:
    """Refuses tracks with two boxes in a frame, or of two classes."""
    twice = np.flatnonzero(same & (frame[1:] == frame[:-1]))
    source = table.source or ("truth" if isinstance(table, Truth) else "detections")

    def name(row: int) -> str:
        place = table.images.video[table.image[row]]
        return f"track {table.track[row]} of video '{place}'"

    if len(twice):
        row = int(order[twice[0]])
        raise InputError(
            source, f"{name(row)} has two boxes in frame {frame[twice[0]]}", "one box per frame of a track",
            "Do two objects share a track id?",
        )  # fmt: skip
    label = table.label[order]
    other = np.flatnonzero(same & (label[1:] != label[:-1]))
    if len(other) and rules.track_class == "refused":
        row, words = int(order[other[0]]), (*table.classes.name, "a class that the ground truth does not have")
        named = " and ".join(words[table.label[order[i]]] for i in (other[0], other[0] + 1))
        raise InputError(
            source, f"{name(row)} has boxes of two classes, {named}", "one class per track",
            "Do two objects share a track id?",
        )  # fmt: skip


def _mean(values: Any, begin: Ints, threads: int) -> Any:
    """Means as NumPy adds them up."""
    means = empty(len(begin) - 1)
    _core.keypoint_means(begin, np.ascontiguousarray(values), means, threads=thread_count(threads))
    return means


def _scores(table: Detections, order: Ints, begin: Ints, first_row: Ints, threads: int) -> Any:
    """The score of each track: as stated, else the mean of those of its boxes."""
    means = _mean(table.score[order], begin, threads)
    if table.track_score is None:
        return means
    stated = table.track_score[first_row]
    return np.where(np.isnan(stated), means, stated)
