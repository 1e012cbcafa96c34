"""The frames of a YouTube-VIS track: masks as COCO's text, polygons, boxes."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from boxscore.formats.io.collected import hull
from boxscore.formats.io.json_values import Value
from boxscore.formats.io.rle import FAULTS
from boxscore.tables.masks import EMPTY_RUN, FINE, Masks, measured_masks
from boxscore.tables.runs import Runs
from boxscore.tables.shapes import Shape

_MASK = 'a mask {"size": [height, width], "counts": runs}, polygons, or null'


class Frame(NamedTuple):
    """What a track has in one frame."""

    place: int  # of the frame in its video
    corners: list[float]
    box_area: float
    box_made: bool  # whether the box was put around the mask
    mask: bytes | None = None  # runs as text
    height: int = 0
    width: int = 0
    polygons: tuple[tuple[Shape, list[float]], ...] = ()


class _Mask(NamedTuple):
    place: int
    height: int
    width: int
    text: bytes


def frames_of(one: Value, width: float, height: float) -> list[Frame]:
    """The frames of a track in which it has a mask or a box; a track without any has an empty mask in the first.

    Such a track is never found, or finds nothing, whatever frame it is in; where the size of the video is unknown,
    there is no such mask, and no frame.
    """
    boxes = {} if not one.has("bboxes") else _boxes(one["bboxes"])
    masks, polygons = ([], {}) if not one.has("segmentations") else _segments(one["segmentations"])
    if not boxes and not masks and not polygons:
        if math.isnan(width) or math.isnan(height):
            return []
        masks = [_Mask(0, int(height), int(width), Runs.of_counts([int(height) * int(width)]))]
    measured, places = _measured(masks, one), {mask.place: k for k, mask in enumerate(masks)}
    made = []
    for index in sorted({*boxes, *places, *polygons}):
        parts = polygons.get(index, ())
        at = places.get(index)
        mask = None if at is None else masks[at]
        if index in boxes:
            x, y, w, h = boxes[index]
            corners, area = [x, y, x + w, y + h], w * h
        else:
            corners = measured.box[at].tolist() if at is not None else _around(parts)
            area = (corners[2] - corners[0]) * (corners[3] - corners[1])
        frame = Frame(index, corners, area, index not in boxes, polygons=parts)
        made.append(frame if mask is None else frame._replace(mask=mask.text, height=mask.height, width=mask.width))
    return made


def _boxes(given: Value) -> dict[int, list[float]]:
    """The boxes by frame, x y width height."""
    made = {}
    for i, box in enumerate(given.items()):
        if box.value is None:
            continue
        sides = box.items()
        if len(sides) != 4:
            raise box.wrong(box.shown, "[x, y, width, height], or null")
        made[i] = [side.number() for side in sides]
        if not math.isfinite(made[i][0] + made[i][2]) or not math.isfinite(made[i][1] + made[i][3]):
            raise box.wrong("numbers whose sum is infinite", "a box with finite corners")
    return made


def _segments(given: Value) -> tuple[list[_Mask], dict[int, tuple[tuple[Shape, list[float]], ...]]]:
    """The masks and the polygons by frame."""
    masks, polygons = [], {}
    for i, segment in enumerate(given.items()):
        if isinstance(segment.value, dict):
            masks.append(_Mask(i, *_size(segment), _text(segment)))
        elif isinstance(segment.value, list) and segment.value:
            polygons[i] = tuple((Shape.POLYGON, _polygon(part)) for part in segment.items())
        elif segment.value not in (None, []):
            raise segment.wrong(segment.shown, _MASK)
    return masks, polygons


def _polygon(given: Value) -> list[float]:
    values = [value.number() for value in given.items()]
    if len(values) < 6 or len(values) % 2:
        raise given.wrong(f"{len(values)} numbers", "x and y of at least three points")
    return values


def _size(segment: Value) -> tuple[int, int]:
    sides = [side.whole() for side in segment["size"].items()]
    if len(sides) != 2 or not all(0 < side < 1 << 31 for side in sides) or sides[0] * sides[1] >= 1 << 32:
        raise segment["size"].wrong(segment["size"].shown, "[height, width], less than 2^32 pixels")
    return sides[0], sides[1]


def _text(segment: Value) -> bytes:
    """The runs as text; those in a list are written as such."""
    counts: Any = segment["counts"].value
    if isinstance(counts, str):
        return counts.encode("utf-8", "replace")
    if not isinstance(counts, list) or not all(type(run) is int and 0 <= run < 1 << 32 for run in counts):
        raise segment["counts"].wrong(segment["counts"].shown, "runs, as a list or as COCO's text")
    return Runs.of_counts(counts)


def _measured(masks: list[_Mask], one: Value) -> Masks:
    """The masks of a track with their boxes; InputError where one cannot be read."""
    letters = np.frombuffer(b"".join(mask.text for mask in masks), np.uint8)
    ends = np.cumsum([len(mask.text) for mask in masks], dtype=np.int64)
    size = np.array([(mask.height, mask.width) for mask in masks], np.int64).reshape(-1, 2)
    made = measured_masks(Runs.ending(letters, ends), size, 1)
    wrong = np.flatnonzero((made.fault != FINE) & (made.fault != EMPTY_RUN))
    if len(wrong):
        mask, fault = masks[int(wrong[0])], int(made.fault[wrong[0]])
        place = one["segmentations"].items()[mask.place]["counts"]
        pixels = mask.height * mask.width
        raise place.wrong(FAULTS.get(fault, f"runs that do not fill {mask.height} x {mask.width} pixels"),
                          f"COCO's runs of {pixels:,} pixels in all")  # fmt: skip
    return made


def _around(polygons: tuple[tuple[Shape, list[float]], ...]) -> list[float]:
    return hull([point for _, values in polygons for point in zip(values[::2], values[1::2], strict=True)])
