"""TensorFlow's own evaluators and the Open Images command line: every box number that was recorded of them."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boxscore import Result, evaluate, protocols
from boxscore.tables.model import Flag, Mark
from small_tables import Found, Object, tables
from tensorflow_scenes import COCO_NAMES, FILES, SEEDS, Case, check, load, rows, rules

ENTRIES = (
    "pascal_voc_detection_metrics",
    "pascal_voc_detection_metrics@0.5+corloc",
    "pascal_voc_detection_metrics@0.75+corloc",
    "weighted_pascal_voc_detection_metrics",
    "precision_at_recall_detection_metrics[0,1]",
    "precision_at_recall_detection_metrics[0,1]+skip_unlabeled",
    "precision_at_recall_detection_metrics[0.2,0.7]",
    "oid_V2_detection_metrics",
    "oid_challenge_detection_metrics",
    "oid_challenge_detection_metrics+group_of_weight0",
    "oid_challenge_detection_metrics+group_of_weight0.5",
)
COCO_ENTRIES = ("coco_detection_metrics", "coco_detection_metrics+skip_unlabeled")


@pytest.fixture(scope="module", params=SEEDS)
def case(data: Path, request: pytest.FixtureRequest) -> Case:
    return load(data, request.param)


@pytest.mark.parametrize("entry", ENTRIES)
def test_numbers_and_curves(case: Case, entry: str) -> None:
    expected, protocol = case.output[entry], rules(entry)
    result = evaluate(*case.tables(), protocol=protocol)
    assert len(expected["metrics"]) == (2 if "corloc" in entry else 1) * (len(case.classes) + 1)
    check(result, expected["metrics"])
    low, high = protocol.recall_bounds
    for k, label in enumerate(case.classes):
        curve = result.curve(label)
        assert curve.objects == expected["num_gt_per_class"][k]
        if expected["precision_per_class"][k] is None:
            assert curve.objects == 0
            continue
        kept = (curve.recall >= low) & (curve.recall <= high)
        np.testing.assert_array_equal(curve.precision[kept], expected["precision_per_class"][k], err_msg=label)
        np.testing.assert_array_equal(curve.recall[kept], expected["recall_per_class"][k], err_msg=label)


@pytest.mark.parametrize("entry", COCO_ENTRIES)
def test_coco_numbers(case: Case, entry: str) -> None:
    """Difference 0: the official code is pycocotools. Its crowds were the scene's groups."""
    result = evaluate(*case.tables(group_flag=Flag.CROWD, difficult_flag=Flag(0)), protocol=rules(entry))
    made = {f"DetectionBoxes_{key}": result[name] for key, name in COCO_NAMES.items()}
    assert {k: -1.0 if math.isnan(v) else v for k, v in made.items()} == case.output[entry]["metrics"]


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("pascal_voc_detection_metrics", "tf-voc"),
        ("weighted_pascal_voc_detection_metrics", "tf-weighted-voc"),
        ("precision_at_recall_detection_metrics", "tf-precision-at-recall"),
        ("coco_detection_metrics", "tf-coco"),
        ("oid_V2_detection_metrics", "openimages-v2"),
        ("open_images_V2_detection_metrics", "openimages-v2"),
        ("oid_challenge_detection_metrics", "openimages-challenge"),
        ("oid_challenge_object_detection_metrics", "openimages-challenge"),
    ],
)
def test_names_of_configuration_files(alias: str, name: str) -> None:
    assert protocols.get(alias) is protocols.get(name)
    assert protocols.get(name).name == name


def parents(node: dict[str, Any], above: tuple[str, ...] = ()) -> dict[str, list[str]]:
    """The classes directly above each class of a hierarchy file; its root is no class."""
    found: dict[str, list[str]] = {}
    for child in node.get("Subcategory", ()):
        name = child["LabelName"]
        for label, some in ((name, above), *parents(child, (name,)).items()):
            found.setdefault(label, []).extend(some)
    return found


def csv_tables(case: Case, ending: str, hierarchy: bool) -> Any:
    def box(row: dict[str, str]) -> list[float]:
        return [float(row[side]) for side in ("XMin", "YMin", "XMax", "YMax")]

    objects = [
        Object(r["ImageID"], r["LabelName"], box(r), Flag.GROUP_OF * int(r["IsGroupOf"]))
        for r in rows(case.folder / f"boxes{ending}.csv")
    ]
    said = [
        (r["ImageID"], r["LabelName"], Mark.POSITIVE if int(r["Confidence"]) else Mark.NEGATIVE)
        for r in rows(case.folder / f"labels{ending}.csv")
    ]
    found = [
        Found(r["ImageID"], r["LabelName"], box(r), float(r["Score"])) for r in rows(case.folder / "pred_boxes.csv")
    ]
    images = sorted({o.image for o in objects} | {image for image, *_ in said})
    tree = parents(json.loads((case.folder / "hierarchy.json").read_text())) if hierarchy else None
    return tables(objects, found, images=images, classes=case.classes, said=said, parents=tree)


def check_command_line(case: Case, result: Result, output: str) -> None:
    metrics = case.output[f"oid_challenge_detection:cli_{output}"]["metrics"]
    check(result, metrics)
    with (case.folder / f"metrics_det_cli_{output}.csv").open(newline="") as file:
        printed = {key: None if value == "nan" else float(value) for key, value in csv.reader(file)}
    assert printed == metrics


@FILES
def test_command_line(case: Case, ending: str, hierarchy: bool, output: str) -> None:
    result = evaluate(*csv_tables(case, ending, hierarchy), protocol="openimages-challenge")
    check_command_line(case, result, output)
    added = sum(row.count for row in result.ledger.objects.rows if row.fate == "added")
    whole, own = (len(rows(case.folder / f"boxes{end}.csv")) for end in ("_expanded", ""))
    assert added == (whole - own if hierarchy else 0)


@FILES
def test_command_line_from_files(case: Case, ending: str, hierarchy: bool, output: str) -> None:
    result = evaluate(
        case.folder / f"boxes{ending}.csv",
        case.folder / "pred_boxes.csv",
        protocol="openimages-challenge",
        image_labels=case.folder / f"labels{ending}.csv",
        label_map=case.folder / "labelmap.pbtxt",
        hierarchy=case.folder / "hierarchy.json" if hierarchy else None,
    )
    check_command_line(case, result, output)
