"""CVAT XML 1.1 for video, written: a track for each object, which ends with a shape that is outside."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np

from boxscore.errors import InputError
from boxscore.formats.cvat.elements import Table, element, escaped, labels_of, said_of, shape_of
from boxscore.formats.cvat.write import document, known_rows
from boxscore.formats.io.writing import Made, Writing
from boxscore.tables.model import Detections, Flag, Truth


@dataclass
class _Video:
    """A video: its images by frame, and its rows by track."""

    name: str
    images: dict[int, int] = field(default_factory=dict)
    tracks: dict[tuple[int, int, int], dict[int, int]] = field(default_factory=dict)  # rows by frame

    @cached_property
    def step(self) -> int:
        """The largest one that meets all frames."""
        frames = sorted(self.images)
        return math.gcd(*(b - a for a, b in pairwise(frames))) or 1

    @cached_property
    def last(self) -> int:
        """The last frame."""
        return max(self.images)


def write_truth(truth: Truth, how: Writing) -> Made:
    """Objects; those that belong to no track get one of their own."""
    yield "", _content(truth)


def write_detections(detections: Detections, how: Writing) -> Made:
    """Detections, whose score is an attribute."""
    yield "", _content(detections)


def _content(table: Table) -> bytes:
    videos, said = _videos(table), said_of(table, video=True)
    rows = [row for video in videos for track in video.tracks.values() for row in track.values()]
    labels = labels_of(table, ((int(table.label[row]), name) for row in rows for name, _ in said[row][1]))
    lines = [
        _track(table, video, key, track, said, str(number) if len(videos) > 1 else "")
        for number, video in enumerate(videos)
        for key, track in video.tracks.items()
    ]
    tasks = [_task(table, video) for video in videos]
    if len(tasks) == 1:
        return document(f"<task>{tasks[0]}{labels}</task>", lines)
    numbered = "".join(f"<task><id>{number}</id>{task}</task>" for number, task in enumerate(tasks))
    return document(f"<project><tasks>{numbered}</tasks>{labels}</project>", lines)


def _videos(table: Table) -> list[_Video]:
    images = table.images
    names = [""] * len(images) if images.video is None else images.video
    frames = np.arange(len(images)) if images.frame is None else images.frame
    videos: dict[str, _Video] = {}
    for image, (name, frame) in enumerate(zip(names, frames.tolist(), strict=True)):
        video = videos.setdefault(name, _Video(name))
        if video.images.setdefault(frame, image) != image:
            found = f"images '{images.key[video.images[frame]]}' and '{images.key[image]}' are both frame {frame}"
            raise InputError(table.source, f"{found} of video '{name}'", "an image for each frame")
    own = np.full(len(table), -1) if table.track is None else table.track
    free = int(own.max(initial=-1)) + 1
    for row in known_rows(table):
        image = int(table.image[row])
        key, free = (int(own[row]), free) if own[row] >= 0 else (free, free + 1)
        tracks, frame, again = videos[names[image]].tracks, int(frames[image]), 0
        while frame in tracks.setdefault((key, int(table.label[row]), again), {}):
            again += 1  # a track can have one shape in a frame
        tracks[key, int(table.label[row]), again][frame] = row
    return list(videos.values())


def _task(table: Table, video: _Video) -> str:
    parts = [f"<name>{escaped(video.name)}</name><size>{len(video.images)}</size><mode>interpolation</mode>"]
    frames, step = sorted(video.images), video.step
    seen = {frame for track in video.tracks.values() for frame in track}
    if frames and len(range(frames[0], frames[-1] + 1, step)) == len(frames):
        parts.append(f"<start_frame>{frames[0]}</start_frame><stop_frame>{frames[-1]}</stop_frame>")
    elif len(seen) < len(frames):
        found = f"frames of video '{video.name}' that are not evenly spaced, some of them without boxes"
        raise InputError(table.source, found, "frames by a fixed step, which is all that the format can say")
    parts.append(f"<frame_filter>step={step}</frame_filter>" if step > 1 else "")
    sizes = {(_side(table.images.width, k), _side(table.images.height, k)) for k in video.images.values()}
    if len(sizes) > 1:
        raise InputError(table.source, f"frames of different sizes in video '{video.name}'", "one size for a video")
    for width, height in sizes:
        if width and height:
            parts.append(f"<original_size><width>{width}</width><height>{height}</height></original_size>")
    return "".join(parts)


def _side(sides: np.ndarray | None, k: int) -> str:
    value = math.nan if sides is None else float(sides[k])
    return "" if not value > 0 else str(int(value)) if value.is_integer() else repr(value)


def _track(
    table: Table, video: _Video, key: tuple[int, int, int], rows: dict[int, int],
    said: list[tuple[dict[str, str], list[tuple[str, str]]]], task: str,
) -> str:  # fmt: skip
    """The shapes by frame; where the next frame has none, one that is outside says so."""
    shapes = []
    of_track = _common([said[row][0] for row in rows.values()])
    for frame, row in sorted(rows.items()):
        tag, numbers, inside = shape_of(table, row)
        own, inner = {name: value for name, value in said[row][0].items() if name not in of_track}, said[row][1]
        inside += "".join(element("attribute", {"name": name}, escaped(value)) for name, value in inner)
        generated = isinstance(table, Truth) and bool(table.flags[row] & Flag.GENERATED)
        words = {"keyframe": str(int(not generated)), "outside": "0", "occluded": "0", **numbers, "z_order": "0", **own}
        shapes.append(element(tag, {"frame": str(frame), **words}, inside))
        after = frame + video.step
        if after not in rows and after <= video.last:
            words.update(frame=str(after), keyframe="1", outside="1")
            shapes.append(element(tag, words, inside))
    words = {"id": str(key[0]), "label": table.classes.name[key[1]], "source": "manual"}
    return element("track", {**words, **({"task_id": task} if task else {}), **of_track}, "".join(shapes))


def _common(said: list[dict[str, str]]) -> dict[str, str]:
    """What belongs to a track rather than to its shapes, where all of them say the same."""
    first = {name: said[0][name] for name in ("source", "group_id") if name in said[0]}
    return {name: value for name, value in first.items() if all(own.get(name) == value for own in said)}
