"""Seeded scenes in the proportions of real detection sets, as columns and as COCO files.

Nothing here is timed. Truth and detections come from two separate streams of random numbers, so two sizes that differ
only in detections share their truth.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import write_coco

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

DEFAULT_FOLDER = Path(tempfile.gettempdir()) / "boxscore-benchmarks"


@dataclass(frozen=True)
class Size:
    """How much of everything one workload has."""

    images: int
    classes: int
    objects: int
    detections: int
    seed: int = 0
    task: str = "boxes"  # or masks, keypoints
    boxed: bool = True  # whether detections with masks or keypoints have boxes too

    @property
    def folder_name(self) -> str:
        """A name that changes with every field, so that a cached folder is never taken for another size."""
        amounts = f"{self.images}i-{self.classes}c-{self.objects}o-{self.detections}d-s{self.seed}"
        return f"v2-{self.task}-{amounts}{'' if self.boxed else '-boxless'}"


_MASKS = Size(images=5_000, classes=80, objects=37_000, detections=37_000, task="masks")
_KEYPOINTS = Size(images=5_000, classes=1, objects=11_000, detections=37_000, task="keypoints")
WORKLOADS = {
    "small": Size(images=5_000, classes=80, objects=37_000, detections=37_000),
    "dense": Size(images=5_000, classes=80, objects=37_000, detections=500_000),
    "large": Size(images=80_000, classes=365, objects=1_200_000, detections=1_200_000),
    "masks": _MASKS,
    "masks-dense": replace(_MASKS, detections=370_000),
    "masks-boxless": replace(_MASKS, boxed=False),
    "masks-boxless-dense": replace(_MASKS, detections=370_000, boxed=False),
    "keypoints": _KEYPOINTS,
    "keypoints-dense": replace(_KEYPOINTS, detections=370_000),
}


@dataclass(frozen=True)
class Scene:
    """One workload as columns: n objects, m detections, boxes as x y width height in pixels."""

    image_id: Ints  # (images,) ascending, with gaps
    width: Ints  # (images,)
    height: Ints  # (images,)
    category_id: Ints  # (classes,) ascending, with gaps
    object_id: Ints  # (n,)
    object_image: Ints  # (n,) image ids
    object_category: Ints  # (n,) category ids
    object_box: Floats  # (n, 4)
    object_area: Floats  # (n,) area of the outline, smaller than the box
    object_crowd: NDArray[np.bool_]  # (n,)
    detection_image: Ints  # (m,) image ids, grouped
    detection_category: Ints  # (m,) category ids
    detection_box: Floats  # (m, 4) float32 values
    detection_score: Floats  # (m,) float32 values, falling within an image
    detection_source: Ints  # (m,) the row of the object that it is of, -1 on background


@dataclass(frozen=True)
class Files:
    """Where one workload lies on disk."""

    truth: Path
    detections: Path
    columns: Path


def files(size: Size, folder: Path = DEFAULT_FOLDER) -> Files:
    """The COCO files of one size and its columns, made on first use."""
    place = folder / size.folder_name
    found = Files(place / "truth.json", place / "detections.json", place / "columns.npz")
    if not all(path.exists() for path in (found.truth, found.detections, found.columns)):
        place.mkdir(parents=True, exist_ok=True)
        scene = generate(size)
        if size.task == "boxes":
            write_coco.truth(scene, found.truth)
            write_coco.detections(scene, found.detections)
        else:
            import outlines  # needs pycocotools

            outlines.WRITERS[size.task](scene, size, found.truth, found.detections)
        with write_coco.whole_file(found.columns, "wb") as out:
            np.savez(out, **{field.name: getattr(scene, field.name) for field in fields(Scene)})
    return found


def columns(size: Size, folder: Path = DEFAULT_FOLDER) -> Scene:
    """The scene of one size, from the cache if it is there."""
    with np.load(files(size, folder).columns) as stored:
        return Scene(**{field.name: stored[field.name] for field in fields(Scene)})


def generate(size: Size) -> Scene:
    """Make one scene; equal sizes give equal scenes on every machine with the same NumPy."""
    random = np.random.default_rng([size.seed, size.images, size.classes, size.objects])
    image_id = _ids_with_gaps(random, size.images, spread=100)
    category_id = _ids_with_gaps(random, size.classes, spread=1.125)
    width, height = _image_sizes(random, size.images)
    favourites = random.choice(size.classes, (size.images, 3), p=_class_shares(size.classes))

    # Few images are crowded and some are empty, as in real sets.
    crowdedness = random.gamma(1.2, size=size.images)
    where = np.sort(random.choice(size.images, size.objects, p=crowdedness / crowdedness.sum()))
    label = _labels(random, favourites[where])
    box = _object_boxes(random, width[where], height[where])
    crowd = random.random(size.objects) < 0.01
    box[crowd] = _enlarged(box[crowd], width[where[crowd]], height[where[crowd]])
    box = np.round(box, 2)
    # An outline covers part of its box; this is the area that COCO's size ranges read.
    area = np.round(box[:, 2] * box[:, 3] * random.uniform(0.35, 0.95, size.objects), 4)

    # COCO lists objects in no order of images.
    shuffled = random.permutation(size.objects)

    random = np.random.default_rng([size.seed, size.detections])
    found = _detections(random, size, where, label, box, width, height, favourites)
    order = np.lexsort((-found.score, found.where))
    return Scene(
        image_id=image_id,
        width=width,
        height=height,
        category_id=category_id,
        object_id=np.arange(1, size.objects + 1) * 7,
        object_image=image_id[where[shuffled]],
        object_category=category_id[label[shuffled]],
        object_box=box[shuffled],
        object_area=area[shuffled],
        object_crowd=crowd[shuffled],
        detection_image=image_id[found.where[order]],
        detection_category=category_id[found.label[order]],
        detection_box=found.box[order].astype(np.float64),
        detection_score=found.score[order].astype(np.float64),
        detection_source=np.append(np.argsort(shuffled), -1)[found.source[order]],
    )


@dataclass(frozen=True)
class _Found:
    """Detections before they are sorted by image and score."""

    where: Ints
    label: Ints
    box: NDArray[np.float32]
    score: NDArray[np.float32]
    source: Ints


def _ids_with_gaps(random: np.random.Generator, count: int, spread: float) -> Ints:
    return np.sort(random.choice(int(count * spread) + 1, count, replace=False)).astype(np.int64) + 1


def _image_sizes(random: np.random.Generator, count: int) -> tuple[Ints, Ints]:
    common = np.array([[640, 480], [480, 640], [640, 427], [427, 640], [500, 375], [640, 360], [612, 612]])
    chosen = common[random.choice(len(common), count, p=[0.35, 0.12, 0.25, 0.1, 0.08, 0.06, 0.04])]
    return chosen[:, 0].astype(np.int64), chosen[:, 1].astype(np.int64)


def _class_shares(classes: int) -> Floats:
    """Zipf-like; the last of several classes has no object at all, so that its AP is undefined."""
    share = 1.0 / (np.arange(classes) + 2.0)
    if classes > 1:
        share[-1] = 0.0
    return np.asarray(share / share.sum())


def _labels(random: np.random.Generator, favourites: Ints) -> Ints:
    """One of the three classes that the image favours."""
    return favourites[np.arange(len(favourites)), random.integers(0, 3, len(favourites))]


def _object_boxes(random: np.random.Generator, width: Ints, height: Ints) -> Floats:
    """Log-normal sizes: about two fifths small, a third medium, a quarter large."""
    side = np.exp(random.normal(np.log(42.0), 1.0, len(width)))
    shape = np.exp(random.normal(0.0, 0.4, len(width)))
    w = np.clip(side * shape, 3.0, width - 1.0)
    h = np.clip(side / shape, 3.0, height - 1.0)
    return np.stack([random.random(len(w)) * (width - w), random.random(len(w)) * (height - h), w, h], axis=1)


def _enlarged(box: Floats, width: Ints, height: Ints) -> Floats:
    """A crowd region stretches over three times the side of an object."""
    w, h = np.minimum(box[:, 2] * 3, width - 1.0), np.minimum(box[:, 3] * 3, height - 1.0)
    return np.stack([np.minimum(box[:, 0], width - w), np.minimum(box[:, 1], height - h), w, h], axis=1)


def _detections(
    random: np.random.Generator,
    size: Size,
    where: Ints,
    label: Ints,
    box: Floats,
    width: Ints,
    height: Ints,
    favourites: Ints,
) -> _Found:
    """Found objects, second boxes of objects (loose or of another class), and boxes on background."""
    total = size.detections
    hits = min(int(size.objects * 0.82), int(total * 0.75))
    loose = (total - hits) // 3
    ground = total - hits - loose
    # False alarms are spread evenly over images, however many objects those have.
    rarity = 1.0 / np.bincount(where, minlength=size.images)[where]
    again = random.choice(size.objects, loose, p=rarity / rarity.sum())
    source = np.concatenate([random.permutation(size.objects)[:hits], again])
    ground_where = random.integers(0, size.images, ground)
    image = np.concatenate([where[source], ground_where])
    everywhere = random.choice(size.classes, total)
    likely = _labels(random, favourites[image])

    # A detector is unsure of the edges in proportion to the side; how unsure differs from object to object.
    blur = np.exp(random.normal(np.log(0.05), 0.8, hits + loose))
    blur[hits:] = blur[hits:] * 4 + 0.1
    sides = box[source][:, [2, 3, 2, 3]]
    jittered = box[source] + random.normal(size=(hits + loose, 4)) * blur[:, None] * sides
    guess = np.concatenate([jittered, _object_boxes(random, width[ground_where], height[ground_where])])
    guess[:, 2:] = np.maximum(guess[:, 2:], 1.0)

    same = np.where(random.random(hits + loose) < 0.9, label[source], likely[: hits + loose])
    other = np.where(random.random(ground) < 0.7, likely[hits + loose :], everywhere[hits + loose :])
    quality = np.concatenate([1.6 - 9.0 * blur[:hits], -2.2 - blur[hits:], np.full(ground, -2.8)])
    score = 1.0 / (1.0 + np.exp(-quality - random.normal(size=total)))
    # Some scores sit on a coarse grid, as from half precision: equal scores show how an evaluator breaks ties.
    score = np.where(random.random(total) < 0.1, np.round(score, 3), score)
    return _Found(
        image,
        np.concatenate([same, other]),
        guess.astype(np.float32),
        score.astype(np.float32),
        np.append(source, np.full(ground, -1)),
    )
