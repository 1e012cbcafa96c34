"""What is wrong with a COCO file, place by place."""

from __future__ import annotations

import re

from boxscore.errors import InputError, first_few

_ROW = re.compile(r"(?:annotations)?\[\d+\]|images\[\d+\]\.dets\[\d+\]")  # where an object or a detection stands


Kinds = dict[tuple[str, str], list[str]]  # what was found and expected, and where


class Complaints:
    """Collects what is wrong, place by place, and raises the first kind with its first three places.

    Files are read in blocks of records, but told of column by column: the first column that has something wrong.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self.columns: dict[str, Kinds] = {}
        self.at("")

    def at(self, column: str) -> None:
        """What is wrong from now on is so in a column; columns come in the order in which they are first named."""
        self._kinds = self.columns.setdefault(column, {})

    def add(self, place: str, found: str, expected: str) -> None:
        """Something at a place is not what it should be."""
        self._kinds.setdefault((found, expected), []).append(place)

    @property
    def found(self) -> Kinds:
        """All that is wrong."""
        made: Kinds = {}
        for kinds in self.columns.values():
            for kind, places in kinds.items():
                made.setdefault(kind, []).extend(places)
        return {kind: list(dict.fromkeys(places)) for kind, places in made.items()}  # one may be looked at twice

    def check(self) -> None:
        """Raises if there is anything."""
        for (found, expected), places in self.found.items():
            where = f"{self.source}: {places[0]}"
            more = f" ({len(places):,} such places: {first_few(places, len(places))})" if len(places) > 1 else ""
            error = InputError(where, found + more, expected)
            error.of_record = _ROW.match(places[0]) is not None
            raise error

    def of_rows(self) -> dict[str, InputError]:
        """The objects or detections that something is wrong with, by place, each with what was found first."""
        wrong: dict[str, InputError] = {}
        for (found, expected), places in self.found.items():
            for row in filter(None, map(_ROW.match, places)):
                wrong.setdefault(row[0], InputError(f"{self.source}: {row[0]}", found, expected))
        return wrong
