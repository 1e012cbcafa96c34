"""What YOLO's rows leave open: the place of the confidence, and whether they are polygons or something else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from boxscore.formats.content import SHARES, File, Line, Question, Values, percent
from boxscore.formats.yolo.confidence import PLACES, judged


def questions(files: Sequence[File]) -> list[Question]:
    """What is open about label files."""
    by_file = [[line.values for line in file.lines if line.form == SHARES] for file in files]
    width = Counter(len(row) for rows in by_file for row in rows).most_common(1)[0][0] if any(by_file) else 0
    if width in (5, 6) and not _are_points(by_file, width):
        fitting = [[line for line in file.lines if line.form == SHARES and len(line.values) == width] for file in files]
        return [_confidence(fitting)]
    if width in (8, 9, 10):
        return [_oriented([row[:8] for rows in by_file for row in rows if len(row) == width])]
    return [_joints(by_file, width)] if width > 10 else []


def _are_points(by_file: Sequence[Sequence[Values]], width: int) -> bool:
    """Whether rows of six shares are triangles: a track number would be whole."""
    return width == 6 and not all(row[5] == int(row[5]) for rows in by_file for row in rows if len(row) == 6)


def _confidence(by_file: Sequence[Sequence[Line]]) -> Question:
    """First or last, as the reader decides it without a ground truth."""
    lines = [(i, line) for i, found in enumerate(by_file) for line in found]
    names = {name: k for k, name in enumerate({line.name: 0 for _, line in lines})}
    values = np.array([line.values[:5] for _, line in lines], np.float64).reshape(-1, 5)
    file = np.array([i for i, _ in lines], np.int32)
    made = judged(values, file, np.array([names[line.name] for _, line in lines], np.int32))
    answer = f"--confidence {made.place}" if made.place else ""
    return Question("confidence first or last", made.seen, tuple(f"--confidence {place}" for place in PLACES), answer)


def _oriented(rows: Sequence[Values]) -> Question:
    """Boxes that are turned, or polygons of four points: opposite sides are alike in the first, whatever the image."""
    alike = sum(
        abs(row[0] + row[4] - row[2] - row[6]) < 0.004 and abs(row[1] + row[5] - row[3] - row[7]) < 0.004
        for row in rows
    )
    evidence = (f"opposite sides are alike in {percent(alike, len(rows))} of {len(rows):,} rows of four points",)
    turned = any(row[0] not in (row[2], row[6]) for row in rows)
    answer = "--rows polygon" if alike < 0.9 * len(rows) else "--rows oriented" if alike == len(rows) and turned else ""
    return Question("oriented boxes or polygons", evidence, ("--rows oriented", "--rows polygon"), answer)


def _joints(by_file: Sequence[Sequence[Values]], width: int) -> Question:
    rows = [row for found in by_file for row in found]
    alike = sum(len(row) == width for row in rows)
    seen = sum(all(value in (0, 1, 2) for value in row[6::3]) for row in rows if len(row) >= 7)
    evidence = (
        f"{percent(alike, len(rows))} of {len(rows):,} lines have {width + 1} columns",
        f"every third value from the eighth column on is 0, 1 or 2 in {percent(seen, len(rows))}",
    )
    if alike == len(rows) and width > 10 and seen == len(rows) and (width - 4) % 3 == 0:
        answer = "--rows pose"
    else:
        answer = "--rows polygon" if alike < 0.8 * len(rows) else ""
    return Question("poses or polygons", evidence, ("--rows pose", "--rows polygon"), answer)
