"""What COCO files say besides boxes and shapes: attributes, flags among them, tracks, videos."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable
from typing import Any

import numpy as np

from boxscore.formats.coco.columns import Said
from boxscore.formats.coco.load import is_list
from boxscore.formats.coco.lvis import MARKS
from boxscore.formats.io.ids import IdColumn, Numbering
from boxscore.formats.io.placed_records import Placed, Rows
from boxscore.formats.io.record_values import Values, clean, described
from boxscore.tables.model import Flag, Ints
from boxscore.tables.shapes import Attributes

# Those that COCO has keys for stand there; the others are attributes, as CVAT and Datumaro write them.
FLAGS = {str(flag.name).lower(): flag for flag in Flag if flag not in (Flag.CROWD, Flag.IGNORE)}
TRACKS = ("track_id", "instance_id")
_KEYS = ("attributes", *TRACKS)
_FRAMES = ("frame_id", "frame_index")
_YES, _NO = (True, "true", "1"), (None, False, "false", "0", "")


class Statements:
    """Attributes, the flags among them if rows can have flags, and tracks, collected from rows."""

    def __init__(self, flagged: bool) -> None:
        self.flagged = flagged
        self.flags, self.row, self.tracks = array("H"), array("q"), IdColumn()
        self.names, self.values, self._kept = list[str](), list[str](), dict[str, str]()

    def add(self, take: Values, rows: list[Placed]) -> None:
        """What some more rows say."""
        if not any(key in record for _, record in rows for key in _KEYS):
            self.flags.extend([0] * len(rows))
            self.tracks.add(np.full(len(rows), -1, np.int64))
            return
        self.tracks.add([self._of_row(take, placed) for placed in rows])

    def _of_row(self, take: Values, placed: Placed) -> int | str:
        """The track of one more row."""
        flags, said = 0, _attributes(take, placed)
        track = _track(take, placed, said)
        for name, value in said.items():
            for one in value if isinstance(value, list) else [value]:
                flag = FLAGS.get(name) if self.flagged else None
                if flag is not None and one in (*_YES, *_NO):
                    flags |= int(flag) if one in _YES else 0
                elif one is not None:
                    self.row.append(len(self.flags))
                    for texts, text in ((self.names, clean(name)), (self.values, _text(one))):
                        texts.append(self._kept.setdefault(text, text))  # most are met again and again
        self.flags.append(flags)
        return track

    def said(self) -> Said:
        """All of it."""
        attributes = Attributes(np.array(self.row, np.int64), tuple(self.names), tuple(self.values))
        return Said(attributes if self.names else None, np.array(self.flags, np.uint16), _numbered(self.tracks))


def videos_of(take: Values, data: dict[str, Any], images: Iterable[Placed]) -> tuple[list[str], Ints]:
    """The video of each image and its number there.

    An image that is of none has the name "". Frames without a number count from 0, in the order of the file.
    """
    listed = take.records(data["videos"] if is_list(data.get("videos")) else [], "videos")
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


def video_lists(take: Values, data: dict[str, Any], images: Rows) -> dict[str, list[list[int | str]]]:
    """What TAO says of classes in whole videos, for each of their images, as LVIS has it."""
    listed = take.records(data["videos"] if is_list(data.get("videos")) else [], "videos")
    made: dict[str, list[list[int | str]]] = {}
    for name in MARKS:
        if any(video.get(name) is not None for _, video in listed):
            of = {take.identity(video, "id"): take.identities(video, name) for video in listed}
            known = ((take.identity(r, "video_id") if r[1].get("video_id") is not None else None) for r in images)
            made[name] = [[] if key is None else of.get(key, []) for key in known]
    return made


def merged_classes(take: Values, categories: Rows) -> dict[int | str, int | str]:
    """The ids of classes that are counted as others (`merged`, as in TAO), with the ids of those."""
    made: dict[int | str, int | str] = {}
    for placed in categories:
        place, record = placed
        listed = record.get("merged") or []
        if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
            take.wrong.add(place, described("merged", listed), 'a list of {"id", "name"} as `merged`')
            continue
        made.update((take.identity((f"{place}.merged[{i}]", one), "id"), take.identity(placed, "id"))
                    for i, one in enumerate(listed))  # fmt: skip
    return made


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


def _numbered(tracks: IdColumn) -> Ints | None:
    """Tracks as numbers; None where no row has one."""
    named = [track for track in tracks.distinct() if track != -1]
    return np.where(tracks.equal(-1), -1, tracks.numbers(Numbering(named))) if named else None


def _text(value: Any) -> str:
    return clean(value) if isinstance(value, str) else clean(json.dumps(value, ensure_ascii=False))
