"""MOTChallenge, written: a folder per sequence with gt/gt.txt and seqinfo.ini, or a file per sequence of detections."""

from __future__ import annotations

import numpy as np

from boxscore.errors import InputError
from boxscore.formats.io.table_rows import Table, rows_by_image, size_of, whole
from boxscore.formats.io.writing import Made, Writing
from boxscore.formats.io.written_boxes import with_sides
from boxscore.formats.mot.read import CLASSES, PEDESTRIAN
from boxscore.formats.mot.sequences import INFO, LABELS
from boxscore.tables.model import Detections, Flag, Truth

_NUMBERS = {name: number for number, name in CLASSES.items()}


def write_truth(truth: Truth, options: Writing) -> Made:
    """A folder per sequence; classes that the challenge does not have stand in a list beside the boxes."""
    lines, lengths = _lines(truth)
    labels = _labels(truth)
    for name, some in lines.items():
        yield f"{name}/gt/gt.txt", _text(some)
        if labels:
            yield f"{name}/gt/{LABELS}", _text(labels)
        first = next(i for i, video in enumerate(truth.images.video or ()) if _folder(video) == name)
        width, height = size_of(truth.images, first)
        sizes = [] if width is None or height is None else [f"imWidth={width}", f"imHeight={height}"]
        info = ["[Sequence]", f"name={name}", "imDir=img1", f"seqLength={lengths[name]}", *sizes, "imExt=.jpg"]
        yield f"{name}/{INFO}", _text(info)


def write_detections(detections: Detections, options: Writing) -> Made:
    """A file per sequence, as trackers write them."""
    lines, _ = _lines(detections)
    for name, some in lines.items():
        yield f"{name}.txt", _text(some)
    if labels := _labels(detections):
        yield LABELS, _text(labels)


def _folder(video: str) -> str:
    """The name of a sequence, which is that of a folder."""
    return video.replace("/", "_")


def _text(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _labels(table: Table) -> list[str]:
    """The classes, where some are none of the challenge's."""
    names = list(table.classes.name)
    return [] if all(name in _NUMBERS for name in names) else names


def _lines(table: Table) -> tuple[dict[str, list[str]], dict[str, int]]:
    """The lines of each sequence, and its last frame; frames that are counted from 0 are counted from 1."""
    images = table.images
    if images.video is None or images.frame is None:
        raise InputError(table.source, "images that are not frames of videos", "frames of videos, for MOTChallenge")
    start = 1 if len(images) and int(images.frame.min()) == 0 else 0
    rows, boxes = rows_by_image(table), with_sides(table.corners, table.box_area).tolist()
    own = not _labels(table)
    numbers = [_NUMBERS[name] if own else k for k, name in enumerate(table.classes.name, 1)]
    plain = own and set(table.classes.name) <= {PEDESTRIAN}
    lines: dict[str, list[str]] = {}
    lengths: dict[str, int] = {}
    for i in np.lexsort((np.arange(len(images)), images.frame)).tolist():
        video, frame = _folder(images.video[i]), int(images.frame[i]) + start
        lines.setdefault(video, [])
        lengths[video] = max(lengths.get(video, 0), frame)
        for row in rows[i]:
            track = -1 if table.track is None else int(table.track[row])
            box = ",".join(str(whole(value)) for value in boxes[row])
            rest = _rest(table, row, numbers[table.label[row]], plain)
            lines[video].append(f"{frame},{track},{box},{rest}")
    return lines, lengths


def _rest(table: Table, row: int, number: int, plain: bool) -> str:
    """What follows a box: confidence, class and visibility; of detections without classes, places in the world."""
    if isinstance(table, Detections):
        return f"{float(table.score[row])!r},{'-1,-1,-1' if plain else f'{number},-1'}"
    return f"{0 if int(table.flags[row]) & Flag.IGNORE else 1},{number},1"
