"""Ids of COCO files as numbers: they may be numbers, numbers written as text, or any text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore.tables.model import Ints

_INTS = {int}
NOBODY = -(2**62)  # a number that no source uses as an id


class Written(int):
    """A number that the source writes as text, which may have zeros in front: images can be named so."""

    text: str

    def __new__(cls, text: str) -> Written:
        number = super().__new__(cls, text)
        number.text = text.strip()
        return number

    def __str__(self) -> str:
        return self.text


class IdColumn:
    """The ids of many rows: numbers as arrays, and of other ids each only once."""

    def __init__(self) -> None:
        self.parts: list[Ints | list[int | str]] = []
        self._kept: dict[tuple[type, str], int | str] = {}

    def add(self, ids: list[int | str] | Ints) -> None:
        """The ids of some more rows."""
        if isinstance(ids, np.ndarray):
            self.parts.append(ids)
        elif _INTS.issuperset(map(type, ids)):
            self.parts.append(np.array(ids, np.int64))
        else:
            self.parts.append([i if type(i) is int else self._kept.setdefault((type(i), str(i)), i) for i in ids])

    def distinct(self) -> list[int | str]:
        """Each id that the source writes, in the order of the first; "7" and 7 are two."""
        seen: dict[object, int | str] = {}
        for part in self.parts:
            ids = part if isinstance(part, list) else part[np.sort(np.unique(part, return_index=True)[1])].tolist()
            for i in ids:
                seen.setdefault(i if type(i) is int else (type(i), str(i)), i)
        return list(seen.values())

    def numbers(self, numbering: Numbering) -> Ints:
        """The ids as numbers."""
        return whole([numbering.numbers(part) for part in self.parts], np.int64)

    def equal(self, number: int) -> npt.NDArray[np.bool_]:
        """Which of them are a number."""
        return whole([np.array([i == number for i in part], np.bool_) for part in self.parts], np.bool_)


def whole(parts: Sequence[npt.NDArray[Any]], kind: type[np.generic]) -> npt.NDArray[Any]:
    """A column out of its parts."""
    return np.concatenate([np.zeros(0, kind), *parts])


class Numbering:
    """Ids as numbers: the ids themselves where all are numbers, else a number for each, counted from 0.

    Texts that are the same number, but not the same text, are not numbers: "007" and "7" are two images.

    >>> Numbering(["a", 7]).numbers([7, "a", "b"]).tolist() == [1, 0, NOBODY]
    True
    """

    def __init__(self, ids: Iterable[int | str]) -> None:
        given = list(ids)
        distinct = list(dict.fromkeys(given))
        texts = {i.text for i in given if isinstance(i, Written)}
        self.plain = all(isinstance(i, int) for i in distinct) and len({int(text) for text in texts}) == len(texts)
        self.keys: list[str] = list(dict.fromkeys(map(str, distinct if self.plain else given)))
        self.ids = np.array(distinct if self.plain else range(len(self.keys)), np.int64)
        self.rank: list[int] | None = None  # of each in the order of texts, by which official codes sort them
        if all_text(distinct):
            ranks = {key: i for i, key in enumerate(sorted(self.keys))}
            self.rank = [ranks[key] for key in self.keys]
        self._place = {key: i for i, key in enumerate(self.keys)}

    def numbers(self, ids: Sequence[int | str] | Ints) -> Ints:
        """The ids as numbers; those that are not known get one that is nobody's."""
        if isinstance(ids, np.ndarray):
            if self.plain:
                return ids
            distinct, place = np.unique(ids, return_inverse=True)
            return self.numbers(distinct.tolist())[place.reshape(-1)]
        if self.plain:
            return np.array([i if isinstance(i, int) else NOBODY for i in ids], np.int64)
        return np.array([self._place.get(str(i), NOBODY) for i in ids], np.int64)


def lasts(ids: Sequence[int | str]) -> list[int]:
    """Where each id is met for the last time, in the order of the first: official codes keep the last record.

    >>> lasts([7, 5, 7]), lasts([Written("07"), Written("7")])
    ([2, 1], [0, 1])
    """
    text = all_text(ids)
    return list({str(key) if text else key: i for i, key in enumerate(ids)}.values())


def all_text(ids: Iterable[int | str]) -> bool:
    """Whether the source writes every id as text."""
    given = list(ids)
    return bool(given) and all(isinstance(i, (str, Written)) for i in given)
