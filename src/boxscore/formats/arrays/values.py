"""Values out of anything that holds numbers or names: NumPy, tensors, lists; what is none is refused with its place."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore.errors import InputError
from boxscore.formats.io.invalid import Invalid
from boxscore.tables.model import Floats, Ints

Array = npt.NDArray[Any]


def array_of(value: Any, place: str) -> Array:
    """NumPy, anything with `__array__` or DLPack, or nested lists."""
    if masked := _masked(value):
        found = f"a masked array that hides {masked:,} value{'s' if masked > 1 else ''}"
        raise InputError(place, found, "a value in every row: leave the masked rows out, or fill them")
    try:
        value = in_main_memory(value)
        if hasattr(value, "__dlpack__") and not hasattr(value, "__array__"):
            return np.from_dlpack(value)
        if isinstance(value, list) and value and isinstance(value[0], str):
            return np.array(value, object)  # not as long as the longest text each
        array = np.asarray(value)
    except MemoryError:
        raise
    except Exception as error:  # whatever the libraries of the world raise: tensors on other devices, ragged lists
        expected = "an array in main memory, or a list of numbers"
        raise InputError(place, f"cannot become an array ({str(error)[:200]})", expected) from None
    return np.char.decode(array, "utf-8") if array.dtype.kind == "S" else array


def in_main_memory(value: Any) -> Any:
    """A tensor without its gradients, copied from its device, of a type that NumPy has; anything else as it is.

    PyTorch is not imported: its tensors are known by their methods.
    """
    for method in ("detach", "cpu"):
        value = getattr(value, method)() if callable(getattr(value, method, None)) else value
    if "bfloat16" in str(getattr(value, "dtype", "")) and callable(getattr(value, "float", None)):
        return value.float()
    if isinstance(value, (list, tuple)) and any(callable(getattr(part, "detach", None)) for part in value):
        return [np.asarray(in_main_memory(part)) for part in value]
    return value


def _masked(value: Any) -> int:
    """How many values a masked array hides, which plain arrays would show again."""
    ma = sys.modules.get("numpy.ma")  # takes long to import, and nobody has a masked array before that
    if ma is None:
        return 0
    if isinstance(value, (list, tuple)):
        return sum(_masked(part) for part in value if isinstance(part, ma.MaskedArray))
    return int(ma.getmaskarray(value).sum()) if isinstance(value, ma.MaskedArray) else 0


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
