"""What COCO files say besides boxes, written: shapes, attributes, flags, tracks; videos and lists of images."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np

from boxscore.formats.coco.lvis import MARKS
from boxscore.formats.coco.more import FLAGS
from boxscore.tables.model import Detections, Flag, Ints, Truth
from boxscore.tables.shapes import Shape, Shapes

Table = Truth | Detections
Columns = dict[str, list[Any]]

_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?(e[+-]?[0-9]+)?")


def more_of_rows(table: Table) -> dict[int, str]:
    """By row, the text of further keys and values, each after a comma; rows without any are left out."""
    parts = [*_shapes(table), *_tracks(table), *_attributes(table)]
    if isinstance(table, Truth):
        parts += [(row, "ignore", "1") for row in np.flatnonzero(table.flags & Flag.IGNORE).tolist()]
    made: dict[int, str] = {}
    for row, key, text in parts:
        made[row] = f'{made.get(row, "")},"{key}":{text}'
    return made


def more_of_images(table: Table, class_ids: Ints) -> tuple[list[dict[str, Any]], Columns]:
    """The videos, and columns of what images have besides names and sizes, None where one has it not."""
    columns: Columns = {}
    videos: list[dict[str, Any]] = []
    if table.images.video is not None and table.images.frame is not None:
        names = {name: i for i, name in enumerate(dict.fromkeys(filter(None, table.images.video)), 1)}
        videos = [{"id": i, "name": name} for name, i in names.items()]
        columns["video_id"] = [names.get(name) for name in table.images.video]
        frames = zip(table.images.frame.tolist(), table.images.video, strict=True)
        columns["frame_id"] = [frame if name else None for frame, name in frames]
    if isinstance(table, Truth) and table.labels is not None:
        for name, mark in MARKS.items():
            lists: list[list[int]] = [[] for _ in table.images.key]
            for i in np.flatnonzero(table.labels.mark & mark).tolist():
                lists[table.labels.image[i]].append(int(class_ids[table.labels.label[i]]))
            columns[name] = lists
    return videos, columns


def _tracks(table: Table) -> list[tuple[int, str, str]]:
    if table.track is None:
        return []
    return [(row, "instance_id", str(track)) for row, track in enumerate(table.track.tolist()) if track >= 0]


def _attributes(table: Table) -> list[tuple[int, str, str]]:
    """The attributes of each row, and the flags that COCO has no key for; a name that a row has twice has a list."""
    said: dict[int, dict[str, list[str]]] = {}
    if isinstance(table, Truth):
        for name, flag in FLAGS.items():
            for row in np.flatnonzero(table.flags & flag).tolist():
                said.setdefault(row, {})[name] = ["true"]
    if (listed := table.attributes) is not None:
        for row, name, value in zip(listed.row.tolist(), listed.name, listed.value, strict=True):
            said.setdefault(row, {}).setdefault(name, []).append(_value(value))
    return [(row, "attributes", _object(values)) for row, values in said.items()]


def _object(values: dict[str, list[str]]) -> str:
    texts = (
        f"{json.dumps(name, ensure_ascii=False)}:{many[0] if len(many) == 1 else '[' + ','.join(many) + ']'}"
        for name, many in values.items()
    )
    return "{" + ",".join(texts) + "}"


def _value(text: str) -> str:
    """A value of an attribute as JSON: true, false and numbers as such if reading them gives the same text."""
    plain = text in ("true", "false") or (_NUMBER.fullmatch(text) and json.dumps(json.loads(text)) == text)
    return text if plain else json.dumps(text, ensure_ascii=False)


def _shapes(table: Table) -> list[tuple[int, str, str]]:
    """Polygons or the mask, and keypoints."""
    if table.shapes is None:
        return []
    shapes = table.shapes
    several: dict[int, list[str]] = {}
    for row, part in _parts(shapes, Shape.POLYGON):
        several.setdefault(row, []).append(_numbers(shapes, part))
    texts = {row: f"[{','.join(parts)}]" for row, parts in several.items()}
    mask = _mask if isinstance(table, Truth) else _short_mask
    texts.update((row, mask(shapes, part)) for row, part in _parts(shapes, Shape.RLE))
    made = [(row, "segmentation", text) for row, text in texts.items()]
    for row, part in _parts(shapes, Shape.KEYPOINTS):
        made.append((row, "keypoints", _numbers(shapes, part)))
        made.append((row, "num_keypoints", str(_labelled(table, row, shapes.numbers(part)))))
    return made


def _labelled(table: Table, row: int, values: list[float]) -> int:
    """How many keypoints are labelled: as the source states it, else by their visibility."""
    stated = -1 if isinstance(table, Detections) or table.labelled is None else int(table.labelled[row])
    return sum(value > 0 for value in values[2::3]) if stated < 0 else stated


def _parts(shapes: Shapes, kind: Shape) -> list[tuple[int, int]]:
    """The rows and numbers of all parts of a kind."""
    rows = np.repeat(np.arange(len(shapes)), np.diff(shapes.part))
    chosen = np.flatnonzero(shapes.kind == kind)
    return list(zip(rows[chosen].tolist(), chosen.tolist(), strict=True))


def _numbers(shapes: Shapes, part: int) -> str:
    return json.dumps(shapes.numbers(part), separators=(",", ":"))


def _mask(shapes: Shapes, part: int) -> str:
    height, width, *counts = (int(value) for value in shapes.numbers(part))
    return f'{{"size":[{height},{width}],"counts":{json.dumps(counts, separators=(",", ":"))}}}'


def _short_mask(shapes: Shapes, part: int) -> str:
    """As text: pycocotools does not read lists in results."""
    assert shapes.runs is not None  # of which every mask has some
    height, width = (int(value) for value in shapes.values[shapes.value[part] : shapes.value[part + 1]])
    return f'{{"size":[{height},{width}],"counts":{json.dumps(shapes.runs.text(part).decode("ascii"))}}}'
