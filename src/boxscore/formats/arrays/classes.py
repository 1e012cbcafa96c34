"""Classes of arrays: names, numbers of a list, or ids."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from boxscore.errors import InputError, UnknownName, first_few
from boxscore.formats.arrays.values import Place
from boxscore.formats.io.options import Numbered
from boxscore.tables.model import Classes, Indices, Ints, Truth, factorise, index_of


def classes_of(
    values: Ints | list[str], place: Place, listed: tuple[str, ...] | None, truth: Truth | None
) -> tuple[Classes, Indices]:
    """The classes, and the class of each row: names, numbers of the given list, or ids as they come."""
    theirs = None if truth is None else truth.classes
    if listed is not None:
        numbers = listed.ids if isinstance(listed, Numbered) else tuple(range(len(listed)))
        own = Classes(tuple(listed), numbers)
        if theirs is not None and theirs == own:
            own = theirs
        label = _indices(values, listed) if isinstance(values, list) else index_of(values, np.array(numbers, np.int64))
        if len(label) and label.min() < 0:
            row = int(label.argmin())
            where, found = place(row), values[row]
            if isinstance(found, str):
                raise InputError(where, str(UnknownName("class", found, listed)))
            known = f"numbers from 0 to {len(listed) - 1}"
            if isinstance(listed, Numbered):
                known = f"one of the numbers {first_few(numbers, len(numbers))}"
            raise InputError(where, f"{found}", f"{known}, as in `classes`")
        return own, label
    if theirs is not None and len(theirs):  # all its own: joined at once
        if isinstance(values, list):
            label = _indices(values, theirs.name)
        elif all(isinstance(i, int) for i in theirs.id):
            label = index_of(values, np.array(theirs.id, np.int64))
        else:
            label = np.full(len(values), -1, np.int32)
        if len(label) == 0 or label.min() >= 0:
            return theirs, label
    if isinstance(values, list):
        names = tuple(sorted(set(values)))
        return Classes(names, names), _indices(values, names)
    distinct, label = factorise(values)
    return Classes(tuple(map(str, distinct.tolist())), tuple(distinct.tolist())), label


def _indices(values: list[str], names: Sequence[str]) -> Indices:
    place = {name: i for i, name in reversed(list(enumerate(names)))}
    return np.fromiter((place.get(value, -1) for value in values), np.int32, len(values))
