"""What is wrong with the truth by itself: ids, classes, boxes, objects annotated twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from boxscore.doctor.record import Diagnosis, Tables, diagnosis
from boxscore.doctor.sample import overlap
from boxscore.errors import first_few
from boxscore.model import Bools, Detections, Ints, Truth, select

SAME = 0.95  # overlap from which two objects of a class are taken for one
TWICE = 0.01  # share of objects from which it is no accident


def faults(tables: Tables) -> Iterator[Diagnosis]:
    """All checks of the truth alone."""
    truth = tables.truth
    yield from _ids(truth)
    yield from _classes(truth)
    yield from odd_boxes(truth, "truth")
    yield from _twice(truth)


def place(table: Truth | Detections, row: int) -> str:
    """How messages name a row: its image, its file if it has one, its place there."""
    image = int(table.image[row])
    name = table.images.key[image] if 0 <= image < len(table.images) else "?"
    where = table.places[image] if table.places is not None and 0 <= image < len(table.places) else table.source
    return f"{where}: image {name}, row {int(table.position[row])}"


def _ids(truth: Truth) -> Iterator[Diagnosis]:
    if truth.id is None:
        return
    zero = np.flatnonzero(truth.id == 0)
    if len(zero):
        yield diagnosis(
            "ID101", len(zero), f"{_objects(len(zero))} annotation id 0, which pycocotools never matches", side="truth",
            examples=tuple(place(truth, int(r)) for r in zero[:3]),
            repair="--protocol coco-fixed, or --fix OUT, which numbers from 1",
            fix=lambda t: Tables(replace(t.truth, id=np.arange(1, len(t.truth) + 1)), t.detections),
        )  # fmt: skip
    repeated = len(truth) - len(np.unique(truth.id))
    if repeated:
        _, first, counts = np.unique(truth.id, return_index=True, return_counts=True)
        some = first[counts > 1][:3]
        yield diagnosis(
            "ID102", repeated, f"{_objects(repeated)} the annotation id of another one", side="truth",
            examples=tuple(f"id {int(truth.id[r])}, {place(truth, int(r))}" for r in some),
            repair="--protocol coco-fixed, or --fix OUT, which numbers from 1",
            fix=lambda t: Tables(replace(t.truth, id=np.arange(1, len(t.truth) + 1)), t.detections),
        )  # fmt: skip


def _objects(n: int) -> str:
    return f"{n:,} object{'s' * (n != 1)} {'have' if n != 1 else 'has'}"


def _classes(truth: Truth) -> Iterator[Diagnosis]:
    names = truth.classes.name
    used = np.zeros(len(names), np.bool_)
    used[truth.label[truth.label >= 0]] = True
    if len(unused := [names[k] for k in np.flatnonzero(~used).tolist()]):
        yield diagnosis(
            "CLS105", len(unused), f"classes without objects: {first_few(unused, len(unused))}", side="truth",
            repair="nothing, if the split is small; they do not enter the mean",
        )  # fmt: skip
    folded: dict[str, list[str]] = {}
    for name in names:
        folded.setdefault("".join(c for c in name.casefold() if c.isalnum()), []).append(name)
    twice = [" = ".join(group) for group in folded.values() if len(group) > 1]
    if twice:
        yield diagnosis(
            "CLS107", len(twice), f"classes with one name, or nearly: {first_few(twice, len(twice))}", side="truth",
            repair="merge them, or give them different names",
        )  # fmt: skip


def odd_boxes(table: Truth | Detections, side: str) -> Iterator[Diagnosis]:
    """Boxes without extent and boxes that leave the image, for either side."""
    corners = table.corners
    flat = np.flatnonzero((corners[:, 2:] <= corners[:, :2]).any(axis=1))
    if len(flat):
        yield diagnosis(
            "BOX112", len(flat), f"{len(flat):,} boxes of the {side} have no extent", side=side,
            examples=tuple(place(table, int(r)) for r in flat[:3]), repair="--fix OUT leaves them out",
            fix=lambda t: without(t, side, flat),
        )  # fmt: skip
    beyond = outside(table)
    if beyond is not None and beyond.sum() > max(3, (0.02 if side == "truth" else 0.2) * len(table)):  # nets overshoot
        rows = np.flatnonzero(beyond)
        yield diagnosis(
            "BOX113", len(rows), f"{len(rows):,} boxes of the {side} leave their image by more than 2 %", side=side,
            examples=tuple(place(table, int(r)) for r in rows[:3]), repair="check image sizes and the form of the boxes",
        )  # fmt: skip


def outside(table: Truth | Detections) -> Bools | None:
    """Which boxes leave their image by more than a fiftieth of its side; None where no size is known."""
    images = table.images
    if table.relative:
        beyond: Bools = ((table.corners < -0.02) | (table.corners > 1.02)).any(axis=1)
        return beyond
    if images.width is None or images.height is None or not np.isfinite(images.width).any():
        return None
    size = np.stack([np.append(images.width, np.nan), np.append(images.height, np.nan)], axis=1)
    own = size[np.where((table.image >= 0) & (table.image < len(images)), table.image, -1)]
    with np.errstate(invalid="ignore"):
        left = (table.corners[:, :2] < -0.02 * own).any(axis=1) | (table.corners[:, 2:] > 1.02 * own).any(axis=1)
    return left


def without(tables: Tables, side: str, rows: Ints) -> Tables:
    keep = np.ones(len(tables.truth if side == "truth" else tables.detections or ()), np.bool_)
    keep[rows] = False
    if side == "truth":
        return Tables(select(tables.truth, keep), tables.detections)
    assert tables.detections is not None
    return Tables(tables.truth, select(tables.detections, keep))


def _twice(truth: Truth) -> Iterator[Diagnosis]:
    """Objects that lie on the one before them, sorted so that such are neighbours."""
    c = truth.corners
    if len(truth) < 2:
        return
    order = np.lexsort((c[:, 1], c[:, 0], truth.label, truth.image))
    a, b = order[:-1], order[1:]
    near = (truth.image[a] == truth.image[b]) & (truth.label[a] == truth.label[b])
    a, b = a[near], b[near]
    rows = b[overlap(c[a], c[b]) >= SAME]
    if len(rows) > TWICE * len(truth):
        yield diagnosis(
            "DUP102", len(rows), f"{len(rows):,} objects lie on another one of their class almost exactly", side="truth",
            examples=tuple(place(truth, int(r)) for r in rows[:3]), repair="--fix OUT leaves one of each",
            fix=lambda t: without(t, "truth", rows),
        )  # fmt: skip
