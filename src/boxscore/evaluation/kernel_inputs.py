"""What a protocol sees of the columns: roles of objects, areas, sizes, thresholds of their own, repeated ids."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from boxscore import _core
from boxscore.evaluation.cells import Shared
from boxscore.protocols import Protocol
from boxscore.tables.model import Bools, Detections, Flag, Floats, Ints, Truth, empty, thread_count

IGNORED, REUSABLE, VOID, ABSORBS = 1, 2, 4, 8  # roles of objects in the kernel
EVERY = slice(None)
TREATED = {"crowd": Flag.CROWD, "difficult": Flag.DIFFICULT, "group_of": Flag.GROUP_OF, "ignore_flag": Flag.IGNORE}

_DROPPED = {
    "crowd": "it is a crowd",
    "difficult": "it is difficult",
    "group_of": "it is a group",
    "ignore_flag": "it is flagged with ignore",
}


def last_of_repeated(truth: Truth) -> Ints | None:
    """For each object the row of the last object with the same annotation id; None if no id is repeated."""
    if truth.id is None or len(truth) < 2 or bool(np.all(truth.id[1:] > truth.id[:-1])):
        return None
    order = np.argsort(truth.id, kind="stable")
    ids = truth.id[order]
    ends = np.append(np.flatnonzero(ids[1:] != ids[:-1]), len(ids) - 1)
    if len(ends) == len(ids):
        return None
    last = np.empty(len(ids), np.int64)
    last[order] = np.repeat(order[ends], np.diff(ends, prepend=-1))
    return last


def rows_by_id(truth: Truth, protocol: Protocol, left_out: Bools | None) -> tuple[Ints, Ints] | None:
    """The rows that the protocol sees where objects share an annotation id, and the rows that they stand for.

    None where it sees them as they are.
    """
    last = last_of_repeated(truth) if protocol.repeated_ids == "last" else None
    if last is None or not len(truth.images):
        return None
    # Only listed objects that are not left out are looked up at all; what they are replaced by may be anything.
    listed = (truth.image >= 0) & (truth.label >= 0)
    asked = listed if left_out is None else listed & ~left_out
    last = np.where(asked, last, np.arange(len(truth)))
    # They are looked up image by image: an object that comes from a later image stands behind those of earlier ones.
    met = np.argsort(np.where(listed, truth.images.order[truth.image], 0), kind="stable")
    return last[met], met


def dropped_by_flag(truth: Truth, protocol: Protocol) -> Iterator[tuple[Bools, str]]:
    """Objects that the protocol leaves out for a flag, and the reason."""
    for field, flag in TREATED.items():
        if getattr(protocol, field) == "dropped":
            yield (truth.flags & int(flag)) != 0, _DROPPED[field]


def roles(truth: Truth, protocol: Protocol, rows: Ints | slice = EVERY) -> npt.NDArray[np.uint8]:
    """What each object, or some of them, are for the matching: bits IGNORED, REUSABLE, VOID, ABSORBS."""
    flags = truth.flags[rows]
    role = np.zeros(len(flags), np.uint8)
    bits = {"ignored": IGNORED, "region": IGNORED | REUSABLE}
    bits["dropped"] = 0  # they are left out before
    bits["absorbs"] = ABSORBS if protocol.absorbed_weight else ABSORBS | IGNORED
    if flags.any():
        for field, flag in TREATED.items():
            if (rule := getattr(protocol, field)) != "ordinary":
                role[(flags & int(flag)) != 0] |= bits[rule]
    if protocol.id_zero == "void" and truth.id is not None:
        role[truth.id[rows] == 0] |= VOID
    return role


def box_area(table: Truth | Detections, protocol: Protocol) -> Floats:
    """The areas that enter the overlap."""
    if of_source(protocol):
        return table.box_area
    area: Floats = empty(len(table))
    _core.box_areas(np.ascontiguousarray(table.corners), pixel(protocol), area, threads=1)
    return area


def of_source(protocol: Protocol) -> bool:
    """Whether the areas that enter the overlap are those of the source instead of those of the corners."""
    return protocol.overlap == "box" and protocol.box_area == "source"


def pixel(protocol: Protocol) -> float:
    """What is added to the sides of a box."""
    return 0.0 if protocol.overlap in ("box", "single") else 1.0


def sizes(table: Truth | Detections, protocol: Protocol) -> Floats:
    """What is compared with the size ranges."""
    if unbounded(protocol):
        return table.box_area  # any will do
    size = object_sizes(table, protocol) if isinstance(table, Truth) else _box_sizes(table, protocol)
    if protocol.area_unit != "image":
        return size
    if table.relative:  # a share of the image as it is, but for what an annotation gives in pixels
        return size if isinstance(table, Detections) else np.where(_annotated(table, protocol), np.nan, size)
    width, height = table.images.width, table.images.height
    if width is None or height is None:
        return np.full(len(size), np.nan)
    whole = np.append(width * height, np.nan)[table.image]
    return np.ascontiguousarray(size / np.where(whole > 0, whole, np.nan))


def size_column(table: Truth | Detections, protocol: Protocol, shared: Shared) -> Floats | None:
    """The sizes as the kernel takes them; none where they do not matter or are the areas of the corners."""
    annotated = protocol.size_from == "annotation" and isinstance(table, Truth)
    if unbounded(protocol) or (protocol.box_area == "corners" and protocol.area_unit == "pixels" and not annotated):
        return None
    how = ("sizes", protocol.box_area, protocol.area_unit, annotated)
    given = table.area if isinstance(table, Truth) else None
    columns = (table.corners, table.box_area, given, table.image, table.images)
    return shared.once(how, columns, lambda: sizes(table, protocol))


def unbounded(protocol: Protocol) -> bool:
    """Whether every size is within every range."""
    return all(a.low == -np.inf and a.high == np.inf for a in protocol.areas)


def object_sizes(truth: Truth, protocol: Protocol) -> Floats:
    """The sizes of objects in square pixels."""
    size, given = _box_sizes(truth, protocol), _annotated(truth, protocol)
    if given.all():
        return truth.area
    return np.where(given, truth.area, size) if given.any() else size


def _annotated(truth: Truth, protocol: Protocol) -> Bools:
    """Which objects have the size that their annotation gives."""
    if protocol.size_from != "annotation":
        return np.zeros(len(truth), np.bool_)
    return ~np.isnan(truth.area)


def _box_sizes(table: Truth | Detections, protocol: Protocol) -> Floats:
    return table.box_area if protocol.box_area == "source" else box_area(table, replace(protocol, overlap="box"))


def limits(truth: Truth, protocol: Protocol, shared: Shared | None = None, threads: int = 0) -> Floats | None:
    """What thresholds are lowered to for each object; None where they are not."""
    if not protocol.iou_margin:
        return None
    # Nothing overlaps an object without extent by more than 0: its threshold stays.

    def made() -> Floats:
        limit: Floats = empty(len(truth))
        corners = np.ascontiguousarray(truth.corners)
        _core.margin_overlaps(corners, pixel(protocol), protocol.iou_margin, limit, threads=thread_count(threads))
        return limit

    return (shared or Shared()).once(("limits", pixel(protocol), protocol.iou_margin), (truth.corners,), made)
