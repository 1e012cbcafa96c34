"""Classes under other numbers or names: boxes fit, and what is in them is called differently."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from boxscore.checkup.sampling import Sample
from boxscore.diagnostics.diagnoses import Diagnosis, Evidence, Tables, diagnosis
from boxscore.errors import first_few
from boxscore.formats.io.class_numbers import COCO_IDS
from boxscore.tables.model import Detections, Indices, Truth
from boxscore.tables.synonyms import suggestions

SURE = 10  # pairs that a single class needs
MAPPED = "--map-classes FILE with a line such as `detections name = truth name` for each does the same"
Map = Mapping[int, int]  # classes of the detections to classes of the truth, by index


def misnamed(made: Sample, tables: Tables) -> Diagnosis | None:
    """What the classes of the detections are in the truth, where they are not what they are called."""
    found = tables.detections
    assert found is not None
    places, pairs = made.matched
    rows, objects = made.detection[places], made.object[made.pair_object[pairs]]
    known = (found.label[rows] >= 0) & (tables.truth.label[objects] >= 0)
    rows, objects = rows[known], objects[known]
    if len(rows) < 5:
        return None
    theirs, ours = found.label[rows], tables.truth.label[objects]
    named = made.aligned.detections.label[rows]
    now = float((named == ours).mean())
    majority = _one_to_one(theirs, ours)
    share = _right(majority, theirs, ours)
    ruled = _best_rule(tables, theirs, ours)
    if share - now > 0.25 and share > 0.5:
        return _all(tables, theirs, ours, majority, now)
    if ruled is not None and ruled[0] > max(now + 0.05, 0.95 * share) and (ruled[0] - now) * len(rows) > SURE:
        return _said(tables, ruled, now)  # part of the classes only, by a rule that all follow
    return _written_otherwise(tables, theirs, ours) or _single(tables, theirs, ours, named)


def _right(rule: Map, theirs: Indices, ours: Indices) -> float:
    """The share of detections that have the class of their object under a rule."""
    table = np.full(int(theirs.max(initial=0)) + 2, -2)
    table[[k for k in rule if k < len(table) - 1]] = [v for k, v in rule.items() if k < len(table) - 1]
    return float((table[theirs] == ours).mean())


def _one_to_one(theirs: Indices, ours: Indices) -> dict[int, int]:
    """The class of the truth that each class of the detections lies on most often, none for two: lists do not merge."""
    pairs, counts = np.unique(np.stack([theirs, ours]), axis=1, return_counts=True)
    made: dict[int, int] = {}
    for k in np.argsort(-counts, kind="stable").tolist():
        one, other = int(pairs[0, k]), int(pairs[1, k])
        if one not in made and other not in made.values():
            made[one] = other
    return made


Ruled = tuple[float, str, str, Map]  # the share that it gets right, code, text, rule


def _best_rule(tables: Tables, theirs: Indices, ours: Indices) -> Ruled | None:
    """The rule for all classes under which most detections have the class of their object."""
    best: Ruled | None = None
    assert tables.detections is not None
    for code, text, rule in _rules(tables.truth, tables.detections):
        fits = _right(rule, theirs, ours)
        if best is None or fits > best[0] + 0.02:
            best = fits, code, text, rule
    return best


def _all(tables: Tables, theirs: Indices, ours: Indices, majority: Map, now: float) -> Diagnosis:
    """One rule for all classes if there is one, else the list that the boxes suggest."""
    found = tables.detections
    assert found is not None
    best = _best_rule(tables, theirs, ours)
    reached = _right(majority, theirs, ours)
    if best is None or best[0] < 0.8 * reached or best[0] < now + 0.2:
        pairs = dict(suggestions(found.classes.name, tables.truth.classes.name))
        place = {name: k for k, name in enumerate(tables.truth.classes.name)}
        meant = {k: place[pairs[name]] for k, name in enumerate(found.classes.name) if name in pairs}
        code = "CLS104" if _right({**majority, **meant}, theirs, ours) > 0.9 * reached and meant else "CLS103"
        rule = {**majority, **meant} if code == "CLS104" else majority
        how = "they are written otherwise" if code == "CLS104" else "they follow another list"
        best = reached, code, f"{how} ({_pairs(tables.truth, found, rule)})", rule
    return _said(tables, best, now)


def _said(tables: Tables, best: Ruled, now: float) -> Diagnosis:
    found = tables.detections
    assert found is not None
    fits, code, text, rule = best
    return diagnosis(
        code, len(found), f"the classes of the detections are not those of the truth: {text}",
        evidence=(Evidence("right class where boxes fit", now, fits),), repair=MAPPED,
        examples=tuple(_lines(tables.truth, found, rule)[:3]), fix=partial(renamed, rule=rule),
    )  # fmt: skip


def _written_otherwise(tables: Tables, theirs: Indices, ours: Indices) -> Diagnosis | None:
    """Names that the truth has under another spelling or as a synonym, unless the boxes say otherwise."""
    truth, found = tables
    assert found is not None
    used = np.zeros(len(found.classes) + 1, np.bool_)
    used[found.label] = True
    names = [found.classes.name[k] for k in np.flatnonzero(used[:-1]).tolist()]
    pairs = dict(suggestions(names, truth.classes.name))
    place = {name: k for k, name in enumerate(truth.classes.name)}
    rule = {k: place[pairs[name]] for k, name in enumerate(found.classes.name) if name in pairs and used[k]}
    own = np.isin(theirs, list(rule))
    right = _right(rule, theirs[own], ours[own]) if own.any() else 0.0
    if not rule or (own.sum() >= SURE and right < 0.3):
        return None
    return diagnosis(
        "CLS104", int(np.isin(found.label, list(rule)).sum()),
        f"{len(rule):,} classes are written otherwise in the truth, and do not join "
        f"({_pairs(truth, found, rule)})", examples=tuple(_lines(truth, found, rule)),
        evidence=(Evidence("right class where boxes fit", 0.0, right),) if own.any() else (), repair=MAPPED,
        fix=partial(renamed, rule=rule),
    )  # fmt: skip


def _rules(truth: Truth, found: Detections) -> Iterator[tuple[str, str, Map]]:
    """Shifts of the numbers, COCO's two numberings, the place in the list."""
    place = {str(key): k for k, key in enumerate(truth.classes.id)}
    numbers = {k: int(key) for k, key in enumerate(found.classes.id) if str(key).lstrip("-").isdigit()}
    for by in (-1, 1, -2, 2, *range(-10, -2), *range(3, 11)):
        rule = {k: place[str(key + by)] for k, key in numbers.items() if str(key + by) in place}
        if rule:
            yield "CLS101", f"their numbers are {abs(by)} too {'high' if by < 0 else 'low'}", rule
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


