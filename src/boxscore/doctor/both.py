"""What is wrong between the two sides once boxes, classes and images fit."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from boxscore.align import Aligned
from boxscore.doctor.boxes import undone
from boxscore.doctor.readings import shifted
from boxscore.doctor.record import Diagnosis, Evidence, Tables, diagnosis
from boxscore.doctor.sample import Sample
from boxscore.doctor.truth import place
from boxscore.errors import first_few
from boxscore.model import Floats

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
            "SAM101", len(aligned.detections), f"{share:.0%} of the detections are exactly the box of an object",
            repair="check that the second path is that of the detections",
        )  # fmt: skip


def _off_by_one(made: Sample) -> Iterator[Diagnosis]:
    """A shift of one pixel between boxes that fit, the same in x and y."""
    overlap = made.overlaps()
    near = np.flatnonzero(overlap >= 0.7)
    if len(near) < FEW:
        return
    shift: Floats = made.found[made.pair_detection[near]] - made.objects[made.pair_object[near]]
    middle = np.median(shift, axis=0)
    # What remains uncertain of a median; boxes of a detector scatter by more than a pixel.
    spread = np.subtract(*np.quantile(shift, [0.75, 0.25], axis=0)) / np.sqrt(len(near))
    for sign in (1.0, -1.0):
        if (np.abs(middle - sign) < np.maximum(0.15, 2 * spread)).all() and (spread < 0.12).all():
            better = made.best(found=made.found - sign)
            now = made.best()
            if better.mean() > now.mean():
                yield diagnosis(
                    "BOX110", len(made.aligned.detections),
                    f"boxes of the detections lie {sign:+g} pixel beside those of the truth, in x and y",
                    evidence=(Evidence("mean best overlap", float(now.mean()), float(better.mean())),),
                    repair="--fix OUT, or a protocol with inclusive pixels if only widths differ",
                    fix=partial(_shifted, by=sign),
                )  # fmt: skip


def _shifted(tables: Tables, by: float) -> Tables:
    assert tables.detections is not None
    return undone(tables, "detections", np.ones(len(tables.detections), np.bool_), shifted(by))


def _some_images(aligned: Aligned) -> Iterator[Diagnosis]:
    """Images with objects and without any detection, where the others have several."""
    n = aligned.known_images
    objects = np.bincount(aligned.truth.image[aligned.truth.image >= 0], minlength=n)[:n]
    own = aligned.detections.image
    boxes = np.bincount(own[(own >= 0) & (own < n)], minlength=n)
    with_objects = objects > 0
    without = with_objects & (boxes == 0)
    share = float(without.sum() / max(with_objects.sum(), 1))
    typical = float(np.median(boxes[boxes > 0])) if (boxes > 0).any() else 0.0
    if share > 0.25 and typical >= 2 and with_objects.sum() >= 10:
        names = [aligned.truth.images.key[i] for i in np.flatnonzero(without)[:3].tolist()]
        yield diagnosis(
            "IMG104", int(without.sum()), f"{without.sum():,} of {with_objects.sum():,} images with objects have no detection",
            examples=tuple(names), repair="check that the detector ran on all images, or evaluate its images alone",
        )  # fmt: skip


def _classes_without_objects(aligned: Aligned) -> Iterator[Diagnosis]:
    n = len(aligned.truth.classes)
    objects = np.bincount(aligned.truth.label[aligned.truth.label >= 0], minlength=n)
    found = np.bincount(aligned.detections.label[aligned.detections.label >= 0], minlength=n)
    lost = np.flatnonzero((objects == 0) & (found > 0))
    count = int(found[lost].sum())
    if len(lost) and count > 0.2 * len(aligned.detections):
        names = [aligned.truth.classes.name[k] for k in lost.tolist()]
        yield diagnosis(
            "CLS106", count, f"{count:,} detections are of classes without objects: {first_few(names, len(names))}",
            repair="check class numbers and the split",
        )  # fmt: skip


def doubtful(aligned: Aligned, made: Sample) -> Iterator[Diagnosis]:
    """What confident detections say about the annotations of the sampled images."""
    found, truth = aligned.detections, aligned.truth
    overlap, best = made.overlaps(), made.best()
    if len(made) < FEW:
        return
    score = found.score[made.detection]
    sure = score >= np.quantile(score, 0.75)
    label = found.label[made.detection]
    bare = np.flatnonzero(sure & (best < 0.1))
    if len(bare):
        yield diagnosis(
            "LBL101", len(bare), f"{len(bare):,} confident detections of {len(made):,} in the sample lie where nothing is annotated",
            side="truth", examples=tuple(place(found, int(made.detection[i])) for i in bare[:3]),
            repair="look at them: boxscore draw",
        )  # fmt: skip
    top = np.flatnonzero((overlap == best[made.pair_detection]) & (overlap >= 0.8))
    other = truth.label[made.object[made.pair_object[top]]] != label[made.pair_detection[top]]
    wrong = np.unique(made.pair_detection[top][other & sure[made.pair_detection[top]]])
    if len(wrong):
        yield diagnosis(
            "LBL102", len(wrong), f"{len(wrong):,} confident detections lie on objects of another class", side="truth",
            examples=tuple(f"{place(found, int(made.detection[i]))}: {truth.classes.name[label[i]]}" for i in wrong[:3] if label[i] >= 0),
            repair="look at them: boxscore draw",
        )  # fmt: skip
    loose = np.flatnonzero(sure & (best >= 0.4) & (best < 0.6))
    if len(loose) > 0.05 * len(made):
        yield diagnosis(
            "LBL103", len(loose), f"{len(loose):,} confident detections fit their object only half", side="truth",
            examples=tuple(place(found, int(made.detection[i])) for i in loose[:3]), repair="look at them: boxscore draw",
        )  # fmt: skip
