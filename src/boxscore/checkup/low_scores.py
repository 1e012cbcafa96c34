"""Scores that no mistake explains: said instead of an all-clear, with what was tried and what to look at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from boxscore.checkup.gain import FLOOR, Gain, ap50_of
from boxscore.checkup.images import joined
from boxscore.checkup.sampling import MOST, per_image, sample
from boxscore.diagnostics.diagnoses import Diagnosis, Tables, diagnosis
from boxscore.joining.align import Aligned

TOUCH = 0.1  # IoU from which a detection lies on an object
PAIRS = 2_000_000  # that are looked at for that
FEW = 0.2  # share of detections on objects below which something may be wrong
TRIED = (
    "tried: other forms, units, scales, letterboxes and flips of the boxes, other image ids and names, shifted and "
    "reordered classes"
)
LOOK = (
    "draw some images with both sides (`boxscore draw`); check that both are of the same images and the same version "
    "of the data, that boxes are in pixels of the whole original image (no crops, tiles or rotations), and that "
    "class ids follow one list. A detector that has learnt nothing looks like this too"
)


def unexplained(tables: Tables, refused: Sequence[tuple[Diagnosis, Gain]] = ()) -> Iterator[Diagnosis]:
    """Whether the score is still too low to be believed once everything is repaired that can be.

    A detector that lists many boxes with low scores has few on objects, and a good AP50: where its best ones lie on
    objects, that is a note.
    """
    truth, found = tables
    if found is None or not len(truth):
        return
    if not len(found):
        yield diagnosis("LOW101", 0, "there are no detections, so AP50 is 0", repair="check how the file was written")
        return
    aligned = joined(tables)
    if aligned is None:
        return
    score, share = ap50_of(aligned)
    on_best, on_any = _on_objects(aligned)
    if score >= FLOOR and on_any >= FEW:
        return
    where = f" (on {share:.0%} of the images)" if share < 1 else ""
    text = f"AP50 is {score:.3f}{where}, {on_any:.0%} of the detections overlap any object by an IoU of {TOUCH}"
    if score >= FLOOR and on_best >= FEW:
        one = diagnosis("LOW101", len(found), f"{text}; {on_best:.0%} of the best-scored ones do, as many per image as "
                        "it has objects", repair="nothing, if low-scored false positives are expected")  # fmt: skip
        yield replace(one, severity="note")
        return
    closest = "".join(
        f"; closest, and not enough: {one.text} (AP50 {made.now:.3f} → {made.then:.3f})"
        for one, made in sorted(refused, key=lambda pair: -pair[1].then)[:1]
    )
    yield diagnosis(
        "LOW101", len(found), f"{text}, and nothing that was tried explains it. {TRIED.capitalize()}{closest}",
        repair=LOOK,
    )  # fmt: skip


def _on_objects(aligned: Aligned) -> tuple[float, float]:
    """The share of detections that lie on an object: of the best-scored on images with objects, and of all."""
    n = aligned.known_images
    objects, boxes = per_image(aligned.truth, n), per_image(aligned.detections, n)
    pairs = int((objects * boxes).sum())
    images = int(((objects > 0) & (boxes > 0)).sum())
    most = min(MOST, max(1, images * PAIRS // max(pairs, 1)))
    best, every = sample(aligned), sample(aligned, most, every=True)
    on_best, on_any = (float((made.best_now >= TOUCH).mean()) if len(made) else 0.0 for made in (best, every))
    return on_best, on_any * float(boxes[objects > 0].sum()) / len(aligned.detections)