def _single(tables: Tables, theirs: Indices, ours: Indices, named: Indices) -> Diagnosis | None:
    """Classes that lie on objects of another one almost always."""
    found = tables.detections
    assert found is not None
    n = len(tables.truth.classes)
    table = np.bincount(theirs.astype(np.int64) * n + ours, minlength=len(found.classes) * n).reshape(-1, n)
    kept = np.bincount(theirs, weights=named == ours, minlength=len(found.classes))
    size, most, target = table.sum(axis=1), table.max(axis=1), table.argmax(axis=1)
    # Where objects are found under their own name as well, the others are confused with them, not called so.
    own_name = np.bincount(ours[named == ours], minlength=n) / np.maximum(np.bincount(ours, minlength=n), 1)
    chosen = (size >= SURE) & (most >= 0.7 * size) & (kept < 0.15 * size) & (own_name[target] < 0.5)
    # A class that several others lie on is the most frequent one: they are wrong, not called otherwise.
    chosen &= np.bincount(target[chosen], minlength=n)[target] == 1
    moved = {int(k): int(target[k]) for k in np.flatnonzero(chosen)}
    if not moved:
        return None
    own = np.isin(theirs, list(moved))
    evidence = Evidence("right class where boxes fit", float((named[own] == ours[own]).mean()),
                        _right(moved, theirs[own], ours[own]))  # fmt: skip
    return diagnosis(
        "CLS103", int(np.isin(found.label, list(moved)).sum()),
        f"some classes lie on objects of another one ({_pairs(tables.truth, found, moved)})", evidence=(evidence,),
        examples=tuple(_lines(tables.truth, found, moved)[:3]), repair=MAPPED, fix=partial(renamed, rule=moved),
    )  # fmt: skip


def _lines(truth: Truth, found: Detections, rule: Map) -> list[str]:
    return [f"{found.classes.name[k]} = {truth.classes.name[v]}" for k, v in sorted(rule.items())]


def _pairs(truth: Truth, found: Detections, rule: Map) -> str:
    lines = _lines(truth, found, rule)
    return first_few(lines, len(lines))


def renamed(tables: Tables, rule: Map) -> Tables:
    """The detections under the truth's classes; those that no rule names keep theirs if it has one."""
    truth, found = tables
    assert found is not None
    place = {name: k for k, name in enumerate(truth.classes.name)}
    table = [rule.get(k, place.get(name, -1)) for k, name in enumerate(found.classes.name)]
    label = np.array([*table, -1], np.int32)[found.label]
    return Tables(truth, replace(found, classes=truth.classes, label=label))
