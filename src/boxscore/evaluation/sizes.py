"""What is compared with size ranges: a measure per value of `size_from`, in the protocol's unit."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from boxscore.errors import UsageError
from boxscore.evaluation.memo import Shared
from boxscore.evaluation.tracked import NONE, motion, track_sides
from boxscore.overlaps.boxes import corner_areas
from boxscore.protocols import Protocol
from boxscore.protocols.parts import Ranges, Sizes
from boxscore.protocols.rules import allow, values_of
from boxscore.tables.model import Bools, Detections, Floats, Truth
from boxscore.tables.oriented import corners_of_boxes, quad_areas


def _boxes(_: Truth | Detections, box: Floats) -> Floats:
    return box


def _none(truth: Truth) -> Bools:
    return np.zeros(len(truth), np.bool_)


class Measure(NamedTuple):
    """How sizes are measured: functions of a table and the areas of its boxes."""

    objects: Callable[[Truth, Floats], Floats] = _boxes
    detections: Callable[[Detections, Floats], Floats] = _boxes
    counts: bool = False  # whether it has no unit, so that it is known of boxes in any
    stated: Callable[[Truth], Bools] = _none  # objects whose size the annotation gives in pixels, even if boxes are not


def _stated(truth: Truth) -> Bools:
    return ~np.isnan(truth.area)


def _as_loaded(detections: Detections, box: Floats) -> Floats:
    return box if detections.area is None else detections.area


def _of_annotations(truth: Truth, box: Floats) -> Floats:
    stated = _stated(truth)
    if stated.all():
        return truth.area
    return np.where(stated, truth.area, box) if stated.any() else box


def _turned(table: Truth | Detections, box: Floats) -> Floats:
    if table.quads is None:
        return box
    plain = (table.quads == corners_of_boxes(table.corners)).all(axis=1)
    return np.where(plain, box, quad_areas(table.quads))


def _of_masks(detections: Detections, box: Floats) -> Floats:
    return box if detections.masks is None else detections.masks.area


def _unmeasured(detections: Detections, _: Floats) -> Floats:
    return np.full(len(detections), NONE)


def _lengths(table: Truth | Detections, _: Floats) -> Floats:
    if table.tubes is None:
        raise UsageError("a range of the length of tracks; expected an overlap of tracks (overlap=tube or tube-mask)")
    return table.tubes.length.astype(np.float64)


MEASURES = {
    "annotation": Measure(_of_annotations, _as_loaded, stated=_stated),
    "box": Measure(),
    "rotated": Measure(lambda truth, box: _of_annotations(truth, _turned(truth, box)), _turned, stated=_stated),
    "box-mask": Measure(detections=_of_masks),
    "motion": Measure(lambda truth, _: motion(truth), _unmeasured),
    "track-side": Measure(lambda truth, _: track_sides(truth), _unmeasured),
    "length": Measure(_lengths, _lengths, counts=True),
}


def register(name: str, measure: Measure) -> None:
    """Adds a value of `size_from`, and how it is measured."""
    MEASURES[name] = measure
    allow(Protocol, "size_from", name)


def sizes(table: Truth | Detections, rules: Sizes) -> Floats:
    """What is compared with the size ranges."""
    size = _in_square_pixels(table, rules)
    if rules.area_unit != "image" or MEASURES[rules.size_from].counts:
        return size
    if table.relative:  # a share of the image as it is, but for what an annotation states in pixels
        stated = MEASURES[rules.size_from].stated(table) if isinstance(table, Truth) else False
        return np.where(stated, np.nan, size)
    width, height = table.images.width, table.images.height
    if width is None or height is None:
        return np.full(len(size), np.nan)
    whole = np.append(width * height, np.nan)[table.image]
    return np.ascontiguousarray(size / np.where(whole > 0, whole, np.nan))


def object_sizes(truth: Truth, rules: Sizes) -> Floats:
    """The sizes of objects in square pixels."""
    return _in_square_pixels(truth, rules)


def _in_square_pixels(table: Truth | Detections, rules: Sizes) -> Floats:
    box = table.box_area if rules.box_area == "source" else corner_areas(table, 0.0)
    measure = MEASURES[rules.size_from]
    return measure.objects(table, box) if isinstance(table, Truth) else measure.detections(table, box)


def size_column(table: Truth | Detections, rules: Ranges, shared: Shared) -> Floats | None:
    """The sizes as the kernel takes them; none where they do not matter or are the areas of the corners."""
    if unbounded(rules) or (rules.area_unit == "pixels" and of_corners(table, rules)):
        return None
    columns = (
        *(table.corners, table.box_area, table.area, table.image, table.images, table.masks, table.quads, table.tubes),
        *((table.track, table.label) if rules.of_tracks else ()),
    )
    what = ("sizes", isinstance(table, Truth), *values_of(rules, Sizes))
    return shared.once(what, columns, lambda: sizes(table, rules))


def of_corners(table: Truth | Detections, rules: Sizes) -> bool:
    """Whether sizes are the areas of the corners, which the kernel makes itself."""
    measure = MEASURES[rules.size_from]
    function = measure.objects if isinstance(table, Truth) else measure.detections
    plain = function is _boxes or (function is _as_loaded and table.area is None)
    return rules.box_area == "corners" and plain


def outside_ignored(rules: Ranges) -> bool:
    """Whether an unmatched detection outside of a range is ignored there for its own size."""
    return rules.outside == "ignored" and not rules.of_tracks and not unbounded(rules)


def unbounded(rules: Ranges) -> bool:
    """Whether every size is within every range."""
    return all(a.low == -np.inf and a.high == np.inf for a in rules.areas)
