"""What a table may hold besides boxes and class names, and which of it a format would lose."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import NamedTuple

import numpy as np

from boxscore.formats.io.same_images import without_extension
from boxscore.formats.record import Format
from boxscore.tables.model import Detections, Flag, Mark, Truth
from boxscore.tables.shapes import Shape

Table = Truth | Detections


class Held(NamedTuple):
    """Something that a table may hold: what it is called in a list of losses, and how often a table has it."""

    text: str
    count: Callable[[Table], int]


def _flag(flag: Flag) -> Callable[[Table], int]:
    return lambda table: int(((table.flags & flag) != 0).sum()) if isinstance(table, Truth) else 0


def _shape(*kinds: Shape) -> Callable[[Table], int]:
    return lambda table: 0 if table.shapes is None else int(np.isin(table.shapes.kind, kinds).sum())


def _empty_images(table: Table) -> int:
    return len(table.images) - len(np.unique(table.image[table.image >= 0]))


def _sizes(table: Table) -> int:
    return 0 if table.images.width is None else int(np.isfinite(table.images.width).sum())


def _unused_classes(table: Table) -> int:
    return len(table.classes) - len(np.unique(table.label[table.label >= 0]))


def _class_ids(table: Table) -> int:
    return sum(str(key) != name for key, name in zip(table.classes.id, table.classes.name, strict=True))


def _areas(table: Table) -> int:
    return int((np.isfinite(table.area) & (table.area != table.box_area)).sum()) if isinstance(table, Truth) else 0


def _marked(*marks: Mark) -> Callable[[Table], int]:
    def count(table: Table) -> int:
        if not isinstance(table, Truth) or table.labels is None:
            return 0
        return int(((table.labels.mark & int(reduce(or_, marks))) != 0).sum())

    return count


def _absolute(table: Table) -> int:
    return 0 if table.relative else len(table)


def _pieces(table: Table) -> int:
    """Objects that are more than one polygon."""
    if table.shapes is None:
        return 0
    row = np.repeat(np.arange(len(table.shapes)), np.diff(table.shapes.part))
    return int((np.bincount(row[table.shapes.kind == Shape.POLYGON]) > 1).sum())


def _corner_bits(table: Table) -> int:
    """Boxes whose corners are no sum of a corner and a size to the last bit."""
    from boxscore.formats.io.written_boxes import inexact

    return 0 if table.relative else inexact(table.corners, table.box_area)


def _object_ids(table: Table) -> int:
    return len(table) if isinstance(table, Truth) and table.id is not None else 0


HELD = {
    "empty_images": Held("images without boxes", _empty_images),
    "extensions": Held("extensions of image names", lambda t: sum(without_extension(k) != k for k in t.images.key)),
    "folders": Held("folders of image names", lambda t: sum("/" in k for k in t.images.key)),
    "sizes": Held("image sizes", _sizes),
    "image_ids": Held("image ids", lambda t: 0 if t.images.id is None else len(t.images)),
    "frames": Held("frames of videos", lambda t: 0 if t.images.frame is None else len(t.images)),
    "class_ids": Held("class ids", _class_ids),
    "unused_classes": Held("classes without boxes", _unused_classes),
    "frequency": Held("class frequencies", lambda t: 0 if t.classes.frequency is None else len(t.classes)),
    "parents": Held("class hierarchy", lambda t: 0 if t.classes.parents is None else len(t.classes)),
    "object_ids": Held("object ids", _object_ids),
    "areas": Held("areas that are not those of the boxes", _areas),
    "positive": Held("classes verified in whole images", _marked(Mark.POSITIVE)),
    "negative": Held("classes verified as absent or incomplete", _marked(Mark.NEGATIVE, Mark.NOT_EXHAUSTIVE)),
    "blacklisted": Held("classes of images that are not evaluated", _marked(Mark.BLACKLISTED)),
    "relations": Held("relations of two boxes", lambda t: 0 if t.end_boxes is None else len(t)),
    "pieces": Held("objects in several pieces", _pieces),
    "unlisted": Held("boxes of unlisted images or classes", lambda t: int(((t.image < 0) | (t.label < 0)).sum())),
    "track": Held("tracks", lambda t: 0 if t.track is None else int((t.track >= 0).sum())),
    "attributes": Held("further attributes", lambda t: 0 if t.attributes is None else len(t.attributes)),
    "polygon": Held("polygons", _shape(Shape.POLYGON)),
    "rle": Held("masks", _shape(Shape.RLE)),
    "oriented": Held("oriented boxes", _shape(Shape.QUAD, Shape.ORIENTED)),
    "keypoints": Held("keypoints", _shape(Shape.KEYPOINTS)),
    "other_shapes": Held(
        "lines, points, circles and ellipses", _shape(Shape.POLYLINE, Shape.POINTS, Shape.CIRCLE, Shape.ELLIPSE)
    ),
    **{
        str(flag.name).lower(): Held(f"flag '{str(flag.name).lower().replace('_', '-')}'", _flag(flag)) for flag in Flag
    },
    "last_bits": Held("boxes to their last bits: they become normalized", _absolute),
    "corner_bits": Held("boxes to their last bits: they become a corner and a size", _corner_bits),
}
_BITS = ("last_bits", "corner_bits")


def losses(table: Table, form: Format, measured: bool = False) -> list[tuple[str, int]]:
    """What the format would lose of a table, and how many of each.

    Whether last bits change depends on the numbers; who measures that (`read_back.changes`) leaves it out here.
    """
    keeps = {*form.keeps}
    if table.end_boxes is not None and "relations" not in keeps:
        keeps -= {"positive", "negative", "blacklisted"}  # they are of subjects and objects, which are gone
    lost = [name for name in HELD if name not in keeps and not (measured and name in _BITS)]
    if "last_bits" in lost:
        lost.remove("corner_bits")  # said once
    counts = [(HELD[name].text, HELD[name].count(table)) for name in lost]
    return [(text, count) for text, count in counts if count]
