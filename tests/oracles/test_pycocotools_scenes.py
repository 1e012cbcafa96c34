"""`coco` equals pycocotools: difference 0, over thousands of scenes that hold whatever evaluators disagree about."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from boxscore import Result, evaluate
from boxscore.curves import Slice, curves
from boxscore.testing import Scene, scenes


def as_official(values: dict[str, float]) -> dict[str, float]:
    return {name: -1.0 if np.isnan(value) else value for name, value in values.items()}


def assert_equal(result: Result, official: Any) -> None:
    """The twelve numbers and those of each class, bit by bit."""
    assert as_official(result.metrics) == official.stats
    assert {c.id: as_official(c.metrics) for c in result.per_class} == official.classes


def assert_equal_arrays(result: Result, official: Any) -> None:
    """Precision, recall and score at every threshold, level, class, size range and cap."""
    parts = [Slice(a, cap) for a in range(4) for cap in (1, 10, 100)]
    drawn = curves(result.tally, parts, scores=True, threads=1)
    assert drawn.precision is not None
    assert drawn.level_score is not None
    absent = drawn.objects == 0  # (slices, classes)
    n_t, n_r, n_k = official.precision.shape[:3]

    def shaped(values: np.ndarray, *axes: int) -> np.ndarray:
        return np.moveaxis(values.reshape(4, 3, *axes), (0, 1), (-2, -1))

    for name, made in (("precision", drawn.precision), ("scores", drawn.level_score)):
        expected = np.where(absent[:, None, None, :], -1.0, made)
        np.testing.assert_array_equal(shaped(expected, n_t, n_r, n_k), getattr(official, name), err_msg=name)
    recall = np.where(absent[:, None, :], -1.0, drawn.true_positives / np.maximum(drawn.objects, 1)[:, None, :])
    np.testing.assert_array_equal(shaped(recall, n_t, n_k), official.recall)


def from_arrays(scene: Scene, threads: int = 1) -> Result:
    return evaluate(*scene.columns(), box="xywh", classes=scene.names, protocol="coco", threads=threads)


def with_ids(result: Result, scene: Scene) -> Result:
    """Arrays know classes by place; the official code by id."""
    from dataclasses import replace

    ids = {name: key for key, name in scene.classes}
    return replace(result, per_class=tuple(replace(c, id=ids[c.name]) for c in result.per_class))


@pytest.mark.parametrize("batch", range(4))
@settings(max_examples=400)
@given(data=st.data())
def test_small_scenes(
    pycocotools: Any, tmp_path_factory: pytest.TempPathFactory, batch: int, data: st.DataObject
) -> None:
    images, classes, objects, detections = ((4, 3, 8, 10), (1, 1, 6, 12), (2, 2, 12, 20), (6, 4, 5, 5))[batch]
    scene = data.draw(
        scenes(images=images, classes=classes, objects=objects, detections=detections, min_detections=1, crowded=False)
    )
    official = pycocotools(scene.truth(), scene.results())
    from_file = evaluate(*scene.write(tmp_path_factory.mktemp("scene")), protocol="coco", threads=1)
    assert_equal(from_file, official)
    assert_equal(with_ids(from_arrays(scene), scene), official)
    assert_equal_arrays(from_file, official)


@pytest.mark.parametrize("batch", range(2))
@settings(max_examples=150)
@given(data=st.data())
def test_full_cells(pycocotools: Any, batch: int, data: st.DataObject) -> None:
    """More than 100 detections of one class in one image, so that the cap cuts."""
    scene = data.draw(scenes(images=2 + batch, classes=2, objects=5 - batch, detections=6, min_detections=1))
    official = pycocotools(scene.truth(), scene.results())
    result = with_ids(from_arrays(scene, threads=2), scene)
    assert_equal(result, official)
    assert_equal_arrays(result, official)


@settings(max_examples=150)
@given(scene=scenes(min_detections=1, crowded=False, strangers=True))
def test_images_and_classes_that_are_not_listed(
    pycocotools: Any, tmp_path_factory: pytest.TempPathFactory, scene: Scene
) -> None:
    known = {key for key, _ in scene.classes}
    assume(any(d.label in known for d in scene.detections))  # else boxscore refuses: nothing would be compared
    official = pycocotools(scene.truth(), scene.results())
    result = evaluate(*scene.write(tmp_path_factory.mktemp("scene")), protocol="coco", threads=1)
    assert_equal(result, official)
    assert_equal_arrays(result, official)
