"""STT: tubes of objects through videos as JSON, a box per frame; truth with videos and categories, or predictions.

An image is a frame of a video, under the name `<video>#<frame>` and a number made of both, so that lists of
predictions, which know videos by number only, join the truth.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from boxscore.diagnostics.findings import Finding
from boxscore.formats.io.collected import Collected
from boxscore.formats.io.invalid import Invalid
from boxscore.formats.io.json_values import Value, load_value
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.io.source import Source
from boxscore.tables.model import Classes, Detections, Flag, Truth

FRAMES = 1 << 32  # the number of a frame of video v is v * FRAMES + frame
_RECORD = 'a list of {"video_id", "category_id", "track": [{"frame", "bbox", "confidence"}]}'
_TRUTH = "an object with videos, annotations (with tracks) and categories"
_SWAPPED = "Truth comes first, then detections; were they swapped?"
_FLAGS = {"outside": Flag.OUTSIDE, "occluded": Flag.OCCLUDED}


@dataclass
class Tubes:
    """What the annotations hold, before frames become images; lists from `video` on have an entry per box."""

    names: dict[int | str, str] = field(default_factory=dict)  # of videos, by id
    sizes: dict[int | str, tuple[float, float]] = field(default_factory=dict)
    frames: dict[int | str, dict[int, str | None]] = field(default_factory=dict)  # with the name of each, if stated
    classes: dict[int | str, str] = field(default_factory=dict)  # names by id
    video: list[int | str] = field(default_factory=list)
    frame: list[int] = field(default_factory=list)
    made: Collected = field(default_factory=Collected)


def read_truth(source: Source, how: ReadOptions) -> tuple[Truth, list[Finding]]:
    """Objects: a box of each tube in each of its frames."""
    root = load_value(source, _TRUTH)
    if isinstance(root.value, list):
        raise root.wrong(f"a list of {len(root.value):,} records, as of predictions", _TRUTH, _SWAPPED)
    tubes = _listed(root)
    _read_tubes(root["annotations"], tubes, how.invalid, scored=False)
    return _finished(tubes, True).truth(source.name, "stt", how, _classes(tubes)), []


def read_detections(source: Source, how: ReadOptions, truth: Truth | None = None) -> tuple[Detections, list[Finding]]:
    """Predictions: a list of tubes, or a file as of truth; the score is the confidence in a frame, or of the tube."""
    root = load_value(source, _RECORD)
    listed = isinstance(root.value, list)
    tubes = _of_truth(truth) if listed else _listed(root)
    _read_tubes(root if listed else root["annotations"], tubes, how.invalid, scored=True, known=not listed)
    return _finished(tubes, listed).detections(source.name, "stt", how, _classes(tubes)), []


def _listed(root: Value) -> Tubes:
    """Videos and categories of a file that lists them."""
    tubes = Tubes()
    for video in root["videos"].items():
        key = _identity(video["id"])
        if key in tubes.names:
            raise video["id"].wrong(f"the video {key} again", "an id of its own for every video")
        tubes.names[key] = str(key) if (name := video.get("file_name")) is None else name.text().replace("\\", "/")
        tubes.sizes[key] = video.size("width", "height")
        frames = video.get("frames")
        tubes.frames[key] = dict(_frame(one) for one in (() if frames is None else frames.items()))
    if len(set(tubes.names.values())) < len(tubes.names):
        raise root["videos"].wrong("a `file_name` that several videos have", "different names")
    for category in root["categories"].items():
        key = _identity(category["id"])
        if key in tubes.classes or category["name"].text() in tubes.classes.values():
            raise category.wrong("an id or a name that another category has", "different ids and names")
        tubes.classes[key] = category["name"].text()
    return tubes


def _of_truth(truth: Truth | None) -> Tubes:
    """Names of videos and classes as the truth has them, for a list that knows numbers only."""
    tubes = Tubes()
    if truth is not None and truth.format == "stt":
        tubes.classes = dict(zip(truth.classes.id, truth.classes.name, strict=True))
        images = truth.images
        if images.id is not None and images.video is not None and images.frame is not None:
            for i, number in enumerate(images.id.tolist()):
                video, frame = divmod(number, FRAMES)
                tubes.names[video] = images.video[i]
                tubes.frames.setdefault(video, {})[frame] = images.key[i]
    return tubes


def _frame(one: Value) -> tuple[int, str | None]:
    """A frame that a video lists: its number, or an object with the name of its image, too."""
    if isinstance(one.value, dict):
        name = one.get("file_name")
        return _number(one["frame"]), None if name is None else name.text()
    return _number(one), None


def _number(frame: Value) -> int:
    number = frame.whole()
    if not 0 <= number < FRAMES:
        raise frame.wrong(frame.shown, "a frame number from 0")
    return number


def _identity(value: Value) -> int | str:
    return value.text() if isinstance(value.value, str) else value.whole()


def _read_tubes(annotations: Value, tubes: Tubes, invalid: Invalid, scored: bool, known: bool = True) -> None:
    ids: dict[tuple[int | str, int | str], int] = {}
    for place, tube in enumerate(annotations.items()):
        video, category = (_identity(tube[name]) for name in ("video_id", "category_id"))
        if known and (video not in tubes.names or category not in tubes.classes):
            what = f"`video_id` {video}" if video not in tubes.names else f"`category_id` {category}"
            raise tube.wrong(f"the {what}, which is not listed", "a listed video and category")
        tubes.names.setdefault(video, str(video))
        tubes.classes.setdefault(category, str(category))
        key = place if (stated := tube.get("id")) is None else _identity(stated)
        if (video, key) in ids:
            raise tube.wrong(f"the id {key} again in one video", "an id of its own for every tube")
        ids[video, key] = place
        frames, track = set[int](), key if isinstance(key, int) else place
        for one in tube["track"].items():
            with invalid:
                frames.add(_read_box(one, tube, frames, tubes, tubes.classes[category], scored))
                tubes.made.track.append(track)
                tubes.video.append(video)


def _read_box(one: Value, tube: Value, frames: set[int], tubes: Tubes, name: str, scored: bool) -> int:
    """Adds a box of a tube, and returns its frame; those before have others."""
    frame = _number(one["frame"])
    if frame in frames:
        raise one.wrong(f"the frame {frame} again", "one box of a tube in a frame")
    box = one["bbox"].items()
    if len(box) != 4:
        raise one["bbox"].wrong(one["bbox"].shown, "[x, y, width, height]")
    x, y, width, height = (value.number() for value in box)
    flags = sum(flag for word, flag in _FLAGS.items() if one.has(word) and one[word].truth())
    score = [_score(one, tube)] if scored else []
    whole = tube.get("score") or tube.get("confidence") if scored and one.get("confidence") is None else None
    tubes.made.add(0, name, [x, y, x + width, y + height], width * height, flags, where=one["bbox"])
    tubes.made.score += score
    if scored:
        tubes.made.track_score.append(math.nan if whole is None else whole.number())
    tubes.frame.append(frame)
    return frame


def _score(one: Value, tube: Value) -> float:
    found = one.get("confidence") or tube.get("score") or tube.get("confidence")
    if found is None:
        raise one.wrong("no `confidence`", f"predictions: {_RECORD}", _SWAPPED)
    return found.number()


def _finished(tubes: Tubes, numbered: bool) -> Collected:
    """The rows with their images: the frames of each video that it lists or that have boxes, in order."""
    made, frames = tubes.made, dict[int | str, dict[int, str | None]]()
    made.videos = list(tubes.names.values()) if tubes.sizes else []
    for video in tubes.names:
        frames[video] = dict(tubes.frames.get(video, {})) if tubes.sizes else {}
    for video, frame in zip(tubes.video, tubes.frame, strict=True):
        frames[video].setdefault(frame, tubes.frames.get(video, {}).get(frame))
    place: dict[tuple[int | str, int], int] = {}
    for video, inside in frames.items():
        for frame, name in sorted(inside.items()):
            key = f"{tubes.names[video]}#{frame}" if name is None else name
            place[video, frame] = made.add_image(key, *tubes.sizes.get(video, (math.nan, math.nan)))
            made.video.append(tubes.names[video])
            made.frame.append(frame)
    made.image = [place[both] for both in zip(tubes.video, tubes.frame, strict=True)]
    if numbered and all(isinstance(video, int) and 0 <= video < 1 << 31 for video in tubes.names):
        made.number = [int(video) * FRAMES + frame for video, frame in place]
    return made


def _classes(tubes: Tubes) -> Classes:
    return Classes(tuple(tubes.classes.values()), tuple(tubes.classes))
