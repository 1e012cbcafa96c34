"""Boxes that are misread, all of them or those of a class, a folder, a half: found by trying every other reading."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from boxscore.align import Aligned
from boxscore.doctor.readings import AS_READ, Reading, readings, scaled_by
from boxscore.doctor.record import Diagnosis, Evidence, Tables, diagnosis
from boxscore.doctor.sample import Sample
from boxscore.model import Bools, Detections, Floats, Ints, Truth

BETTER = 0.12  # by so much the mean best overlap must rise
FEW = 8  # detections of a group below which nothing is said of it
_SIMPLER = 0.02  # what each further mistake must bring
_ANNOTATED = 0.02  # truth is wrong more rarely than detections are
_INSIDE = 0.2  # what speaks for boxes that all lie in their images


class Group(NamedTuple):
    """Some of the detections: what they have in common, which of the sample they are, which of all rows."""

    title: str
    members: Bools  # of the sample
    rows: Bools  # of the table


class Tried(NamedTuple):
    """A reading that was tried on one side, and the best overlap of each detection of the sample under it."""

    reading: Reading
    side: str
    best: Floats
    inside: float = 0.0  # the share of boxes that lie in their images then


def misread(sample: Sample) -> Iterator[Diagnosis]:
    """The readings under which boxes fit much better: of all, else of the groups that have one."""
    if len(sample) < 3:
        return
    tried = list(_tried(sample))
    everything = Group("", np.ones(len(sample), np.bool_), np.ones(len(sample.aligned.detections), np.bool_))
    whole = _verdict(sample, tried, everything)
    parts = [found for group in _groups(sample) if (found := _verdict(sample, tried, group)) is not None]
    share = 0.0 if whole is None else _fitting(tried, whole[0], everything.members)
    # Some groups may be misread and the others not: then what helps the whole harms the others.
    parts = [found for found in parts if found[2].rows.mean() < 0.9]
    if whole is not None and (not parts or share > 0.6 or max(p[1] for p in parts) < whole[1] * 1.5):
        yield _said(sample, *whole)
    elif parts:
        yield _said(sample, *max(parts, key=lambda found: found[1] * found[2].members.mean() ** 0.5))


def _fitting(tried: list[Tried], reading: Tried, members: Bools) -> float:
    """The share of detections that fit better than as they were read."""
    return float((reading.best[members] > tried[0].best[members] + 0.05).mean())


def _tried(sample: Sample) -> Iterator[Tried]:
    """Every reading of the detections, and of the truth."""
    yield Tried(AS_READ, "detections", sample.best())
    for side, table, rows in (
        ("detections", sample.aligned.detections, sample.detection),
        ("truth", sample.aligned.truth, sample.object),
    ):
        sizes = _sizes(sample.aligned, table, rows)
        corners = table.corners[rows]
        extent = float(np.quantile(corners[:, 2:], 0.995)) if len(rows) else 0.0
        other = sample.aligned.truth if side == "detections" else sample.aligned.detections
        for reading in (*readings(extent), *_by_size(corners, other.corners)):
            if reading.sized and sizes is None:
                continue
            undone = reading.undo(corners, np.ones((len(rows), 2)) if sizes is None else sizes)
            best = sample.best(found=undone) if side == "detections" else sample.best(objects=undone)
            yield Tried(reading, side, best, _inside(undone, sizes))


def _by_size(corners: Floats, other: Floats) -> list[Reading]:
    """A factor between the sizes of boxes of the two sides."""
    here, there = (np.median(_side(c)) if len(c) else 0.0 for c in (corners, other))
    factor = here / there if there > 0 and here > 0 else 1.0
    return [scaled_by(f) for f in {float(np.round(factor, 2)) or 1.0, 0.5, 2.0} if abs(f - 1) > 0.2]


def _side(corners: Floats) -> Floats:
    side: Floats = np.sqrt(np.maximum((corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1]), 0))
    return side


def _sizes(aligned: Aligned, table: Truth | Detections, rows: Ints) -> Floats | None:
    images = aligned.truth.images
    if images.width is None or images.height is None:
        return None
    sizes = np.stack([images.width, images.height], axis=1)[table.image[rows]]
    return sizes if bool(np.isfinite(sizes).all() and (sizes > 0).all()) else None


def _verdict(sample: Sample, tried: list[Tried], group: Group) -> tuple[Tried, float, Group] | None:
    """The reading under which the detections of a group fit best, and by how much better; None if none does."""
    if group.members.sum() < FEW and group.title:
        return None
    base = float(tried[0].best[group.members].mean())
    scores = [
        float(one.best[group.members].mean()) - _SIMPLER * max(len(one.reading.parts) - 1, 0)
        - _ANNOTATED * (one.side == "truth") + _INSIDE * one.inside
        for one in tried[1:]
    ]  # fmt: skip
    if not scores:
        return None
    best = int(np.argmax(scores))
    gain = float(tried[1:][best].best[group.members].mean()) - base
    near = float(tried[1:][best].best[group.members].mean())
    return (tried[1:][best], gain, group) if gain > BETTER and near > 1.3 * base else None


def _inside(box: Floats, sizes: Floats | None) -> float:
    """How many boxes lie in their images, where sizes are known; most right ones do."""
    if sizes is None or not len(box):
        return 0.0
    real = (box[:, 2:] > box[:, :2]).all(axis=1)
    return float((real & (box[:, :2] > -2).all(axis=1) & (box[:, 2:] < sizes + 2).all(axis=1)).mean())


def _groups(sample: Sample) -> Iterator[Group]:
    """Detections of one class, of images of one folder, of the first or second half of the images."""
    found, keys = sample.aligned.detections, sample.aligned.truth.images.key
    for k in np.unique(found.label[sample.detection]).tolist():
        if k >= 0:
            name = found.classes.name[k]
            yield Group(f"of class '{name}'", found.label[sample.detection] == k, found.label == k)
    folders = np.array([key.rpartition("/")[0] for key in keys])
    names = np.unique(folders)
    if 1 < len(names) <= 64:
        padded = np.append(folders, "?")
        for name in names.tolist():
            own = padded[np.where(found.image < len(folders), found.image, -1)] == name
            yield Group(f"on images of {name or 'the top folder'}", own[sample.detection], own)
    middle = np.median(sample.image)
    for title, own in (("of the first half of the images", found.image < middle),
                       ("of the second half of the images", found.image >= middle)):  # fmt: skip
        yield Group(title, own[sample.detection], own)


def _said(sample: Sample, one: Tried, gain: float, group: Group) -> Diagnosis:
    base = sample.best()[group.members]
    then = one.best[group.members]
    evidence = (
        Evidence("mean best overlap", float(base.mean()), float(then.mean())),
        Evidence("share above 0.5", float((base >= 0.5).mean()), float((then >= 0.5).mean())),
    )
    code = (one.reading.parts or (one.reading,))[0].code
    if "BOX101" in [part.code for part in one.reading.parts]:
        code = "BOX101"
    rows = group.rows if one.side == "detections" else np.ones(len(sample.aligned.truth), np.bool_)
    who = "boxes of the detections" if one.side == "detections" else "boxes of the truth"
    text = f"{who} {group.title + ' ' if group.title else ''}fit as {one.reading.text}"
    return diagnosis(
        code, int(rows.sum()), text, side=one.side, evidence=evidence, examples=_examples(sample, one, group),
        repair=_repair(one), fix=lambda tables: undone(tables, one.side, rows, one.reading),
    )  # fmt: skip


def _examples(sample: Sample, one: Tried, group: Group) -> tuple[str, ...]:
    if one.side != "detections":
        return ()
    found, keys = sample.aligned.detections, sample.aligned.truth.images.key
    chosen = np.flatnonzero(group.members & (one.best > 0.5))[:3]
    rows = sample.detection[chosen]
    made = []
    for row in rows.tolist():
        box = ", ".join(f"{v:.6g}" for v in found.corners[row])
        made.append(f"{keys[found.image[row]]}: corners {box} (row {found.position[row]})")
    return tuple(made)


def _repair(one: Tried) -> str:
    option = {"BOX102": "xyxy", "BOX103": "xywh", "BOX104": "cxcywh", "BOX105": "xywh"}.get(one.reading.code)
    if option and not one.reading.parts:
        return f"--{one.side}-box {option}"
    if one.reading.code == "BOX106" and not one.reading.parts:
        return "--coords relative"
    return "--fix OUT"


def undone(tables: Tables, side: str, rows: Bools, reading: Reading) -> Tables:
    """The tables with a reading of some rows undone."""
    truth, found = tables
    table: Truth | Detections | None = truth if side == "truth" else found
    assert table is not None
    images = truth.images
    unknown = np.ones(len(images) + 1)
    width = unknown if images.width is None else np.append(images.width, 1.0)
    height = unknown if images.height is None else np.append(images.height, 1.0)
    place = np.where(table.image < len(images), table.image, len(images))[rows]
    corners = table.corners.copy()
    corners[rows] = reading.undo(table.corners[rows], np.stack([width[place], height[place]], axis=1))
    area = (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1])
    made = replace(table, corners=corners, box_area=np.where(rows, area, table.box_area))
    return Tables(made, found) if isinstance(made, Truth) else Tables(truth, made)
