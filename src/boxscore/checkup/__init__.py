"""The doctor: what is wrong with truth or detections, the evidence, and how to fix it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from boxscore.checkup import both, detections, evaluated, files, shapes, truth
from boxscore.checkup.gain import confirmed
from boxscore.checkup.images import joined
from boxscore.checkup.low_scores import unexplained
from boxscore.checkup.sampling import sample
from boxscore.checkup.search import Explained, explained
from boxscore.diagnostics.diagnoses import Checkup, Diagnosis, Tables, diagnosis
from boxscore.diagnostics.findings import Finding
from boxscore.diagnostics.kind import SEVERITIES
from boxscore.formats.io.keywords import READING, options_from
from boxscore.joining.align import Aligned
from boxscore.joining.read import ReadOptions, read_truth
from boxscore.tables.arguments import WHOLE, checked
from boxscore.tables.model import Detections, Table, Truth

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from boxscore.formats.io.keywords import ReadKeywords

__all__ = ["doctor", "examine"]

SIZES = ("SIZ001", "SIZ002")


@checked(READING, threads=WHOLE)
def doctor(truth: Any, detections: Any = None, *, train: Any = None, **reading: Unpack[ReadKeywords]) -> Checkup:
    """Looks for mistakes in truth and detections: misread boxes, shifted numbers, odd scores, doubtful annotations.

    Both sides are given as for `evaluate`; `train` is the truth of the training set, to find images that are in both.

    >>> box = [[10, 20, 40, 90], [50, 10, 90, 30]]
    >>> truth = [{"boxes": box, "labels": [1, 2]}] * 3
    >>> found = [{"boxes": box, "labels": [1, 2], "scores": [0.9, 0.8]}] * 3
    >>> [d.code for d in doctor(truth, found, box="xyxy")]
    ['SAM101']
    """
    return doctor_of(truth, detections, options_from(reading), train)


def doctor_of(truth: Any, detections: Any, how: ReadOptions, train: Any = None) -> Checkup:
    """The same for a reading; a file that cannot be read is a diagnosis."""
    truth, detections = files.at_hand(truth), files.at_hand(detections)
    read, wrong, how = files.attempt("truth", truth, how, None)
    refused = [] if wrong is None else [wrong]
    if read is None:
        return Checkup(tuple(refused), None, None)
    objects, findings = read
    assert isinstance(objects, Truth)
    refused += shapes.faults(objects, "truth")
    objects = _without_shapes(objects, how)
    found: Detections | None = None
    if detections is not None:
        read, wrong, _ = files.attempt("detections", detections, how, objects)
        refused += [] if wrong is None else [wrong]
        if read is not None and isinstance(read[0], Detections):
            found, findings = read[0], [*findings, *read[1]]
            refused += shapes.faults(found, "detections")
            found = _without_shapes(found, how)
    if found is not None:
        objects, found, more, wrong = files.in_the_same_unit(objects, found, how)
        findings, refused = [*findings, *more], refused + ([] if wrong is None else [wrong])
    others = None if train is None else list(read_truth(train, how)[0].images.key)
    made = examine(Tables(objects, found), findings, others)
    order = sorted([*refused, *made.diagnoses], key=lambda d: SEVERITIES.index(d.severity))
    return replace(made, diagnoses=tuple(order))


def _without_shapes(table: Table, how: ReadOptions) -> Table:
    """What the other checks look at; who writes a corrected copy keeps all."""
    return table if how.shapes else replace(table, shapes=None, masks=None)


@np.errstate(over="ignore", invalid="ignore")  # areas may be infinite
def examine(tables: Tables, findings: Sequence[Finding] = (), train: Sequence[str] | None = None) -> Checkup:
    """Looks for every mistake that the registry knows, several on top of one another too."""
    now, aligned, made = tables, None, Explained()
    if tables.detections is not None and len(tables.detections) and len(tables.truth):
        made = explained(tables)
        now = made.tables or tables
        aligned = joined(now)
    rest = [*_sizes(findings), *([] if train is None else truth.leaked(now.truth, train))]
    rest += confirmed(_alone(now, aligned), now, aligned)
    mended = _mended(now, rest)
    if aligned is not None and not made.unfit:  # what does not fit says nothing more
        more = confirmed(_together(aligned if mended == now else joined(mended)), mended, aligned)
        mended, rest = _mended(mended, more), rest + more
    if not made.unfit:
        rest = [*unexplained(mended, made.refused), *rest]
    order = sorted([*made.found, *rest], key=lambda d: SEVERITIES.index(d.severity))
    return Checkup(tuple(order), tables, mended, tuple(findings))


def _sizes(findings: Sequence[Finding]) -> list[Diagnosis]:
    """Sizes in the annotation that disagree with the images, as the readers find them."""
    repair = "write the sizes of the images as they are shown into the annotation; rotated ones lie across"
    return [diagnosis(f.code, f.count, f.text, side="truth", repair=repair) for f in findings if f.code in SIZES]


def _mended(tables: Tables, found: Sequence[Diagnosis]) -> Tables:
    """The tables without what can be fixed; notes and doubts stay as they are."""
    for one in found:
        if one.fix is not None and one.mends:
            tables = one.fix(tables)
    return tables


def _alone(tables: Tables, aligned: Aligned | None) -> list[Diagnosis]:
    """What is wrong with either side, or with both at first sight."""
    found = [] if aligned is None else list(both.faults(aligned, sample(aligned)))
    found += truth.faults(tables)
    sizes = {one.code for one in found} & {"BOX113", "SIZ002"}  # then boxes of either side leave the image
    return [*found, *(one for one in detections.faults(tables) if one.code not in sizes)]


def _together(aligned: Aligned | None) -> list[Diagnosis]:
    """What shows only where the sides are compared."""
    if aligned is None:
        return []
    return [*detections.ranking(aligned), *evaluated.faults(aligned), *both.doubtful(aligned, sample(aligned))]
