"""Data sets as good detectors make them."""

from __future__ import annotations

import numpy as np

from boxscore.diagnostics.diagnoses import Tables
from boxscore.tables.model import Classes, Detections, Images, Truth, row_numbers

Random = np.random.Generator


def good(seed: int, small: bool = False) -> Tables:
    """A data set of some size with a detector of some quality; every seed is another one."""
    random = np.random.default_rng(seed)
    n_images, n_classes = int(random.integers(40, 80 if small else 250)), int(random.integers(2, 30))
    size = np.stack(
        [random.choice([320, 480, 500, 640, 800, 1280], n_images), random.choice([240, 375, 427, 480, 720], n_images)],
        1,
    )
    per_image = random.poisson(random.uniform(2, 8), n_images)
    image = np.repeat(np.arange(n_images), per_image).astype(np.int32)
    n = len(image)
    shares = random.dirichlet(np.full(n_classes, 0.8))
    label = random.choice(n_classes, n, p=shares).astype(np.int32)
    side = size[image] * np.clip(random.lognormal(-1.6, 0.7, (n, 2)), 0.02, 0.9)
    corner = random.uniform(0, 1, (n, 2)) * (size[image] - side)
    corners = np.concatenate([corner, corner + side], axis=1)
    folders = ["", "day/", "night/"][: int(random.integers(1, 4))]
    keys = [f"{folders[i % len(folders)]}{i * 7 + 100:06d}.jpg" for i in range(n_images)]
    ids = np.arange(n_images, dtype=np.int64) * 7 + 100
    images = Images(keys, ids, size[:, 0].astype(float), size[:, 1].astype(float))
    first = int(random.integers(1, 3))
    classes = Classes(tuple(f"class {k}" for k in range(n_classes)), tuple(range(first, first + n_classes)))
    truth = Truth(
        images, classes, image, label, corners, side[:, 0] * side[:, 1], row_numbers(n), "truth", "coco",
        area=side[:, 0] * side[:, 1], flags=np.zeros(n, np.uint16), id=np.arange(1, n + 1),
    )  # fmt: skip
    return Tables(truth, _detected(random, truth, size))


def _detected(random: Random, truth: Truth, size: np.ndarray) -> Detections:
    quality = random.uniform(0.55, 0.95)
    seen = np.flatnonzero(random.random(len(truth)) < quality)
    noise = random.uniform(0.02, 0.1)
    side = np.tile(truth.corners[seen, 2:] - truth.corners[seen, :2], 2)
    close = truth.corners[seen] + random.normal(0, noise, (len(seen), 4)) * side
    close[:, 2:] = np.maximum(close[:, 2:], close[:, :2] + 1)
    wrong = random.random(len(seen)) < 0.1
    label = np.where(wrong, random.integers(0, len(truth.classes), len(seen)), truth.label[seen])
    extra = int(len(truth) * random.uniform(0.2, 2))
    where = random.integers(0, len(truth.images), extra)
    span = size[where] * np.clip(random.lognormal(-1.6, 0.7, (extra, 2)), 0.02, 0.9)
    corner = random.uniform(0, 1, (extra, 2)) * (size[where] - span)
    corners = np.concatenate([close, np.concatenate([corner, corner + span], axis=1)])
    score = np.concatenate([random.beta(5, 2, len(seen)), random.beta(1.2, 6, extra)])
    image = np.concatenate([truth.image[seen], where]).astype(np.int32)
    labels = np.concatenate([label, random.integers(0, len(truth.classes), extra)]).astype(np.int32)
    order = np.argsort(image, kind="stable")
    area = (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1])
    return Detections(
        truth.images, truth.classes, image[order], labels[order], corners[order], area[order], row_numbers(len(order)),
        "detections", "coco", score=score[order],
    )  # fmt: skip
