"""The search for mistakes on top of one another, each undone before the next; no repair without a real gain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from boxscore.checkup.boxes import EITHER, agreeing, misread
from boxscore.checkup.classes import misnamed
from boxscore.checkup.gain import FLOOR, Gain, ap50, changed, gain, some
from boxscore.checkup.images import joined, misplaced, over_the_same_images, unrelated
from boxscore.checkup.rejoined import rejoined
from boxscore.checkup.sampling import Sample, sample
from boxscore.checkup.sound import ODD, believable, share_odd
from boxscore.diagnostics.diagnoses import Diagnosis, Tables
from boxscore.joining.align import Aligned
from boxscore.tables.model import Bools

ROUNDS = 4  # mistakes on top of one another that are looked for
TIGHT = 0.15  # share of boxes with an IoU of 0.75 among those with 0.1: real detectors have 0.24 and more, readings
# that bring boxes near objects by luck 0.09 and less
CLEARLY = 0.03  # by so much more AP50 must rise with a reading of the truth to blame that rather than the detections
BY_NAME = ("CLS104",)  # known without boxes: said even where no gain confirms it
TOGETHER = ", with the next mistakes fixed too"


@dataclass
class Explained:
    """The mistakes that explain a score, the tables without them, and what was refused because nothing confirmed it."""

    found: list[Diagnosis] = field(default_factory=list)
    tables: Tables | None = None
    refused: list[tuple[Diagnosis, Gain]] = field(default_factory=list)

    @property
    def unfit(self) -> bool:
        """Whether a mistake was found that nothing undoes: then nothing more can be said of the two sides."""
        return any(one.fix is None and one.code not in BY_NAME for one in self.found)


class _Step(NamedTuple):
    one: Diagnosis
    before: Tables
    after: Tables


def explained(tables: Tables) -> Explained:
    """Looks for misjoined images, misread boxes and misnamed classes until nothing more gains."""
    made, now, refused = Explained(), tables, set[str]()
    while len(made.found) < ROUNDS:
        now = over_the_same_images(now, joined(now))
        steps, rest = _steps(now, refused, ROUNDS - len(made.found))
        if not steps:
            made.found += [] if rest is None else [rest]
            break
        doubtful = _doubtful(now, steps)
        if doubtful is None and (other := _other_side(now, steps)) is not None:
            made.found.append(other)
            break
        if doubtful is None:
            made.found += _with_evidence(now, steps)
            now = steps[-1].after
        else:
            refused.add(doubtful.one.code[:3])
            made.refused.append((doubtful.one, gain(doubtful.before, doubtful.after)))
            if doubtful.one.code in BY_NAME:
                made.found.append(replace(doubtful.one, fix=None))
    made.tables = over_the_same_images(now, joined(now))
    return made


def _steps(now: Tables, refused: set[str], rounds: int) -> tuple[list[_Step], Diagnosis | None]:
    """The repairs, one after the other, until AP50 gains; and what nothing repairs, where the search ends with that."""
    start, steps, used = now, list[_Step](), set(refused)
    for _ in range(rounds):
        aligned = joined(now)
        now = over_the_same_images(now, aligned)
        one = _gravest(now, aligned, used)
        if one is None or one.fix is None:
            return steps, one
        steps.append(_Step(one, now, one.fix(now)))
        now = steps[-1].after
        if _gain(start, steps).real:
            break
        used.add(one.code[:3])
    return steps, None


def _gravest(tables: Tables, aligned: Aligned | None, refused: set[str]) -> Diagnosis | None:
    """The mistake that explains most: images that do not join first, then boxes, then classes."""
    one = misplaced(tables, aligned, "IMG" in refused)
    if one is not None or aligned is None:
        return one
    made = sample(aligned)
    return (
        (None if "BOX" in refused else misread(made))
        or _agreeing(tables, made)
        or unrelated(tables, aligned)
        or (None if "CLS" in refused else misnamed(made, tables))
        or (None if "IMG" in refused else rejoined(tables, aligned))
    )


def _agreeing(tables: Tables, made: Sample) -> Diagnosis | None:
    """A reading of the truth under which the sides agree where they hardly do; without a fix, as the truth is sound."""
    aligned = made.aligned
    if ap50(some(aligned)[0]) >= FLOOR or (one := agreeing(made)) is None or one.fix is None:
        return None
    after = one.fix(tables)
    found_gain = gain(tables, after)
    if not found_gain.real or share_odd(after, "truth") > ODD:
        return None
    tight = _tight(_Step(one, tables, after), after)
    return replace(one, fix=None, evidence=(found_gain.evidence(), *one.evidence)) if tight else None


def _doubtful(start: Tables, steps: Sequence[_Step]) -> _Step | None:
    """The first repair that nothing confirms: it leaves odd or loose boxes, or without it the rest gains as much."""
    if not _gain(start, steps).real:
        return steps[0]
    for step in steps:
        if step.one.code.startswith("BOX") and not (_sound(step) and _tight(step, steps[-1].after)):
            return step
    for step in steps[:-1]:
        others = start
        for other in steps:
            if other is not step and other.one.fix is not None:
                others = other.one.fix(over_the_same_images(others, joined(others)))
        if not gain(others, steps[-1].after).real:
            return step
    return None


def _other_side(start: Tables, steps: Sequence[_Step]) -> Diagnosis | None:
    """The reading of the truth that explains clearly more than that of the detections, where both sides are sound."""
    aligned = joined(start)
    if steps[0].one.repair != EITHER or aligned is None:
        return None
    other = _agreeing(start, sample(aligned))
    return other if other is not None and other.evidence[0].then > _gain(start, steps).then + CLEARLY else None


def _gain(start: Tables, steps: Sequence[_Step]) -> Gain:
    """What repairs gain; images that are joined anew must gain more than others would."""
    return gain(start, steps[-1].after, chance=any(step.one.code.startswith("IMG") for step in steps))


def _changed(step: _Step) -> Bools:
    """The rows of its side that a repair changes."""
    before, after = (t.truth if step.one.side == "truth" else t.detections for t in (step.before, step.after))
    assert before is not None
    assert after is not None
    return changed(before, after)


def _sound(step: _Step) -> bool:
    """Whether the boxes that a repair changes are no odder than they were, all of them looked at."""
    side, rows = step.one.side, _changed(step)
    return believable(side, share_odd(step.before, side, rows), share_odd(step.after, side, rows))


def _tight(step: _Step, after: Tables) -> bool:
    """Whether repaired boxes that touch an object fit it, as those of a detector do."""
    aligned = joined(after)
    if aligned is None:
        return False
    made = sample(aligned)
    best = made.best_now
    if step.one.side == "detections":
        best = best[_changed(step)[made.detection]]
    return float((best >= 0.75).sum()) >= TIGHT * float((best >= 0.1).sum())


def _with_evidence(start: Tables, steps: Sequence[_Step]) -> list[Diagnosis]:
    """The diagnoses with AP50 before their other evidence; one that gains only with later ones says so."""
    made = []
    for step in steps:
        own = gain(step.before, step.after)
        evidence = own.evidence() if own.real else gain(step.before, steps[-1].after).evidence(TOGETHER)
        made.append(replace(step.one, evidence=(evidence, *step.one.evidence)))
    return made
