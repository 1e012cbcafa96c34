"""The classes of TFRecords: names stand in the records, numbers, or both; a label map says which is which."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from boxscore.formats.io.label_map import read_label_map
from boxscore.formats.io.options import ReadOptions
from boxscore.tables.model import Classes

Named = tuple[str, int | None]  # name (empty where none is given) and number of a class


def classes_of(said: Sequence[Named], how: ReadOptions, known: Iterable[Named] = ()) -> tuple[Classes, list[int]]:
    """The classes, and the index of each one that is said; `known` are further pairs of names and numbers.

    A number that nobody has a name for is its own name. Classes that a given list does not have get -1 here:
    those of objects are refused, what is said of whole images is left out.
    """
    if how.label_map is not None:
        listed = read_label_map(how.label_map)
        by_name = {name: k for k, name in enumerate(listed.name)}
        by_number: dict[int | str | None, int] = {key: k for k, key in enumerate(listed.id)}
        return listed, [by_name.get(name, by_number.get(number, -1)) for name, number in said]
    names_of: dict[int | None, str] = {}
    for name, number in (*known, *said):
        if name and number is not None:
            names_of.setdefault(number, name)
    names = [name or names_of.get(number, str(number)) for name, number in said]
    if how.classes is not None:
        classes = Classes(how.classes, how.classes)
    else:
        classes = _ordered(zip(names, (number for _, number in said), strict=True))
    place = {name: k for k, name in enumerate(classes.name)}
    return classes, [place.get(name, -1) for name in names]


def _ordered(said: Iterable[tuple[str, int | None]]) -> Classes:
    """By number where every name has one of its own, else by name."""
    pairs = set(said)
    numbers = {number: name for name, number in pairs if number is not None}
    names = {name for name, _ in pairs}
    if len(numbers) == len(names) == len(pairs):
        ids = sorted(numbers)
        return Classes(tuple(numbers[key] for key in ids), tuple(ids))
    ordered = tuple(sorted(names))
    return Classes(ordered, ordered)
