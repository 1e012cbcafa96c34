"""Arrays in memory: a mapping of columns, a data frame, or a list with one mapping per image."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from boxscore.diagnostics.findings import Finding, finding
from boxscore.errors import InputError, first_few
from boxscore.formats.arrays.classes import classes_of
from boxscore.formats.arrays.columns import FLAGS, Sheet, is_sheet, sheet
from boxscore.formats.arrays.images import images_of_list, images_of_rows, sized_images
from boxscore.formats.arrays.results import as_columns, as_mappings, by_image, is_array
from boxscore.formats.arrays.shaped import keypoints_from, shaped
from boxscore.formats.arrays.values import Array, Place, at, ids, numbers
from boxscore.formats.io.options import ReadOptions
from boxscore.tables.box_forms import scaled, to_corners
from boxscore.tables.keypoints import shapes_of_keypoints
from boxscore.tables.model import (
    Classes,
    Detections,
    Floats,
    Images,
    Indices,
    Ints,
    Truth,
    row_numbers,
)
from boxscore.tables.shapes import Shapes


@dataclass(frozen=True)
class Given:
    """The columns of truth or detections, before their values are checked."""

    name: str
    columns: dict[str, Array]
    images: Images
    image: Indices
    form: str | None  # of the boxes, where the names of their columns say it
    unused: tuple[str, ...]
    counts: Ints | None = None  # rows of each mapping, for a list
    shapes: Shapes | None = None
    area: Floats | None = None  # of shapes, where the boxes were put around them

    def place(self, column: str) -> Place:
        """How messages name the rows of a column."""
        if self.counts is None:
            return at(f"{self.name}: {column}")
        ends = np.cumsum(self.counts)

        def where(row: int) -> str:
            image = int(np.searchsorted(ends, row, side="right"))
            start = int(ends[image - 1]) if image else 0
            return f"{self.name}: {column}" if row < 0 else f"{self.name}[{image}]: {column}[{row - start}]"

        return where

    def without_invalid(self, how: ReadOptions) -> Given:
        """The rows whose boxes and scores are finite, if others are to be left out."""
        n, bad = len(self.image), np.zeros(len(self.image), np.bool_)
        for name in ("boxes", "scores") if how.skip_invalid else ():
            values = self.columns.get(name)
            if values is None or values.dtype.kind != "f":
                continue
            odd = ~np.isfinite(values).reshape(n, -1).all(axis=1)
            for row in np.flatnonzero(odd & ~bad).tolist():
                how.invalid.add(InputError(self.place(name)(row), f"{values[row].tolist()}", "finite numbers"))
            bad |= odd
        if not bad.any():
            return self
        columns = {
            name: column if name in ("image", "images") else column[~bad] for name, column in self.columns.items()
        }
        image = self.image[~bad]
        counts = None if self.counts is None else np.bincount(image, minlength=len(self.counts))
        shapes = None if self.shapes is None else self.shapes.take(~bad)
        area = None if self.area is None else self.area[~bad]
        return replace(self, columns=columns, image=image, counts=counts, shapes=shapes, area=area)

    def classes(self, how: ReadOptions, truth: Truth | None) -> tuple[Classes, Indices]:
        """The classes, and the class of each row."""
        place = self.place("labels")
        return classes_of(ids(self.columns["labels"], place, "class ids or names"), place, how.classes, truth)

    def findings(self) -> list[Finding]:
        """Columns that nobody asked for."""
        n = len(self.unused)
        unused = [finding("COL001", n, f"{self.name}: {first_few(self.unused, n)}")] if n else []
        what = "objects" if self.name == "truth" else "detections"
        return unused + (
            [finding("BOX010", len(self.image), what)] if self.area is not None and len(self.image) else []
        )


def read_truth(side: Any, how: ReadOptions) -> tuple[Truth, list[Finding]]:
    """Objects from arrays."""
    given = _side(side, "truth", None, how).without_invalid(how)
    corners, box_area = _boxes(given, how.truth_box, how)
    classes, label = given.classes(how, None)
    n, columns = len(corners), given.columns
    flags = np.zeros(n, np.uint16)
    for name, flag in FLAGS.items():
        if name in columns:
            flags[numbers(columns[name], given.place(name), booleans=True) != 0] |= int(flag)
    area = numbers(columns["area"], given.place("area"), finite=False) if "area" in columns else np.full(n, np.nan)
    own = ids(columns["id"], given.place("id"), "whole numbers") if "id" in columns else None
    if isinstance(own, list):
        own = np.unique(own, return_inverse=True)[1].astype(np.int64) + 1  # never pycocotools' id 0
    return Truth(
        given.images, classes, given.image, label, corners, box_area, row_numbers(n), "truth", "arrays",
        shapes=_shapes(given, how), area=area, flags=flags, id=own,
    ), given.findings()  # fmt: skip


def read_detections(side: Any, how: ReadOptions, truth: Truth | None) -> tuple[Detections, list[Finding]]:
    """Detections from arrays."""
    given = _side(side, "detections", truth, how).without_invalid(how)
    if "scores" not in given.columns:
        raise InputError(
            "detections", f"no `scores` (columns: {', '.join(given.columns)})", "a score for each box",
            "Truth comes first, then detections; were they swapped?",
        )  # fmt: skip
    corners, box_area = _boxes(given, how.detections_box, how)
    classes, label = given.classes(how, truth)
    return Detections(
        given.images, classes, given.image, label, corners, box_area, row_numbers(len(corners)),
        "detections", "arrays", shapes=_shapes(given, how), area=given.area,
        score=numbers(given.columns["scores"], given.place("scores")),
    ), given.findings()  # fmt: skip


def _side(side: Any, name: str, truth: Truth | None, how: ReadOptions) -> Given:
    if is_array(side):
        side = as_columns(side, name, name, how)
    elif not is_sheet(side) or by_image(side):
        return _from_list(side, name, truth, how)
    whole = shaped(sheet(side, name), name, how.shapes, whole_image=False)
    columns = whole.columns
    if "image" not in columns:
        raise InputError(name, f"no `image` (columns: {', '.join(columns)})", "the image of each box")
    images, image = images_of_rows(columns["image"], columns.get("images"), len(whole), name, truth)
    return Given(name, columns, images, image, whole.form, whole.unused, None, whole.shapes, whole.area)


def _from_list(side: Any, name: str, truth: Truth | None, how: ReadOptions) -> Given:
    sheets = [
        shaped(sheet(one, f"{name}[{i}]"), f"{name}[{i}]", how.shapes, whole_image=True)
        for i, one in enumerate(as_mappings(side, name, truth, how))
    ]
    counts = np.array([len(one) for one in sheets], np.int64)
    needed = ("boxes", "labels", "scores") if name == "detections" and not sheets else ("boxes", "labels")
    columns = {}
    for column in dict.fromkeys([*needed, *(c for one in sheets for c in one.columns if c != "image")]):
        if column == "images":
            raise InputError(name, "`images` in a mapping of one image", "`image`, or nothing")
        lacking = [i for i, one in enumerate(sheets) if column not in one.columns]
        if lacking:
            found = f"no `{column}` (mappings {first_few(lacking, len(lacking))})"
            raise InputError(f"{name}[{lacking[0]}]", found, f"`{column}` in each mapping")
        columns[column] = _joined(sheets, column, name)
    forms = {one.form for one in sheets if len(one)}
    if len(forms) > 1:
        raise InputError(name, "boxes in two forms", "the same columns in each mapping")
    unused = sorted({column for one in sheets for column in one.unused})
    image = np.repeat(np.arange(len(sheets), dtype=np.int32), counts)
    images = sized_images(images_of_list(sheets, name, truth), sheets, truth)
    made = {one.area is not None for one in sheets if len(one)}
    if len(made) > 1:
        raise InputError(name, "boxes in some mappings only", "`boxes` in each mapping or in none")
    area = np.concatenate([one.area for one in sheets if one.area is not None]) if made == {True} else None
    shapes = Shapes.joined([(one.shapes, len(one)) for one in sheets])
    return Given(name, columns, images, image, next(iter(forms), None), tuple(unused), counts, shapes, area)


def _joined(sheets: Sequence[Sheet], column: str, name: str) -> Array:
    """One column of all images; empty parts have no type to speak of."""
    parts = [one.columns[column] for one in sheets if len(one)]
    if not parts:
        return np.zeros((0, 4) if column == "boxes" else 0)
    if len({part.dtype.kind in "UO" for part in parts}) > 1:
        raise InputError(f"{name}: {column}", "text in some mappings, numbers in others", "one of them")
    return np.concatenate(parts)


def _boxes(side: Given, stated: str | None, how: ReadOptions) -> tuple[Floats, Floats]:
    """Corners and areas; `stated` is for this side alone."""
    values = numbers(side.columns["boxes"], side.place("boxes"))
    if not len(values):
        return to_corners(values, "xyxy")
    if side.form is not None and stated not in (None, side.form):
        raise InputError(side.name, f"columns of {side.form} boxes, stated as {stated}", "one or the other")
    form = side.form or stated or how.box
    if form is None:
        raise InputError(side.name, "the form of the boxes is not stated", "box='xywh', box='xyxy' or box='cxcywh'")
    if how.coords != "relative":
        return to_corners(values, form)
    if side.shapes is not None or side.area is not None:
        raise InputError(side.name, "masks or oriented boxes in relative coordinates", "coordinates in pixels")
    return to_corners(scaled(values, _sizes(side, how)), form)


def _sizes(side: Given, how: ReadOptions) -> Floats:
    """Width and height of the image of each row, or one row for all."""
    if how.image_size is not None:
        return np.array([how.image_size], np.float64)
    if side.images.width is None or side.images.height is None:
        raise InputError(side.name, "relative boxes, and no image size", "image_size=(width, height)")
    return np.stack([side.images.width[side.image], side.images.height[side.image]], axis=1)


def _shapes(side: Given, how: ReadOptions) -> Shapes | None:
    """Masks, oriented boxes and keypoints."""
    if "keypoints" not in side.columns or not len(side.image):
        return side.shapes
    points = keypoints_from(side.columns["keypoints"], side.place("keypoints"), f"{side.name}: keypoints")
    if how.coords == "relative":
        points[:, :, :2] *= _sizes(side, how)[:, None]
    return Shapes.beside(side.shapes, shapes_of_keypoints(points))
