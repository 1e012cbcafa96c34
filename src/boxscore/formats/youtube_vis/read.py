"""YouTube-VIS: tracks through videos as JSON, with a list of masks, boxes and areas each, an entry per frame or null.

An image is a frame of a video, under its file name and a number made of both, so that results, which know videos by
number only, join the truth. Results have a score per track.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from boxscore.diagnostics.findings import Finding, finding
from boxscore.formats.io.collected import Collected
from boxscore.formats.io.json_values import Value, load_value
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.io.source import Source
from boxscore.formats.stt.read import FRAMES
from boxscore.formats.youtube_vis.frames import Frame, frames_of
from boxscore.tables.model import Classes, Detections, Flag, Truth

_RESULTS = 'a list of {"video_id", "category_id", "score", "segmentations"}'
_TRUTH = "an object with videos, annotations (with segmentations or bboxes) and categories"
_SWAPPED = "Truth comes first, then detections; were they swapped?"
_LENGTH = "an entry per frame of the video, null where the object is not there"


@dataclass
class Video:
    """A video: its name, the names and numbers of its frames, and their size."""

    name: str
    frames: list[str]
    numbers: list[int]
    width: float = math.nan
    height: float = math.nan
    first: int = -1  # the image of its first frame


@dataclass
class Tracks:
    """Videos and classes by id, and the rows of all tracks."""

    videos: dict[int, Video] = field(default_factory=dict)
    classes: dict[int, str] = field(default_factory=dict)
    made: Collected = field(default_factory=Collected)
    area: list[float] = field(default_factory=list)
    boxes_made: int = 0


def read_truth(source: Source, how: ReadOptions) -> tuple[Truth, list[Finding]]:
    """Objects: a row for each frame in which a track has a mask or a box."""
    root = load_value(source, _TRUTH)
    if isinstance(root.value, list):
        raise root.wrong(f"a list of {len(root.value):,} records, as of results", _TRUTH, _SWAPPED)
    tracks = _listed(root)
    _read_tracks(root["annotations"], tracks, how, scored=False)
    table = _finished(tracks, numbered=True).truth(source.name, "youtube-vis", how, _classes(tracks))
    return replace(table, area=np.array(tracks.area, np.float64)), _findings(tracks, "objects")


def read_detections(source: Source, how: ReadOptions, truth: Truth | None = None) -> tuple[Detections, list[Finding]]:
    """Results: a list of tracks with scores, or a file as of truth whose annotations have them."""
    root = load_value(source, _RESULTS)
    listed = isinstance(root.value, list)
    tracks = _of_truth(truth) if listed else _listed(root)
    _read_tracks(root if listed else root["annotations"], tracks, how, scored=True, known=not listed)
    made = _finished(tracks, numbered=listed)
    table = made.detections(source.name, "youtube-vis", how, _classes(tracks))
    return table, _findings(tracks, "detections")


def _findings(tracks: Tracks, what: str) -> list[Finding]:
    return [finding("BOX010", tracks.boxes_made, what)] if tracks.boxes_made else []


def _listed(root: Value) -> Tracks:
    """Videos and categories of a file that lists them."""
    tracks, names = Tracks(), set[str]()
    for one in root["videos"].items():
        key = one["id"].whole()
        if not 0 <= key < 1 << 31:
            raise one["id"].wrong(one["id"].shown, "a video id from 0, below 2^31")
        if key in tracks.videos:
            raise one["id"].wrong(f"the video {key} again", "an id of its own for every video")
        files = None if (given := one.get("file_names")) is None else [name.text() for name in given.items()]
        length = one.get("length")
        if files is None and length is None:
            raise one.wrong("neither `file_names` nor `length`", "the frames of the video")
        stated = one.get("name")
        name = stated.text() if stated is not None else (files or [str(key)])[0].split("/")[0]
        name = str(key) if name in names else name
        names.add(name)
        if files is None:
            assert length is not None
            if not 0 <= length.whole() < FRAMES:
                raise length.wrong(length.shown, "a number of frames from 0, below 2^32")
            files = [f"{name}#{i}" for i in range(length.whole())]
        tracks.videos[key] = Video(name, files, _frame_numbers(one, len(files)), *one.size("width", "height"))
    for category in root["categories"].items():
        key = category["id"].whole()
        if key in tracks.classes or category["name"].text() in tracks.classes.values():
            raise category.wrong("an id or a name that another category has", "different ids and names")
        tracks.classes[key] = category["name"].text()
    return tracks


def _frame_numbers(video: Value, n: int) -> list[int]:
    """The numbers of the frames of a video: places in its list, unless it states others."""
    listed = video.get("frame_numbers")
    if listed is None:
        return list(range(n))
    made: list[int] = []
    for number in listed.items():
        if not (made[-1] if made else -1) < number.whole() < FRAMES:
            again = f"the frame {number.whole()}{' again' if number.whole() in made else ''}"
            raise listed.wrong(again, "ascending frame numbers from 0, below 2^32")
        made.append(number.whole())
    if len(made) != n:
        raise video.wrong(f"{len(made):,} frame numbers for {n:,} frames", "a number per frame")
    return made


def _of_truth(truth: Truth | None) -> Tracks:
    """Videos and classes as the truth has them, for a list that knows numbers only."""
    tracks = Tracks()
    if truth is None or truth.format != "youtube-vis":
        return tracks
    tracks.classes = {key: name for key, name in zip(truth.classes.id, truth.classes.name, strict=True) if key != name}  # type: ignore[misc]
    images = truth.images
    if images.id is None or images.video is None or images.frame is None:
        return tracks
    sides = [np.full(len(images), np.nan) if side is None else side for side in (images.width, images.height)]
    for i, number in enumerate(images.id.tolist()):
        key = number // FRAMES
        video = tracks.videos.setdefault(key, Video(images.video[i], [], [], float(sides[0][i]), float(sides[1][i])))
        video.frames.append(images.key[i])
        video.numbers.append(int(images.frame[i]))
    return tracks


def _read_tracks(annotations: Value, tracks: Tracks, how: ReadOptions, scored: bool, known: bool = True) -> None:
    ids = set[int]()
    for place, one in enumerate(annotations.items()):
        with how.invalid:
            track = place if (stated := one.get("id")) is None else stated.whole()
            if track in ids:
                raise one.wrong(f"the id {track} again", "an id of its own for every track")
            if track < 0:
                raise one["id"].wrong(one["id"].shown, "a track id from 0")
            _read_track(one, track, tracks, scored, known)
            ids.add(track)


def _read_track(one: Value, track: int, tracks: Tracks, scored: bool, known: bool) -> None:
    """Adds the rows of a track, all or (where an error is raised) none."""
    key, category = one["video_id"].whole(), one["category_id"].whole()
    if known and (key not in tracks.videos or category not in tracks.classes):
        what = f"`video_id` {key}" if key not in tracks.videos else f"`category_id` {category}"
        raise one.wrong(f"the {what}, which is not listed", "a listed video and category")
    score = _score(one) if scored else math.nan
    lists = [name for name in ("segmentations", "bboxes") if one.has(name)]
    if not lists:
        raise one.wrong("neither `segmentations` nor `bboxes`", _LENGTH, "" if scored else _SWAPPED)
    length = len(one[lists[0]].items())
    video = tracks.videos.get(key)
    if video is None:
        video = Video(str(key), [f"{key}#{i}" for i in range(length)], list(range(length)))
    for name in (*lists, *(name for name in ("areas", "scores") if one.has(name))):
        if (entries := len(one[name].items())) != len(video.frames):
            raise one[name].wrong(f"{entries:,} entries, and video {key} has {len(video.frames):,} frames", _LENGTH)
    frames = frames_of(one, video.width, video.height)
    if not frames:
        raise one.wrong("a track without a mask or box in any frame, of a video whose size is unknown", _LENGTH)
    flags = int(Flag.CROWD) if one.has("iscrowd") and one["iscrowd"].truth() else 0
    values = list(zip(_numbers(one, "areas", frames, math.nan), _numbers(one, "scores", frames, score), strict=True))
    tracks.videos.setdefault(key, video)
    tracks.classes.setdefault(category, str(category))
    for frame, (area, own) in zip(frames, values, strict=True):
        _add(tracks, key, tracks.classes[category], track, frame, flags)
        tracks.area.append(area)
        if scored:
            tracks.made.score.append(own)
            tracks.made.track_score.append(score)


def _numbers(one: Value, key: str, frames: list[Frame], otherwise: float) -> list[float]:
    """The numbers of a list for some frames; another one where it has none."""
    if not one.has(key):
        return [otherwise] * len(frames)
    listed = one[key].items()
    return [otherwise if listed[f.place].value is None else listed[f.place].number() for f in frames]


def _add(tracks: Tracks, video: int, name: str, track: int, frame: Frame, flags: int) -> None:
    """One more row; its image is its video's number and its place there until all videos are known."""
    made = tracks.made
    row = len(made.image)
    made.add(video * FRAMES + frame.place, name, frame.corners, frame.box_area, flags, frame.polygons)
    if frame.mask is not None:
        made.shapes.add_mask(row, frame.height, frame.width, text=frame.mask)
    made.track.append(track)
    tracks.boxes_made += frame.box_made


def _score(one: Value) -> float:
    found = one.get("score")
    if found is None:
        raise one.wrong("no `score`", f"results: {_RESULTS}", _SWAPPED)
    return found.number()


def _finished(tracks: Tracks, numbered: bool) -> Collected:
    """The rows with their images: all frames of all videos."""
    made = tracks.made
    made.videos = [video.name for video in tracks.videos.values()]
    for key, video in tracks.videos.items():
        video.first = len(made.key)
        for name, number in zip(video.frames, video.numbers, strict=True):
            made.add_image(name if name not in made.key else f"{video.name}#{number}", video.width, video.height)
            made.video.append(video.name)
            made.frame.append(number)
            if numbered:
                made.number.append(key * FRAMES + number)
    made.image = [tracks.videos[place // FRAMES].first + place % FRAMES for place in made.image]
    return made


def _classes(tracks: Tracks) -> Classes:
    return Classes(tuple(tracks.classes.values()), tuple(tracks.classes))
