"""Mistakes to put into data sets, at random strength, into all rows or some."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from boxscore.checkup.classes import COCO_IDS
from boxscore.diagnostics.diagnoses import Tables
from boxscore.tables.model import Classes, Detections, Images, Table, row_numbers, select

Random = np.random.Generator


class Fault(NamedTuple):
    """A mistake: the codes that name it, and how it gets in."""

    name: str
    codes: tuple[str, ...]
    put: Callable[[Tables, Random], Tables]
    also: tuple[str, ...] = ()  # codes of further mistakes in it


def _with_corners(table: Table, corners: np.ndarray) -> Table:
    """A table with other boxes, as a reader would give it: box areas are those of the boxes."""
    area = (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1])
    return replace(table, corners=corners, box_area=area)


def _boxes(change: Callable[[np.ndarray, np.ndarray, Random], np.ndarray]) -> Callable[[Tables, Random], Tables]:
    """Another form of the boxes of all detections, or of a class, a folder or a half of the images."""

    def put(tables: Tables, random: Random) -> Tables:
        truth, found = tables
        rows = part(tables, random)
        sizes = np.stack([truth.images.width, truth.images.height], axis=1)[found.image[rows]]
        corners = found.corners.copy()
        corners[rows] = change(corners[rows], sizes, random)
        return Tables(truth, _with_corners(found, corners))

    return put


def part(tables: Tables, random: Random) -> np.ndarray:
    """The rows that a mistake concerns: all of them half of the time."""
    truth, found = tables
    kind = random.choice(["all", "all", "all", "class", "folder", "half"])
    folders = sorted({key.rpartition("/")[0] for key in truth.images.key})
    if kind == "class":
        k = int(np.bincount(truth.label).argmax())
        return found.label == k
    if kind == "folder" and len(folders) > 1:
        own = np.array([key.rpartition("/")[0] == folders[-1] for key in truth.images.key])
        return own[found.image]
    if kind == "half":
        return found.image >= len(truth.images) // 2
    return np.ones(len(found), np.bool_)


def _letterboxed(c: np.ndarray, s: np.ndarray, random: Random) -> np.ndarray:
    side = float(random.choice([320, 416, 512, 608, 640, 736, 896, 1280, random.integers(200, 1500)]))
    ratio = side / s.max(axis=1, keepdims=True)
    return c * ratio + np.tile((side - s * ratio) / 2, 2)


def _stretched(c: np.ndarray, s: np.ndarray, random: Random) -> np.ndarray:
    side = float(random.choice([224, 300, 416, 512, 640, 700, 1024]))
    frame = np.array([[side, side]]) if random.random() < 0.5 else random.integers(200, 1500, (1, 2))
    return c * np.tile(frame / s, 2)


def _labels(tables: Tables, random: Random) -> Tables:
    truth, found = tables
    by = int(random.choice([-1, 1]))
    ids = tuple(int(key) + by for key in truth.classes.id)
    return Tables(truth, replace(found, classes=Classes(tuple(map(str, ids)), ids)))


def _permuted(tables: Tables, random: Random) -> Tables:
    truth, found = tables
    order = np.roll(np.arange(len(truth.classes)), int(random.integers(1, len(truth.classes))))
    return Tables(truth, replace(found, label=order[found.label].astype(np.int32)))


def _image_ids(tables: Tables, random: Random) -> Tables:
    truth, found = tables
    by = int(random.choice([1, -1, 1000, 100_000]))
    ids = truth.images.id + by
    return Tables(truth, replace(found, images=Images([str(i) for i in ids], ids)))


def _neighbours(tables: Tables, random: Random) -> Tables:
    truth, found = tables
    image = np.roll(np.arange(len(truth.images)), int(random.choice([1, -1])))[found.image].astype(np.int32)
    return Tables(truth, replace(found, image=image))


def _twice(tables: Tables, random: Random) -> Tables:
    truth, found = tables
    rows = np.sort(
        np.concatenate(
            [np.arange(len(found)), random.choice(len(found), int(len(found) * random.uniform(0.05, 1)), replace=False)]
        )
    )
    return Tables(truth, replace(select(found, rows), position=row_numbers(len(rows))))


def _scores(change: Callable[[np.ndarray, Random], np.ndarray]) -> Callable[[Tables, Random], Tables]:
    return lambda t, random: Tables(t.truth, replace(t.detections, score=change(t.detections.score, random)))


def _some_images(tables: Tables, random: Random) -> Tables:
    share = random.uniform(0.4, 0.8)
    keep = random.random(len(tables.truth.images)) > share
    return Tables(tables.truth, select(tables.detections, keep[tables.detections.image]))


def _flat(tables: Tables, random: Random) -> Tables:
    rows = random.random(len(tables.truth)) < random.uniform(0.02, 0.3)
    corners = tables.truth.corners.copy()
    corners[rows, 2] = corners[rows, 0]
    return Tables(_with_corners(tables.truth, corners), tables.detections)


def _ids(tables: Tables, random: Random) -> Tables:
    return Tables(replace(tables.truth, id=tables.truth.id - 1), tables.detections)


def _same(tables: Tables, random: Random) -> Tables:
    t = tables.truth
    found = Detections(
        t.images, t.classes, t.image, t.label, t.corners, t.box_area, t.position, "d", "coco", score=np.ones(len(t))
    )
    return Tables(t, found)


def _objects_twice(tables: Tables, random: Random) -> Tables:
    t = tables.truth
    rows = np.sort(
        np.concatenate(
            [np.arange(len(t)), random.choice(len(t), int(len(t) * random.uniform(0.05, 0.5)), replace=False)]
        )
    )
    return Tables(
        replace(select(t, rows), position=row_numbers(len(rows)), id=np.arange(1, len(rows) + 1)), tables.detections
    )


def _near(tables: Tables, random: Random) -> Tables:
    """Boxes of a detector that is right to two pixels, shifted by one."""
    truth = tables.truth
    rows = np.sort(random.choice(len(truth), int(0.9 * len(truth)), replace=False))
    corners = truth.corners[rows] + random.normal(0, 2, (len(rows), 4)) + random.choice([-1, 1])
    made = select(_same(tables, random).detections, rows)
    return Tables(
        truth, replace(made, corners=corners, score=random.random(len(rows)), position=row_numbers(len(rows)))
    )


def _coco_ids(tables: Tables, random: Random) -> Tables:
    truth, found = tables
    n = len(truth.classes)
    first = int(random.integers(0, 2)) if n > 20 else 0  # COCO's first gap comes after 11
    numbers = tuple(range(first, first + n))
    classes = Classes(truth.classes.name, COCO_IDS[:n])
    return Tables(replace(truth, classes=classes), replace(found, classes=Classes(tuple(map(str, numbers)), numbers)))


def _variants(tables: Tables, random: Random) -> Tables:
    truth, found = tables
    names = tuple(name.replace(" ", str(random.choice(["-", "_", ""]))).title() for name in truth.classes.name)
    return Tables(truth, replace(found, classes=Classes(names, names)))


def _stems(tables: Tables, random: Random) -> Tables:
    truth, found = tables
    names = [key.rpartition("/")[2].removesuffix(".jpg") + ".png" for key in truth.images.key]
    return Tables(truth, replace(found, images=Images(names)))


def _places(tables: Tables, random: Random) -> Tables:
    truth, found = tables
    numbers = np.arange(len(truth.images)) + int(random.integers(0, 2))
    return Tables(truth, replace(found, images=Images([str(i) for i in numbers], numbers)))


def _other_split(tables: Tables, random: Random) -> Tables:
    truth, found = tables
    names = [f"test/{int(i)}.jpg" for i in random.integers(10**6, 10**7, len(truth.images))]
    return Tables(truth, replace(found, images=Images(names)))


def _other_images(tables: Tables, random: Random) -> Tables:
    truth, found = tables
    image = random.permutation(len(truth.images))[found.image].astype(np.int32)
    return Tables(truth, replace(found, image=image))


def _same_ids(tables: Tables, random: Random) -> Tables:
    ids = tables.truth.id // int(random.integers(2, 5)) + 1
    return Tables(replace(tables.truth, id=ids), tables.detections)


def _turned(tables: Tables, random: Random) -> Tables:
    images = tables.truth.images
    turned = replace(images, width=images.height, height=images.width)
    return Tables(replace(tables.truth, images=turned), replace(tables.detections, images=turned))


def _crowded(tables: Tables, random: Random) -> Tables:
    truth, found = tables
    image = int(np.bincount(truth.image).argmax())
    n = int(random.integers(150, 600))
    rows = np.concatenate([np.arange(len(found)), np.full(n, np.flatnonzero(found.image == image)[0])])
    more = select(found, rows)
    corners, score = more.corners.copy(), more.score.copy()
    width, height = truth.images.width[image], truth.images.height[image]
    corners[-n:] = random.uniform(0, 0.5, (n, 4)) * [width, height, width, height] + [0, 0, width / 2, height / 2]
    score[-n:] = random.uniform(0.95, 1, n)
    label = more.label.copy()
    label[-n:] = np.bincount(truth.label[truth.image == image]).argmax()
    return Tables(truth, replace(more, corners=corners, score=score, label=label, position=row_numbers(len(rows))))


def _floor(tables: Tables, random: Random) -> Tables:
    score = tables.detections.score
    return Tables(tables.truth, select(tables.detections, score >= random.uniform(0.1, 0.5)))


def _unlabelled(tables: Tables, random: Random) -> Tables:
    keep = random.random(len(tables.truth)) > random.uniform(0.1, 0.3)
    return Tables(select(tables.truth, keep), tables.detections)


def _wrong_labels(tables: Tables, random: Random) -> Tables:
    truth = tables.truth
    wrong = random.random(len(truth)) < random.uniform(0.1, 0.3)
    by = random.integers(1, len(truth.classes), len(truth))
    label = np.where(wrong, (truth.label + by) % len(truth.classes), truth.label).astype(np.int32)
    return Tables(replace(truth, label=label), tables.detections)


def _both(*faults: Callable[[Tables, Random], Tables]) -> Callable[[Tables, Random], Tables]:
    """Several mistakes on top of one another."""

    def put(tables: Tables, random: Random) -> Tables:
        for fault in faults:
            tables = fault(tables, random)
        return tables

    return put


def _whole(change: Callable[[np.ndarray, np.ndarray, Random], np.ndarray]) -> Callable[[Tables, Random], Tables]:
    """Another form of the boxes of all detections."""

    def put(tables: Tables, random: Random) -> Tables:
        truth, found = tables
        sizes = np.stack([truth.images.width, truth.images.height], axis=1)[found.image]
        return Tables(truth, _with_corners(found, change(found.corners, sizes, random)))

    return put


def _as_corners(c: np.ndarray, s: np.ndarray, r: Random) -> np.ndarray:
    return np.concatenate([c[:, :2], c[:, :2] + c[:, 2:]], 1)


def _unsized(tables: Tables, random: Random) -> Tables:
    """Nobody knows the sizes of the images."""
    images = replace(tables.truth.images, width=None, height=None)
    return Tables(replace(tables.truth, images=images), replace(tables.detections, images=images))


def _part_of_truth(tables: Tables, random: Random) -> Tables:
    """Axes of the truth swapped on half of the images, or for a class."""
    truth = tables.truth
    rows = truth.image >= len(truth.images) // 2
    if random.random() < 0.5:
        rows = truth.label == np.bincount(truth.label).argmax()
    corners = np.where(rows[:, None], truth.corners[:, [1, 0, 3, 2]], truth.corners)
    return Tables(_with_corners(truth, corners), tables.detections)


def _of_truth(change: Callable[[np.ndarray], np.ndarray]) -> Callable[[Tables, Random], Tables]:
    """Another form of the boxes of the truth."""
    return lambda t, random: Tables(_with_corners(t.truth, change(t.truth.corners)), t.detections)


FAULTS = (
    Fault("axes swapped", ("BOX101",), _boxes(lambda c, s, r: c[:, [1, 0, 3, 2]])),
    Fault(
        "corners as x y w h", ("BOX102",), _boxes(lambda c, s, r: np.concatenate([c[:, :2], c[:, :2] + c[:, 2:]], 1))
    ),
    Fault(
        "x y w h as corners", ("BOX103",), _boxes(lambda c, s, r: np.concatenate([c[:, :2], c[:, 2:] - c[:, :2]], 1))
    ),
    Fault("centre as corner", ("BOX104",), _boxes(lambda c, s, r: c + np.tile(c[:, 2:] - c[:, :2], 2) / 2)),
    Fault("corner as centre", ("BOX105",), _boxes(lambda c, s, r: c - np.tile(c[:, 2:] - c[:, :2], 2) / 2)),
    Fault("normalized", ("BOX106",), _boxes(lambda c, s, r: c / np.tile(s, 2))),
    Fault("percent", ("BOX107",), _boxes(lambda c, s, r: 100 * c / np.tile(s, 2))),
    Fault("letterbox", ("BOX108",), _boxes(_letterboxed)),
    Fault("stretched", ("BOX109",), _boxes(_stretched)),
    Fault(
        "y flipped",
        ("BOX111",),
        _boxes(lambda c, s, r: np.stack([c[:, 0], s[:, 1] - c[:, 3], c[:, 2], s[:, 1] - c[:, 1]], 1)),
    ),
    Fault("class numbers shifted", ("CLS101",), _labels),
    Fault("classes in another order", ("CLS103", "CLS101"), _permuted),
    Fault("image numbers shifted", ("IMG101",), _image_ids),
    Fault("boxes of the neighbour", ("IMG103", "IMG101"), _neighbours),
    Fault("detections twice", ("DUP101",), _twice),
    Fault("objects twice", ("DUP102",), _objects_twice),
    Fault("scores in percent", ("SCR101",), _scores(lambda s, r: s * 100)),
    Fault("constant scores", ("SCR102",), _scores(lambda s, r: np.full(len(s), r.uniform()))),
    Fault("scores upside down", ("SCR107",), _scores(lambda s, r: 1 - s)),
    Fault("some images only", ("IMG104",), _some_images),
    Fault("flat boxes", ("BOX001",), _flat),
    Fault("annotation id 0", ("ID001",), _ids),
    Fault("the truth itself", ("SAM101",), _same),
    Fault(
        "x mirrored",
        ("BOX114",),
        _boxes(lambda c, s, r: np.stack([s[:, 0] - c[:, 2], c[:, 1], s[:, 0] - c[:, 0], c[:, 3]], 1)),
    ),
    Fault("columns permuted", ("BOX115",), _boxes(lambda c, s, r: c[:, [0, 2, 1, 3]])),
    Fault("off by one", ("BOX110",), _near),
    Fault(
        "truth: corners as x y w h",
        ("BOX102",),
        _of_truth(lambda c: np.concatenate([c[:, :2], c[:, :2] + c[:, 2:]], 1)),
    ),
    Fault("truth: axes swapped", ("BOX101",), _of_truth(lambda c: c[:, [1, 0, 3, 2]])),
    Fault("truth: a part swapped", ("BOX101",), _part_of_truth),
    Fault(
        "scaled", ("BOX109",), _boxes(lambda c, s, r: c * float(r.choice([r.uniform(0.2, 0.75), r.uniform(1.35, 5)])))
    ),
    Fault("corners, sizes unknown", ("BOX102",), _both(_whole(_as_corners), _unsized)),
    Fault(
        "truth: corners, sizes unknown",
        ("BOX102",),
        _both(_of_truth(lambda c: np.concatenate([c[:, :2], c[:, :2] + c[:, 2:]], 1)), _unsized),
    ),
    Fault("COCO's 80 and 91", ("CLS102", "CLS101"), _coco_ids),
    Fault("class names written otherwise", ("CLS104",), _variants),
    Fault("images by stem", ("IMG102",), _stems),
    Fault("images by place", ("IMG102", "IMG101"), _places),
    Fault("another split", ("IMG105",), _other_split),
    Fault("boxes of other images", ("IMG108",), _other_images),
    Fault("annotation ids twice", ("ID002",), _same_ids),
    Fault("image sizes turned", ("SIZ002",), _turned),
    Fault("logits", ("SCR104",), _scores(lambda s, r: np.log(s / (1 - s)))),
    Fault("scores with one digit", ("SCR106", "SCR103"), _scores(lambda s, r: s.round(1))),
    Fault("scores cut", ("SCR105",), _floor),
    Fault("600 of a class", ("CAP001",), _crowded),
    Fault("objects without annotation", ("LBL101",), _unlabelled),
    Fault("wrong labels", ("LBL102",), _wrong_labels),
    Fault(
        "corners in shares, as x y w h",
        ("BOX102", "BOX106"),
        _whole(lambda c, s, r: np.concatenate([c[:, :2], c[:, :2] + c[:, 2:]], 1) / np.tile(s, 2)),
    ),
    Fault(
        "swapped corners in percent",
        ("BOX101", "BOX107"),
        _whole(lambda c, s, r: 100 * (c / np.tile(s, 2))[:, [1, 0, 3, 2]]),
    ),
    Fault("letterbox and class shift", ("BOX108",), _both(_whole(_letterboxed), _labels), ("CLS101",)),
    Fault("image and class shift", ("IMG101",), _both(_image_ids, _labels), ("CLS101",)),
    Fault(
        "image shift and corners",
        ("IMG101",),
        _both(_whole(lambda c, s, r: np.concatenate([c[:, :2], c[:, :2] + c[:, 2:]], 1)), _image_ids),
        ("BOX102",),
    ),
)
