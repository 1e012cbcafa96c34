"""Tables from a few rows, with everything that files of some formats say of whole images and classes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from boxscore.tables.box_forms import to_corners
from boxscore.tables.model import Classes, Detections, Flag, ImageLabels, Images, Mark, Truth

Box = Sequence[float]
Statement = tuple[Any, Any, Mark]  # image, class, what is said of them


class Object(NamedTuple):
    """An annotated object; `image` and `label` are entries of the lists."""

    image: Any
    label: Any
    box: Box
    flags: Flag = Flag(0)


class Found(NamedTuple):
    """A detection."""

    image: Any
    label: Any
    box: Box
    score: float


def tables(
    objects: Sequence[Object],
    found: Sequence[Found],
    *,
    images: Sequence[Any] = (1, 2),
    classes: Sequence[Any] = ("a", "b"),
    said: Iterable[Statement] = (),
    parents: dict[Any, Sequence[Any]] | None = None,
    frequency: Sequence[str] | None = None,
    sizes: Sequence[tuple[float, float]] | None = None,
    box: str = "xyxy",
) -> tuple[Truth, Detections]:
    """Both sides over the same classes; `images` are the truth's, as numbers or names in official order."""
    names = Classes(
        tuple(str(c) for c in classes),
        tuple(range(1, len(classes) + 1)),
        None if frequency is None else tuple(frequency),
        None if parents is None else tuple(tuple(classes.index(p) for p in parents.get(c, ())) for c in classes),
    )
    strangers = dict.fromkeys(f.image for f in found if f.image not in images)  # the truth does not list them
    place, number = ({key: n for n, key in enumerate(keys)} for keys in ((*images, *strangers), classes))
    listed = _images(images, sizes)

    def rows(over: Images, items: Sequence[Object] | Sequence[Found]) -> Any:
        boxes = np.array([item.box for item in items], np.float64).reshape(-1, 4)
        image = np.array([place[item.image] for item in items], np.int32)
        label = np.array([number[item.label] for item in items], np.int32)
        return over, names, image, label, *to_corners(boxes, box), np.arange(len(items), dtype=np.int64)

    truth = Truth(
        *rows(listed, objects),
        area=np.full(len(objects), np.nan),
        flags=np.array([int(o.flags) for o in objects], np.uint16),
        labels=image_labels([(place[i], number[c], mark) for i, c, mark in said]),
    )
    theirs = _images([*images, *strangers]) if strangers else listed
    return truth, Detections(*rows(theirs, found), score=np.array([f.score for f in found], np.float64))


def _images(keys: Sequence[Any], sizes: Sequence[tuple[float, float]] | None = None) -> Images:
    numbers = np.array(keys, np.int64) if all(isinstance(key, int) for key in keys) else None
    return Images([str(key) for key in keys], numbers, *(() if sizes is None else np.array(sizes, np.float64).T))


def image_labels(rows: Sequence[tuple[int, int, Mark]]) -> ImageLabels | None:
    """What is said of whole images, by number of image and class; None where nothing is."""
    if not rows:
        return None
    image, label, mark = zip(*rows, strict=True)
    return ImageLabels(np.array(image, np.int32), np.array(label, np.int32), np.array(mark, np.uint8))
