"""MOTChallenge: boxes of tracks in the frames of sequences, as ground truth, as detections, as a tracker's output.

The challenge counts pixels from 1. Boxes are read as they stand, as TrackEval, Datumaro and CVAT read them: both
sides are of one kind, and no overlap changes when both are moved. Frames are counted from 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boxscore.diagnostics.findings import Finding
from boxscore.errors import InputError
from boxscore.formats.io.files import Files
from boxscore.formats.io.frame_images import Frames, frame_images
from boxscore.formats.io.number_rows import text_of
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.mot.rows import Rows, rows_of
from boxscore.formats.mot.sequences import Sequence, sequences
from boxscore.tables.model import Classes, Detections, Flag, Floats, Images, Ints, Truth, row_numbers
from boxscore.tables.shapes import Attributes

PEDESTRIAN = "pedestrian"
CLASSES = {  # of MOT16 and later; without a class, boxes are of pedestrians
    1: PEDESTRIAN, 2: "person on vehicle", 3: "car", 4: "bicycle", 5: "motorbike", 6: "non motorized vehicle",
    7: "static person", 8: "distractor", 9: "occluder", 10: "occluder on the ground", 11: "occluder full",
    12: "reflection", 13: "crowd",
}  # fmt: skip
DISTRACTORS = (2, 7, 8, 12)  # who finds one of them instead of a pedestrian is not blamed, whatever their confidence
_IGNORED = Flag.IGNORE | Flag.DIFFICULT  # the second is what PASCAL VOC knows, and means the same there
_CONFIDENCE, _CLASS, _VISIBILITY = 6, 7, 8
_WITH_CLASS = (8, 9)  # how many values a row has whose eighth is a class; with ten it is a coordinate


def read_truth(files: Files, options: ReadOptions) -> tuple[Truth, list[Finding]]:
    """Objects; those with a confidence of 0, and what distracts from pedestrians, are to be ignored."""
    options = options.of("truth")
    listed, rows = _read(files, "truth", options)
    images, image = _images(listed, rows, dense=True)
    number, values = _numbers(rows), np.concatenate([one.values for one in rows])
    ignored = np.asarray(values[:, _CONFIDENCE] == 0)
    own = options.classes is None and not any(one.labels for one in listed)
    distracts = np.isin(number, DISTRACTORS) if own else np.zeros(len(number), np.bool_)
    classes, label = _classes(listed, rows, np.where(distracts, 1, number), options)
    columns = _columns(files.name, images, image, classes, label, values)
    flags = np.where(ignored | distracts, np.uint16(_IGNORED), np.uint16(0))
    said = _said(values, number, distracts) if options.everything else None
    return Truth(**columns, area=np.full(len(values), np.nan), flags=flags, attributes=said), []


def read_detections(files: Files, options: ReadOptions, truth: Truth | None = None) -> tuple[Detections, list[Finding]]:
    """Detections, with tracks where they have ids; a confidence of -1 throughout says nothing, and all are equal."""
    options = options.of("detections")
    listed, rows = _read(files, "detections", options)
    for one, some in zip(listed, rows, strict=True):
        if len(lacking := np.flatnonzero(np.isnan(some.values[:, _CONFIDENCE]))):
            hint = "Ground truth comes first, then detections; were they swapped?"
            place = f"{one.place}:{some.line(int(lacking[0]))}"
            raise InputError(place, "no confidence", "a seventh value: the confidence, -1 where there is none", hint)
    images, image = _images(listed, rows, dense=False, truth=truth)
    values = np.concatenate([one.values for one in rows])
    classes, label = _classes(listed, rows, _numbers(rows), options)
    score = values[:, _CONFIDENCE].copy()
    if (score == -1).all():
        score[:] = 1.0
    return Detections(**_columns(files.name, images, image, classes, label, values), score=score), []


def _read(files: Files, side: str, options: ReadOptions) -> tuple[list[Sequence], list[Rows]]:
    listed = sequences(files, side)
    return listed, [rows_of(text_of(files, one.path), one.place, options.invalid) for one in listed]


def _columns(
    source: str, images: Images, image: Ints, classes: Classes, label: Ints, values: Floats
) -> dict[str, Any]:  # fmt: skip
    track, (left, top, width, height) = values[:, 1].astype(np.int64), values[:, 2:6].T
    with np.errstate(over="ignore"):
        corners = np.ascontiguousarray(np.stack([left, top, left + width, top + height], axis=1))
        area = width * height
    return {
        "images": images, "classes": classes, "image": image.astype(np.int32), "label": label.astype(np.int32),
        "corners": corners, "box_area": area, "position": row_numbers(len(values)), "source": source, "format": "mot",
        "track": np.maximum(track, -1) if (track >= 0).any() else None,
    }  # fmt: skip


def _images(
    listed: list[Sequence], rows: list[Rows], dense: bool, truth: Truth | None = None
) -> tuple[Images, Ints]:  # fmt: skip
    frames = [
        Frames(one.name, some.values[:, 0].astype(np.int64), one.key, 1, one.frames, (one.width, one.height))
        for one, some in zip(listed, rows, strict=True)
    ]
    return frame_images(frames, dense, truth)


def _numbers(rows: list[Rows]) -> Ints:
    """The class number of each row; that of pedestrians where it has none."""
    made = []
    for one in rows:
        stated = one.values[:, _CLASS]
        has = np.isin(one.columns, _WITH_CLASS) & (stated >= 0) & (stated % 1 == 0)
        made.append(np.where(has, np.where(has, stated, 1), 1).astype(np.int64))
    return np.concatenate(made)


def _classes(listed: list[Sequence], rows: list[Rows], number: Ints, options: ReadOptions) -> tuple[Classes, Ints]:
    """The classes by name: of the user's list or the folder's, counted from 1, else those of the challenge."""
    labels = options.classes or next((one.labels for one in listed if one.labels), ())
    found = np.unique(number).tolist()
    if labels and found and not 1 <= found[0] <= found[-1] <= len(labels):
        _refuse(listed, rows, number, len(labels))
    names = labels or tuple(CLASSES.get(key, str(key)) for key in found)
    label = number - 1 if labels else np.searchsorted(np.array(found, np.int64), number)
    return Classes(tuple(names), tuple(names)), np.asarray(label)


def _refuse(listed: list[Sequence], rows: list[Rows], number: Ints, count: int) -> None:
    row = int(np.flatnonzero((number < 1) | (number > count))[0])
    for one, some in zip(listed, rows, strict=True):
        if row < len(some.values):
            place = f"{one.place}:{some.line(row)}"
            raise InputError(place, f"the class {int(number[row])}, and {count} are listed", f"1 to {count}")
        row, number = row - len(some.values), number[len(some.values) :]


def _said(values: Floats, number: Ints, distracts: Any) -> Attributes | None:
    """What else rows say, as texts: visibility, places in the world, the class of what distracts."""
    said: list[tuple[int, str, str]] = []
    columns = (~np.isnan(values)).sum(axis=1)
    for row in range(len(values)):
        if distracts[row]:
            said.append((row, "class", CLASSES[int(number[row])]))
        if columns[row] == _VISIBILITY + 1:
            said.append((row, "visibility", f"{values[row, _VISIBILITY]:g}"))
        elif columns[row] > _VISIBILITY + 1 and (values[row, _CLASS:] != -1).any():
            said += [(row, name, f"{value:g}") for name, value in zip("xyz", values[row, _CLASS:], strict=True)]
    if not said:
        return None
    rows, names, texts = zip(*said, strict=True)
    return Attributes(np.array(rows, np.int64), names, texts)
