"""Where the confidence of a YOLO detection stands: behind the class (darknet) or at the end (Ultralytics).

Every piece of evidence is a logarithm of odds: how much likelier it is with the confidence at one end than at the
other. They add up, and nothing is decided below odds of a thousand to one. What one habit of a detector can cause in
many rows at once (boxes that are not clipped, an order of rows) is capped, so that it cannot decide by being frequent.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from boxscore.diagnostics.findings import Finding, finding
from boxscore.errors import InputError
from boxscore.formats.io.number_rows import NumberRows
from boxscore.tables.model import Floats, Indices, Ints

Overlaps = Callable[[Floats, Indices], Floats]  # of boxes and the file of each: the best IoU with an object there
PLACES = ("first", "last")
_DECIDED = math.log(1000)
_SLACK = 0.01  # by which boxes may leave their image and be plausible, as Ultralytics has it
# How far a box leaves its image, as a share of it, and how unlikely that is of a box that is read rightly. Detectors
# that do not clip leave it by a tenth, boxes of hidden parts by more: the first two count up to `_UNCLIPPED` together.
_SMALL, _MIDDLE, _LARGE = 0.1, 0.25, 0.4
_SMALL_ODDS, _MIDDLE_ODDS, _LARGE_ODDS, _HUGE_ODDS = 2.0, 4.0, 4.0, 8.0
_UNCLIPPED = 6.0
_OFTEN = 10  # times as many boxes far outside, for a reading that has some of them itself
_ROWS = 20_000
_SORTED = 7.0  # at most, for a column that alone is in order
_RISING_FIRST = 3.0  # at most, for one that may be boxes from left to right
_HALF, _WELL, _CLOSELY = 0.5, 0.7, 0.85  # IoU with an object, and the odds of each; chance makes some of the first
_HALF_ODDS, _WELL_ODDS, _CLOSELY_ODDS = 1.5, 3.0, 7.0
_BY_HALF = 5.0


class Judgement(NamedTuple):
    """What was decided (empty where nothing can be), how many rows speak for it, why, and what was seen."""

    place: str
    rows: int
    why: str
    seen: tuple[str, ...]


def place_of_confidence(
    rows: NumberRows, values: Floats, overlaps: Overlaps | None = None
) -> tuple[str, list[Finding]]:  # fmt: skip
    """`first` or `last`, where the evidence tells; `values` are five numbers for each detection."""
    if np.array_equal(values[:, 1:], values[:, :4]):
        return "last", []
    made = judged(values, rows.file, rows.name, overlaps)
    if made.place:
        where = f"{rows.files[0]} and its folder"
        text = f"{where}: the {made.place} number is taken as the confidence, because {made.why}"
        return made.place, [finding("CNF001", made.rows, text)]
    raise InputError(
        rows.place(0), "cannot tell whether the confidence is the first or the last value",
        "--confidence first (darknet) or --confidence last (Ultralytics; confidence= in Python)",
        f"It changes the result. Seen: {'; '.join(made.seen)}.",
    )  # fmt: skip


def judged(values: Floats, file: Indices, name: Indices, overlaps: Overlaps | None = None) -> Judgement:
    """What the numbers, their order and, with `overlaps`, the ground truth say; `name` is the class of each row."""
    boxes = {"first": values[:, 1:], "last": values[:, :4]}
    scores = {"first": values[:, 0], "last": values[:, 4]}
    outside = {place: _outside(boxes[place], scores[place]) for place in PLACES}
    some = _written_once(values, file)
    order = {place: _order(scores[place][some], file[some], name[some]) for place in PLACES}
    area = values[some, 3] * values[some, 4]  # by which rows may be sorted that have the confidence first
    by_area = any(_order(area, file[some], name[some]))
    on_objects = None
    if overlaps is not None:
        on_objects = {place: overlaps(boxes[place], file) for place in PLACES}
    reasons = []
    for place, other in (PLACES, PLACES[::-1]):
        weights = [_by_range(outside[place], outside[other]) - _by_range(outside[other], outside[place])]
        weights.append(_by_order(place, order, by_area) - _by_order(other, order, by_area))
        weights.append(0.0 if on_objects is None else _odds(on_objects[place], on_objects[other]))
        reasons.append((sum(weights), place, other, weights))
    total, place, other, weights = max(reasons)
    seen = _seen(outside, order, on_objects)
    if total < _DECIDED:
        return Judgement("", 0, "", seen)
    best = max(range(3), key=weights.__getitem__)
    if best == 2 and on_objects is not None:
        n, m = (int((on_objects[end] >= _HALF).sum()) for end in (place, other))
        why = f"{n:,} {_boxes(n)} on objects (IoU 0.5 or more) so, with the {other} one {m:,}"
        return Judgement(place, n, why, seen)
    if best == 1:
        return Judgement(place, len(values), "it alone is sorted in every file", seen)
    n = int((outside[other] > _SLACK).sum())
    why = f"with the {other} one {n:,} box{'es' * (n != 1)} would leave the image or have a confidence beyond 0 to 1"
    return Judgement(place, n, why, seen)


def _boxes(n: int) -> str:
    return "box lies" if n == 1 else "boxes lie"


def _outside(boxes: Floats, score: Floats) -> Floats:
    """How far each box leaves its image, as a share of it; without limit where sizes or scores cannot be.

    A width or height of 0 is odd, but says nothing about the order of the numbers.
    """
    half = boxes[:, 2:] / 2
    beyond = np.maximum(half - boxes[:, :2], boxes[:, :2] + half - 1).max(axis=1)
    never = (boxes[:, 2:] < 0).any(axis=1) | (score < 0) | (score > 1)
    return np.where(never, np.inf, beyond)


def _by_range(chosen: Floats, other: Floats) -> float:
    """How much the other reading suffers from boxes outside of their images, where the chosen one does not."""
    small, middle, large, huge = (
        int(((other > low) & (other <= high)).sum())
        for low, high in pairwise((_SLACK, _SMALL, _MIDDLE, _LARGE, np.inf))
    )
    own_far, own = int((chosen > _MIDDLE).sum()), int((chosen > _SLACK).sum())
    mostly = own_far < 0.25 * len(other) < 0.75 * len(other) < huge + large
    far = 0.0
    if huge + large > _OFTEN * own_far or mostly:
        far = _HUGE_ODDS * huge + max(_LARGE_ODDS * large - _SMALL_ODDS * own, 0)
    return far + min(_SMALL_ODDS * small + _MIDDLE_ODDS * middle, _UNCLIPPED)


def _order(score: Floats, file: Indices, name: Indices) -> tuple[float, float]:
    """How unlikely it is by chance that scores fall, or rise, as they do in every file: 0 where they do not."""
    best = (0.0, 0.0)
    for group in (file, _runs(file, name)):  # some write class by class
        steps = np.diff(score)[group[1:] == group[:-1]]
        best = (_chance(steps, score, group, -1) or best[0], _chance(steps, score, group, 1) or best[1])
        if any(best):
            break
    return best


def _written_once(values: Floats, file: Indices) -> Ints:
    """Rows without those that repeat one of their file, as where a detector ran again and appended to its files.

    The first of very many rows are enough to see an order.
    """
    rows = np.column_stack([file, values])[:_ROWS]
    return np.sort(np.unique(rows, axis=0, return_index=True)[1]).astype(np.int64)


def _runs(file: Indices, name: Indices) -> Ints:
    """Numbers of the rows that follow one another in a file and are of one class."""
    new = (file[1:] != file[:-1]) | (name[1:] != name[:-1])
    return np.append(0, np.cumsum(new)).astype(np.int64)


def _chance(steps: Floats, score: Floats, group: Indices | Ints, sign: int) -> float:
    if not len(steps) or not bool((sign * steps >= 0).all()):
        return 0.0
    new = np.append(True, (group[1:] != group[:-1]) | (score[1:] != score[:-1]))  # different scores of a group
    _, lengths = np.unique(group[new], return_counts=True)
    return max(float(sum(math.lgamma(n + 1) for n in lengths.tolist())) - 1, 0.0)


def _by_order(place: str, order: dict[str, tuple[float, float]], by_area: bool) -> float:
    """What the order of a column says, if the other one has none and the rows are not sorted by something else."""
    if any(order[PLACES[place == "first"]]) or (by_area and place == "last"):
        return 0.0
    falling, rising = order[place]
    return max(min(falling, _SORTED), min(rising, _RISING_FIRST if place == "first" else _SORTED))


def _odds(chosen: Floats, other: Floats) -> float:
    """What boxes that lie on objects in one reading alone say for it."""
    gained, lost = _on_objects(chosen, other), _on_objects(other, chosen)
    return gained - lost if gained > _OFTEN * lost or lost > _OFTEN * gained else 0.0


def _on_objects(chosen: Floats, other: Floats) -> float:
    """Boxes of one reading on objects where the other has none; those that fit by half count up to a limit."""
    own = chosen[other < _HALF]
    closely = _CLOSELY_ODDS * int((own >= _CLOSELY).sum()) + _WELL_ODDS * int(((own >= _WELL) & (own < _CLOSELY)).sum())
    return closely + min(_HALF_ODDS * int(((own >= _HALF) & (own < _WELL)).sum()), _BY_HALF)


def _seen(
    outside: dict[str, Floats], order: dict[str, tuple[float, float]], on_objects: dict[str, Floats] | None
) -> tuple[str, ...]:  # fmt: skip
    """What was looked at, in words, for both places."""
    n = len(outside["first"])
    inside = [f"{int((outside[place] <= _SLACK).sum()):,}" for place in PLACES]
    texts = [f"boxes inside the image: {inside[0]} of {n:,} with the first, {inside[1]} with the last"]
    in_order = [place for place in PLACES if any(order[place])]
    words = ("the order of rows tells nothing", f"only the {''.join(in_order[:1])} is sorted", "both are sorted")
    texts.append(words[len(in_order)])
    if on_objects is not None:
        hits = [f"{int((on_objects[place] >= _HALF).sum()):,}" for place in PLACES]
        texts.append(f"boxes on objects (IoU 0.5 or more): {hits[0]} with the first, {hits[1]} with the last")
    return tuple(texts)
