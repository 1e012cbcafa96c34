"""What YOLO's rows leave open: the place of the confidence, and whether they are polygons or something else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from boxscore.formats.content import SHARES, File, Question, Values, percent


def questions(files: Sequence[File]) -> list[Question]:
    """What is open about label files."""
    by_file = [[line.values for line in file.lines if line.form == SHARES] for file in files]
    width = Counter(len(row) for rows in by_file for row in rows).most_common(1)[0][0] if any(by_file) else 0
    if width in (5, 6) and not _are_points(by_file, width):
        return [_confidence([[row for row in rows if len(row) == width] for rows in by_file])]
    if width in (8, 9, 10):
        return [_oriented([row[:8] for rows in by_file for row in rows if len(row) == width])]
    return [_joints(by_file, width)] if width > 10 else []


def _are_points(by_file: Sequence[Sequence[Values]], width: int) -> bool:
    """Whether rows of six shares are triangles: a track number would be whole."""
    return width == 6 and not all(row[5] == int(row[5]) for rows in by_file for row in rows if len(row) == 6)


def _confidence(by_file: Sequence[Sequence[Values]]) -> Question:
    """First or last: boxes must lie in the image, and most tools write the surest first."""
    rows = [row for found in by_file for row in found]
    inside = {}
    for place, start in (("first", 1), ("last", 0)):
        boxes = [row[start : start + 4] for row in rows]
        inside[place] = sum(_within(box) for box in boxes)
    pairs = [(a, b) for found in by_file for a, b in pairwise(found)]
    falling = {"first": sum(a[0] >= b[0] for a, b in pairs), "last": sum(a[4] >= b[4] for a, b in pairs)}
    n = len(rows)
    evidence = [
        f"boxes inside their images: {percent(inside['first'], n)} of {n:,} with the confidence first, "
        f"{percent(inside['last'], n)} with it last"
    ]
    if pairs:
        evidence.append(
            f"falling from line to line within files: the second column in {percent(falling['first'], len(pairs))}, "
            f"the sixth in {percent(falling['last'], len(pairs))} of {len(pairs):,}"
        )
    return Question(
        "confidence first or last",
        tuple(evidence),
        ("--confidence first", "--confidence last"),
        _decided(inside, falling, n, len(pairs)),
    )


def _decided(inside: dict[str, int], falling: dict[str, int], n: int, pairs: int) -> str:
    better, worse = sorted(inside, key=inside.__getitem__, reverse=True)
    if (inside[better] >= 0.98 * n and inside[worse] < 0.9 * n) or (
        inside[better] > 0.75 * n and inside[worse] < 0.25 * n
    ):
        return f"--confidence {better}"
    better, worse = sorted(falling, key=falling.__getitem__, reverse=True)
    if pairs >= 10 and falling[better] == pairs and falling[worse] < 0.8 * pairs:
        return f"--confidence {better}"
    return ""


def _within(box: Values) -> bool:
    """Whether a box of centre, width, height lies in its image, a hundredth more or less."""
    x, y, w, h = box
    reach = max(abs(2 * x - 1) + w, abs(2 * y - 1) + h)
    return w > 0 and h > 0 and reach <= 1.02


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
