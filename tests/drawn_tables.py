"""Tables for round trips: odd names, empty images, flags, shapes; written and read again without a disk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

from boxscore.formats.io.files import Files
from boxscore.formats.io.options import Reading
from boxscore.formats.io.source import Source
from boxscore.formats.io.writing import made
from boxscore.formats.registry import lookup
from boxscore.tables.box_forms import to_corners
from boxscore.tables.model import Classes, Detections, Flag, Images, Truth
from boxscore.tables.shapes import Attributes, Shape, ShapesMaker

_LETTERS = st.characters(exclude_categories=("C", "Zl", "Zp"), exclude_characters='/\\"')
WORDS = st.text(_LETTERS, min_size=1, max_size=8).map(str.strip).filter(lambda word: word and word[0] not in ".#")
_NUMBERS = st.one_of(st.integers(-20, 900).map(float), st.floats(-1e4, 1e4))
_LENGTHS = st.one_of(st.integers(0, 900).map(float), st.floats(0, 1e4))
SIZES = st.one_of(st.just(np.nan), st.integers(1, 5000).map(float))


def keys(folders: bool = True) -> st.SearchStrategy[str]:
    """Names of images, with and without folders."""
    names = st.builds("{}{}".format, WORDS, st.sampled_from([".jpg", ".PNG", ".tiff"]))
    return st.one_of(names, st.builds("{}/{}".format, WORDS, names)) if folders else names


@st.composite
def polygons(draw: st.DrawFn) -> list[float]:
    """Three corners or more."""
    n = draw(st.integers(3, 6))
    return draw(st.lists(_NUMBERS, min_size=2 * n, max_size=2 * n))


@st.composite
def tables(
    draw: st.DrawFn, scored: bool = False, flags: Sequence[Flag] = (), shapes: st.SearchStrategy[Any] | None = None,
    said: st.SearchStrategy[dict[str, str]] | None = None,
) -> Truth | Detections:  # fmt: skip
    """Truth or detections of up to four images; `shapes` draws the parts of a row, `said` its attributes."""
    names = draw(st.lists(keys(), min_size=1, max_size=4, unique_by=str.casefold))
    classes = tuple(draw(st.lists(WORDS, min_size=1, max_size=3, unique=True)))
    n = draw(st.integers(0, 6))
    width, height = (np.array(draw(st.lists(SIZES, min_size=len(names), max_size=len(names)))) for _ in "wh")
    boxes = draw(st.lists(st.tuples(_NUMBERS, _NUMBERS, _LENGTHS, _LENGTHS), min_size=n, max_size=n))
    corners, area = to_corners(np.array(boxes, np.float64).reshape(-1, 4), "xywh")
    parts, rows, statements = ShapesMaker(), list[int](), list[tuple[str, str]]()
    for row in range(n):
        for kind, values in draw(shapes) if shapes is not None else ():
            parts.add(row, kind, values)
        for statement in draw(said).items() if said is not None else ():
            rows.append(row)
            statements.append(statement)
    common: dict[str, Any] = {
        "images": Images(names, None, width, height),
        "classes": Classes(classes, classes),
        "image": np.array(draw(st.lists(st.integers(0, len(names) - 1), min_size=n, max_size=n)), np.int32),
        "label": np.array(draw(st.lists(st.integers(0, len(classes) - 1), min_size=n, max_size=n)), np.int32),
        "corners": corners,
        "box_area": area,
        "position": np.arange(n),
        "shapes": parts.shapes(n),
        "attributes": Attributes(np.array(rows, np.int64), *zip(*statements, strict=True)) if rows else None,
    }
    if scored:
        score = draw(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=n, max_size=n))
        return Detections(**common, score=np.array(score, np.float64))
    bits = st.lists(st.sampled_from(flags), max_size=3).map(lambda some: sum({*some})) if flags else st.just(0)
    flagged = np.array(draw(st.lists(bits, min_size=n, max_size=n)), np.uint16)
    return Truth(**common, area=np.full(n, np.nan), flags=flagged)


def again(table: Truth | Detections, form: str, truth: Truth | None = None) -> Any:
    """The table, written and read."""
    files = dict(made(table, form))
    side = "truth" if isinstance(table, Truth) else "detections"
    single = lookup(form).folder is False
    given = Source("x", None, files[""]) if single else Files("x", tuple(sorted(files)), None, files)
    more = (truth,) if side == "detections" else ()
    return lookup(form).reader(side)(given, Reading(shapes=True), *more)[0]


def rows_of(table: Truth | Detections) -> dict[str, list[dict[str, Any]]]:
    """What each image holds, whatever the order of the images."""
    held: dict[str, list[dict[str, Any]]] = {key: [] for key in table.images.key}
    for row in range(len(table)):
        one = {
            "class": table.classes.name[table.label[row]],
            "box": table.corners[row].tolist(),
            "shapes": [] if table.shapes is None else table.shapes.of(row),
            "said": {},
        }
        if isinstance(table, Truth):
            one["flags"] = int(table.flags[row])
        else:
            one["score"] = float(table.score[row])
        if table.attributes is not None:
            said = table.attributes
            one["said"] = {said.name[k]: said.value[k] for k in np.flatnonzero(said.row == row)}
        held[table.images.key[table.image[row]]].append(one)
    return held


def sizes_of(table: Truth | Detections) -> dict[str, tuple[float, float] | None]:
    """The size of each image, None where unknown."""
    images = table.images
    unknown = np.full(len(images), np.nan)
    both = zip(unknown if images.width is None else images.width, unknown if images.height is None else images.height,
               strict=True)  # fmt: skip
    sizes = [(float(w), float(h)) if np.isfinite(w) and np.isfinite(h) else None for w, h in both]
    return dict(zip(images.key, sizes, strict=True))


CIRCLES = st.tuples(_NUMBERS, _NUMBERS, _LENGTHS).map(lambda c: (Shape.CIRCLE, list(c)))
ONE_POLYGON = st.one_of(st.just([]), polygons().map(lambda values: [(Shape.POLYGON, values)]))
