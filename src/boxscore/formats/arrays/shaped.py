"""Mappings with masks or oriented boxes: their shapes, and the boxes around them where no others are given."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from boxscore.errors import InputError
from boxscore.formats.arrays.columns import Sheet
from boxscore.formats.arrays.shapes import boxes_around, masks_from, oriented_from, sizes_of
from boxscore.formats.arrays.values import Array, Place, array_of, at, numbers
from boxscore.tables.keypoints import VISIBLE
from boxscore.tables.model import Floats
from boxscore.tables.shapes import Shapes

_CORNERS = "four corners, shape (n, 8) or (n, 4, 2)"


def shaped(one: Sheet, place: str, wanted: bool, whole_image: bool) -> Sheet:
    """The mapping with its shapes, if they are wanted or boxes must be put around them.

    All rows of a mapping of a `whole_image` have masks of one size.
    """
    columns, area, form, made = dict(one.columns), None, one.form, dict[str, Shapes]()
    plain = "boxes" in columns and columns["boxes"].shape[1] == 4
    if "boxes" in columns and not plain:
        made["boxes"] = oriented_from(_oriented(columns["boxes"], f"{place}: boxes"))
    if wanted or not plain:
        readers = {"quads": _quads, "masks": masks_from}
        made.update((name, readers[name](value, f"{place}: {name}")) for name, value in one.drawn.items())
    if len(made) > 1:
        raise InputError(place, " and ".join(f"`{name}`" for name in made), "one shape for each row")
    name, shapes = next(iter(made.items()), ("", None))
    if shapes is not None and len(shapes) != len(one):
        raise InputError(f"{place}: {name}", f"{len(shapes)} values", f"one per row ({len(one)})")
    if shapes is not None and not plain:
        columns["boxes"], area = boxes_around(shapes, f"{place}: {name}")
        form, area = "xyxy", area if name == "masks" else None
    size = None if shapes is None or not whole_image else sizes_of(shapes, f"{place}: masks")
    if "image_size" in columns:
        size = _stated(columns.pop("image_size"), f"{place}: image_size", size)
    return replace(one, columns=columns, form=form, shapes=shapes if wanted else None, area=area, size=size)


def _oriented(values: Array, place: str) -> Floats:
    checked = numbers(values, at(place))
    if checked.shape[1] == 5 and (checked[:, 2:4] < 0).any():
        row = int((checked[:, 2:4] < 0).any(axis=1).argmax())
        raise InputError(f"{place}[{row}]", f"{checked[row].tolist()}", "cx cy width height angle (radians)")
    return checked


def _quads(value: Any, place: str) -> Shapes:
    values = array_of(value, place)
    if not values.size:
        return oriented_from(np.zeros((len(values) if values.ndim else 0, 8)))
    if values.ndim == 3 and values.shape[1:] == (4, 2):
        values = values.reshape(-1, 8)
    if values.ndim != 2 or values.shape[1] != 8:
        raise InputError(place, f"an array of shape {values.shape}", _CORNERS)
    return oriented_from(numbers(values, at(place)))


def keypoints_from(value: Array, where: Place, column: str) -> Floats:
    """x, y and visibility of points; those that do not say how visible they are, are visible."""
    values = numbers(value, where)
    if values.ndim != 3 or values.shape[2] not in (2, 3) or not values.shape[1]:
        found = f"an array of shape {values.shape}"
        raise InputError(column, found, "(boxes, points, 2 or 3): x, y and perhaps visibility")
    points = np.full((*values.shape[:2], 3), VISIBLE)
    points[:, :, : values.shape[2]] = values
    return points


def _stated(value: Array, place: str, of_masks: tuple[float, float] | None) -> tuple[float, float]:
    sides = numbers(value.ravel(), at(place))
    if sides.shape != (2,) or not (sides > 0).all():
        raise InputError(place, f"{value.tolist()}", "width and height of the image, both above 0")
    width, height = sides.tolist()
    if of_masks not in (None, (height, width)):
        found = f"{width:g} x {height:g}, and masks of {of_masks[1]:g} x {of_masks[0]:g}" if of_masks else ""
        raise InputError(place, found, "masks of the size of their image (width x height)")
    return height, width
