"""Boxes that are misread, all of them or a part: found by trying every other reading."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from boxscore.checkup.attempts import POOR, SIDES, Attempt, Explanation, sizes_of
from boxscore.checkup.parts import Part, cut_at
from boxscore.checkup.readings import double, single
from boxscore.checkup.sampling import Sample, sample
from boxscore.diagnostics.diagnoses import Diagnosis, Evidence, Tables, diagnosis
from boxscore.tables.model import Bools, Detections, Floats, Truth

EITHER = "both sides are sound by themselves: if it is the truth that was written so, correct that instead"
AGREE = "nothing in the truth itself tells, so it is left as it is: look at how its boxes were written"


def misread(made: Sample) -> Diagnosis | None:
    """The reading of all boxes, or of a part, under which boxes fit much better."""
    if len(made) < 3:
        return None
    attempt = Attempt(made)
    attempt.add(single(), SIDES)
    chosen = attempt.explanation()
    if attempt.poor(chosen):
        attempt.search()
        chosen = attempt.explanation()
        if attempt.reached(chosen).mean() < POOR:
            attempt.add(double(), SIDES[:1])
            chosen = attempt.explanation()
    if chosen is None:
        return None
    one = _said(made, _with_exact_cut(made, chosen))
    either = one.side == "detections" and attempt.sound("detections") and attempt.sound("truth")
    return replace(one, repair=EITHER) if either else one


def agreeing(made: Sample) -> Diagnosis | None:
    """The reading of the truth, sound as it is, under which both sides agree; whoever offers it must take its fix."""
    if len(made) < 3:
        return None
    attempt = Attempt(made, agreeing=True)
    attempt.add(single(), ("truth",))
    chosen = attempt.explanation()
    if chosen is None or chosen.part.title:
        return None
    one = _said(made, chosen)
    text = f"both sides agree if the boxes of the truth are {chosen.tried.reading.text}"
    return replace(one, text=text, option="", repair=AGREE)


def _with_exact_cut(made: Sample, one: Explanation) -> Explanation:
    """An explanation whose part begins or ends at an image, with that image looked for between those of the sample."""
    side, at = one.part.cut
    if not side:
        return one
    if side == "from":  # the cut is after the last image of the sample before it
        low, high = max([-1, *made.image[made.image < at].tolist()]) + 1, at
    else:
        low, high = at, min([made.aligned.known_images, *made.image[made.image >= at].tolist()])
    while high > low:
        closer = sample(made.aligned, between=(low, high))
        if not len(closer):
            break
        attempt = Attempt(closer, agreeing=True)  # the few boxes between may all be sound
        attempt.add([one.tried.reading], [one.tried.side])
        if not attempt.tried:  # so few images that the reading is refused on them
            break
        sign = 1 if side == "from" else -1
        order = np.unique(closer.image)
        gains = np.array([float(attempt.tried[0].worth[closer.image == i].sum()) * sign for i in order.tolist()])
        after = np.append(np.cumsum(gains[::-1])[::-1], 0.0)  # what the images from each on gain
        cut = int(after.argmax())
        low, high = (int(order[cut - 1]) + 1 if cut else low), (int(order[cut]) if cut < len(order) else high)
    return one._replace(part=cut_at(made, side, high))


def _said(made: Sample, one: Explanation) -> Diagnosis:
    reading, side, best, _ = one.tried
    members = cut_members(made, one.part)
    now, then = made.best_now[members], best[members]
    evidence = (
        Evidence("mean overlap with the nearest object", float(now.mean()), float(then.mean())),
        Evidence("share of boxes that fit (overlap 0.5)", float((now >= 0.5).mean()), float((then >= 0.5).mean())),
    )
    table: Truth | Detections = made.aligned.truth if side == "truth" else made.aligned.detections
    rows = one.part.rows(table)
    part = f" {one.part.title}" if one.part.title else ""
    return diagnosis(
        reading.code, int(rows.sum()), f"the boxes of the {side}{part} are {reading.text}", side=side,
        evidence=evidence, examples=_examples(made, one, members),
        option=f"--{side}-box {reading.option}" if reading.option and not part else "",
        fix=partial(undone, side=side, rows=rows, undo=reading.undo),
    )  # fmt: skip


def cut_members(made: Sample, part: Part) -> Bools:
    """The members of a part, at least one."""
    return part.members if part.members.any() else np.ones(len(made), np.bool_)


def _examples(made: Sample, one: Explanation, members: Bools) -> tuple[str, ...]:
    """Boxes that fit well the other way, before and after."""
    side = one.tried.side
    table: Truth | Detections = made.aligned.truth if side == "truth" else made.aligned.detections
    chosen = np.flatnonzero(members & (one.tried.best > 0.5))
    chosen = chosen[np.argsort(-one.tried.worth[chosen], kind="stable")][:3]
    if side == "truth":
        return ()
    rows = made.detection[chosen]
    sizes = sizes_of(made.aligned, table, rows)
    after = one.tried.reading.undo(table.corners[rows], np.ones((len(rows), 2)) if sizes is None else sizes)
    keys = made.aligned.truth.images.key
    return tuple(
        f"record {int(table.position[row])}, image {keys[table.image[row]]}: corners "
        f"{_numbers(table.corners[row])} become {_numbers(box)}"
        for row, box in zip(rows.tolist(), after, strict=True)
    )


def _numbers(box: Floats) -> str:
    return " ".join(f"{value:.5g}" for value in box)


def undone(tables: Tables, side: str, rows: Bools, undo: Callable[[Floats, Floats], Floats]) -> Tables:
    """The tables with a reading of some rows undone."""
    truth, found = tables
    table: Truth | Detections | None = truth if side == "truth" else found
    assert table is not None
    images = truth.images
    unknown = np.ones(len(images) + 1)
    width = unknown if images.width is None or table.relative else np.append(images.width, 1.0)
    height = unknown if images.height is None or table.relative else np.append(images.height, 1.0)
    place = table.image[rows]
    place = np.where((place >= 0) & (place < len(images)), place, len(images))
    corners = table.corners.copy()
    corners[rows] = undo(table.corners[rows], np.stack([width[place], height[place]], axis=1))
    area = (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1])
    made = replace(table, corners=corners, box_area=np.where(rows, area, table.box_area))
    return Tables(made, found) if isinstance(made, Truth) else Tables(truth, made)
