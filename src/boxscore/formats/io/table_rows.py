"""Rows of a table as writers of records want them: by image, with sides, shapes and statements."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from boxscore.errors import InputError
from boxscore.formats.io.collected import Parts, hull
from boxscore.tables.model import Detections, Flag, Floats, Images, Truth
from boxscore.tables.shapes import Shape

Table = Truth | Detections
_FLAGS = {str(flag.name).lower(): int(flag) for flag in Flag}


def rows_by_image(table: Table) -> list[list[int]]:
    """The rows of each image, in order; rows whose image or class the table does not list cannot be written."""
    if table.relative:
        found = "normalized boxes, and the image size is unknown"
        raise InputError(table.source, found, "image sizes, for boxes in pixels")
    rows: list[list[int]] = [[] for _ in range(len(table.images))]
    for row in np.flatnonzero((table.image >= 0) & (table.label >= 0)).tolist():
        rows[table.image[row]].append(row)
    return rows


def size_of(images: Images, i: int) -> tuple[float | int | None, float | int | None]:
    """Width and height of an image, whole where they are; None where unknown."""

    def side(sides: Floats | None) -> float | int | None:
        return None if sides is None or not np.isfinite(sides[i]) else whole(float(sides[i]))

    return side(images.width), side(images.height)


def whole(value: float) -> float | int:
    """A number without a point where it needs none."""
    return int(value) if value.is_integer() else value


def flags_of(table: Table, row: int) -> list[str]:
    """The names of the flags of a row."""
    bits = int(table.flags[row]) if isinstance(table, Truth) else 0
    return [name for name, flag in _FLAGS.items() if bits & flag] if bits else []


def parts_of(table: Table, row: int) -> Parts:
    """The shapes of a row."""
    return [] if table.shapes is None else table.shapes.of(row)


def statements(table: Table) -> dict[int, dict[str, str]]:
    """What else is said of each row; values under the same name are joined."""
    said: dict[int, dict[str, str]] = {}
    if table.attributes is not None:
        for row, name, value in zip(
            table.attributes.row.tolist(), table.attributes.name, table.attributes.value, strict=True
        ):
            of_row = said.setdefault(row, {})
            of_row[name] = f"{of_row[name]}; {value}" if name in of_row else value
    return said


def hull_of(kind: Shape, values: list[float]) -> list[float]:
    """The box around a polygon, an oriented box by its corners, or a circle."""
    if kind == Shape.CIRCLE:
        x, y, radius = values
        return [x - radius, y - radius, x + radius, y + radius]
    return hull(list(zip(values[::2], values[1::2], strict=True)))


def as_json(value: Any) -> bytes:
    """A JSON file, without white space: with it, Python's own encoder would take five times as long."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
