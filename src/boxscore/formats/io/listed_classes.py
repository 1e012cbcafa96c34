"""Which of the listed classes each row has: the one place that resolves class names, and refuses those not listed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from boxscore.errors import InputError
from boxscore.tables.model import Classes, Indices

Place = Callable[[int], str]


def labels_of(names: Sequence[str], classes: Classes, place: Place, hint: str = "", numbers: bool = False) -> Indices:
    """The index of each name among the classes; one that they do not have is an error.

    To drop such rows would raise or lower numbers in silence. `place` says where the name of an index stands;
    `numbers` whether the index of a class can be written for its name.
    """
    known = {name: k for k, name in enumerate(classes.name)}
    try:
        return np.fromiter((known[name] for name in names), np.int32, len(names))
    except KeyError:
        row = next(row for row, name in enumerate(names) if name not in known)
        raise unlisted(place(row), names[row], len(known), hint, numbers) from None


def by_list(written: Sequence[str], listed: tuple[str, ...] | None, place: Place) -> tuple[Classes, Indices]:
    """Classes as they are written, and the index of each; with a list, whole numbers are lines of it."""
    if listed is None:
        names = tuple(sorted(set(written)))
        classes = Classes(names, names)
    else:
        classes = Classes(listed, tuple(range(len(listed))))
        written = as_names(written, listed)
    return classes, labels_of(written, classes, place, numbers=True)


def as_names(written: Sequence[str], listed: tuple[str, ...]) -> Sequence[str]:
    """Class names, where all that is written are lines of a list.

    >>> as_names(["1", "0"], ("cat", "dog")), as_names(["1", "cat"], ("cat", "dog"))
    (['dog', 'cat'], ['1', 'cat'])
    """
    if not written or not all(name.isdecimal() for name in written):
        return written
    return [listed[int(name)] if int(name) < len(listed) else name for name in written]


def check_listed(names: Sequence[str], listed: tuple[str, ...] | None, place: Place) -> None:
    """Refuses classes that are not in a list, if there is one."""
    if listed is not None:
        labels_of(names, Classes(listed, listed), place)


def unlisted(where: str, name: str, count: int, hint: str = "", numbers: bool = False) -> InputError:
    """What to say of a class that is not listed."""
    expected = f"one of the {count:,} listed classes" + f", or a number below {count:,}" * numbers
    return InputError(where, f"class '{name}'", expected, hint)
