"""Columns out of mappings and data frames: names that are understood, equal lengths, numbers that are numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from boxscore.errors import InputError, UnknownName, first_few
from boxscore.formats.arrays.values import Array, array_of, at, numbers
from boxscore.tables.model import Flag, Floats
from boxscore.tables.shapes import Shapes

FLAGS = {str(flag.name).lower(): flag for flag in Flag}
# Names that are understood for a column; the first one is used in messages.
SPELLINGS = {
    "image": ("image", "image_id", "image_ids", "file_name", "filename", "image_name", "image_path", "imageid"),
    "images": ("images",),
    "labels": (
        "labels", "label", "category_id", "classes", "class", "class_id", "category", "class_labels", "cls",
        "labelname",
    ),
    "boxes": ("boxes", "box", "bbox", "bboxes"),
    "scores": ("scores", "score", "confidence", "conf", "confidences"),
    "area": ("area", "areas"),
    "keypoints": ("keypoints",),
    "id": ("id", "ids"),
    "crowd": ("crowd", "iscrowd"),
    "masks": ("masks", "mask", "segmentation", "segmentations"),
    "quads": ("quads", "xyxyxyxy"),
    "image_size": ("image_size",),
    **{name: (name,) for name in FLAGS if name != "crowd"},
}  # fmt: skip
NAMES = ("class_name", "category_name", "name")  # of classes, where no other column has them
DRAWN = ("masks", "quads")  # what is no column of numbers, and what boxes can be put around
FORMS = {  # four columns that are a box, and its form
    ("x", "y", "w", "h"): "xywh",
    ("x", "y", "width", "height"): "xywh",
    ("x0", "y0", "x1", "y1"): "xyxy",
    ("x1", "y1", "x2", "y2"): "xyxy",
    ("xmin", "ymin", "xmax", "ymax"): "xyxy",
    ("left", "top", "right", "bottom"): "xyxy",
    ("x_min", "y_min", "x_max", "y_max"): "xyxy",
    ("bbox_x1", "bbox_y1", "bbox_x2", "bbox_y2"): "xyxy",
    ("bbox_x", "bbox_y", "bbox_width", "bbox_height"): "xywh",
    ("cx", "cy", "w", "h"): "cxcywh",
    ("x_center", "y_center", "width", "height"): "cxcywh",
}
_KNOWN = {spelling: column for column, spellings in SPELLINGS.items() for spelling in spellings}


@dataclass(frozen=True)
class Sheet:
    """The columns of one mapping: `boxes` and `labels` always, further ones by their first spelling."""

    columns: dict[str, Array]
    form: str | None  # of the boxes, where the names of their columns say it
    unused: tuple[str, ...]
    drawn: dict[str, Any] = field(default_factory=dict)  # masks and oriented boxes as they are given
    shapes: Shapes | None = None  # what became of them
    area: Floats | None = None  # of the shapes, where boxes were put around them
    size: tuple[float, float] | None = None  # height and width of the image, where masks or the mapping say it

    def __len__(self) -> int:
        return len(self.columns["labels"])


def is_sheet(side: Any) -> bool:
    """Whether it has named columns: a mapping, or a data frame."""
    return isinstance(side, Mapping) or (
        isinstance(getattr(side, "columns", None), Iterable) and hasattr(side, "__getitem__")
    )  # fmt: skip


def sheet(side: Any, place: str) -> Sheet:
    """The columns of a mapping or data frame as arrays of equal length."""
    if not is_sheet(side):
        raise InputError(place, f"a value of type {type(side).__name__}", "a mapping with boxes and labels")
    given = _folded(dict(side.items()) if isinstance(side, Mapping) else {name: side[name] for name in side.columns})
    columns: dict[str, Array] = {}
    spelled: dict[str, str] = {}
    rest, drawn = [], dict[str, Any]()
    for name, value in given.items():
        column = _KNOWN.get(name)
        if column is None:
            rest.append(str(name))
            continue
        if column in columns or column in drawn:
            raise InputError(place, f"`{spelled[column]}` and `{name}` are both the {column}", "one of them")
        spelled[column] = name
        if column in DRAWN:
            drawn[column] = value
        else:
            columns[column] = array_of(value, f"{place}: {name}")
    form = None
    if "boxes" not in columns and rest:
        form, rest = _four_columns(given, columns, rest, place)
    if rest:
        _no_misspelling(rest, place)
    for column in ("boxes", "labels"):
        if column not in columns and (column == "labels" or not drawn):
            found = f"no `{column}` (columns: {first_few(given, len(given), 8) or 'none'})"
            raise InputError(place, found, f"`{column}`")
    if "boxes" in columns:
        columns["boxes"] = _boxes(columns["boxes"], place)
    n = len(columns.get("boxes", columns["labels"]))
    for column, values in columns.items():
        if column in ("image", "images", "image_size", "boxes"):
            continue
        if column == "keypoints" and (values.ndim == 3 or not values.size):
            if len(values) != n:
                raise InputError(f"{place}: {column}", f"{len(values)} rows", f"one per box ({n})")
            continue
        if column == "keypoints":
            raise InputError(
                f"{place}: {column}", f"an array of shape {values.shape}", "rows, points, and 2 or 3 values"
            )
        if values.ndim != 1:
            raise InputError(f"{place}: {column}", f"an array of shape {values.shape}", f"one value per box ({n})")
        if len(values) != n:
            raise InputError(f"{place}: {column}", f"{len(values)} values", f"one per box ({n})")
    return Sheet(columns, form, tuple(rest), drawn)


def _folded(given: dict[Any, Any]) -> dict[Any, Any]:
    """Columns under the names that are understood: in any case (XMin), classes by name where they have no number."""
    lower = {name: name.lower() if isinstance(name, str) else name for name in given}
    unique = len({*lower.values()}) == len(lower)
    made = {lower[name] if unique and name not in _KNOWN else name: value for name, value in given.items()}
    named = [name for name in NAMES if name in made]
    if named and not {*SPELLINGS["labels"]} & {*made}:
        made["labels"] = made.pop(named[0])
    return made


def _four_columns(
    given: Mapping[Any, Any], columns: dict[str, Array], rest: list[str], place: str
) -> tuple[str | None, list[str]]:
    """Adds the boxes made of four columns, if there are such; their form, and the names that remain."""
    fitting = [names for names in FORMS if all(name in given for name in names)]
    if not fitting:
        return None, rest
    if len({FORMS[names] for names in fitting}) > 1:
        two = " and ".join(", ".join(names) for names in fitting[:2])
        raise InputError(place, f"boxes in two forms: {two}", "one of them")
    names = fitting[0]
    parts = [array_of(given[name], f"{place}: {name}") for name in names]
    for name, part in zip(names, parts, strict=True):
        if part.shape != (len(parts[0]) if parts[0].ndim else -1,):
            raise InputError(f"{place}: {name}", f"an array of shape {part.shape}", "one value per box")
    columns["boxes"] = np.stack([numbers(p, at(f"{place}: {n}")) for n, p in zip(names, parts, strict=True)], axis=1)
    return FORMS[names], [name for name in rest if name not in names]


def _no_misspelling(names: Iterable[str], place: str) -> None:
    """Columns that nobody asked for are fine, unless they look like one that somebody meant."""
    import difflib  # takes milliseconds, and few need it

    for name in names:
        if difflib.get_close_matches(name.lower(), _KNOWN, n=1, cutoff=0.8):
            raise InputError(place, str(UnknownName("column", name, SPELLINGS)))


def _boxes(values: Array, place: str) -> Array:
    if values.size == 0:
        return np.zeros((0, 4))
    if values.dtype.kind == "O" and values.ndim == 1:  # a column of lists
        values = array_of(values.tolist(), f"{place}: boxes")
    if values.ndim == 3 and values.shape[1:] == (4, 2):
        values = values.reshape(-1, 8)
    if values.ndim != 2 or values.shape[1] not in (4, 5, 8):
        expected = "shape (n, 4), or of oriented boxes (n, 5) or (n, 8)"
        raise InputError(f"{place}: boxes", f"an array of shape {values.shape}", expected)
    return values
