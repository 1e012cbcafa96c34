"""CSV files by the names of their columns, or by what the columns hold where they have no names."""

from __future__ import annotations

import csv
from functools import cache

from boxscore.formats.content import NUMBER, Sheet
from boxscore.formats.record import CSV, DETECTIONS, POSSIBLE, Known, Seen, Sign
from boxscore.formats.registry import asked
from boxscore.formats.words import SCORE_COLUMNS

_COMMON = ("source", "width", "height", "bbox", "region_attributes", "region_count")  # columns of tables of boxes
_ROWS = 200


def sheet(text: str, everything: bool = False) -> Sheet | None:
    """The rows of a text with the delimiter that its first line has most of; None if that is none."""
    lines = [line for line in text.splitlines()[: _ROWS + 1] if line.strip()]
    if not lines:
        return None
    delimiter = max(",;\t", key=lines[0].count)
    if not lines[0].count(delimiter):
        return None
    rows = [tuple(field.strip() for field in row) for row in csv.reader(lines, delimiter=delimiter)]
    first = tuple(field.strip(' "#').casefold() for field in rows[0])
    named = len(first) > 1 and all(field and not NUMBER.fullmatch(field) for field in first)
    is_header = named and len(_columns(everything) & set(first)) > 1
    return Sheet(first, tuple(rows[1:])) if is_header else Sheet((), tuple(rows))


def signs(found: Sheet, everything: bool = False) -> list[Seen]:
    """The formats that a sheet fits, the best first."""
    if not found.header:
        found = Sheet((), tuple(row for row in found.rows if any(row)))
        if len({len(row) for row in found.rows}) != 1:
            return []
    records = asked(CSV, everything)
    for record in records:
        if (seen := _seen(record, found)) is not None:
            same = next((_seen(other, found) for other in records if other.name == record.before), None)
            alike = [Seen(same.name, POSSIBLE, "the same columns under other names", seen.sides)] if same else []
            return [seen, *alike]
    return []


def why_not(record: Known, found: Sheet) -> str:
    """Why a sheet is not of a format."""
    if not found.header:
        return "it has no header"
    if lacking := found.lacks(record.columns):
        return f"its header lacks {', '.join(lacking)}"
    if any(sign.only for sign in record.signs):
        return f"it has further columns ({', '.join(sorted(set(found.header) - set(record.columns)))})"
    return "its columns are those of another"


def _seen(record: Known, found: Sheet) -> Seen | None:
    """What the signs of a format say of a table, or else its own function."""
    for sign in record.signs:
        if sign.columns and _met(sign, found):
            scores = [name for name in sign.scores if name in found.header]
            sides = DETECTIONS if scores else sign.sides
            return Seen(record.name, sign.level, sign.reason or _reason(sign, scores), sides)
    if not record.look:
        return None
    seen: Seen | None = record.function(record.look)(found)
    return seen


def _met(sign: Sign, found: Sheet) -> bool:
    if found.lacks(sign.columns) or any(found.has(column) for column in sign.unless):
        return False
    return not sign.only or len(set(found.header) - set(sign.scores)) == len(sign.columns)


def _reason(sign: Sign, scores: list[str]) -> str:
    if sign.only:
        return ", ".join(["its header is " + ", ".join(sign.columns), *sorted(scores)])
    *most, last = (column.partition("|")[0] for column in sign.columns)
    return f"its header has {', '.join(most)} and {last}" if most else f"its header has {last}"


@cache
def _columns(everything: bool) -> set[str]:
    """Names of columns that some format has: two of them make a row a header."""
    columns = [column for record in asked(CSV, everything) for column in record.columns]
    columns += [column for record in asked(CSV, everything) for sign in record.signs for column in sign.columns]
    return {name for column in columns for name in column.casefold().split("|")} | set(_COMMON) | set(SCORE_COLUMNS)
