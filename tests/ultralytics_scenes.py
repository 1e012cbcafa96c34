"""Scenes for the comparison with Ultralytics: the same boxes from the same seed, wherever they are made."""

from __future__ import annotations

import random
from typing import NamedTuple

Box = tuple[float, float, float, float]  # corners


class Picture(NamedTuple):
    """The objects of an image, and its detections by descending score."""

    objects: list[tuple[Box, int]]  # corners, class
    detections: list[tuple[Box, int, float]]  # corners, class, score


KINDS = ("whole pixels", "fractions", "tiny", "far away", "at thresholds", "crowded", "many")
SCORES = ("distinct", "distinct", "coarse", "near the floor", "equal in single precision")
SEEDS = range(280)


def scene(seed: int) -> list[Picture]:
    """The images of a seed; kinds of boxes and of scores take turns."""
    chance = random.Random(seed)
    kind, scores = KINDS[seed % len(KINDS)], SCORES[seed % len(SCORES)]
    n_classes, missing = chance.randint(1, 4), chance.random()
    pictures = []
    for number in range(chance.randint(1, 8)):
        n_objects = 0 if chance.random() < 0.2 else chance.randint(1, 12 if kind == "crowded" else 6)
        objects = [(_box(chance, kind), chance.randrange(n_classes)) for _ in range(n_objects)]
        found = []
        for box, label in objects:
            for _ in range(chance.choice((0, 1, 1, 2, 5 if kind == "crowded" else 2))):
                near = _at_threshold(chance, box) if kind == "at thresholds" else _near(chance, box, kind)
                # A class more than there are objects of: it has detections only.
                found.append((near, label if chance.random() < 0.9 else chance.randrange(n_classes + 1)))
        stray = chance.randint(0, 4) + (400 if kind == "many" and number == 0 else 0)
        found += [(_box(chance, kind), chance.randrange(n_classes + 1)) for _ in range(stray)]
        if chance.random() < 0.15 or missing < 0.03:
            found = []
        scored = [(box, label, _score(chance, scores)) for box, label in found]
        pictures.append(Picture(objects, sorted(scored, key=lambda d: -single(d[2]))))
    return pictures


def single(value: float) -> float:
    """A number in single precision."""
    import numpy as np

    return float(np.float32(value))


def tied(pictures: list[Picture]) -> bool:
    """Whether detections of a class that count have equal scores."""
    scores = [(d[1], single(d[2])) for p in pictures for d in p.detections]
    return len(set(scores)) < len(scores)


def _box(chance: random.Random, kind: str) -> Box:
    x, y, w, h = (chance.randrange(*ends) for ends in ((0, 80), (0, 80), (5, 60), (5, 60)))
    if kind == "crowded":
        x, y, w, h = chance.randrange(12), chance.randrange(12), 20, 20
    if kind in ("fractions", "many"):
        x, y, w, h = (value * chance.uniform(0.5, 1.5) for value in (x, y, w, h))
    scale, shift = {"tiny": (1e-4, 0.0), "far away": (0.37, 12345.6)}.get(kind, (1.0, 0.0))
    return x * scale + shift, y * scale + shift, (x + w) * scale + shift, (y + h) * scale + shift


def _near(chance: random.Random, box: Box, kind: str) -> Box:
    whole = kind in ("whole pixels", "crowded")
    x, y, width, height = box[0], box[1], box[2] - box[0], box[3] - box[1]
    share = chance.choice((0.0, 0.05, 0.15, 0.3))
    moved = [side * chance.uniform(-share, share) for side in (width, height, width, height)]
    x, y, right, lower = x + moved[0], y + moved[1], x + width + moved[2], y + height + moved[3]
    return (round(x), round(y), round(right), round(lower)) if whole else (x, y, right, lower)


def _at_threshold(chance: random.Random, box: Box) -> Box:
    """A part of the box whose IoU with it is a multiple of a twentieth, as exactly as its numbers are."""
    part = chance.randint(9, 20) / 20
    if chance.random() < 0.5:
        return box[0], box[1], box[0] + (box[2] - box[0]) * part, box[3]
    return box[0], box[1], box[2], box[1] + (box[3] - box[1]) * part


def _score(chance: random.Random, kind: str) -> float:
    if kind == "coarse":
        return chance.randint(1, 9) / 10
    if kind == "near the floor":
        return chance.choice((0.001, 0.0010000001, 0.0005, 0.0011, chance.random(), chance.random()))
    if kind == "equal in single precision":
        return round(chance.random(), 2) + chance.choice((0.0, 1e-10))
    return chance.random()
