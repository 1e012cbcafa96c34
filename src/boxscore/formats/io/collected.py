"""Images and rows as a reader meets them one by one, made into a table at the end."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from boxscore.formats.io.json_values import Value
from boxscore.formats.io.listed_classes import labels_of
from boxscore.formats.io.options import ReadOptions
from boxscore.tables.model import Classes, Detections, Flag, Floats, Images, Truth, row_numbers
from boxscore.tables.shapes import Attributes, Shape, ShapesMaker

Parts = Sequence[tuple[Shape, Sequence[float]]]
FLAG_NAMES = {str(flag.name).lower(): flag for flag in Flag}
FLAG_NAMES |= {"iscrowd": Flag.CROWD, "is_crowd": Flag.CROWD, "groupof": Flag.GROUP_OF, "group-of": Flag.GROUP_OF}


@dataclass
class Collected:
    """The lists up to `number` have an entry per image, those from `image` on one per row, `corners` four."""

    key: dict[str, int] = field(default_factory=dict)
    width: list[float] = field(default_factory=list)
    height: list[float] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    video: list[str] = field(default_factory=list)
    videos: list[str] = field(default_factory=list)  # all that the source lists
    track_score: list[float] = field(default_factory=list)  # of the whole track of each row; nan where it has none
    frame: list[int] = field(default_factory=list)
    number: list[int] = field(default_factory=list)  # what the source has as image ids, if anything
    image: list[int] = field(default_factory=list)
    name: list[str] = field(default_factory=list)
    corners: list[float] = field(default_factory=list)
    area: list[float] = field(default_factory=list)
    flags: list[int] = field(default_factory=list)
    score: list[float] = field(default_factory=list)
    track: list[int] = field(default_factory=list)
    shapes: ShapesMaker = field(default_factory=ShapesMaker)
    said: list[tuple[int, str, str]] = field(default_factory=list)  # row, name, value
    rejected: Counter[str] = field(default_factory=Counter)
    relative: bool = False

    def add_image(self, key: str, width: float = math.nan, height: float = math.nan) -> int:
        """One more image; returns its number."""
        self.key[key] = len(self.key)
        self.width.append(width)
        self.height.append(height)
        return len(self.key) - 1

    def add(
        self, image: int, name: str, corners: Sequence[float], area: float | None = None, flags: int = 0,
        parts: Parts = (), said: dict[str, str] | None = None, where: Value | None = None,
    ) -> None:  # fmt: skip
        """One more row; without an area, the corners give it. `where` is for corners that sums made infinite."""
        x0, y0, x1, y1 = corners
        if where is not None and not all(map(math.isfinite, corners)):
            raise where.wrong("numbers whose sum is infinite", "a box with finite corners")
        row = len(self.image)
        self.image.append(image)
        self.name.append(name)
        self.corners += corners
        self.area.append((x1 - x0) * (y1 - y0) if area is None else area)
        self.flags.append(flags)
        for kind, values in parts:
            self.shapes.add(row, kind, values)
        self.said += [(row, *statement) for statement in (said or {}).items()]

    def images(self) -> Images:
        """The images; sizes that none has are left out."""
        return Images(
            list(self.key),
            np.array(self.number, np.int64) if self.number else None,
            _known(self.width),
            _known(self.height),
            self.video or None,
            np.array(self.frame, np.int64) if self.frame else None,
            videos=self.videos or None,
        )

    def truth(self, source: str, form: str, how: ReadOptions, classes: Classes | None = None) -> Truth:
        """The rows as annotated objects; `classes` are those that the source lists."""
        columns = self._columns(self._classes(how.of("truth"), classes), source)
        area, flags = np.full(len(self.image), np.nan), np.array(self.flags, np.uint16)
        return Truth(source=source, format=form, area=area, flags=flags, **columns)

    def detections(self, source: str, form: str, how: ReadOptions, classes: Classes | None = None) -> Detections:
        """The rows as detections."""
        columns = self._columns(self._classes(how.of("detections"), classes), source)
        if not all(map(math.isnan, self.track_score)):
            columns["track_score"] = np.array(self.track_score, np.float64)
        return Detections(source=source, format=form, score=np.array(self.score, np.float64), **columns)

    def _classes(self, how: ReadOptions, classes: Classes | None) -> Classes:
        """The user's list, else the source's with what else its rows name, else sorted names."""
        if how.classes is not None:
            return Classes(how.classes, how.classes)
        if classes is None:
            names = tuple(sorted(set(self.name)))
            return Classes(names, names)
        more = tuple(name for name in dict.fromkeys(self.name) if name not in set(classes.name))
        return replace(classes, name=(*classes.name, *more), id=(*classes.id, *more))

    def _columns(self, classes: Classes, source: str) -> dict[str, Any]:
        """What both tables have."""
        n, said = len(self.image), None
        if self.said:
            row, name, value = zip(*self.said, strict=True)
            said = Attributes(np.array(row, np.int64), name, value)
        return {
            "images": self.images(),
            "classes": classes,
            "image": np.array(self.image, np.int32),
            "label": labels_of(self.name, classes, lambda row: self._place(row, source)),
            "corners": np.array(self.corners, np.float64).reshape(-1, 4),
            "box_area": np.array(self.area, np.float64),
            "position": row_numbers(n),
            "places": self.places or None,
            "relative": self.relative,
            "shapes": self.shapes.shapes(n),
            "track": np.array(self.track, np.int64) if self.track else None,
            "attributes": said,
            "rejected": tuple(sorted(self.rejected.items())),
        }

    def _place(self, row: int, source: str) -> str:
        """The file or image of a row."""
        image = self.image[row]
        return self.places[image] if self.places else f"{source}: image '{list(self.key)[image]}'"


def _known(sides: list[float]) -> Floats | None:
    return np.array(sides, np.float64) if any(math.isfinite(side) for side in sides) else None


def hull(points: Sequence[Sequence[float]]) -> list[float]:
    """The box around points.

    >>> hull([(3, 1), (0, 5)])
    [0, 1, 3, 5]
    """
    x, y = zip(*points, strict=True)
    return [min(x), min(y), max(x), max(y)]


def flat(points: Sequence[Sequence[float]]) -> list[float]:
    """Points as one list of numbers."""
    return [value for point in points for value in point]
