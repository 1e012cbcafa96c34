"""Classes under other numbers or names: boxes fit, and what is in them is called differently."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from boxscore.doctor.record import Diagnosis, Evidence, Tables, diagnosis
from boxscore.doctor.sample import Sample
from boxscore.errors import first_few
from boxscore.model import Detections, Indices, Ints, Truth

FIT = 0.5  # overlap from which a detection and an object are taken for the same thing
SURE = 10  # pairs that a single class needs
# COCO numbers 80 classes from 1 to 90; these ids were never used.
COCO_IDS = tuple(i for i in range(1, 91) if i not in (12, 26, 29, 30, 45, 66, 68, 69, 71, 83))
Map = Mapping[int, int]  # classes of the detections to classes of the truth, by index


def misnamed(sample: Sample, tables: Tables) -> Iterator[Diagnosis]:
    """What the classes of the detections are in the truth, where most of them are not what they are called."""
    found = tables.detections
    assert found is not None
    overlap = sample.overlaps()
    if not len(overlap):
        return
    best = np.maximum.reduceat(overlap, sample.first[:-1])
    at = np.flatnonzero((overlap == best[sample.pair_detection]) & (overlap >= FIT))
    at = at[np.unique(sample.pair_detection[at], return_index=True)[1]]
    rows = sample.detection[sample.pair_detection[at]]
    theirs, ours = found.label[rows], tables.truth.label[sample.object[sample.pair_object[at]]]
    named = sample.aligned.detections.label[rows]
    if len(at) < 5:
        return
    now = float((named == ours).mean())
    majority = _majority(theirs, ours)
    share = float((np.array([majority.get(k, -1) for k in theirs.tolist()]) == ours).mean())
    if share - now > 0.25 and share > 0.5:
        yield _all(tables, theirs, ours, majority, now)
        return
    yield from _single(tables, theirs, ours, named)


def _majority(theirs: Indices, ours: Indices) -> dict[int, int]:
    made = {}
    for k in np.unique(theirs).tolist():
        values, counts = np.unique(ours[theirs == k], return_counts=True)
        made[k] = int(values[counts.argmax()])
    return made


def _all(tables: Tables, theirs: Indices, ours: Indices, majority: Map, now: float) -> Diagnosis:
    """One rule for all classes if there is one, else the list that the boxes suggest."""
    found = tables.detections
    assert found is not None
    best: tuple[float, str, str, Map] | None = None
    for code, text, rule in _rules(tables.truth, found):
        fits = float((np.array([rule.get(k, -1) for k in theirs.tolist()]) == ours).mean())
        if best is None or fits > best[0] + 0.02:
            best = fits, code, text, rule
    reached = float((np.array([majority[k] for k in theirs.tolist()]) == ours).mean())
    if best is None or best[0] < 0.8 * reached or best[0] < now + 0.2:
        best = reached, "CLS103", f"they are by another list ({_pairs(tables.truth, found, majority)})", majority
    fits, code, text, rule = best
    evidence = (Evidence("right class where boxes fit", now, fits),)
    return diagnosis(
        code, len(found), f"classes of the detections are not those of the truth: {text}", evidence=evidence,
        examples=tuple(_lines(tables.truth, found, rule)[:3]), repair=_repair(code, tables.truth, found, rule),
        fix=lambda t: renamed(t, rule),
    )  # fmt: skip


def _rules(truth: Truth, found: Detections) -> Iterator[tuple[str, str, Map]]:
    """Shifts of the numbers, COCO's two numberings, the place in the list."""
    place = {str(key): k for k, key in enumerate(truth.classes.id)}
    numbers = {k: int(key) for k, key in enumerate(found.classes.id) if str(key).lstrip("-").isdigit()}
    for by in (-1, 1, -2, 2, *range(-10, -2), *range(3, 11)):
        rule = {k: place[str(key + by)] for k, key in numbers.items() if str(key + by) in place}
        if rule:
            yield "CLS101", f"their numbers are shifted ({-by:+d})", rule
    for first in (0, 1):
        named = {k: COCO_IDS[key - first] for k, key in numbers.items() if 0 <= key - first < 80}
        rule = {k: place[str(key)] for k, key in named.items() if str(key) in place}
        if rule:
            yield "CLS102", f"they count COCO's 80 classes from {first}", rule
        back = {str(key): i + first for i, key in enumerate(COCO_IDS)}
        rule = {k: place[str(back[str(key)])] for k, key in numbers.items() if str(back.get(str(key))) in place}
        if rule:
            yield "CLS102", f"they have COCO's ids up to 90, the truth counts 80 classes from {first}", rule
        rule = {k: key - first for k, key in numbers.items() if 0 <= key - first < len(truth.classes)}
        yield "CLS101", f"they are places in the truth's list, counted from {first}", rule


def _single(tables: Tables, theirs: Indices, ours: Indices, named: Ints) -> Iterator[Diagnosis]:
    """Classes that lie on objects of another one almost always."""
    found = tables.detections
    assert found is not None
    moved: dict[int, int] = {}
    for k in np.unique(theirs).tolist():
        own = theirs == k
        values, counts = np.unique(ours[own], return_counts=True)
        most = int(counts.argmax())
        kept = float((named[own] == ours[own]).mean())
        if own.sum() >= SURE and counts[most] >= 0.7 * own.sum() and kept < 0.15:
            moved[k] = int(values[most])
    if moved:
        n = int(np.isin(found.label, list(moved)).sum())
        own = np.isin(theirs, list(moved))
        then = float((np.array([moved[k] for k in theirs[own].tolist()]) == ours[own]).mean())
        evidence = (Evidence("right class where boxes fit", float((named[own] == ours[own]).mean()), then),)
        yield diagnosis(
            "CLS103", n, f"some classes lie on objects of another one ({_pairs(tables.truth, found, moved)})",
            evidence=evidence, examples=tuple(_lines(tables.truth, found, moved)[:3]),
            repair=_repair("CLS103", tables.truth, found, moved), fix=lambda t: renamed(t, moved),
        )  # fmt: skip


def _lines(truth: Truth, found: Detections, rule: Map) -> list[str]:
    return [f"{found.classes.name[k]} = {truth.classes.name[v]}" for k, v in sorted(rule.items())]


def _pairs(truth: Truth, found: Detections, rule: Map) -> str:
    lines = _lines(truth, found, rule)
    return first_few(lines, len(lines))


def _repair(code: str, truth: Truth, found: Detections, rule: Map) -> str:
    return f"--map-classes FILE with the lines {_pairs(truth, found, rule)}, or --fix OUT"


def renamed(tables: Tables, rule: Map) -> Tables:
    """The detections under the truth's classes; those that no rule names keep theirs if it has one."""
    truth, found = tables
    assert found is not None
    place = {name: k for k, name in enumerate(truth.classes.name)}
    table = [rule.get(k, place.get(name, -1)) for k, name in enumerate(found.classes.name)]
    label = np.array([*table, -1], np.int32)[found.label]
    return Tables(truth, replace(found, classes=truth.classes, label=label))
