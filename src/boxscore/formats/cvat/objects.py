"""The objects of a CVAT file, collected row by row, and the tables that they become."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from boxscore.formats.cvat.meta import Meta
from boxscore.formats.cvat.shapes import KINDS, Outline, Wrong, mask_outline, outline_of, skeleton_outline, values_of
from boxscore.formats.io.listed_classes import labels_of
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.words import NO, SCORES, YES, as_number
from boxscore.tables.model import Classes, Flag, Ints, row_numbers
from boxscore.tables.shapes import Attributes, ShapesMaker

Said = list[tuple[str, str]]  # names and values of attributes
DEFAULTS = {"source": "manual", "z_order": "0", "group_id": "0"}  # attributes of elements that say no more than usual
FLAGS = {
    "difficult": Flag.DIFFICULT, "truncated": Flag.TRUNCATED, "occluded": Flag.OCCLUDED, "is_crowd": Flag.CROWD,
    "iscrowd": Flag.CROWD, "crowd": Flag.CROWD, "ignore": Flag.IGNORE, "group_of": Flag.GROUP_OF,
    "depiction": Flag.DEPICTION, "inside": Flag.INSIDE, "generated": Flag.GENERATED,
}  # fmt: skip


@dataclass
class Objects:
    """An entry per row; `corners` has four, and `said` as many as there are statements."""

    how: ReadOptions
    scored: bool = False  # every row must have a score
    image: list[Any] = field(default_factory=list)  # an index, or what the reader finds it by
    name: list[str] = field(default_factory=list)
    corners: list[float] = field(default_factory=list)
    flags: list[int] = field(default_factory=list)
    track: list[int] = field(default_factory=list)
    score: list[float] = field(default_factory=list)
    said: list[tuple[int, str, str]] = field(default_factory=list)
    shapes: ShapesMaker = field(default_factory=ShapesMaker)
    rejected: Counter[str] = field(default_factory=Counter)

    def add(self, image: Any, name: str, outline: Outline, flags: int, said: Said, track: int = -1) -> None:
        """One more row."""
        if outline.box is None:
            self.rejected["no visible point"] += 1
            return
        row = len(self.name)
        if self.scored:
            self.score.append(_score(said))
            said = [(name, value) for name, value in said if name not in SCORES]
        self.image.append(image)
        self.name.append(name)
        self.corners += outline.box
        self.flags.append(flags)
        self.track.append(track)
        self.said += [(row, name, value) for name, value in said]
        if outline.shape is not None and self.how.shapes:
            self.shapes.add(row, *outline.shape)

    def attributes(self) -> Attributes | None:
        """The statements as a column; None without any."""
        if not self.said:
            return None
        row, name, value = zip(*self.said, strict=True)
        return Attributes(np.array(row, np.int64), name, value)

    def table(self, classes: Classes, image: Sequence[int], source: str, form: str) -> dict[str, Any]:
        """What both tables have, but for their images."""
        named = np.array([bool(name) for name in self.name], np.bool_)  # an empty label is no class
        label = np.full(len(self.name), -1, np.int32)
        label[named] = labels_of([name for name in self.name if name], classes, lambda row: source)
        corners = np.array(self.corners, np.float64).reshape(-1, 4)
        track: Ints = np.array(self.track, np.int64)
        return {
            "classes": classes,
            "image": np.array(image, np.int32),
            "label": label,
            "corners": corners,
            "box_area": (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1]),
            "position": row_numbers(len(corners)),
            "source": source,
            "format": form,
            "shapes": self.shapes.shapes(len(corners)),
            "track": track if form == "cvat-video" else None,
            "attributes": self.attributes(),
            "rejected": tuple(self.rejected.items()),
        }


def outline_of_element(
    element: Element, label: str, size: tuple[float, float], meta: Meta, how: ReadOptions
) -> tuple[Outline, list[float] | None]:
    """The outline of any shape, and the numbers of those that can be interpolated."""
    if element.tag == "mask":
        return mask_outline(element, *size, how.shapes), None
    if element.tag == "skeleton":
        return skeleton_outline(element, meta.points.get(label, ())), None
    if element.tag not in KINDS:
        raise Wrong("an unknown element", f"one of {', '.join(KINDS)}")
    values = values_of(element)
    return outline_of(element.tag, values), values


def stated(element: Element, *outer: Element) -> tuple[int, Said]:
    """The flags of an element, and what else it says (or the elements around it say)."""
    flags, said = 0, Said()
    for name, usual in DEFAULTS.items():
        value = next((e.get(name, usual) for e in (element, *outer) if name in e.attrib), usual)
        if value != usual:
            said.append((name, value))
    said += [(name, element.attrib[name]) for name in SCORES if name in element.attrib]
    if element.get("occluded", "0") in YES:
        flags |= Flag.OCCLUDED
    for attribute in (child for e in (*outer, element) for child in e.iterfind("attribute")):
        name, value = attribute.get("name", ""), attribute.text or ""
        word = value.strip().lower()
        if name.lower() in FLAGS and word in (*YES, *NO):
            flags |= FLAGS[name.lower()] if word in YES else 0
        else:
            said.append((name, value))
    return int(flags), said


def _score(said: Said) -> float:
    text = next((value for name, value in said if name in SCORES), None)
    value = None if text is None else as_number(text)
    if value is None or not math.isfinite(value):
        raise Wrong("no score" if text is None else f"the score is '{text[:40]}'", "an attribute score or confidence")
    return value


def classes_of(meta: Meta, used: Sequence[str], how: ReadOptions) -> Classes:
    """Those that the user lists, else those of the file, and after them what it uses without listing it."""
    further = sorted({*used} - {*meta.labels, ""})
    names = (*meta.labels, *further) if how.classes is None else how.classes
    return Classes(names, names)
