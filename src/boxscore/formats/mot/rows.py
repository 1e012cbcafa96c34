"""Lines of MOTChallenge: frame, id, left, top, width, height, confidence, and class with visibility or x, y, z."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from boxscore.errors import InputError
from boxscore.formats.io.invalid import Invalid
from boxscore.tables.model import Floats, Ints

MOST_FRAMES = 10_000_000  # of a sequence: a larger number is a mistake
WIDTH = 10
_LEAST = 6
_EXPECTED = "frame, id, left, top, width, height, and up to 4 numbers"
_SEPARATOR = re.compile(r"\s*[,;]\s*|\s+")


class Rows(NamedTuple):
    """The lines of a file as a table; values that a line does not have are nan."""

    values: Floats  # (n, 10)
    line: Callable[[int], int]  # the number of the line that a row stands on

    @property
    def columns(self) -> Ints:
        """How many values each row has."""
        return np.asarray((~np.isnan(self.values)).sum(axis=1))


def rows_of(text: str, place: str, invalid: Invalid) -> Rows:
    """The rows of a text; the usual file is read at once, any other line by line, which says what is wrong."""
    quick = _quick(text)
    rows = _careful(text, place, invalid) if quick is None else Rows(quick, lambda row: _line_of(text, row))
    return _once(rows, place, invalid)


def _quick(text: str) -> Floats | None:
    if not text.strip():
        return np.zeros((0, WIDTH))
    try:
        values = np.loadtxt(io.StringIO(text), delimiter=",", ndmin=2, comments=None)
    except ValueError:
        return None
    if not _LEAST <= values.shape[1] <= WIDTH or not np.isfinite(values).all():
        return None
    if (values[:, :2] % 1 != 0).any() or values[:, 0].min() < 1 or values[:, 0].max() > MOST_FRAMES:
        return None
    if np.abs(values).max() > 1e300:
        return None
    more = np.full((len(values), WIDTH - values.shape[1]), np.nan)
    return np.concatenate([values, more], axis=1)


def _line_of(text: str, row: int) -> int:
    return [number for number, line in enumerate(text.splitlines(), 1) if line.strip()][row]


def _careful(text: str, place: str, invalid: Invalid) -> Rows:
    values, lines = list[list[float]](), list[int]()
    for number, line in enumerate(text.splitlines(), 1):
        words = [word for word in _SEPARATOR.split(line.strip()) if word]
        if words and not words[0].startswith("#"):
            with invalid:
                values.append(_values(words, f"{place}:{number}"))
                lines.append(number)
    table = np.full((len(values), WIDTH), np.nan)
    for row, some in enumerate(values):
        table[row, : len(some)] = some
    return Rows(table, lines.__getitem__)


def _values(words: list[str], place: str) -> list[float]:
    if not _LEAST <= len(words) <= WIDTH:
        raise InputError(place, f"{len(words)} value{'s' * (len(words) != 1)}", _EXPECTED)
    values = []
    for word in words:
        try:
            values.append(float(word) if "_" not in word else np.nan)
        except ValueError:
            raise InputError(place, f"'{word[:40]}' is not a number", _EXPECTED) from None
    if not all(abs(value) <= 1e300 for value in values):
        raise InputError(place, "a value that is not finite", "finite numbers")
    if values[0] % 1 or not 1 <= values[0] <= MOST_FRAMES:
        hint = "MOTChallenge counts frames from 1; add 1 where a tool counts from 0."
        raise InputError(place, f"the frame {words[0]}", "a whole number from 1", hint if not values[0] else "")
    if values[1] % 1:
        raise InputError(place, f"the id {words[1]}", "a whole number, -1 for none")
    return values


def _once(rows: Rows, place: str, invalid: Invalid) -> Rows:
    """The rows; a track has one box in a frame."""
    keys = rows.values[:, :2]
    known = np.flatnonzero(keys[:, 1] >= 0)
    _, first = np.unique(keys[known], axis=0, return_index=True)
    again = np.setdiff1d(np.arange(len(known)), first)
    if not len(again):
        return rows
    kept = np.ones(len(rows.values), np.bool_)
    for row in known[again].tolist():
        frame, track = keys[row].astype(np.int64).tolist()
        with invalid:
            kept[row] = False
            found = f"track {track} again in frame {frame}"
            raise InputError(f"{place}:{rows.line(row)}", found, "one box of a track in a frame")
    where = np.flatnonzero(kept)
    return Rows(rows.values[kept], lambda row: rows.line(int(where[row])))
