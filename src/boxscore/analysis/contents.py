"""What a table holds: boxes by class, size and shape, boxes per image, flags; the statistics before any evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from boxscore.analysis.frames import data_frame
from boxscore.analysis.shape_contents import measures, rows_by_shape
from boxscore.formats.holding import HELD
from boxscore.tables.arguments import checked
from boxscore.tables.model import TABLE, Bools, Detections, Floats, Ints, Truth

QUANTILES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)
SIDES = (0, 8, 16, 32, 64, 96, 128, 256, 512, 1024, np.inf)  # pixels; 32 and 96 are COCO's
SHARES = (0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, np.inf)  # of the image, where sizes are relative
ASPECTS = (0, 1 / 4, 1 / 2, 2 / 3, 4 / 5, 5 / 4, 3 / 2, 2, 4, np.inf)
PER_IMAGE = (0, 1, 2, 3, 5, 10, 20, 50, 100, 300, np.inf)
SCORES = (-np.inf, 0, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0, np.inf)


@dataclass(frozen=True)
class Histogram:
    """How many values lie from each edge up to the next."""

    title: str
    edges: tuple[float, ...]
    counts: tuple[int, ...]
    of_images: bool = False  # what is counted: images, or boxes

    @staticmethod
    def of(title: str, values: Floats | Ints, edges: Sequence[float], of_images: bool = False) -> Histogram:
        """The histogram of some values; each bin has its lower edge."""
        bins = np.searchsorted(np.asarray(edges, np.float64), values, side="right")
        counts = np.bincount(bins, minlength=len(edges) + 1)[1 : len(edges)]
        return Histogram(title, tuple(float(e) for e in edges), tuple(counts.tolist()), of_images)


@dataclass(frozen=True)
class ClassContents:
    """One class: how many boxes, on how many images, and how large they typically are."""

    name: str
    id: int | str
    boxes: int
    images: int
    width: float  # median; nan without boxes
    height: float


@dataclass(frozen=True)
class Contents:
    """The statistics of one table."""

    source: str
    format: str
    side: str  # truth or detections
    images: int
    empty_images: int
    boxes: int
    rejected: tuple[tuple[str, int], ...]
    relative: bool
    classes: tuple[ClassContents, ...]
    quantiles: dict[str, tuple[float, ...]]  # of width, height, area, aspect and boxes per image, at QUANTILES
    histograms: tuple[Histogram, ...]
    holds: tuple[tuple[str, int], ...]  # what there is besides boxes: flags, shapes, sizes, …
    shapes: tuple[tuple[str, int], ...]  # how many rows have masks, polygons, keypoints, oriented boxes
    flat: int  # degenerate boxes
    outside: int | None  # boxes that leave their image; None where no size is known

    def to_pandas(self) -> Any:
        """The classes as a pandas data frame."""
        names = ("name", "id", "boxes", "images", "width", "height")
        return data_frame({name: [getattr(row, name) for row in self.classes] for name in names})


@checked(table=TABLE)
@np.errstate(over="ignore", invalid="ignore")  # areas may be infinite
def contents(table: Truth | Detections) -> Contents:
    """The statistics of a table.

    >>> from boxscore.joining.read import ReadOptions, read_truth
    >>> truth = [{"boxes": [[0, 0, 10, 20], [5, 5, 9, 14]], "labels": ["cat", "dog"]}]
    >>> made = contents(read_truth(truth, ReadOptions(box="xyxy"))[0])
    >>> made.boxes, [(row.name, row.boxes) for row in made.classes], made.quantiles["height"][3]
    (2, [('cat', 1), ('dog', 1)], 14.5)
    """
    width, height = (table.corners[:, 2 + i] - table.corners[:, i] for i in range(2))
    real = (width > 0) & (height > 0)
    aspect = np.divide(width, height, out=np.full(len(width), np.nan), where=real)
    per_image = np.bincount(table.image[table.image >= 0], minlength=len(table.images))
    side = np.sqrt(np.maximum(width * height, 0))
    measured = {"width": width, "height": height, "aspect": aspect[real], "boxes per image": per_image}
    measured.update(measures(table))
    histograms = [
        Histogram.of("size (square root of the area)", side[real], SHARES if table.relative else SIDES),
        Histogram.of("aspect (width / height)", aspect[real], ASPECTS),
        Histogram.of("boxes per image", per_image, PER_IMAGE, of_images=True),
    ]
    if isinstance(table, Detections):
        measured["score"] = table.score
        histograms.append(Histogram.of("score", table.score, SCORES))
    return Contents(
        table.source,
        table.format,
        "truth" if isinstance(table, Truth) else "detections",
        len(table.images),
        int((per_image == 0).sum()),
        len(table),
        table.rejected,
        table.relative,
        tuple(_class(table, k, width, height) for k in range(len(table.classes))),
        {name: _quantiles(values) for name, values in measured.items()},
        tuple(histograms),
        tuple((held.text, n) for name, held in HELD.items() if name in _HELD and (n := held.count(table))),
        rows_by_shape(table),
        int((~real).sum()),
        _outside(table),
    )


_HELD = [name for name in HELD if name not in ("last_bits", "extensions", "folders", "empty_images", "class_ids")]


def _class(table: Truth | Detections, k: int, width: Floats, height: Floats) -> ClassContents:
    rows: Bools = table.label == k
    n = int(rows.sum())
    median = [float(np.median(values[rows])) if n else float("nan") for values in (width, height)]
    return ClassContents(table.classes.name[k], table.classes.id[k], n, len(np.unique(table.image[rows])), *median)


def _quantiles(values: Floats | Ints) -> tuple[float, ...]:
    return tuple(np.quantile(values, QUANTILES).tolist()) if len(values) else (float("nan"),) * len(QUANTILES)


def _outside(table: Truth | Detections) -> int | None:
    """How many boxes leave their image by more than a pixel, or a hundredth of its side where they are relative."""
    images = table.images
    if table.relative:
        return int(((table.corners < -0.01) | (table.corners > 1.01)).any(axis=1).sum())
    if images.width is None or images.height is None or not np.isfinite(images.width).any():
        return None
    rows = np.flatnonzero(table.image >= 0)
    right, bottom = images.width[table.image[rows]], images.height[table.image[rows]]
    box = table.corners[rows]
    return int(((box[:, :2] < -1).any(axis=1) | (box[:, 2] > right + 1) | (box[:, 3] > bottom + 1)).sum())
