"""What COCO files say besides boxes and shapes: attributes, flags among them, tracks, videos."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from boxscore.formats.coco.columns import Said
from boxscore.formats.io.ids import Numbering
from boxscore.formats.io.record_values import Placed, Values, clean, described
from boxscore.tables.model import Flag, Ints
from boxscore.tables.shapes import Attributes

# Those that COCO has keys for stand there; the others are attributes, as CVAT and Datumaro write them.
FLAGS = {str(flag.name).lower(): flag for flag in Flag if flag not in (Flag.CROWD, Flag.IGNORE)}
TRACKS = ("track_id", "instance_id")
_FRAMES = ("frame_id", "frame_index")
_YES, _NO = (True, "true", "1"), (None, False, "false", "0", "")


def statements(take: Values, rows: list[Placed], flagged: bool) -> Said:
    """Attributes, the flags among them if rows can have flags, and tracks of all rows."""
    flags, row_of, names, values = np.zeros(len(rows), np.uint16), list[int](), list[str](), list[str]()
    tracks = list[int | str]()
    for row, placed in enumerate(rows):
        said = _attributes(take, placed)
        tracks.append(_track(take, placed, said))
        for name, value in said.items():
            for one in value if isinstance(value, list) else [value]:
                flag = FLAGS.get(name) if flagged else None
                if flag is not None and one in (*_YES, *_NO):
                    flags[row] |= int(flag) if one in _YES else 0
                elif one is not None:
                    row_of.append(row)
                    names.append(clean(name))
                    values.append(_text(one))
    attributes = Attributes(np.array(row_of, np.int64), tuple(names), tuple(values)) if names else None
    return Said(attributes, flags, _numbered(tracks))


def videos_of(take: Values, data: dict[str, Any], images: list[Placed]) -> tuple[list[str] | None, Ints | None]:
    """The video of each image and its number there; None where no image is of a video.

    An image that is of none has the name "". Frames without a number count from 0, in the order of the file.
    """
    if not any(record.get("video_id") is not None for _, record in images):
        return None, None
    listed = take.records(data["videos"] if isinstance(data.get("videos"), list) else [], "videos")
    given = {take.identity(video, "id"): video[1].get("name") for video in listed}
    names = {key: name for key, name in given.items() if isinstance(name, str) and name}
    repeated = len({*names.values()}) < len(names)
    videos, frames, seen = list[str](), list[int](), dict[str, int]()
    for placed in images:
        if placed[1].get("video_id") is None:
            videos.append("")
            frames.append(0)
            continue
        key = take.identity(placed, "video_id")
        name = names.get(key)
        videos.append(str(key) if name is None or repeated else clean(name))
        number = next((name for name in _FRAMES if placed[1].get(name) is not None), None)
        frames.append(seen.get(videos[-1], 0) if number is None else take.whole(placed, number))
        seen[videos[-1]] = seen.get(videos[-1], 0) + 1
    return videos, np.array(frames, np.int64)


def _attributes(take: Values, placed: Placed) -> dict[str, Any]:
    place, record = placed
    value = record.get("attributes")
    if value in (None, [], ""):
        return {}
    if not isinstance(value, dict):
        take.wrong.add(place, described("attributes", value), "an object with names and values as `attributes`")
        return {}
    return dict(value)


def _track(take: Values, placed: Placed, said: dict[str, Any]) -> int | str:
    """The track of a row, -1 where it has none; CVAT writes it among the attributes, from where it is taken out."""
    place, record = placed
    for key in TRACKS:
        if record.get(key) is not None:
            return take.identity(placed, key)
    inside = said.pop("track_id", None)
    return -1 if inside is None else take.identity((place, {"track_id": inside}), "track_id")


def _numbered(tracks: list[int | str]) -> Ints | None:
    """Tracks as numbers; None where no row has one."""
    named = [track for track in tracks if track != -1]
    if not named:
        return None
    none = np.array([track == -1 for track in tracks])
    return np.where(none, -1, Numbering(named).numbers(tracks))


def _text(value: Any) -> str:
    return clean(value) if isinstance(value, str) else clean(json.dumps(value, ensure_ascii=False))
