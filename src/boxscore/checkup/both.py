"""What is wrong between the two sides once boxes, classes and images fit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from boxscore.checkup.boxes import undone
from boxscore.checkup.readings import shifted
from boxscore.checkup.sampling import Sample, per_image
from boxscore.checkup.tables import place
from boxscore.diagnostics.diagnoses import Diagnosis, Evidence, Tables, diagnosis
from boxscore.errors import first_few
from boxscore.joining.align import Aligned
from boxscore.tables.model import Floats, Ints

FEW = 20  # pairs below which a shift says nothing


def faults(aligned: Aligned, made: Sample) -> Iterator[Diagnosis]:
    """All checks of both sides together."""
    yield from _same(aligned, made)
    yield from _off_by_one(made)
    yield from _some_images(aligned)
    yield from _classes_without_objects(aligned)


def _same(aligned: Aligned, made: Sample) -> Iterator[Diagnosis]:
    """Whether detections are the truth itself."""
    if len(made) < 5:
        return
    exact = (made.found[made.pair_detection] == made.objects[made.pair_object]).all(axis=1)
    share = float(np.maximum.reduceat(exact, made.first[:-1]).mean())
    if share > 0.9:
        yield diagnosis(
            "SAM101", len(aligned.detections), f"{share:.0%} of the detections have exactly the box of an object: this "
            "is the truth, or was made from it", repair="check that the second path is that of a detector's output",
        )  # fmt: skip


def _off_by_one(made: Sample) -> Iterator[Diagnosis]:
    """A shift of one pixel between boxes that fit, the same in x and y."""
    near = np.flatnonzero(made.now >= 0.7)
    if len(near) < FEW:
        return
    shift: Floats = made.found[made.pair_detection[near]] - made.objects[made.pair_object[near]]
    middle = np.median(shift, axis=0)
    # What remains uncertain of a median; boxes of a detector scatter by more than a pixel.
    spread = np.subtract(*np.quantile(shift, [0.75, 0.25], axis=0)) / np.sqrt(len(near))
    for sign in (1.0, -1.0):
        if (np.abs(middle - sign) < np.maximum(0.15, 3.5 * spread)).all() and (sign * middle > 3.5 * spread).all():
            better = made.best(found=made.found - sign)
            if better.mean() > made.best_now.mean():
                yield diagnosis(
                    "BOX110", len(made.aligned.detections),
                    f"boxes of the detections lie {sign:+g} pixel beside those of the truth, in x and in y: one side "
                    "counts pixels from 0, the other from 1",
                    evidence=(Evidence("mean overlap with the nearest object", float(made.best_now.mean()),
                                       float(better.mean())),),
                    fix=partial(_shifted, by=sign),
                )  # fmt: skip


def _shifted(tables: Tables, by: float) -> Tables:
    assert tables.detections is not None
    return undone(tables, "detections", np.ones(len(tables.detections), np.bool_), shifted(by).undo)


def _some_images(aligned: Aligned) -> Iterator[Diagnosis]:
    """Images with objects and without any detection, where the others have several."""
    n = aligned.known_images
    boxes = per_image(aligned.detections, n)
    with_objects = per_image(aligned.truth, n) > 0
    without = with_objects & (boxes == 0)
    count, whole = int(without.sum()), int(with_objects.sum())
    typical = float(np.median(boxes[boxes > 0])) if (boxes > 0).any() else 0.0
    if count > 0.25 * whole and typical >= 2 and whole >= 10:
        keys = aligned.truth.images.key
        yield diagnosis(
            "IMG104", count, f"{count:,} of {whole:,} images with objects have no detection at all, the others "
            f"{typical:g} in the median; their objects count as missed",
            examples=tuple(f"image {keys[i]}" for i in np.flatnonzero(without)[:3].tolist()),
            repair="run the detector on all images, or evaluate with the truth of its images alone",
        )  # fmt: skip


def _classes_without_objects(aligned: Aligned) -> Iterator[Diagnosis]:
    n = len(aligned.truth.classes)
    objects, found = (
        np.bincount(table.label + 1, minlength=n + 1)[1:] for table in (aligned.truth, aligned.detections)
    )
    lost = np.flatnonzero((objects == 0) & (found > 0))
    count = int(found[lost].sum())
    if len(lost) and count > 0.2 * len(aligned.detections):
        names = [aligned.truth.classes.name[k] for k in lost.tolist()]
        one = diagnosis(
            "CLS106", count, f"{count:,} of {len(aligned.detections):,} detections are of classes that have no object: "
            f"{first_few(names, len(names))}", repair="check the class numbers, and that the truth is complete",
        )  # fmt: skip
        often = count > max(0.5 * len(aligned.detections), 50)
        yield one if often else replace(one, severity="note")


def doubtful(aligned: Aligned, made: Sample) -> Iterator[Diagnosis]:
    """What confident detections say about the annotations of the sampled images."""
    if len(made) < FEW:
        return
    found, truth = aligned.detections, aligned.truth
    score = found.score[made.detection]
    sure = score >= np.quantile(score, 0.75)
    looked = f"of {int(sure.sum()):,} confident detections on {len(np.unique(made.image)):,} sampled images"
    names = (*truth.classes.name, "?")
    look = "look at them with `boxscore draw`, the examples first"

    def examples(some: Ints, labels: Ints | None = None) -> tuple[str, ...]:
        order = some[np.argsort(-score[some], kind="stable")][:3].tolist()
        rows = made.detection[order].tolist()
        texts = [f"{place(found, r)}: {names[found.label[r]]}, score {found.score[r]:.3g}" for r in rows]
        if labels is not None:
            texts = [f"{t}, annotated as {names[labels[i]]}" for t, i in zip(texts, order, strict=True)]
        return tuple(texts)

    bare = np.flatnonzero(sure & (made.best_now < 0.1))
    if len(bare):
        text = f"{len(bare):,} {looked} lie where nothing is annotated"
        yield diagnosis("LBL101", len(bare), text, side="truth", examples=examples(bare), repair=look)
    theirs, pairs = made.matched
    annotated = np.full(len(made), -1)
    annotated[theirs] = truth.label[made.object[made.pair_object[pairs]]]
    label = found.label[made.detection]
    wrong = np.flatnonzero(sure & (made.best_now >= 0.8) & (annotated != label) & (label >= 0))
    if len(wrong):
        text = f"{len(wrong):,} {looked} lie on objects of another class"
        yield diagnosis("LBL102", len(wrong), text, side="truth", examples=examples(wrong, annotated), repair=look)
    loose = np.flatnonzero(sure & (made.best_now >= 0.4) & (made.best_now < 0.6) & (annotated == label))
    if len(loose) > 0.05 * len(made):
        text = f"{len(loose):,} {looked} fit their object only by half"
        yield diagnosis("LBL103", len(loose), text, side="truth", examples=examples(loose), repair=look)
