"""`coco` equals pycocotools where ids are text, records repeat an id, or areas exceed every double: difference 0."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore import Result, evaluate
from boxscore.testing import Scene, scenes
from effort import examples
from odd_records import SPELLINGS, repeats, spelled

BOX, FAR = [0.0, 0.0, 20.0, 20.0], [100.0, 0.0, 20.0, 20.0]


def evaluated(truth: dict[str, Any], results: list[dict[str, Any]], folders: pytest.TempPathFactory) -> Result:
    folder = folders.mktemp("records")
    (folder / "t.json").write_text(json.dumps(truth))
    (folder / "r.json").write_text(json.dumps(results))
    return evaluate(folder / "t.json", folder / "r.json", threads=1)


@settings(max_examples=examples(300))
@given(data=st.data())
def test_text_ids_and_repeated_records(pycocotools: Any, tmp_path_factory: pytest.TempPathFactory, data: Any) -> None:
    scene = data.draw(scenes(images=6, classes=4, min_detections=1, crowded=False))
    spellings = (data.draw(st.sampled_from(sorted(SPELLINGS))) for _ in range(2))
    truth, results = spelled(scene.truth(), scene.results(), *spellings)
    names = {key["name"]: key["id"] for key in truth["categories"]}
    truth["images"] = data.draw(repeats(truth["images"]))
    official = pycocotools(copy.deepcopy(truth), copy.deepcopy(results))
    result = evaluated(truth, results, tmp_path_factory)
    official.check(result, names)
    official.check_arrays(result)


@pytest.mark.parametrize("ids", [("b", "a"), ("10", "9"), ("2", "10"), ("é", "z"), ("a", "B"), ("07", "7")])
def test_equal_scores_of_images_with_text_ids(pycocotools: Any, tmp_path_factory: Any, ids: tuple[str, str]) -> None:
    """The smallest case: of two images with equal scores that with the lesser text ranks first."""
    truth = {
        "images": [{"id": i, "width": 640, "height": 480} for i in ids],
        "annotations": [
            {"id": 1, "image_id": ids[0], "category_id": 1, "bbox": BOX, "area": 400.0, "iscrowd": 0},
        ],
        "categories": [{"id": 1, "name": "a"}],
    }
    results = [{"image_id": i, "category_id": 1, "bbox": BOX, "score": 0.5} for i in ids]
    official = pycocotools(copy.deepcopy(truth), copy.deepcopy(results))
    assert official.stats["AP"] == (pytest.approx(1) if ids[0] < ids[1] else pytest.approx(0.5))
    official.check(evaluated(truth, results, tmp_path_factory))


@settings(max_examples=examples(400))
@given(scene=scenes(images=2, classes=2, objects=8, min_detections=1, crowded=False, huge=True))
def test_boxes_whose_area_no_double_holds(
    pycocotools: Any, tmp_path_factory: pytest.TempPathFactory, scene: Scene
) -> None:
    """An infinite union makes no number of the overlap, which pycocotools takes for a match."""
    official = pycocotools(scene.truth(), scene.results())
    result = evaluated(scene.truth(), scene.results(), tmp_path_factory)
    official.check(result)
    official.check_arrays(result)


HUGE, ODD = [0.0, 0.0, 1e200, 1e200], [1.5e308, 0.0, 1e308, 10.0]  # the right side of the latter is infinite
HUGE_CASES = {
    "one of one": ([HUGE], [HUGE]),
    "the last object, however far, is taken after an overlap that is no number": ([HUGE, FAR, BOX], [HUGE, FAR, BOX]),
    "nothing comes after it": ([BOX, FAR, HUGE], [HUGE, HUGE, BOX, FAR]),
    "a small one in a huge one": ([HUGE, BOX], [BOX, BOX]),
    "a huge one over small ones": ([BOX, FAR], [HUGE]),
    "infinite sides": ([ODD, BOX], [ODD, [1.5e308, 5.0, 1e308, 10.0], BOX]),
    "infinite sides that do not meet": ([ODD, BOX], [[1.5e308, 20.0, 1e308, 10.0], [1.5e308, 10.0, 1e308, 1.0]]),
}


@pytest.mark.parametrize("crowd", [0, 1])
@pytest.mark.parametrize("name", HUGE_CASES)
def test_huge_boxes(pycocotools: Any, tmp_path_factory: Any, name: str, crowd: int) -> None:
    objects, found = HUGE_CASES[name]
    row = {"image_id": 1, "category_id": 1}
    truth = {
        "images": [{"id": 1}],
        "annotations": [
            {**row, "id": i, "bbox": box, "area": 100.0, "iscrowd": crowd * (i % 2)} for i, box in enumerate(objects, 1)
        ],
        "categories": [{"id": 1, "name": "a"}],
    }
    results = [{**row, "bbox": box, "score": 0.9 - 0.1 * i} for i, box in enumerate(found)]
    official = pycocotools(copy.deepcopy(truth), copy.deepcopy(results))
    result = evaluated(truth, results, tmp_path_factory)
    official.check(result)
    official.check_arrays(result)
    assert "n/a" in str(result)  # a report of it can be made
