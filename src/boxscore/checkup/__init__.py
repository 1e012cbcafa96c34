"""The doctor: what is wrong with truth or detections, the evidence, and how to mend it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from boxscore.align import Aligned
from boxscore.checkup import both, detections, evaluated, truth
from boxscore.checkup.boxes import misread
from boxscore.checkup.classes import misnamed
from boxscore.checkup.images import joined, misplaced, over_the_same_images, unrelated
from boxscore.checkup.record import KINDS, SEVERITIES, Diagnosis, Evidence, Tables
from boxscore.checkup.sample import Sample, sample
from boxscore.formats import Reading, read_detections, read_truth
from boxscore.ledger import Finding

__all__ = ["KINDS", "Checkup", "Diagnosis", "Evidence", "Tables", "doctor", "examine"]

ROUNDS = 4  # mistakes on top of one another that are looked for


@dataclass(frozen=True, eq=False)
class Checkup:
    """What the doctor found: all diagnoses, the gravest first, and the tables with everything mended that can be."""

    diagnoses: tuple[Diagnosis, ...]
    tables: Tables
    fixed: Tables
    findings: tuple[Finding, ...] = ()  # what the readers say

    def __iter__(self) -> Iterator[Diagnosis]:
        return iter(self.diagnoses)

    def __len__(self) -> int:
        return len(self.diagnoses)

    def at_least(self, severity: str) -> list[Diagnosis]:
        """The diagnoses of a severity or a graver one."""
        return [d for d in self.diagnoses if SEVERITIES.index(d.severity) <= SEVERITIES.index(severity)]

    def mended(self, side: str) -> bool:
        """Whether a side differs in the fixed tables."""
        return (self.fixed.truth is not self.tables.truth) if side == "truth" else self._detections_mended

    @cached_property
    def _detections_mended(self) -> bool:
        return any(d.fix is not None and d.side == "detections" and d.mends for d in self.diagnoses)

    def __repr__(self) -> str:
        from boxscore.report.checkup import as_text

        return as_text(self).rstrip("\n")


def doctor(truth: Any, detections: Any = None, *, train: Any = None, threads: int = 0, **reading: Any) -> Checkup:
    """Looks for mistakes in truth and detections: misread boxes, shifted numbers, odd scores, doubtful annotations.

    Both sides are given as for `evaluate`; `train` is the truth of the training set, to find images that are in both.

    >>> box = [[10, 20, 40, 90], [50, 10, 90, 30]]
    >>> truth = [{"boxes": box, "labels": [1, 2]}] * 3
    >>> found = [{"boxes": box, "labels": [1, 2], "scores": [0.9, 0.8]}] * 3
    >>> [d.code for d in doctor(truth, found, box="xyxy")]
    ['SAM101']
    """
    if isinstance(reading.get("classes"), list):
        reading["classes"] = tuple(reading["classes"])
    how = Reading(threads=threads, **reading)
    objects, findings = read_truth(truth, how)
    found, more = (None, []) if detections is None else read_detections(detections, how, objects)
    others = None if train is None else read_truth(train, how)[0]
    return examine(Tables(objects, found), [*findings, *more], None if others is None else list(others.images.key))


def examine(tables: Tables, findings: Sequence[Finding] = (), train: Sequence[str] | None = None) -> Checkup:
    """Looks for every mistake that the registry knows, several on top of one another too."""
    found, now = list[Diagnosis](), tables
    aligned: Aligned | None = None
    if tables.detections is not None and len(tables.detections) and len(tables.truth):
        for _ in range(ROUNDS):
            aligned = joined(now)
            now = over_the_same_images(now, aligned)
            one = _gravest(now, aligned)
            if one is None:
                break
            if one.fix is None:
                found.append(one)
                break
            after = one.fix(now)
            found.append(evaluated.with_ap50(one, now, after))
            now = after
        aligned = joined(now)
        now = over_the_same_images(now, aligned)
    rest = [*_rest(now, aligned, bool(found)), *([] if train is None else truth_in(now, train))]
    for one in rest:
        if one.fix is not None and one.mends:  # notes and doubts stay as they are
            now = one.fix(now)
    order = sorted([*found, *rest], key=lambda d: SEVERITIES.index(d.severity))
    return Checkup(tuple(order), tables, now, tuple(findings))


def truth_in(tables: Tables, train: Sequence[str]) -> Iterator[Diagnosis]:
    """Images that are in the training set as well."""
    yield from truth.leaked(tables.truth, train)


def _gravest(tables: Tables, aligned: Aligned | None) -> Diagnosis | None:
    """The mistake that explains most: images that do not join first, then boxes, then classes."""
    one = misplaced(tables, aligned)
    if one is not None or aligned is None:
        return one
    made = sample(aligned)
    return misread(made) or misnamed(made, tables) or unrelated(tables, aligned)


def _rest(tables: Tables, aligned: Aligned | None, mended: bool) -> list[Diagnosis]:
    made: Sample | None = None if aligned is None else sample(aligned)
    found = list[Diagnosis]()
    if aligned is not None and made is not None:
        found += both.faults(aligned, made)
    found += [*truth.faults(tables), *detections.faults(tables)]
    if aligned is not None and made is not None:
        found += [*detections.ranking(aligned), *evaluated.faults(aligned), *both.doubtful(aligned, made)]
    return found
