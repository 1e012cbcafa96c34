"""What is wrong with the truth by itself: ids, classes, boxes, objects annotated twice, images of the training set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from boxscore.checkup.sampling import columns, overlap
from boxscore.checkup.tables import odd_boxes, place, without
from boxscore.diagnostics.diagnoses import Diagnosis, Tables, diagnosis
from boxscore.errors import first_few
from boxscore.formats.io.same_images import stem
from boxscore.tables.model import Ints, Truth, select

SAME = 0.95  # overlap from which two objects of a class are taken for one
TWICE = 0.01  # share of objects from which it is no accident
OFTEN = 0.04  # the same from which somebody should do something about it
LOOK = "look at them: real pairs, copies of a class above, or the same object twice"
NUMBERED = "--protocol coco-fixed"


def faults(tables: Tables) -> Iterator[Diagnosis]:
    """All checks of the truth alone."""
    truth = tables.truth
    yield from _ids(truth)
    yield from _classes(truth)
    yield from odd_boxes(truth, "truth")
    yield from _twice(truth)


def _ids(truth: Truth) -> Iterator[Diagnosis]:
    if truth.id is None or not len(truth):
        return
    zero = np.flatnonzero(truth.id == 0)
    if len(zero):
        yield diagnosis(
            "ID001", len(zero), f"{_objects(len(zero))} annotation id 0, which pycocotools never matches: "
            "a perfect box counts as a miss", side="truth", examples=tuple(place(truth, int(r)) for r in zero[:3]),
            option=NUMBERED, fix=_renumbered,
        )  # fmt: skip
    ordered = np.sort(truth.id) if (np.diff(truth.id) <= 0).any() else truth.id
    repeated = int((np.diff(ordered) == 0).sum())
    if repeated:
        _, first, counts = np.unique(truth.id, return_index=True, return_counts=True)
        some = first[counts > 1][:3]
        yield diagnosis(
            "ID002", repeated, f"{_objects(repeated)} the annotation id of another one, and pycocotools takes the last "
            "of them for all", side="truth",
            examples=tuple(f"id {int(truth.id[r])}, {place(truth, int(r))}" for r in some),
            option=NUMBERED, fix=_renumbered,
        )  # fmt: skip


def _renumbered(tables: Tables) -> Tables:
    """Objects numbered from 1."""
    return Tables(replace(tables.truth, id=np.arange(1, len(tables.truth) + 1)), tables.detections)


def _objects(n: int) -> str:
    return f"{n:,} object{'s' * (n != 1)} {'have' if n != 1 else 'has'}"


def _classes(truth: Truth) -> Iterator[Diagnosis]:
    names = truth.classes.name
    used = np.zeros(len(names) + 1, np.bool_)
    used[truth.label] = True
    if len(unused := [names[k] for k in np.flatnonzero(~used[:-1]).tolist()]):
        yield diagnosis(
            "CLS105", len(unused), f"{len(unused):,} of {len(names):,} classes have no object: "
            f"{first_few(unused, len(unused))}", side="truth",
            repair="nothing, if the split is small: they do not enter the mean",
        )  # fmt: skip
    folded: dict[str, list[int]] = {}
    for k, name in enumerate(names):
        folded.setdefault("".join(c for c in name.casefold() if c.isalnum()) or name, []).append(k)
    twice = [group for group in folded.values() if len(group) > 1]
    if twice:
        texts = [" = ".join(names[k] for k in group) for group in twice]
        one = diagnosis(
            "CLS002", len(twice), f"classes have one name, or nearly, and are evaluated on their own: "
            f"{first_few(texts, len(texts))}", side="truth", repair="merge them, or give them different names",
        )  # fmt: skip
        both = any(used[group].sum() > 1 for group in twice)
        yield one if both else replace(one, severity="note")  # with objects of one only, nothing is split


def _twice(truth: Truth) -> Iterator[Diagnosis]:
    """Objects that lie on the one before them, sorted so that such are neighbours."""
    if len(truth) < 2:
        return
    few = np.flatnonzero(truth.image < _enough(truth)) if len(truth) > 100_000 else None
    if few is not None and len(_doubles(select(truth, few))) < TWICE / 2 * len(few):
        return  # hardly any among the first tens of thousands
    rows = _doubles(truth)
    if len(rows) > max(2, TWICE * len(truth)):
        one = diagnosis(
            "DUP102", len(rows), f"{len(rows):,} of {len(truth):,} objects lie on another one of their class almost "
            "exactly, and only one of the two can be found", side="truth",
            examples=tuple(place(truth, int(r)) for r in rows[:3]),
            fix=partial(without, side="truth", positions=truth.position[rows]),
        )  # fmt: skip
        rare = len(rows) < OFTEN * len(truth)
        yield replace(one, severity="note", mends=False, repair=LOOK) if rare else one


def _enough(truth: Truth) -> int:
    return max(1, int(len(truth.images) * 30_000 / len(truth)))


def _doubles(truth: Truth) -> Ints:
    c = truth.corners
    order = np.lexsort((c[:, 1], c[:, 0], truth.label, truth.image))
    a, b = order[:-1], order[1:]
    near = (truth.image[a] == truth.image[b]) & (truth.label[a] == truth.label[b]) & ((truth.flags[b] & 1) == 0)
    a, b = a[near], b[near]
    return np.sort(b[overlap(columns(c, a), columns(c, b)) >= SAME])


def leaked(truth: Truth, train: Sequence[str]) -> Iterator[Diagnosis]:
    """Images of the truth whose name is one of the training set's."""
    known = {stem(key).casefold() for key in train}
    both = [key for key in truth.images.key if stem(key).casefold() in known]
    if both:
        yield diagnosis(
            "IMG107", len(both), f"{len(both):,} of {len(truth.images):,} images have the name of an image of the "
            "training set", side="truth", examples=tuple(both[:3]),
            repair="leave them out of the one or the other, unless both splits number their images from the start",
        )  # fmt: skip
