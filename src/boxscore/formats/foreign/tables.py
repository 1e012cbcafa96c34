"""Tables that go with annotations and hold none."""

from __future__ import annotations

from boxscore.formats.content import Sheet
from boxscore.formats.record import SURE, TRUTH, Seen


def look_for_descriptions(sheet: Sheet) -> Seen | None:
    """Rows of an id of Open Images and a name."""
    if sheet.header or len(sheet.rows[0]) not in (2, 3) or not all(row[0].startswith(_IDS) for row in sheet.rows):
        return None
    return Seen("descriptions", SURE, "rows of Open Images' ids with their names", TRUTH)


_IDS = ("/m/", "/g/")
