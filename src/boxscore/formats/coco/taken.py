"""Columns of images, classes and boxes, taken out of the records of COCO files block by block."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from boxscore.diagnostics.findings import Finding, finding
from boxscore.errors import InputError, first_few
from boxscore.formats.coco.blocks import boxes, flags, identities, numbers, numbers_or_nan
from boxscore.formats.coco.columns import Said
from boxscore.formats.coco.lvis import MARKS
from boxscore.formats.coco.more import Statements
from boxscore.formats.coco.shapes import add_shapes, box_around, extents, mask_area
from boxscore.formats.io.ids import IdColumn, Numbering, whole
from boxscore.formats.io.placed_records import Placed, Record, Rows
from boxscore.formats.io.record_values import Values
from boxscore.tables.model import Floats, Ints
from boxscore.tables.shapes import Shape, Shapes, ShapesMaker

Take = Callable[[Values, list[Placed], str], Floats | Ints]
_SHAPES = ("segmentation", "keypoints")  # what a box can be put around


# The numbers of each side by key, in the order in which they are looked at, and how they are taken.
RESULTS: dict[str, Take] = {"score": numbers}
TRUTH: dict[str, Take] = {"area": numbers_or_nan, "iscrowd": flags, "ignore": flags}


@dataclass(frozen=True)
class ImageColumns:
    """Ids and sizes of images, and whether classes of whole images are listed."""

    ids: list[int | str]
    widths: Floats
    heights: Floats
    lists: bool


def image_columns(take: Values, images: Rows) -> ImageColumns:
    """The columns of all images."""
    ids, sizes, lists = list[int | str](), {"width": list[Any](), "height": list[Any]()}, False
    for block in images.blocks():
        take.at("images.id")
        ids += [take.identity(r, "id") for r in block]
        for side, parts in sizes.items():
            take.at(f"images.{side}")
            parts.append(numbers_or_nan(take, block, side))
        lists = lists or any(record.get(name) is not None for _, record in block for name in MARKS)
    widths, heights = (whole(parts, np.float64) for parts in sizes.values())
    return ImageColumns(ids, widths, heights, lists)


def class_columns(take: Values, categories: Iterable[Placed]) -> tuple[list[int | str], list[str]]:
    """Ids and names of classes."""
    rows = list(categories)
    take.at("categories.id")
    ids = [take.identity(r, "id") for r in rows]
    take.at("categories.name")
    return ids, [take.text(r, "name") for r in rows]


def list_columns(take: Values, images: Rows) -> dict[str, list[list[int | str]]]:
    """LVIS' lists of all images by name, without those that no image has; an image without one has an empty list."""
    lists: dict[str, list[list[int | str]]] = {name: [] for name in MARKS}
    present = set[str]()
    for block in images.blocks():
        for name, listed in lists.items():
            take.at(name)
            listed += [take.identities(r, name) for r in block]
            if any(record.get(name) is not None for _, record in block):
                present.add(name)
    return {name: listed for name, listed in lists.items() if name in present}


def chosen(rows: Rows, numbers: list[int], count: int) -> Callable[[], Iterable[Placed]]:
    """The rows of some numbers, of so many in all, for whoever goes through them."""
    if numbers == list(range(count)):
        return lambda: rows
    every = list(rows)
    return lambda: [every[i] for i in numbers]


