"""`coco-keypoints` equals pycocotools: difference 0, in the reference cases and over 400 scenes."""

from __future__ import annotations

import contextlib
import copy
import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from boxscore import Result, evaluate, overlaps, protocols
from boxscore.formats.io.options import ReadOptions
from boxscore.joining.both import read_both
from boxscore.overlaps.sigmas import COCO_SIGMAS
from digests import digest
from effort import examples
from keypoint_scenes import PoseScene, pose_scenes

COCO = protocols.get("coco-keypoints")
TEN = ("AP", "AP50", "AP75", "APm", "APl", "AR", "AR50", "AR75", "ARm", "ARl")
STATS = dict(zip(
    ("AP", "AP50", "AP75", "AP_medium", "AP_large", "AR", "AR50", "AR75", "AR_medium", "AR_large"), TEN, strict=True,
))  # fmt: skip


def official(values: dict[str, float]) -> dict[str, float]:
    return {name: -1.0 if np.isnan(value) else value for name, value in values.items()}


def run(scene: PoseScene) -> Any:
    """The evaluation of pycocotools, which writes into what it is given."""
    coco, cocoeval = pytest.importorskip("pycocotools.coco"), pytest.importorskip("pycocotools.cocoeval")
    scene = copy.deepcopy(scene)
    with contextlib.redirect_stdout(io.StringIO()):
        objects = coco.COCO()
        objects.dataset = scene.truth
        objects.createIndex()
        evaluation = cocoeval.COCOeval(objects, objects.loadRes(scene.results), "keypoints")
        evaluation.params.kpt_oks_sigmas = np.array(scene.sigmas)
        evaluation.evaluate()
        evaluation.accumulate()
        evaluation.summarize()
    return evaluation


def similarities(scene: PoseScene) -> dict[tuple[int, int], np.ndarray]:
    """The overlaps of the 20 best detections of each image and class with its objects, as pycocotools arranges them."""
    options = ReadOptions(needs=("keypoints",))
    aligned = read_both(copy.deepcopy(scene.truth), copy.deepcopy(scene.results), options).aligned
    truth, found = aligned.truth, aligned.detections
    rules = replace(COCO, sigmas=scene.sigmas)
    overlap = overlaps.get(rules)
    made = {}
    for image, key in enumerate((truth.images.id if truth.images.id is not None else np.zeros(0)).tolist()):
        for label, name in enumerate(truth.classes.id):
            objects = np.flatnonzero((truth.image == image) & (truth.label == label))
            rows = np.flatnonzero((found.image == image) & (found.label == label))
            rows = rows[np.argsort(-found.score[rows], kind="mergesort")][:20]
            pairs = np.repeat(rows, len(objects)), np.tile(objects, len(rows))
            made[key, name] = overlap.measure(found, truth, *pairs, rules, 1).shared.reshape(len(rows), len(objects))
    return made


@pytest.fixture(params=(11, 12, 13))
def case(data: Path, request: pytest.FixtureRequest) -> dict[str, Any]:
    path = data / "reference" / "cases" / "coco_keypoints" / f"coco_keypoints_{request.param}.json"
    made: dict[str, Any] = json.loads(path.read_text())
    made["scene"] = PoseScene(made["input"]["ground_truth"], made["input"]["results"], COCO_SIGMAS)
    return made


def test_stored_numbers(case: dict[str, Any], arrays_of: Callable[[Result], dict[str, np.ndarray]]) -> None:
    result = evaluate(case["input"]["ground_truth"], case["input"]["results"], protocol="coco-keypoints")
    assert official(result.metrics) == {STATS[k]: v for k, v in case["expected"]["stats"].items()}
    assert list(result.protocol.sigmas) == case["expected"]["sigmas"]  # the signature has the values that were used
    arrays = arrays_of(result)
    np.testing.assert_array_equal(arrays["recall"], np.array(case["expected"]["recall"]))
    made, expected = digest(arrays["precision"]), case["expected"]["precision_digest"]
    for key in ("sum", "sum_sq", "weighted_sum"):
        # The sums of the file were made by another order of addition; the hash compares entry by entry.
        assert made.pop(key) == pytest.approx(expected.pop(key), rel=1e-12)
    assert made == expected


def test_stored_similarities(case: dict[str, Any]) -> None:
    made, theirs = similarities(case["scene"]), run(case["scene"]).ious
    for key, expected in case["expected"]["oks"].items():
        np.testing.assert_array_equal(made[int(key), 1], np.array(theirs[int(key), 1]))
        # Stored by a machine whose NumPy has another exponential: last bits differ, pycocotools' own included.
        np.testing.assert_allclose(made[int(key), 1], np.array(expected), rtol=1e-15, atol=0)


@settings(max_examples=examples(400))
@given(scene=pose_scenes())
def test_scenes(arrays_of: Callable[[Result], dict[str, np.ndarray]], scene: PoseScene) -> None:
    theirs = run(scene)
    protocol = replace(COCO, sigmas=scene.sigmas)
    result = evaluate(copy.deepcopy(scene.truth), copy.deepcopy(scene.results), protocol=protocol, threads=1)
    assert official(result.metrics) == dict(zip(TEN, map(float, theirs.stats), strict=True))
    arrays = arrays_of(result)
    for name in ("precision", "recall", "scores"):
        np.testing.assert_array_equal(arrays[name], theirs.eval[name], err_msg=name)


@settings(max_examples=examples(100))
@given(scene=pose_scenes())
def test_similarities(scene: PoseScene) -> None:
    if not scene.truth["annotations"]:
        return
    ids = [a["id"] for a in scene.truth["annotations"]]
    if len(set(ids)) < len(ids):  # pycocotools measures the last of those that share an id, for each of them
        return
    theirs, made = run(scene).ious, similarities(scene)
    for key, values in made.items():
        np.testing.assert_array_equal(values, np.array(theirs[key]).reshape(values.shape))
