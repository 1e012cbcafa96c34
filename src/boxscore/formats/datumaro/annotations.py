"""Annotations of Datumaro: what each type that has a place in an image says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from boxscore.formats.io.collected import hull
from boxscore.formats.io.json_values import Value
from boxscore.formats.io.rle import box_of, counts_of
from boxscore.tables.shapes import Shape

_MOST = 1 << 32  # pixels of a mask


@dataclass
class Piece:
    """What one annotation says; `corners` are empty where it has no area."""

    where: Value
    form: str
    name: str
    corners: list[float]
    area: float | None = None
    parts: list[tuple[Shape, list[float]]] = field(default_factory=list)
    flags: int = 0
    said: dict[str, str] = field(default_factory=dict)
    track: int = -1


def _bbox(one: Value, name: str) -> Piece:
    x, y, width, height = _four(one["bbox"], "[x, y, width, height]")
    return Piece(one, "bbox", name, [x, y, x + width, y + height], width * height)


def _ellipse(one: Value, name: str) -> Piece:
    x0, y0, x1, y1 = _four(one["points"], "[x1, y1, x2, y2]")
    values = [x0 / 2 + x1 / 2, y0 / 2 + y1 / 2, (x1 - x0) / 2, (y1 - y0) / 2, 0.0]
    return Piece(one, "ellipse", name, [x0, y0, x1, y1], parts=[(Shape.ELLIPSE, values)])


def _polygon(one: Value, name: str) -> Piece:
    values = _pairs(one["points"], least=3)
    corners = hull(list(zip(values[::2], values[1::2], strict=True)))
    return Piece(one, "polygon", name, corners, parts=[(Shape.POLYGON, values)])


def _points(one: Value, name: str) -> Piece:
    values = _pairs(one["points"], least=1)
    stated = one.get("visibility")
    seen = [2.0] * (len(values) // 2) if stated is None else [value.number() for value in stated.items()]
    if len(seen) != len(values) // 2:
        raise one.wrong(f"{len(values) // 2} points and {len(seen)} in `visibility`", "as many of both")
    three = [value for k, visible in enumerate(seen) for value in (*values[2 * k : 2 * k + 2], visible)]
    return Piece(one, "points", name, [], parts=[(Shape.KEYPOINTS, three)])


def _mask(one: Value, name: str) -> Piece:
    rle = one["rle"]
    sides = [side.whole() for side in rle["size"].items()]
    if len(sides) != 2 or min(sides) <= 0 or sides[0] * sides[1] >= _MOST:
        raise rle["size"].wrong(rle["size"].shown, "[height, width]")
    try:
        counts = counts_of(rle["counts"].text())
    except ValueError as error:
        raise rle["counts"].wrong(f"runs that cannot be read ({error})", "COCO's compressed runs") from None
    if sum(counts) != sides[0] * sides[1]:
        found = f"runs of {sum(counts):,} pixels, and a size of {sides[0]} x {sides[1]}"
        raise rle.wrong(found, f"runs of {sides[0] * sides[1]:,} pixels in all")
    x, y, width, height = box_of(counts, sides[0])
    values = [float(value) for value in (*sides, *counts)]
    return Piece(one, "mask", name, [x, y, x + width, y + height], parts=[(Shape.RLE, values)])


def _four(value: Value, expected: str) -> list[float]:
    numbers = [one.number() for one in value.items()]
    if len(numbers) != 4:
        raise value.wrong(value.shown, expected)
    return numbers


def _pairs(value: Value, least: int) -> list[float]:
    numbers = [one.number() for one in value.items()]
    if len(numbers) % 2 or len(numbers) < 2 * least:
        raise value.wrong(f"{len(numbers)} numbers", f"x and y of {least} or more points")
    return numbers


FORMS: dict[str, Callable[[Value, str], Piece]] = {
    "bbox": _bbox, "ellipse": _ellipse, "polygon": _polygon, "points": _points, "mask": _mask,
}  # fmt: skip
