"""How CSV files of boxes in pixels are recognised: by columns under many names, or by what stands in the columns."""

from __future__ import annotations

from boxscore.formats.content import Sheet
from boxscore.formats.record import DETECTIONS, LIKELY, POSSIBLE, SURE, TRUTH, Seen
from boxscore.formats.tf_csv import TF_CSV
from boxscore.formats.words import SCORE_COLUMNS


def look(sheet: Sheet) -> Seen | None:
    """Whether a table has the columns, or rows of a path, four numbers and a class."""
    if not sheet.header:
        return _by_values(sheet)
    if sheet.lacks(TF_CSV.columns):
        return None
    score = next((name for name in SCORE_COLUMNS if sheet.has(name)), "")
    reason = "its header has a file, a class and xmin, ymin, xmax, ymax" + f", and {score}" * bool(score)
    sure = SURE if score or not sheet.lacks(("filename", "class")) else LIKELY
    return Seen("tf-csv", sure, reason, DETECTIONS if score else TRUTH)


def _by_values(sheet: Sheet) -> Seen | None:
    numeric = [sheet.numeric(column) for column in range(len(sheet.rows[0]))]
    if numeric != [False, True, True, True, True, False]:
        return None
    reason = "no header; the columns are a path, four numbers and a class, as of keras-retinanet"
    return Seen("tf-csv", POSSIBLE, reason, TRUTH)
