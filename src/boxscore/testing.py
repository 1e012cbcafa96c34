"""Strategies for hypothesis: small scenes with everything that evaluators disagree about, and protocols of mixed rules.

Needs hypothesis (`pip install hypothesis`); nothing else in the package imports it.

>>> scene = Scene((7, 3), ((1, "cat"),), (Object(7, 1, (0.0, 0.0, 20.0, 20.0), 1, 400.0),), ())
>>> scene.truth()["annotations"][0]["bbox"]
[0.0, 0.0, 20.0, 20.0]
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

from boxscore.geometry import to_corners
from boxscore.model import Classes, Detections, Flag, Floats, Images, Indices, Ints, Truth, index_of
from boxscore.protocols import REGISTRY, Area, Protocol

Box = tuple[float, float, float, float]  # x y width height
_Columns = tuple[Images, Classes, Indices, Indices, Floats, Floats, Ints]
_NO_FLAGS = Flag(0)


@dataclass(frozen=True)
class Object:
    """An annotated object; `image` and `label` are ids."""

    image: int
    label: int
    box: Box
    id: int
    area: float
    flags: Flag = _NO_FLAGS


@dataclass(frozen=True)
class Detection:
    """A detection; `image` and `label` are ids."""

    image: int
    label: int
    box: Box
    score: float


@dataclass(frozen=True)
class Scene:
    """Truth and detections of a few images, in any form that boxscore or an official code reads."""

    images: tuple[int, ...]  # ids, in the order of the file
    classes: tuple[tuple[int, str], ...]  # ids and names, in the order of the file
    objects: tuple[Object, ...]
    detections: tuple[Detection, ...]

    def truth(self) -> dict[str, Any]:
        """The truth as COCO writes it, made anew for each caller."""
        return {
            "images": [{"id": i, "file_name": f"{i}.jpg", "width": 640, "height": 480} for i in self.images],
            "annotations": [
                {
                    "id": o.id, "image_id": o.image, "category_id": o.label, "bbox": list(o.box), "area": o.area,
                    "iscrowd": int(Flag.CROWD in o.flags), "ignore": int(Flag.IGNORE in o.flags),
                }
                for o in self.objects
            ],
            "categories": [{"id": key, "name": name} for key, name in self.classes],
        }  # fmt: skip

    def results(self) -> list[dict[str, Any]]:
        """The detections as a COCO results list, made anew for each caller."""
        return [
            {"image_id": d.image, "category_id": d.label, "bbox": list(d.box), "score": d.score}
            for d in self.detections
        ]

    def write(self, folder: Path) -> tuple[Path, Path]:
        """Both sides as COCO files in a folder; returns their paths."""
        truth, results = folder / "truth.json", folder / "results.json"
        truth.write_text(json.dumps(self.truth()))
        results.write_text(json.dumps(self.results()))
        return truth, results

    def columns(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Both sides as mappings of arrays for `evaluate(..., box="xywh", classes=scene.names)`.

        Labels are places in `names`, so every row must have a listed image and class.
        """
        truth, detections = self.tables()
        both: list[dict[str, Any]] = [
            {
                "image": np.array([row.image for row in rows], np.int64),
                "labels": label.astype(np.int64),
                "boxes": np.array([row.box for row in rows]).reshape(-1, 4),
            }
            for rows, label in ((self.objects, truth.label), (self.detections, detections.label))
        ]
        flags = {str(f.name).lower(): (truth.flags & int(f)) != 0 for f in _KINDS}
        both[0] |= {"images": np.array(self.images), "area": truth.area, "id": truth.id, **flags}
        both[1] |= {"scores": detections.score}
        return both[0], both[1]

    @property
    def names(self) -> tuple[str, ...]:
        """Class names by ascending id, the order in which official codes report them."""
        return tuple(name for _, name in sorted(self.classes))

    def tables(self) -> tuple[Truth, Detections]:
        """Both sides as tables over the same images and classes; rows that name others have -1 there."""
        ids = np.array(self.images, np.int64)
        n = len(self.images)
        images = Images([f"{i}.jpg" for i in self.images], ids, np.full(n, 640.0), np.full(n, 480.0))
        classes = Classes(self.names, tuple(sorted(key for key, _ in self.classes)))
        class_ids = np.array(classes.id, np.int64)

        def rows(items: tuple[Object, ...] | tuple[Detection, ...]) -> _Columns:
            boxes = np.array([item.box for item in items], np.float64).reshape(-1, 4)
            image = index_of(np.array([item.image for item in items], np.int64), ids)
            label = index_of(np.array([item.label for item in items], np.int64), class_ids)
            return images, classes, image, label, *to_corners(boxes, "xywh"), np.arange(len(items), dtype=np.int64)

        truth = Truth(
            *rows(self.objects),
            area=np.array([o.area for o in self.objects], np.float64),
            flags=np.array([int(o.flags) for o in self.objects], np.uint16),
            id=np.array([o.id for o in self.objects], np.int64),
        )
        return truth, Detections(*rows(self.detections), score=np.array([d.score for d in self.detections], np.float64))


