"""Images that do not join, or join wrongly: shifted numbers, other names, neighbours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from boxscore.align import Aligned, align
from boxscore.doctor.record import Diagnosis, Evidence, Tables, diagnosis
from boxscore.doctor.sample import sample
from boxscore.errors import InputError, first_few
from boxscore.formats.joining import stem
from boxscore.model import Detections, Images, Indices, Truth


class Join(NamedTuple):
    """A way to find the image of the truth for each image of the detections; -1 where there is none."""

    code: str
    text: str
    place: Indices


def joined(tables: Tables) -> Aligned | None:
    """Both sides over the same images, classes aside; None if nothing joins."""
    assert tables.detections is not None
    try:
        return align(*_agnostic(tables))
    except InputError:
        return None


def _agnostic(tables: Tables) -> tuple[Truth, Detections]:
    """The tables with the detections' classes joined where they can be: here only images matter."""
    truth, found = tables
    assert found is not None
    place = {name: k for k, name in enumerate(truth.classes.name)}
    ids = {str(key): k for k, key in enumerate(truth.classes.id)}
    table = [place.get(n, ids.get(str(i), -1)) for n, i in zip(found.classes.name, found.classes.id, strict=True)]
    label = np.array([*table, -1], np.int32)[found.label]
    return truth, replace(found, classes=truth.classes, label=label)


def misplaced(tables: Tables) -> Iterator[Diagnosis]:
    """Another way to join images, under which many more join or boxes fit much better."""
    truth, found = tables
    if found is None or not len(found) or not len(truth):
        return
    now = joined(tables)
    coverage = 0.0 if now is None else _coverage(now.detections.image, len(truth.images))
    fit = 0.0 if now is None else _fit(now)
    best: tuple[float, float, Join] | None = None
    for join in _joins(truth, found, now):
        image = np.append(join.place, np.int32(-1))[found.image]
        more = _coverage(image, len(truth.images))
        if more < 0.3 or (more <= coverage + 0.2 and fit > 0.3):
            continue
        aligned = _moved(tables, join)
        if aligned is None:
            continue
        then = _fit(aligned)
        if best is None or then > best[0] + 0.02:
            best = then, more, join
    if best is not None and (
        (best[0] > fit + 0.15 and best[0] > 1.5 * fit) or (coverage < 0.5 < best[1] and best[0] > fit)
    ):
        then, more, join = best
        evidence = (Evidence("mean best overlap", fit, then), Evidence("detections on known images", coverage, more))
        changed = [(found.images.key[i], truth.images.key[p]) for i, p in enumerate(join.place.tolist()) if p >= 0][:3]
        yield diagnosis(
            join.code, len(found), f"images of the detections are not those of the truth: {join.text}",
            evidence=evidence, examples=tuple(f"{a} = {b}" for a, b in changed), repair="--fix OUT",
            fix=lambda t: _renumbered(t, join),
        )  # fmt: skip
    elif now is None or coverage < 0.02:
        theirs, ours = (first_few(t.images.key, len(t.images)) for t in (found, truth))
        yield diagnosis(
            "IMG105", len(found.images), f"no image of the detections is in the truth ({theirs}; the truth has {ours})",
            repair="evaluate against the truth of the split that the detections are of",
        )  # fmt: skip


def _coverage(image: Indices, n: int) -> float:
    return float(((image >= 0) & (image < n)).mean()) if len(image) else 0.0


def _fit(aligned: Aligned) -> float:
    made = sample(aligned, 80)
    return float(made.best().mean()) if len(made) else 0.0


def _joins(truth: Truth, found: Detections, now: Aligned | None) -> Iterator[Join]:
    """Every way to join that is worth a try."""
    ours, theirs = _numbers(truth.images), _numbers(found.images)
    n = len(truth.images)
    if ours is not None and theirs is not None and len(theirs):
        place = {int(key): i for i, key in enumerate(ours.tolist())}
        shifts = {1, -1, int(theirs.min() - ours.min()), int(theirs.max() - ours.max())}
        shifts |= {int(s) for s in _common_shift(ours, theirs)}
        for shift in sorted(shifts - {0}, key=abs):
            moved = np.array([place.get(int(key) - shift, -1) for key in theirs.tolist()], np.int32)
            yield Join("IMG101", f"their numbers are shifted by {shift:+d}", moved)
    if theirs is not None and len(theirs):
        for first in (0, 1):
            moved = np.where((theirs >= first) & (theirs < n + first), theirs - first, -1).astype(np.int32)
            yield Join("IMG102", f"they are numbered by their place in the truth, from {first}", moved)
    stems = {stem(key).casefold(): i for i, key in enumerate(truth.images.key)}
    if len(stems) == n:
        moved = np.array([stems.get(stem(key).casefold(), -1) for key in found.images.key], np.int32)
        yield Join("IMG102", "they are named by the stems of the files", moved)
    if now is not None:
        order = np.argsort(truth.images.order, kind="stable")
        rank = np.empty(n, np.int64)
        rank[order] = np.arange(n)
        own = _own_places(truth, found)
        for by in (1, -1):
            near = np.where(own >= 0, rank[own] + by, -1)
            moved = np.where((near >= 0) & (near < n) & (own >= 0), order[np.clip(near, 0, n - 1)], -1).astype(np.int32)
            yield Join("IMG103", f"boxes are those of the {'next' if by > 0 else 'previous'} image", moved)


def _own_places(truth: Truth, found: Detections) -> Indices:
    """The image of the truth that each image of the detections joins now."""
    if found.images is truth.images:
        return np.arange(len(truth.images), dtype=np.int32)
    if truth.images.id is not None and found.images.id is not None:
        place = {int(key): i for i, key in enumerate(truth.images.id.tolist())}
        return np.array([place.get(int(key), -1) for key in found.images.id.tolist()], np.int32)
    names = {key: i for i, key in enumerate(truth.images.key)}
    return np.array([names.get(key, -1) for key in found.images.key], np.int32)


def _numbers(images: Images) -> np.ndarray[tuple[int], np.dtype[np.int64]] | None:
    """The numbers of images: their ids, or their names where those are numbers."""
    if images.id is not None:
        return images.id
    stems = [stem(key) for key in images.key]
    return np.array([int(s) for s in stems], np.int64) if stems and all(s.isdigit() for s in stems) else None


def _common_shift(
    ours: np.ndarray[tuple[int], np.dtype[np.int64]], theirs: np.ndarray[tuple[int], np.dtype[np.int64]]
) -> list[int]:
    """The difference that occurs most often between numbers of the two sides."""
    a, b = np.unique(ours)[:400], np.unique(theirs)[:400]
    values, counts = np.unique((b[:, None] - a[None, :]).reshape(-1), return_counts=True)
    return [int(v) for v in values[np.argsort(-counts, kind="stable")[:2]]]


def _renumbered(tables: Tables, join: Join) -> Tables:
    """The detections over the truth's images; those without one are left out."""
    truth, found = tables
    assert found is not None
    image = np.append(join.place, np.int32(-1))[found.image]
    return Tables(truth, replace(found, images=truth.images, image=image))


def _moved(tables: Tables, join: Join) -> Aligned | None:
    return joined(_renumbered(tables, join))
