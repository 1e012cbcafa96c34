"""The items of a long JSON list, made when asked for: all at once they take ten times the memory of the text."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

_value = json.JSONDecoder().raw_decode


@dataclass(frozen=True, eq=False)
class Records:
    """The items of a list in a JSON text that has been parsed once, so that each of them can be made again.

    >>> list(Records('[{"a": 1}, 2]', array("q", [1, 11])))
    [{'a': 1}, 2]
    """

    text: str
    starts: array[int] = field(default_factory=lambda: array("q"))  # where each item begins
    odd: list[int] = field(default_factory=list)  # items that are no objects
    repeating: list[tuple[int, Any]] = field(default_factory=list)  # the first item in which a key stands twice

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, i: int) -> Any:
        return _value(self.text, self.starts[i])[0]

    def __iter__(self) -> Iterator[Any]:
        return (_value(self.text, start)[0] for start in self.starts)
