"""`coco` equals pycocotools: difference 0, over 2,050 scenes that hold whatever evaluators disagree about."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from boxscore import Result, evaluate
from boxscore.testing import Scene, scenes
from effort import examples

SIZES = [  # images, classes, objects, detections
    (4, 3, 8, 10),
    (1, 1, 6, 12),
    (2, 2, 12, 20),
    (6, 4, 5, 5),
]


def from_file(scene: Scene, folders: pytest.TempPathFactory) -> Result:
    return evaluate(*scene.write(folders.mktemp("scene")), protocol="coco", threads=1)


def from_arrays(scene: Scene, threads: int = 1) -> Result:
    return evaluate(*scene.columns(), box="xywh", classes=scene.names, protocol="coco", threads=threads)


def ids(scene: Scene) -> dict[str, int]:
    """Arrays know a class by its place in the list, pycocotools by its id."""
    return {name: key for key, name in scene.classes}


@pytest.mark.parametrize("size", SIZES)
@settings(max_examples=examples(250))
@given(data=st.data())
def test_small_scenes(
    pycocotools: Any, tmp_path_factory: pytest.TempPathFactory, size: tuple[int, ...], data: st.DataObject
) -> None:
    images, classes, objects, detections = size
    scene = data.draw(
        scenes(images=images, classes=classes, objects=objects, detections=detections, min_detections=1, crowded=False)
    )
    official = pycocotools(scene.truth(), scene.results())
    result = from_file(scene, tmp_path_factory)
    official.check(result)
    official.check_arrays(result)
    official.check(from_arrays(scene), ids(scene))


@pytest.mark.parametrize("images", [2, 3])
@settings(max_examples=examples(150))
@given(data=st.data())
def test_full_cells(pycocotools: Any, images: int, data: st.DataObject) -> None:
    """More than 100 detections of one class in one image, so that the cap cuts."""
    scene = data.draw(scenes(images=images, classes=2, objects=5, detections=6, min_detections=1))
    official = pycocotools(scene.truth(), scene.results())
    result = from_arrays(scene, threads=2)
    official.check(result, ids(scene))
    official.check_arrays(result)


@settings(max_examples=examples(150))
@given(scene=scenes(min_detections=1, crowded=False, strangers=True))
def test_images_and_classes_that_are_not_listed(
    pycocotools: Any, tmp_path_factory: pytest.TempPathFactory, scene: Scene
) -> None:
    known = {key for key, _ in scene.classes}
    assume(any(d.label in known for d in scene.detections))  # else boxscore refuses: nothing would be compared
    official = pycocotools(scene.truth(), scene.results())
    result = from_file(scene, tmp_path_factory)
    official.check(result)
    official.check_arrays(result)
