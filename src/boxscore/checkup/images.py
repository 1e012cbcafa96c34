"""Images that do not join, or join wrongly: shifted numbers, other names, neighbours, another split."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from boxscore.checkup.attempts import sizes_of
from boxscore.checkup.gain import FLOOR, ap50_of
from boxscore.checkup.readings import FORMS, SWAP, UNITS
from boxscore.checkup.sampling import sample
from boxscore.diagnostics.diagnoses import Diagnosis, Evidence, Tables, diagnosis
from boxscore.errors import InputError, first_few
from boxscore.formats.io.same_images import stem
from boxscore.joining.align import Aligned, align, places_over
from boxscore.tables.model import Detections, Images, Indices, Ints, Truth, index_of

FITS = 0.3  # mean best overlap from which images are the right ones
KEPT = 0.9  # share of the detections on known images that another way to join must keep there
SOME = 64  # images that are looked at for each way to join
TWICE = 2.0  # AP50 on their own images is so many times that on others, at least, where they belong there
CHANCE = 1.25  # boxes on images that they do not belong to fit almost so well


class Join(NamedTuple):
    """A way to find the image of the truth for each image of the detections; -1 where there is none."""

    code: str
    text: str
    place: Indices


def joined(tables: Tables) -> Aligned | None:
    """Both sides over the same images, classes as far as they join; None if no image does."""
    truth, found = tables
    assert found is not None
    place = {name: k for k, name in reversed(list(enumerate(truth.classes.name)))}
    ids = {str(key): k for k, key in reversed(list(enumerate(truth.classes.id)))}
    by_id = all(name == str(key) for name, key in zip(found.classes.name, found.classes.id, strict=True))
    table = [place.get(name, ids.get(name, -1) if by_id else -1) for name in found.classes.name]
    same = found.classes is truth.classes
    label = found.label if same else np.array([*table, -1], np.int32)[found.label]
    try:
        return align(truth, replace(found, classes=truth.classes, label=label))
    except InputError:
        return None


def over_the_same_images(tables: Tables, aligned: Aligned | None) -> Tables:
    """The tables with one list of images, where any image joins."""
    truth, found = tables
    if aligned is None or found is None:
        return tables
    images = aligned.truth.images
    detections = aligned.detections
    return Tables(truth, replace(found, images=images, image=detections.image, places=detections.places))


def misplaced(tables: Tables, now: Aligned | None, as_named: bool = False) -> Diagnosis | None:
    """Another way to join images, under which many more join or boxes fit much better.

    `as_named` tries no other way: none was confirmed.
    """
    truth, found = tables
    assert found is not None
    coverage = 0.0 if now is None else coverage_of(now.detections.image, len(truth.images))
    fit = 0.0 if now is None else fit_of(now)
    if coverage > 0.95 and fit > FITS:
        return None
    best: tuple[float, float, Join] | None = None
    for join in () if as_named else ways_to_join(truth, found, now):
        more = coverage_of(np.append(join.place, np.int32(-1))[found.image], len(truth.images))
        if more < max(0.3, KEPT * coverage) or (more <= coverage + 0.2 and fit > FITS):
            continue
        aligned = joined(renumbered(tables, join.place))
        then = 0.0 if aligned is None else fit_of(aligned, coverage < 0.5)
        if best is None or then > best[0] + 0.02:
            best = then, more, join
    if best is not None and (
        (best[0] > fit + 0.15 and best[0] > 1.5 * fit) or (coverage < 0.5 < best[1] and best[0] > fit)
    ):
        return said(tables, best, fit, coverage)
    if coverage < 0.5:
        theirs, ours = (first_few(t.images.key, len(t.images)) for t in (found, truth))
        return diagnosis(
            "IMG105", len(found.images),
            f"{1 - coverage:.0%} of the detections are on images that the truth does not have "
            f"(detections: {theirs}; truth: {ours}), and no other way to join them makes boxes fit",
            repair="give the truth of the split that the detections were made on",
        )  # fmt: skip
    return None


def unrelated(tables: Tables, now: Aligned) -> Diagnosis | None:
    """Whether boxes fit their own images no better than others."""
    fit = fit_of(now)
    if fit > FITS or len(now.truth.images) < 8:
        return None
    n = now.known_images
    others, scores = list[float](), list[float]()
    for by in (1, 3, 7):
        place = np.append(np.roll(np.arange(n), by), np.full(len(now.truth.images) - n, -1)).astype(np.int32)
        moved = joined(renumbered(over_the_same_images(tables, now), place))
        others.append(0.0 if moved is None else fit_of(moved))
        scores.append(0.0 if moved is None else ap50_of(moved)[0])
    if fit > CHANCE * max(others) or ap50_of(now)[0] > max(FLOOR, TWICE * max(scores)):
        return None  # by their best detections, or by the score: those with the best scores may be the wrong ones
    return diagnosis(
        "IMG108", len(now.detections), "boxes fit the objects of their image no better than those of any other image",
        evidence=(Evidence("mean overlap with the nearest object, on other images and on their own",
                           max(others), fit),),
        repair="check that both sides are of the same split and number images alike; a detector that has learnt "
        "nothing looks like this too",
    )  # fmt: skip


def said(tables: Tables, best: tuple[float, float, Join], fit: float, coverage: float) -> Diagnosis:
    truth, found = tables
    assert found is not None
    then, more, join = best
    shown = np.flatnonzero(join.place >= 0)[:3].tolist()
    return diagnosis(
        join.code, len(found), f"the images of the detections are not those of the truth: {join.text}",
        evidence=(
            Evidence("detections on known images", coverage, more),
            Evidence("mean overlap with the nearest object", fit, then),
        ),
        examples=tuple(
            f"image {_name(found.images, i)} of the detections is {_name(truth.images, int(join.place[i]))}"
            for i in shown
        ),
        fix=partial(renumbered, place=join.place),
    )  # fmt: skip


def _name(images: Images, i: int) -> str:
    key, number = images.key[i], None if images.id is None else str(int(images.id[i]))
    return key if number is None or number == key else f"{number} ({key})"


def coverage_of(image: Indices, n: int) -> float:
    return float(((image >= 0) & (image < n)).mean()) if len(image) else 0.0


def fit_of(aligned: Aligned, any_form: bool = False) -> float:
    """The mean best overlap of some images; of the form of boxes that fits best, where that is asked for."""
    made = sample(aligned, SOME, 100)
    if not len(made):
        return 0.0
    fits = [float(made.best_now.mean())]
    if any_form:
        known = sizes_of(aligned, aligned.detections, made.detection)
        sizes = np.ones((len(made), 2)) if known is None else known
        readings = [r for r in (*FORMS, SWAP, FORMS[0].then(SWAP), *UNITS) if known is not None or not r.sized]
        fits += [float(np.nan_to_num(made.best(found=r.undo(made.found, sizes))).mean()) for r in readings]
    return max(fits)


def ways_to_join(truth: Truth, found: Detections, now: Aligned | None) -> Iterator[Join]:
    """Every way to join that is worth a try."""
    ours, theirs = _numbers(truth.images), _numbers(found.images)
    n = len(truth.images)
    if ours is not None and theirs is not None and len(theirs):
        shifts = {1, -1, int(theirs.min() - ours.min()), int(theirs.max() - ours.max()), *_common_shift(ours, theirs)}
        if truth.images.id is None or found.images.id is None:
            yield Join("IMG102", "their names are the truth's numbers", index_of(theirs, ours))
        for shift in sorted(shifts - {0}, key=abs):
            higher = f"{abs(shift):,} too {'high' if shift > 0 else 'low'}"
            yield Join("IMG101", f"their numbers are {higher}", index_of(theirs - shift, ours))
    if theirs is not None and len(theirs):
        for first in (0, 1):
            moved = np.where((theirs >= first) & (theirs < n + first), theirs - first, -1).astype(np.int32)
            yield Join("IMG102", f"they are numbered by their place in the truth, from {first}", moved)
    yield from _by_stem(truth, found, now)
    if now is not None and found.images is not None:
        yield from _neighbours(truth, now)


def _by_stem(truth: Truth, found: Detections, now: Aligned | None) -> Iterator[Join]:
    stems: dict[str, int] = {}
    for i, key in enumerate(truth.images.key):
        name = stem(key).casefold()
        stems[name] = -1 if name in stems else i  # whatever is there twice says nothing
    moved = np.array([stems.get(stem(key).casefold(), -1) for key in found.images.key], np.int32)
    yield Join("IMG102", "they are named by the stems of the files", moved)
    bare = {name.lstrip("0"): i for name, i in stems.items()}
    if len(bare) == len(stems):
        moved = np.array([bare.get(stem(key).casefold().lstrip("0"), -1) for key in found.images.key], np.int32)
        yield Join("IMG102", "they are named by the stems of the files, with or without leading zeros", moved)


def _neighbours(truth: Truth, now: Aligned) -> Iterator[Join]:
    """Each image of the detections on the one before or after it; `now` has one list of images."""
    n = now.known_images
    order = np.argsort(truth.images.order, kind="stable")
    rank = np.empty(n, np.int64)
    rank[order] = np.arange(n)
    pad = np.full(len(now.truth.images) - n, -1)
    for by in (1, -1):
        near = rank + by
        moved = np.where((near >= 0) & (near < n), order[np.clip(near, 0, n - 1)], -1)
        text = f"boxes are those of the {'next' if by > 0 else 'previous'} image"
        yield Join("IMG103", text, np.append(moved, pad).astype(np.int32))


def _numbers(images: Images) -> Ints | None:
    """What identifies images: their ids, or their names where those are numbers."""
    if images.id is not None:
        return images.id
    stems = [stem(key) for key in images.key]
    fits = stems and all(s.isascii() and s.isdigit() and len(s) < 18 for s in stems)
    return np.array([int(s) for s in stems], np.int64) if fits else None


def _common_shift(ours: Ints, theirs: Ints) -> list[int]:
    """The differences that occur most often between numbers of the two sides."""
    a, b = np.unique(ours)[:400], np.unique(theirs)[:400]
    values, counts = np.unique((b[:, None] - a[None, :]).reshape(-1), return_counts=True)
    return [int(v) for v in values[np.argsort(-counts, kind="stable")[:2]]]


def renumbered(tables: Tables, place: Indices) -> Tables:
    """The detections over the truth's images; those without one are on no image."""
    truth, found = tables
    assert found is not None
    image, places = np.append(place, np.int32(-1))[found.image], places_over(found, place, len(truth.images))
    return Tables(truth, replace(found, images=truth.images, image=image, places=places))
