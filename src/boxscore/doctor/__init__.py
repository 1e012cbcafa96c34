"""The doctor: what is wrong with truth or detections, the evidence, and how to mend it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from boxscore.align import Aligned, align
from boxscore.doctor import both, detections, truth
from boxscore.doctor.boxes import misread
from boxscore.doctor.classes import misnamed
from boxscore.doctor.images import joined, misplaced
from boxscore.doctor.record import SEVERITIES, Diagnosis, Evidence, Tables
from boxscore.doctor.sample import MOST, Sample, sample
from boxscore.errors import InputError
from boxscore.evaluate import evaluate_tables
from boxscore.model import select
from boxscore.protocols import get

ROUNDS = 4  # mistakes on top of one another that are looked for
_AP50 = "coco[iou=0.5,max_detections=100]"

__all__ = ["Checkup", "Diagnosis", "Evidence", "Tables", "examine"]


@dataclass(frozen=True)
class Checkup:
    """All diagnoses, the gravest first, and the tables with everything undone that can be."""

    diagnoses: tuple[Diagnosis, ...]
    tables: Tables
    fixed: Tables

    def __iter__(self) -> Iterator[Diagnosis]:
        return iter(self.diagnoses)

    def worse_than(self, severity: str) -> list[Diagnosis]:
        """The diagnoses of at least a severity."""
        return [d for d in self.diagnoses if SEVERITIES.index(d.severity) <= SEVERITIES.index(severity)]


def examine(tables: Tables) -> Checkup:
    """Looks for every mistake that the registry knows, several on top of one another too."""
    found, now = list[Diagnosis](), tables
    if tables.detections is not None and len(tables.detections) and len(tables.truth):
        for _ in range(ROUNDS):
            one = _gravest(now)
            if one is None or one.fix is None:
                found += [] if one is None else [one]
                break
            after = one.fix(now)
            found.append(_with_ap50(one, now, after))
            now = after
    found += _rest(now)
    for one in found:  # what is left is mended in the copy as well
        if one.fix is not None and one.severity != "note" and one.code in _TABLE_FIXES:
            now = one.fix(now)
    order = sorted(found, key=lambda d: SEVERITIES.index(d.severity))
    return Checkup(tuple(order), tables, now)


_TABLE_FIXES = ("ID101", "ID102", "DUP101", "SCR101", "BOX110")


def _gravest(tables: Tables) -> Diagnosis | None:
    """The mistake that explains most: images that do not join first, then boxes, then classes."""
    for one in misplaced(tables):
        return one
    aligned = joined(tables)
    if aligned is None:
        return None
    made = sample(aligned)
    for one in misread(made):
        return one
    for one in misnamed(made, tables):
        return one
    return None


def _rest(tables: Tables) -> list[Diagnosis]:
    found = [*truth.faults(tables), *detections.faults(tables)]
    if tables.detections is None or not len(tables.detections) or not len(tables.truth):
        return found
    aligned = joined(tables)
    if aligned is None:
        return found
    made = sample(aligned)
    return [
        *found,
        *both.faults(aligned, made),
        *detections.ranking(sample(aligned, MOST)),
        *both.doubtful(aligned, made),
    ]


def _with_ap50(one: Diagnosis, before: Tables, after: Tables) -> Diagnosis:
    """The diagnosis with what AP50 is on the sampled images, as read and mended."""
    evidence = Evidence("AP50 on a sample", _ap50(before, after), _ap50(after, after))
    return replace(one, evidence=(evidence, *one.evidence))


def _ap50(tables: Tables, by: Tables) -> float:
    """AP50 over the images that a sample of `by` has."""
    chosen = joined(by)
    if chosen is None or tables.detections is None:
        return 0.0
    images = np.unique(sample(chosen).image)
    try:
        aligned = align(tables.truth, tables.detections)
    except InputError:
        return 0.0
    if not (aligned.detections.label >= 0).any():
        return 0.0
    part = replace(
        aligned,
        truth=select(aligned.truth, np.isin(aligned.truth.image, images)),
        detections=select(aligned.detections, np.isin(aligned.detections.image, images)),
    )
    value = evaluate_tables(part, get(_AP50))["AP"]
    return 0.0 if value is None or np.isnan(value) else float(value)
