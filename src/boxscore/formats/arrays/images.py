"""Which image each row of arrays is on: by ids, by names, or by the place in a list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from boxscore.errors import InputError
from boxscore.formats.arrays.columns import Sheet
from boxscore.formats.arrays.values import Array, at, ids
from boxscore.tables.model import Images, Indices, Ints, Truth, factorise, index_of, row_numbers

_WHAT = "image ids: whole numbers or text"


class Texts(Sequence[str]):
    """Numbers as text, made only when somebody looks."""

    def __init__(self, values: Ints) -> None:
        self._values = values

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, i: Any) -> Any:
        return [str(v) for v in self._values[i].tolist()] if isinstance(i, slice) else str(self._values[i])


class Listed(list[str]):
    """The images of a list with one mapping each, in its order; without names they are numbered from 0."""

    def __init__(self, keys: Sequence[str], named: bool) -> None:
        super().__init__(keys)
        self.named = named


def images_of_rows(
    column: Array, listed: Array | None, n: int, name: str, truth: Truth | None
) -> tuple[Images, Indices]:
    """The images of a table of rows (those listed, else those of the truth, else those met), and that of each row."""
    if column.ndim and len(column) != n:
        raise InputError(f"{name}: image", f"{len(column)} values", f"one per box ({n})")
    whole = column if column.ndim else np.repeat(column, n)  # one image for all rows
    values = ids(whole, at(f"{name}: image"), _WHAT)
    known = None if listed is None else ids(listed.reshape(-1), at(f"{name}: images"), _WHAT)
    if known is not None and _repeats(known):
        raise InputError(f"{name}: images", "an image is listed twice", "different images")
    if isinstance(values, list) or isinstance(known, list):
        keys = [str(value) for value in values]
        images = Images(list(dict.fromkeys(keys)) if known is None else [str(value) for value in known])
        place = {key: i for i, key in enumerate(images.key)}
        image = np.fromiter((place.get(key, -1) for key in keys), np.int32, len(keys))
    else:
        if known is None and truth is not None and truth.images.id is not None:
            image = index_of(values, truth.images.id)
            if len(image) == 0 or image.min() >= 0:
                return truth.images, image
        numbers = factorise(values)[0] if known is None else known
        images, image = Images(Texts(numbers), numbers), index_of(values, numbers)
    if len(image) and image.min() < 0:
        row = int(image.argmin())
        raise InputError(f"{name}: image[{row}]", f"{values[row]} is not in `images`", "images that are listed")
    return images, image


def _repeats(known: Ints | list[str]) -> bool:
    if isinstance(known, list):
        return len(set(known)) < len(known)
    return not bool(np.all(known[1:] > known[:-1])) and len(np.unique(known)) < len(known)


def images_of_list(sheets: Sequence[Sheet], name: str, truth: Truth | None) -> Images:
    """The images of a list of mappings: by their names, or else by their places in it."""
    n, named = len(sheets), [i for i, one in enumerate(sheets) if "image" in one.columns]
    if not named:
        return _by_place(n, name, truth)
    if len(named) < n:
        first = min(set(range(n)) - set(named))
        raise InputError(f"{name}[{first}]", "no `image`, which others have", "`image` in each mapping or in none")
    keys: list[int | str] = []
    places: dict[int | str, int] = {}
    for i, one in enumerate(sheets):
        value = one.columns["image"]
        if value.size != 1:
            raise InputError(f"{name}[{i}]: image", f"{value.size} values", "one for the whole mapping")
        key = ids(value.reshape(-1), at(f"{name}[{i}]: image"), _WHAT)[0]
        keys.append(key if isinstance(key, str) else int(key))
        if places.setdefault(keys[i], i) != i:
            found = f"{keys[i]!r} again (first in {name}[{places[keys[i]]}])"
            raise InputError(f"{name}[{i}]: image", found, "a different image in each mapping")
    if truth is not None and isinstance(truth.images.key, Listed) and not truth.images.key.named:
        for i, key in enumerate(keys):
            if isinstance(key, str) or not 0 <= key < len(truth.images):
                expected = f"a number from 0 to {len(truth.images) - 1}: the truth does not name its images"
                raise InputError(f"{name}[{i}]: image", f"{key!r}", expected)
    whole = [key for key in keys if isinstance(key, int)]
    return Images(Listed([str(key) for key in keys], True), np.array(whole, np.int64) if len(whole) == n else None)


def _by_place(n: int, name: str, truth: Truth | None) -> Images:
    """Images without names: those of the truth in their order, if it is a list as well."""
    if truth is None or n == 0:
        numbers = row_numbers(n)
        return Images(Listed([str(i) for i in range(n)], False), numbers) if truth is None else truth.images
    if isinstance(truth.images.key, Listed) and n == len(truth.images):
        return truth.images
    found = f"a list of length {n:,} without `image`, and a truth of {len(truth.images):,} images"
    if n == len(truth.images):
        found += " that is no list to be in the order of"
    raise InputError(name, found, "`image` in each mapping")


def sized_images(images: Images, sheets: Sequence[Sheet], truth: Truth | None) -> Images:
    """The images with the sizes that mappings or their masks say; those of the truth stay as they are."""
    if (truth is not None and images is truth.images) or all(one.size is None for one in sheets):
        return images
    sizes = np.array([(np.nan, np.nan) if one.size is None else one.size for one in sheets], np.float64)
    return replace(images, height=sizes[:, 0].copy(), width=sizes[:, 1].copy())
