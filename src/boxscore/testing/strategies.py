"""Strategies for hypothesis: scenes with everything that evaluators disagree about, protocols of mixed rules."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st

from boxscore import overlaps
from boxscore.evaluation.sizes import MEASURES
from boxscore.protocols import REGISTRY, Area, Protocol
from boxscore.protocols.parts.matching import TRACK_SIZES
from boxscore.protocols.rules import rule_fields
from boxscore.tables.model import Flag
from boxscore.testing.scene import NO_FLAGS, Box, Detection, Object, Scene

_IMAGE_IDS = (1, 2, 3, 10, 42, 0, 139, 581929, 900100233233)  # drawn in any order
_CLASS_IDS = (1, 2, 3, 90, 17, 0, 44)
_NOWHERE = 77  # an image and a class that no scene lists
_PLACES = (0, 10, 20, 25, 50, 300)
_SIDES = (20, 20, 40, 40, 32, 96, 100, 10, 7, 1, 0, -5)
_SCALES = (1.0, 1.0, 1.0, 0.1, 1 / 3, 1.7, 2.5e-3)
_HUGE = (1e150, 1e153, 1e160, 1e200, 8e304)  # areas of which no double holds
_AREAS = (None, None, None, None, 1024.0, 9216.0, 0.0, 500.0, 5e3, 1e6, 1e10, 2e10)  # None: width times height
_FLAGS = (
    *(NO_FLAGS,) * 6, Flag.CROWD, Flag.CROWD, Flag.DIFFICULT, Flag.IGNORE, Flag.CROWD | Flag.DIFFICULT,
    Flag.GROUP_OF, Flag.GROUP_OF,
)  # fmt: skip
_IDS: dict[str, Callable[[int], int]] = {
    "from one": lambda i: i + 1,
    "from zero": lambda i: i,
    "scattered": lambda i: (i * 7919 + 5003) % 10007,
    "repeated": lambda i: i // 2,
}
_SCORES: dict[str, Callable[[int, int], float]] = {  # of a draw from 0 to 10 and the place in the list
    "ties": lambda s, i: s / 10,
    "distinct": lambda s, i: (s * 1000 + i) / 11000,
    "odd": lambda s, i: (-1.5, -0.0, 0.0, 5e-324, 0.3, 0.1 + 0.2, 0.5, 0.5, 1.0, 2.0, 1e300)[s],
}


@st.composite
def scenes(
    draw: st.DrawFn, *, images: int = 4, classes: int = 3, objects: int = 8, detections: int = 10,
    min_detections: int = 0, crowded: bool = True, strangers: bool = False,
    huge: bool = False,
) -> Scene:  # fmt: skip
    """Scenes with up to so many images, classes, objects and detections.

    Ids are unordered and may be 0 or repeated; scores and overlaps tie, overlaps lie exactly on thresholds, areas on
    the ends of size ranges; boxes may have no extent. With `crowded` some cells have more than 100 detections; with
    `strangers` some rows name an image (objects only) or a class that is not listed. With `huge` boxes are so large
    that many of their areas are infinite.
    """
    image_ids = draw(st.lists(st.sampled_from(_IMAGE_IDS), min_size=1, max_size=images, unique=True))
    class_ids = draw(st.lists(st.sampled_from(_CLASS_IDS), min_size=1, max_size=classes, unique=True))
    some_image = st.sampled_from([*image_ids * 4, _NOWHERE] if strangers else image_ids)
    some_class = st.sampled_from([*class_ids * 4, _NOWHERE] if strangers else class_ids)
    scale, id_rule, score_rule = draw(
        st.tuples(
            st.sampled_from(_HUGE if huge else _SCALES), st.sampled_from(sorted(_IDS)), st.sampled_from(sorted(_SCORES))
        )
    )
    one_box = st.tuples(*(st.sampled_from(part) for part in (_PLACES, _PLACES, _SIDES, _SIDES)))

    drawn = draw(
        st.lists(
            st.tuples(
                some_image, some_class, one_box, st.sampled_from(_AREAS), st.sampled_from(_FLAGS), st.integers(0, 3)
            ),
            max_size=objects,
        )
    )
    made: list[Object] = []
    for i, (image, label, place, area, flags, twin) in enumerate(drawn):
        x, y, w, h = (v * scale for v in place)
        if twin == 1 and made:  # the same box again, or one that overlaps it: equal overlaps
            image, label, (x, y, w, h) = made[-1].image, made[-1].label, made[-1].box
        elif twin == 2 and made:
            image, label, (x, y, w, h) = made[-1].image, made[-1].label, made[-1].box
            x += w / 4
        made.append(
            Object(
                image,
                label,
                (x, y, w, h),
                _IDS[id_rule](i),
                max(min(w * h, 1e308), -1e308) if area is None else area,
                flags,
            )
        )

    found: list[Detection] = []
    moves = st.tuples(st.integers(0, 7), st.integers(8, 20), st.integers(0, 10))
    one = st.tuples(moves, st.sampled_from(image_ids), some_class, one_box, st.integers(0, max(len(made) - 1, 0)))
    for i, ((how, twentieths, s), image, label, place, g) in enumerate(
        draw(st.lists(one, min_size=min_detections, max_size=detections))
    ):
        box: Box = (place[0] * scale, place[1] * scale, place[2] * scale, place[3] * scale)
        if how and made:  # most detections are an object's box, cut to an overlap of exactly so many twentieths
            x, y, w, h = made[g].box
            shift = w / 4 if how == 1 else w / 8 if how == 2 else 0.0
            box = (x + shift, y, w * twentieths / 20, h)
            image, label = made[g].image if made[g].image in image_ids else image, label if how == 3 else made[g].label
        found.append(Detection(image, label, box, _SCORES[score_rule](s, i)))
    many = draw(st.sampled_from((0, 0, 0, 0, 0, 0, 0, 101, 130))) if crowded else 0
    x, y, w, h = made[0].box if made else (0.0, 0.0, 20.0, 20.0)
    for i in range(many):
        box = (x, y, w * (i * 7 % 13 + 8) / 20, h)
        found.append(Detection(image_ids[0], class_ids[0], box, _SCORES[score_rule](i * 37 % 11, i)))
    return Scene(tuple(image_ids), tuple((k, f"class {k}") for k in class_ids), tuple(made), tuple(found))


_SIZES = REGISTRY["coco"].areas
_VALUES: dict[str, tuple[Any, ...]] = {  # of the fields that are no choice between names, and what scenes have
    "overlap": tuple(name for name, overlap in overlaps.REGISTRY.items() if overlap.in_kernel is not None),
    "boundary_width": (0.02, 0.1),
    "sigmas": ((),),
    "ignored_last": (False, True),
    "iou": (
        (0.5,), (0.75, 0.5), REGISTRY["coco"].iou,
        *(tuple(np.linspace(0.05, 1.0, n).tolist()) for n in (8, 9, 16, 33, 64)),
    ),
    "iou_ceiling": (1.0, 1 - 1e-10, 0.7),
    "iou_slack": (0.0, 0.0, 0.0, float(np.spacing(1)), 1e-6),
    "iou_margin": (0.0, 0.0, 10.0, 2.5),
    "score_floor": (-math.inf, -math.inf, 0.0, 0.3),
    "absorbed_weight": (0.0, 1.0, 0.5, 0.3),
    "absorbed_floor": (-math.inf, 0.0),
    "recall_bounds": ((0.0, 1.0), (0.0, 1.0), (0.2, 0.7), (0.0, 0.5), (0.5, 1.0), (0.3, 0.3), (0.0, math.inf)),
    "max_detections": ((), (1, 10, 100), (1,), (2, 5)),
    "max_per_frame": (0,),
    "size_from": tuple(name for name, by in MEASURES.items() if name not in TRACK_SIZES and not by.counts),
    "headline_max": (0, 100, 5),
    "areas": (
        (Area("all", -math.inf, math.inf),), _SIZES, _SIZES[1:], (Area("all", -math.inf, math.inf), *_SIZES[2:]),
        (Area("all", 0.0, 1e10), *(Area(f"part {i}", 400.0 * i, 400.0 * (i + 2)) for i in range(4))),
        (Area("all", 0.0, math.inf), Area("by box", 0.0, 900.0, "box"), Area("stated", 0.0, 900.0, "annotation")),
    ),
    "recall_levels": (0, 2, 11, 51, 101),
    "delay_ratios": ((0.1, 0.2, 0.4, 0.8, 1.6, 3.2), (0.5,)),
    "delay_limit": (30.0, 2.5),
    "precision_epsilon": (0.0, float(np.spacing(1)), 0.125),
}  # fmt: skip


def protocols(*, image_sizes: bool = False) -> st.SearchStrategy[Protocol]:
    """Protocols that mix the rules of all families; every field takes every value.

    Sizes relative to the image only with `image_sizes`: not every form of a scene says how large its images are.
    """
    choices = {f.name: st.sampled_from(_VALUES.get(f.name) or f.metadata["values"]) for f in rule_fields(Protocol)}
    if not image_sizes:
        choices["area_unit"] = st.sampled_from(("pixels", "pixels", "quantile"))
    return st.builds(Protocol, name=st.just("hybrid"), **choices)