_IMAGE_IDS = (1, 2, 3, 10, 42, 0, 139, 581929, 900100233233)  # drawn in any order
_CLASS_IDS = (1, 2, 3, 90, 17, 0, 44)
_NOWHERE = 77  # an image and a class that no scene lists
_PLACES = (0, 10, 20, 25, 50, 300)
_SIDES = (20, 20, 40, 40, 32, 96, 100, 10, 7, 1, 0, -5)
_SCALES = (1.0, 1.0, 1.0, 0.1, 1 / 3, 1.7, 2.5e-3)
_AREAS = (None, None, None, None, 1024.0, 9216.0, 0.0, 500.0, 5e3, 1e6, 1e10, 2e10)  # None: width times height
_FLAGS = (
    *(_NO_FLAGS,) * 6, Flag.CROWD, Flag.CROWD, Flag.DIFFICULT, Flag.IGNORE, Flag.CROWD | Flag.DIFFICULT,
    Flag.GROUP_OF, Flag.GROUP_OF,
)  # fmt: skip
_KINDS = (Flag.CROWD, Flag.DIFFICULT, Flag.IGNORE, Flag.GROUP_OF)
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
) -> Scene:  # fmt: skip
    """Scenes with up to so many images, classes, objects and detections.

    Ids are unordered and may be 0 or repeated; scores and overlaps tie, overlaps lie exactly on thresholds, areas on
    the ends of size ranges; boxes may have no extent. With `crowded` some cells have more than 100 detections; with
    `strangers` some rows name an image (objects only) or a class that is not listed.
    """
    image_ids = draw(st.lists(st.sampled_from(_IMAGE_IDS), min_size=1, max_size=images, unique=True))
    class_ids = draw(st.lists(st.sampled_from(_CLASS_IDS), min_size=1, max_size=classes, unique=True))
    some_image = st.sampled_from([*image_ids * 4, _NOWHERE] if strangers else image_ids)
    some_class = st.sampled_from([*class_ids * 4, _NOWHERE] if strangers else class_ids)
    scale, id_rule, score_rule = draw(
        st.tuples(st.sampled_from(_SCALES), st.sampled_from(sorted(_IDS)), st.sampled_from(sorted(_SCORES)))
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
        made.append(Object(image, label, (x, y, w, h), _IDS[id_rule](i), w * h if area is None else area, flags))

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
_VALUES: dict[str, tuple[Any, ...]] = {  # of the fields that are no choice between names
    "ignored_last": (False, True),
    "iou": (
        (0.5,), (0.75, 0.5), REGISTRY["coco"].iou,
        *(tuple(np.linspace(0.05, 1.0, n).tolist()) for n in (8, 9, 16, 33, 64)),
    ),
    "iou_ceiling": (1.0, 1 - 1e-10, 0.7),
    "iou_margin": (0.0, 0.0, 10.0, 2.5),
    "score_floor": (-math.inf, -math.inf, 0.0, 0.3),
    "absorbed_weight": (0.0, 1.0, 0.5, 0.3),
    "absorbed_floor": (-math.inf, 0.0),
    "recall_bounds": ((0.0, 1.0), (0.0, 1.0), (0.2, 0.7), (0.0, 0.5), (0.5, 1.0), (0.3, 0.3)),
    "max_detections": ((), (1, 10, 100), (1,), (2, 5)),
    "headline_max": (0, 100, 5),
    "areas": (
        (Area("all", -math.inf, math.inf),), _SIZES, _SIZES[1:],
        (Area("all", 0.0, 1e10), *(Area(f"part {i}", 400.0 * i, 400.0 * (i + 2)) for i in range(4))),
    ),
    "recall_levels": (0, 2, 11, 51, 101),
    "precision_epsilon": (0.0, float(np.spacing(1)), 0.125),
}  # fmt: skip


def protocols(*, image_sizes: bool = False) -> st.SearchStrategy[Protocol]:
    """Protocols that mix the rules of all families; every field takes every value.

    Sizes relative to the image only with `image_sizes`: not every form of a scene says how large its images are.
    """
    rules = [f for f in fields(Protocol) if "meaning" in f.metadata and f.compare]
    choices = {f.name: st.sampled_from(f.metadata.get("values") or _VALUES[f.name]) for f in rules}
    if not image_sizes:
        choices["area_unit"] = st.sampled_from(("pixels", "pixels", "quantile"))
    return st.builds(Protocol, name=st.just("hybrid"), **choices)
