"""Images that are joined wrongly although boxes fit: where all images look alike, only the score tells."""

from __future__ import annotations

from boxscore.checkup.gain import ap50, some
from boxscore.checkup.images import KEPT, Join, coverage_of, fit_of, joined, renumbered, said, ways_to_join
from boxscore.diagnostics.diagnoses import Diagnosis, Tables
from boxscore.joining.align import Aligned

LOW = 0.3  # AP50 below which it is tried
TIMES, MORE = 2.0, 0.1  # AP50 must be so many times, and so much, as high


def rejoined(tables: Tables, now: Aligned) -> Diagnosis | None:
    """Another way to join images, under which AP50 is much higher."""
    truth, found = tables
    assert found is not None
    score = ap50(some(now)[0])
    if score > LOW:
        return None
    coverage = coverage_of(now.detections.image, len(truth.images))
    best: tuple[float, Aligned, Join] | None = None
    for join in ways_to_join(truth, found, now):
        moved = renumbered(tables, join.place)
        assert moved.detections is not None
        if coverage_of(moved.detections.image, len(truth.images)) < KEPT * coverage:
            continue
        aligned = joined(moved)
        then = 0.0 if aligned is None else ap50(some(aligned)[0])
        if aligned is not None and then > max(TIMES * score, score + MORE, best[0] if best else 0.0):
            best = then, aligned, join
    if best is None:
        return None
    _, aligned, join = best
    more = coverage_of(aligned.detections.image, len(truth.images))
    return said(tables, (fit_of(aligned), more, join), fit_of(now), coverage)
