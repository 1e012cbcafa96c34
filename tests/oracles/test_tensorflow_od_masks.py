"""TensorFlow's own evaluators of masks and the Open Images command line: every number that was recorded of them."""

from __future__ import annotations

import csv
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from boxscore import Result, evaluate, protocols
from boxscore.tables.model import Flag, Mark, select
from small_tables import image_labels
from tensorflow_scenes import COCO_NAMES, FILES, SEEDS, Case, check, load, rules

ENTRIES = (
    "pascal_voc_instance_segmentation_metrics",
    "weighted_pascal_voc_instance_segmentation_metrics",
    "oid_challenge_segmentation_metrics",
    "oid_challenge_segmentation_metrics+group_of_weight1",
)


@pytest.fixture(scope="module", params=SEEDS)
def case(data: Path, request: pytest.FixtureRequest) -> Case:
    return load(data, request.param)


@pytest.mark.parametrize("entry", ENTRIES)
def test_numbers_and_curves(case: Case, entry: str) -> None:
    """Difference 0, with objects that have no mask among them."""
    expected = case.output[entry]
    result = evaluate(*case.masked(), protocol=rules(entry))
    assert len(expected["metrics"]) == len(case.classes) + 1
    check(result, expected["metrics"])
    for k, label in enumerate(case.classes):
        curve = result.curve(label)
        assert curve.objects == expected["num_gt_per_class"][k]
        if expected["precision_per_class"][k] is None:
            assert curve.objects == 0
            continue
        np.testing.assert_array_equal(curve.precision, expected["precision_per_class"][k], err_msg=label)
        np.testing.assert_array_equal(curve.recall, expected["recall_per_class"][k], err_msg=label)


def test_coco_numbers(case: Case) -> None:
    """Difference 0: the official code is pycocotools. It was not given the objects without a mask."""
    truth, detections = case.masked(group_flag=Flag.CROWD, difficult_flag=Flag(0))
    there = np.array([row["mask"] is not None for row in case.rows("gt")])
    assert not there.all()
    result = evaluate(select(truth, there), detections, protocol="coco_mask_metrics")
    made = {f"DetectionMasks_{key}": result[name] for key, name in COCO_NAMES.items()}
    assert {k: -1.0 if math.isnan(v) else v for k, v in made.items()} == case.output["coco_mask_metrics"]["metrics"]
    dropped = evaluate(truth, detections, protocol="tf-coco-segm[maskless_objects=dropped]")
    np.testing.assert_equal(dropped.metrics, result.metrics)


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("pascal_voc_instance_segmentation_metrics", "tf-voc-segm"),
        ("weighted_pascal_voc_instance_segmentation_metrics", "tf-weighted-voc-segm"),
        ("coco_mask_metrics", "tf-coco-segm"),
        ("oid_challenge_segmentation_metrics", "openimages-challenge-segm"),
    ],
)
def test_names_of_configuration_files(alias: str, name: str) -> None:
    assert protocols.get(alias) is protocols.get(name)


def check_command_line(case: Case, result: Result, output: str) -> None:
    metrics = case.output[f"oid_challenge_segmentation:cli_{output}"]["metrics"]
    check(result, metrics)
    with (case.folder / f"metrics_seg_cli_{output}.csv").open(newline="") as file:
        printed = {key: None if value == "nan" else float(value) for key, value in csv.reader(file)}
    assert printed == metrics


@FILES
def test_command_line_from_files(case: Case, ending: str, hierarchy: bool, output: str) -> None:
    """The command line counts a group with a mask once, and takes the boxes of detections from their masks."""
    result = evaluate(
        case.folder / f"boxes{ending}.csv",
        case.folder / "pred_masks.csv",
        protocol="openimages-challenge-segm[absorbed_weight=1]",
        image_labels=case.folder / f"labels{ending}.csv",
        masks=case.folder / f"segm{ending}.csv",
        label_map=case.folder / "labelmap.pbtxt",
        hierarchy=case.folder / "hierarchy.json" if hierarchy else None,
    )
    check_command_line(case, result, output)


def test_lvis_numbers(case: Case) -> None:
    """TensorFlow's wrapper of lvis, whose sizes of objects are those of boxes; no group and no mask-less object."""
    truth, detections = case.masked(group_flag=Flag(0), difficult_flag=Flag(0))
    there = np.array([row["mask"] is not None for row in case.rows("gt")])
    ids = [c["id"] for c in case.scene["categories"]]
    classes = replace(truth.classes, frequency=tuple("rcf"[key % 3] for key in ids))
    number = {key: k for k, key in enumerate(ids)}
    said = [
        (i, number[label], mark)
        for i, image in enumerate(case.scene["images"])
        for mark, labels in (
            (Mark.NEGATIVE, [row["class"] for row in image["image_labels"] if not row["confidence"]]),
            (Mark.NOT_EXHAUSTIVE, image["not_exhaustive"]),
        )
        for label in labels
    ]
    truth = replace(select(truth, there), classes=classes, labels=image_labels(said))
    result = evaluate(truth, replace(detections, classes=classes), protocol="lvis-segm[size_from=box-mask]")
    made = {f"DetectionMasks_{name}": -1 if math.isnan(value) else value for name, value in result.metrics.items()}
    assert made == case.output["lvis_mask_metrics"]["metrics"]
