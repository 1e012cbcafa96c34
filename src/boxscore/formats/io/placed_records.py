"""Records of JSON files at their places, a few at a time."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

Record = dict[str, Any]
Placed = tuple[str, Record]  # where a record stands, and the record

_BLOCK = 2_000  # records that are Python values at once
_SHOWN = 3  # places that a message tells


@dataclass(frozen=True)
class Rows:
    """Records at their places, made anew each time somebody goes through them."""

    placed: Callable[[], Iterator[Placed]]
    left_out: Container[str] = ()

    def __iter__(self) -> Iterator[Placed]:
        if not self.left_out:
            return self.placed()
        return ((place, record) for place, record in self.placed() if place not in self.left_out)

    def blocks(self) -> Iterator[list[Placed]]:
        """All of them, some at a time."""
        rows = iter(self)
        while block := list(islice(rows, _BLOCK)):
            yield block


@dataclass
class TextIds:
    """How many ids of a column are numbers written as text, and where the first are."""

    count: int = 0
    first: list[str] = field(default_factory=list)

    def add(self, place: str) -> None:
        """One more."""
        self.count += 1
        if self.count <= _SHOWN:
            self.first.append(place)
