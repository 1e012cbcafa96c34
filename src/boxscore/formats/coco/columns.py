"""What a COCO file says, as columns, before it becomes a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from boxscore.formats.coco.lvis import Lists
from boxscore.tables.masks import Masks
from boxscore.tables.model import Floats, Ints, Words
from boxscore.tables.shapes import Attributes, Shapes


class Said(NamedTuple):
    """What records say besides boxes."""

    attributes: Attributes | None
    flags: Words
    track: Ints | None


@dataclass
class Columns:
    """All that a file says. Images and classes are still named by their ids."""

    image: Ints
    label: Ints
    boxes: Floats  # (n, 4) x y width height
    keys: Sequence[str] | None = None
    image_ids: Ints | None = None  # None: images have names only, and `index_ids` numbers them
    index_ids: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    written: list[str] | None = None  # the ids as the source writes them, where they may be names too
    image_rank: Ints | None = None  # the order of the ids as text, where all are text
    widths: Floats | None = None
    heights: Floats | None = None
    videos: Sequence[str] | None = None
    frames: Ints | None = None
    class_ids: list[int] = field(default_factory=list)
    class_names: list[str] = field(default_factory=list)
    class_keys: list[str] | None = None  # the source's ids where they are text, and `class_ids` numbers them
    class_rank: list[int] | None = None  # the order of the ids as text, where all are text
    area: Floats | None = None
    crowd: Ints | None = None
    ignore: Ints | None = None
    ids: Ints | None = None
    score: Floats | None = None
    lists: dict[str, Lists] = field(default_factory=dict)  # classes of each image, by what is said of them
    frequency: list[str] = field(default_factory=list)  # of each class, empty where unknown; [] without any
    rejected: tuple[tuple[str, int], ...] = ()
    shapes: Shapes | None = None
    masks: Masks | None = None  # instead of shapes, where each row has just one
    boxes_made: int = 0  # boxes that were put around shapes
    sigmas: list[tuple[float, ...]] = field(default_factory=list)  # of the keypoints of each class; [] without any
    labelled: Ints | None = None  # keypoints that are labelled, -1 where it is not said
    said: Said | None = None
    merged: dict[int, int] = field(default_factory=dict)  # ids of classes that are counted as others, with theirs
