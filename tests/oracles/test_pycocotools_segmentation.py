"""`coco-segm` equals pycocotools over scenes of masks: difference 0."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore import evaluate
from effort import examples
from segmentation_scenes import scene

pytestmark = pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")


@pytest.mark.parametrize("boxed", [False, True])
@pytest.mark.parametrize("empty_runs", [False, True])
@settings(max_examples=examples(250))
@given(seed=st.integers(0, 2**32 - 1))
def test_scenes(
    pycocotools: Any, tmp_path_factory: pytest.TempPathFactory, boxed: bool, empty_runs: bool, seed: int
) -> None:
    truth, results = scene(seed, boxed, empty_runs)
    official = pycocotools(copy.deepcopy(truth), copy.deepcopy(results), "segm")
    folder = tmp_path_factory.mktemp("scene")
    paths = folder / "truth.json", folder / "results.json"
    for path, side in zip(paths, (truth, results), strict=True):
        path.write_text(json.dumps(side))
    result = evaluate(*paths, protocol="coco-segm", threads=1)
    official.check(result)
    official.check_arrays(result)


@settings(max_examples=examples(60))
@given(seed=st.integers(0, 2**32 - 1), boxed=st.booleans())
def test_the_careful_reader_gives_the_same(tmp_path_factory: pytest.TempPathFactory, seed: int, boxed: bool) -> None:
    """A key that is there twice sends a file to the careful reader."""
    truth, results = scene(seed, boxed)
    folder = tmp_path_factory.mktemp("scene")
    quick, careful = folder / "quick.json", folder / "careful.json"
    quick.write_text(json.dumps(results))
    careful.write_text(json.dumps(results).replace('"score"', '"sc\\u006fre"'))
    objects = folder / "truth.json"
    objects.write_text(json.dumps(truth))
    made = [evaluate(objects, path, protocol=p) for p in ("coco-segm", "coco") for path in (quick, careful)]
    assert repr(made[0].metrics) == repr(made[1].metrics)
    assert repr(made[2].metrics) == repr(made[3].metrics)


@settings(max_examples=examples(150))
@given(seed=st.integers(0, 2**32 - 1))
def test_boxes_of_results_without_boxes(pycocotools: Any, tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    """pycocotools puts boxes around masks, whose pixels stay the size of a detection."""
    truth, results = scene(seed, boxed=False)
    official = pycocotools(copy.deepcopy(truth), copy.deepcopy(results))
    folder = tmp_path_factory.mktemp("scene")
    paths = folder / "truth.json", folder / "results.json"
    for path, side in zip(paths, (truth, results), strict=True):
        path.write_text(json.dumps(side))
    official.check(evaluate(*paths, protocol="coco", threads=1))
