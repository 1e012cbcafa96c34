"""Generated evaluations of any number of classes and detection sets, for figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np

import boxscore as bs

SETS = ("yolov8n", "rtdetr-r50vd", "faster-rcnn-x101-fpn-3x-1333px", "centernet", "dino-swin-l", "ssd300")
XYWH = bs.Reading(box="xywh")


def tables(names: Sequence[str], sets: int, images: int = 40, seed: int = 1) -> tuple[bs.Truth, list[bs.Detections]]:
    """Objects of few frequent and many rare classes; detections of falling quality, some of the next class."""
    rng, n_classes = np.random.default_rng(seed), len(names)
    often = 1 / np.arange(1, n_classes + 1) ** 0.8
    n = max(4 * n_classes, 80)
    label, image = rng.choice(n_classes, n, p=often / often.sum()), rng.integers(0, images, n)
    corner, side = rng.uniform(0, 400, (n, 2)), np.exp(rng.normal(4, 0.8, (n, 2)))
    truth, _ = bs.read_truth(
        {
            "images": list(range(images)),
            "image": image,
            "boxes": np.c_[corner, side],
            "labels": [names[k] for k in label],
        },
        XYWH,
    )
    made = []
    for k in range(sets):
        kept, wrong = rng.random(n) < 0.85 - 0.06 * k, rng.random(n) < 0.1 + 0.03 * k
        given = np.where(wrong, (label + 1) % n_classes, label)[kept]
        shifted = corner[kept] + rng.normal(0, 3 + k, (kept.sum(), 2))
        scaled = side[kept] * np.exp(rng.normal(0, 0.1 + 0.02 * k, (kept.sum(), 2)))
        score = np.clip(rng.beta(5, 2, kept.sum()) - 0.25 * wrong[kept], 0.01, 1).round(4)
        rows = {"image": image[kept], "boxes": np.c_[shifted, scaled], "labels": [names[k] for k in given]}
        detections, _ = bs.read_detections({**rows, "scores": score}, XYWH, truth)
        made.append(replace(detections, name=SETS[k]))
    return truth, made


def words(n: int) -> tuple[str, ...]:
    """Names of classes such as people give them."""
    some = ("person", "car", "traffic light", "dog", "fire hydrant", "tv", "baseball bat", "cup", "potted plant", "bus")
    return tuple(some[k] if k < len(some) else f"{some[k % len(some)]} {k // len(some) + 1}" for k in range(n))


@cache
def results(names: tuple[str, ...], sets: int = 1, protocol: str = "coco") -> tuple[bs.Result, ...]:
    """Evaluations of a scene."""
    truth, found = tables(names, sets)
    return tuple(bs.evaluate(truth, one, protocol=protocol) for one in found)


def nothing_found(protocol: str = "coco") -> bs.Result:
    """An evaluation without a detection."""
    truth, (found,) = tables(words(3), 1)
    return bs.evaluate(truth, bs.select(found, np.zeros(len(found), np.bool_)), protocol=protocol)


def one_object(protocol: str = "coco") -> bs.Result:
    """An evaluation of a single object with a single detection."""
    truth = [{"boxes": [[10, 10, 50, 50]], "labels": ["cat"]}]
    found = [{"boxes": [[10, 10, 50, 50]], "labels": ["cat"], "scores": [0.5]}]
    return bs.evaluate(truth, found, box="xyxy", protocol=protocol)


def no_objects(protocol: str = "coco") -> bs.Result:
    """An evaluation in which nothing is to be found: every curve is undefined."""
    truth, (found,) = tables(words(3), 1)
    return bs.evaluate(bs.select(truth, np.zeros(len(truth), np.bool_)), found, protocol=protocol)


def some_without_objects() -> bs.Result:
    """Three classes, of which one has detections and no object."""
    truth = [{"boxes": [[10, 10, 50, 50], [60, 10, 90, 50]], "labels": ["cat", "dog"]}]
    found = [{"boxes": [[10, 10, 50, 50], [60, 10, 90, 40]], "labels": ["cat", "cow"], "scores": [0.5, 0.4]}]
    return bs.evaluate(truth, found, box="xyxy", classes=["cat", "dog", "cow"])
