"""Objects without a mask: going through the stages detection by detection is going through them one by one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore import evaluate, protocols
from boxscore.tables.model import Flag
from effort import examples
from small_masks import Drawn, masked, rectangle

SIDE, NONE = 9, Flag(0)
sides = st.tuples(st.integers(0, SIDE - 1), st.integers(1, 6))
boxes = st.tuples(sides, sides).map(lambda xy: (xy[0][0], xy[1][0], min(sum(xy[0]), SIDE), min(sum(xy[1]), SIDE)))


@dataclass(frozen=True)
class Thing:
    """An object or a detection: a box of whole pixels, which is its mask, too, if it has one."""

    box: tuple[int, int, int, int]
    masked: bool = True
    flags: Flag = NONE
    score: float = 0.0

    def drawn(self) -> Drawn:
        pixels = rectangle(self.box, SIDE, SIDE) if self.masked else None
        return Drawn(pixels, tuple(map(float, self.box)), self.flags, self.score)


def shared(a: Thing, b: Thing) -> float:
    (x0, y0, x1, y1), (u0, v0, u1, v1) = a.box, b.box
    return max(min(x1, u1) - max(x0, u0), 0) * max(min(y1, v1) - max(y0, v0), 0)


def area(a: Thing) -> float:
    return (a.box[2] - a.box[0]) * (a.box[3] - a.box[1])


def iou(a: Thing, b: Thing) -> float:
    return shared(a, b) / (area(a) + area(b) - shared(a, b))


def ioa(a: Thing, b: Thing) -> float:
    return shared(a, b) / area(a)


def by_stages(objects: list[Thing], found: list[Thing], weight: bool) -> tuple[list[str], int]:
    """What TensorFlow makes of detections by descending score: a stage for all of them, then the next."""
    verdicts = [""] * len(found)

    def best(i: int, some: list[Thing], measure: Any) -> Thing | None:
        first = max(some, key=lambda o: measure(found[i], o), default=None)
        return first if first is not None and measure(found[i], first) >= 0.5 else None

    for masked_ in (True, False):
        plain = [o for o in objects if o.masked == masked_ and not o.flags & Flag.GROUP_OF]
        taken: list[Thing] = []
        for i in range(len(found)):
            object_ = None if verdicts[i] else best(i, plain, iou)
            if object_ is None:
                continue
            if object_.flags & Flag.DIFFICULT:
                verdicts[i] = "ignored"
            elif not any(object_ is other for other in taken):
                verdicts[i] = "TP" if masked_ else "ignored"
                taken.append(object_)
        groups = [o for o in objects if o.masked == masked_ and o.flags & Flag.GROUP_OF]
        credited: list[Thing] = []
        for i in range(len(found)):
            object_ = None if verdicts[i] else best(i, groups, ioa)
            if object_ is None:
                continue
            credit = weight and masked_ and not any(object_ is other for other in credited)
            verdicts[i] = "TP" if credit else "ignored"
            if credit:
                credited.append(object_)
    plain_flags = Flag.DIFFICULT if weight else Flag.DIFFICULT | Flag.GROUP_OF
    return [verdict or "FP" for verdict in verdicts], sum(o.masked and not o.flags & plain_flags for o in objects)


things = st.builds(Thing, boxes, st.booleans(), st.sampled_from([NONE, NONE, Flag.DIFFICULT, Flag.GROUP_OF]))


@pytest.mark.parametrize("weight", [0, 1])
@settings(max_examples=examples(150))
@given(objects=st.lists(things, min_size=1, max_size=7), found=st.lists(boxes, min_size=1, max_size=9))
def test_stage_by_stage(weight: int, objects: list[Thing], found: list[tuple[int, int, int, int]]) -> None:
    rules = protocols.variant(
        protocols.get("openimages-challenge-segm"), absorbed_weight=str(weight), difficult="ignored"
    )
    objects = [Thing((0, 0, 1, 1)), *objects]  # a truth without any mask is refused
    detections = [Thing(box, score=1 - i / 16) for i, box in enumerate(found)]
    result = evaluate(*masked([o.drawn() for o in objects], [d.drawn() for d in detections]), protocol=rules)
    tally = result.tally
    names = {(0, 0): "FP", (1, 0): "TP", (0, 1): "ignored"}
    made = [names[int(h), int(i)] for h, i in zip(tally.hits[:, 0], tally.ignored[:, 0], strict=True)]
    expected, to_find = by_stages(objects, detections, bool(weight))
    assert (made, int(tally.to_find[0, 0])) == (expected, to_find)
    assert np.array_equal(np.sort(tally.score)[::-1], tally.score)
