"""Columns out of mappings and data frames: names that are understood, equal lengths, numbers that are numbers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore.errors import InputError, UnknownName, first_few
from boxscore.formats.io.invalid import Invalid
from boxscore.tables.model import Flag, Floats, Ints
from boxscore.tables.shapes import Shapes

Array = npt.NDArray[Any]
FLAGS = {str(flag.name).lower(): flag for flag in Flag}
# Names that are understood for a column; the first one is used in messages.
SPELLINGS = {
    "image": ("image", "image_id", "image_ids", "file_name", "filename"),
    "images": ("images",),
    "labels": ("labels", "label", "category_id", "classes", "class", "class_id", "category"),
    "boxes": ("boxes", "box", "bbox", "bboxes"),
    "scores": ("scores", "score", "confidence"),
    "area": ("area", "areas"),
    "keypoints": ("keypoints",),
    "id": ("id", "ids"),
    "crowd": ("crowd", "iscrowd"),
    "masks": ("masks", "mask", "segmentation", "segmentations"),
    "quads": ("quads", "xyxyxyxy"),
    "image_size": ("image_size",),
    **{name: (name,) for name in FLAGS if name != "crowd"},
}
DRAWN = ("masks", "quads")  # what is no column of numbers, and what boxes can be put around
FORMS = {  # four columns that are a box, and its form
    ("x", "y", "w", "h"): "xywh",
    ("x", "y", "width", "height"): "xywh",
    ("x0", "y0", "x1", "y1"): "xyxy",
    ("x1", "y1", "x2", "y2"): "xyxy",
    ("xmin", "ymin", "xmax", "ymax"): "xyxy",
    ("left", "top", "right", "bottom"): "xyxy",
    ("cx", "cy", "w", "h"): "cxcywh",
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
    return isinstance(side, Mapping) or (hasattr(side, "columns") and hasattr(side, "__getitem__"))


def sheet(side: Any, place: str) -> Sheet:
    """The columns of a mapping or data frame as arrays of equal length."""
    if not is_sheet(side):
        raise InputError(place, f"a value of type {type(side).__name__}", "a mapping with boxes and labels")
    given = dict(side.items()) if isinstance(side, Mapping) else {name: side[name] for name in side.columns}
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


def array_of(value: Any, place: str) -> Array:
    """NumPy, anything with `__array__` or DLPack, or nested lists."""
    if masked := _masked(value):
        found = f"a masked array that hides {masked:,} value{'s' if masked > 1 else ''}"
        raise InputError(place, found, "a value in every row: leave the masked rows out, or fill them")
    try:
        if hasattr(value, "__dlpack__") and not hasattr(value, "__array__"):
            return np.from_dlpack(value)
        if isinstance(value, list) and value and isinstance(value[0], str):
            return np.array(value, object)  # not as long as the longest text each
        array = np.asarray(value)
    except MemoryError:
        raise
    except Exception as error:  # whatever the libraries of the world raise: tensors on other devices, ragged lists
        expected = "an array in main memory, or a list of numbers"
        raise InputError(place, f"cannot become an array ({error})", expected) from None
    return np.char.decode(array, "utf-8") if array.dtype.kind == "S" else array


def _masked(value: Any) -> int:
    """How many values a masked array hides, which plain arrays would show again."""
    ma = sys.modules.get("numpy.ma")  # takes long to import, and nobody has a masked array before that
    if ma is None:
        return 0
    if isinstance(value, (list, tuple)):
        return sum(_masked(part) for part in value if isinstance(part, ma.MaskedArray))
    return int(ma.getmaskarray(value).sum()) if isinstance(value, ma.MaskedArray) else 0


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


Place = Callable[[int], str]  # of a row, for messages; a row of -1 is the whole column


def at(place: str) -> Place:
    """Places of the rows of a column under one name."""
    return lambda row: place if row < 0 else f"{place}[{row}]"


def numbers(values: Array, place: Place, finite: bool = True, booleans: bool = False) -> Floats:
    """A column of numbers as doubles; True and False are numbers only if asked for."""
    if values.dtype.kind == "O" and not any(isinstance(value, str) for value in values.ravel().tolist()):
        try:
            values = values.astype(np.float64)
        except (TypeError, ValueError):  # missing values
            raise InputError(place(-1), "values that are no numbers", "numbers") from None
    if values.dtype.kind not in "iuf" and not (values.dtype.kind == "b" and booleans):
        raise InputError(place(-1), f"values of type {values.dtype}", "numbers")
    result = np.ascontiguousarray(values, np.float64)
    if finite and values.dtype.kind == "f" and not np.isfinite(result.sum()) and not np.isfinite(result).all():
        bad = ~np.isfinite(result).reshape(len(result), -1).all(axis=1)
        row, count = int(bad.argmax()), int(bad.sum())
        more = f" ({count:,} such rows)" if count > 1 else ""
        with Invalid():  # of single records
            raise InputError(place(row), f"{result[row].tolist()}{more}", "finite numbers")
    return result


def ids(values: Array, place: Place, what: str) -> Ints | list[str]:
    """A column of ids: whole numbers as such, text as text."""
    if values.size == 0:
        return np.zeros(0, np.int64)
    if values.dtype.kind == "U":
        text: list[str] = values.tolist()
        return text
    if values.dtype.kind == "O":
        objects = values.tolist()
        types = set(map(type, objects))
        if all(issubclass(t, str) for t in types):
            names: list[str] = objects
            return names
        odd = next((i for i, v in enumerate(objects) if isinstance(v, bool) or not isinstance(v, (int, str))), None)
        if odd is not None or len(types) > 1:
            found = f"{objects[odd]!r}" if odd is not None else "text and numbers"
            raise InputError(place(-1 if odd is None else odd), found, what)
        values = np.array(objects)
    if values.dtype.kind == "f":
        whole = np.isfinite(values) & (np.floor(values) == values)
        if not whole.all():
            row = int(whole.argmin())
            raise InputError(place(row), f"{values[row]}", what)
        bits = np.finfo(values.dtype).nmant + 1  # from here on neighbours of a whole number are the same float
        if (large := np.abs(values) >= 2.0**bits).any():
            row = int(large.argmax())
            found = f"{values[row]}, a float from 2^{bits} on, which may be its neighbour"
            raise InputError(place(row), found, "ids as integers")
    elif values.dtype.kind not in "iu":
        raise InputError(place(-1), f"values of type {values.dtype}", what)
    elif values.dtype.kind == "u" and int(values.max()) >= 2**63:
        raise InputError(place(int(values.argmax())), f"{values.max()}", "ids below 2^63")
    return values.astype(np.int64, copy=False)
