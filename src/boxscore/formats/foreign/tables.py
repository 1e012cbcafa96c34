"""Tables and lists that go with annotations and hold none."""

from __future__ import annotations

from typing import Any

from boxscore.formats.content import Sheet
from boxscore.formats.record import LIKELY, SURE, TRUTH, Seen

_IDS = ("/m/", "/g/")  # how ids of Open Images begin


def look_for_descriptions(sheet: Sheet) -> Seen | None:
    """Rows of an id of Open Images and a name."""
    if sheet.header or len(sheet.rows[0]) not in (2, 3) or not all(row[0].startswith(_IDS) for row in sheet.rows):
        return None
    return Seen("descriptions", SURE, "rows of Open Images' ids with their names", TRUTH)


def look_for_sizes(value: Any) -> Seen | None:
    """Names with two numbers each, or parts of such tables; an outline of JSON has the first number of each."""
    if not isinstance(value, dict) or not value:
        return None
    first = next(iter(value.values()))
    table = first if isinstance(first, dict) else value
    pairs = bool(table) and all(
        isinstance(size, list) and len(size) == 1 and isinstance(size[0], float) for size in table.values()
    )
    return Seen("sizes", LIKELY, "names with two numbers each", TRUTH) if pairs else None
