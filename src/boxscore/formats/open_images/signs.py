"""How tables of boxes of Open Images are recognised, and told from others under the same header."""

from __future__ import annotations

from boxscore.formats.content import NUMBER, Sheet
from boxscore.formats.open_images import OPEN_IMAGES
from boxscore.formats.record import BOTH, DETECTIONS, POSSIBLE, SURE, Seen

_BEYOND = 1.5  # normalized coordinates are not above this


def look(sheet: Sheet) -> Seen | None:
    """Whether a table has the columns; coordinates in pixels are a doubt."""
    if sheet.lacks(OPEN_IMAGES.columns):
        return None
    at = [sheet.header.index(name) for name in ("xmin", "xmax", "ymin", "ymax") if sheet.has(name)]
    texts = [row[i].replace(",", ".") for row in sheet.rows for i in at if i < len(row)]
    values = [float(text) for text in texts if NUMBER.fullmatch(text)]
    beyond = sum(value > _BEYOND for value in values)
    sides = DETECTIONS if sheet.has("score|conf") else BOTH
    reason = "its header has ImageID, LabelName and XMin"
    if beyond * 10 > len(values):
        doubt = f"but {beyond} of {len(values)} coordinates are above 1.5, and normalized coordinates are expected"
        return Seen("open-images", POSSIBLE, f"{reason}, {doubt}", sides)
    return Seen("open-images", SURE, reason, sides)