class RowColumns:
    """The columns of annotations or results: image, class, box, the given numbers and, with `shapes`, all else."""

    def __init__(self, take: Values, rows: Rows, what: str, form: str, wanted: dict[str, Take], shapes: bool) -> None:
        self.count = self.made = self._without = 0  # records with a box, those who do not state it, those without any
        self.image, self.label, self.ids = IdColumn(), IdColumn(), IdColumn()
        self._with_counts = wanted is TRUTH
        self.files: list[str] | None = []  # of results that name them all
        self._with_ids, self._results = wanted is TRUTH, wanted is RESULTS
        self._names: dict[str, str] = {}
        all_boxes, columns = list[Any](), {key: list[Any]() for key in wanted}
        maker, statements, labelled = ShapesMaker(), Statements(wanted is TRUTH), list[Any]()
        first: Record | None = None
        self._areas = list[float]()  # of masks, where they are the size of results: those whose first has no box
        for block in rows.blocks():
            first = block[0][1] if first is None else first
            unboxed = self._results and first.get("bbox") in (None, [])
            kept = [placed for placed in block if placed[1].get("bbox") or _is_boxed(placed[1])]
            self._without += len(block) - len(kept)
            for key, column in (("image_id", self.image), ("category_id", self.label)):
                take.at(key)
                column.add(identities(take, kept, key))
            take.at("bbox")
            all_boxes.append(boxes(kept, lambda kept=kept: [self._box(take, r, form) for r in kept]))  # type: ignore[misc]
            if unboxed:
                take.at("masks")
                self._areas += [mask_area(take, r) for r in kept]
            for key, parts in columns.items():
                take.at(key)
                parts.append(wanted[key](take, kept, key))
            self._add_names(take, kept)
            if shapes:
                take.at("shapes")
                if any(key in record for _, record in kept for key in _SHAPES):
                    add_shapes(take, kept, maker, self.count)
                if self._with_counts:
                    take.at("num_keypoints")
                    labelled.append(np.nan_to_num(numbers_or_nan(take, kept, "num_keypoints"), nan=-1.0))
                take.at("statements")
                statements.add(take, kept)
            self.count += len(kept)
        if first is not None and not self.count:
            keys = first_few(first, len(first), 6) or "none"
            found = f"none of the {self._without:,} {what} has a `bbox` (keys of the first: {keys})"
            raise InputError(take.wrong.source, found, "[x, y, width, height] as `bbox`")
        take.at("videos")
        self.boxes: Floats = np.concatenate([np.zeros((0, 4)), *all_boxes])
        del all_boxes
        self.numbers = {key: np.concatenate(columns.pop(key) or [np.zeros(0)]) for key in wanted}
        self.shapes: Shapes | None = maker.shapes(self.count) if shapes else None
        self.said: Said | None = statements.said() if shapes else None
        posed = self.shapes is not None and bool((self.shapes.kind == Shape.KEYPOINTS).any())
        self.labelled: Ints | None = np.concatenate(labelled).astype(np.int64) if posed and labelled else None
        self.extent: Floats | None = None
        if posed and self.made < self.count and self._results and first is not None and not _states_size(first):
            assert self.shapes is not None
            self.extent = extents(self.shapes, self.boxes)

    @property
    def rejected(self) -> tuple[tuple[str, int], ...]:
        """The records that are no rows."""
        return (("no box", self._without),) if self._without else ()

    def mask_areas(self) -> Floats | None:
        """The pixels of each result's mask, where pycocotools takes these for its size; the box where it has none."""
        if not self._areas or np.isnan(self._areas).all():
            return None
        areas = np.array(self._areas)
        return np.where(np.isnan(areas), self.boxes[:, 2] * self.boxes[:, 3], areas)

    def findings(self, what: str) -> list[Finding]:
        """What is odd about them."""
        return [finding("BOX010", self.made, what)] if self.made else []

    def own_ids(self) -> Ints | None:
        """The objects' own numbers; none if one of them lacks it. Text counts from 1: it is never pycocotools' id 0."""
        if not self._with_ids:
            return None
        if all(isinstance(part, np.ndarray) for part in self.ids.parts):
            return whole([np.asarray(part) for part in self.ids.parts], np.int64)
        numbering = Numbering(self.ids.distinct())
        return self.ids.numbers(numbering) + (0 if numbering.plain else 1)

    def _add_names(self, take: Values, rows: list[Placed]) -> None:
        """The objects' own numbers, or the file of each result."""
        if self._with_ids:
            take.at("annotations.id")
            if any(record.get("id") is None for _, record in rows):
                self._with_ids = False
                take.forget("annotations.id")
            else:
                self.ids.add(identities(take, rows, "id"))
        elif self.files is not None and self._results:
            names = [name for _, record in rows if isinstance(name := record.get("file_name"), str)]
            if len(names) < len(rows):
                self.files = None
            else:
                self.files += [self._names.setdefault(name, name) for name in names]

    def _box(self, take: Values, placed: Placed, form: str) -> list[float]:
        if placed[1].get("bbox") not in (None, []):
            return take.box(placed)
        self.made += 1
        return box_around(take, placed, form, self._results)


def _states_size(record: Record) -> bool:
    """Whether pycocotools takes the sizes of all results from boxes or masks, which it does if the first has one."""
    return record.get("bbox") not in (None, []) or "segmentation" in record


def _is_boxed(record: Record) -> bool:
    return record.get("bbox") not in (None, []) or any(record.get(key) for key in _SHAPES)
