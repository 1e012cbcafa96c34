"""Real COCO files that others published: equal to pycocotools run live, and to the scores that were logged for them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from boxscore import Result, evaluate


class Real(NamedTuple):
    """A truth, a results list, and scores that are known for them, as far as they were written down."""

    truth: str
    results: str
    known: dict[str, float]
    digits: int  # of the known scores


VAL2017 = "coco_val2017_boxes/derived/instances_val2017_boxes.json"
YOLO = "coco_val2017_boxes/marinamsm_YOLO"
LOGGED = "detectron2_logged_ap"
PUBLISHED = (0.505, 0.697, 0.573, 0.586, 0.519, 0.501, 0.387, 0.594, 0.595, 0.640, 0.566, 0.564)  # pycocoEvalDemo
NAMES = ("AP", "AP50", "AP75", "APs", "APm", "APl", "AR1", "AR10", "AR100", "ARs", "ARm", "ARl")
SETS = {
    "val2014-100": Real(
        "cocoapi_val2014_100/instances_val2014_100.json",
        "cocoapi_val2014_100/instances_val2014_fakebbox100_results.json",
        dict(zip(NAMES, PUBLISHED, strict=True)), 3,
    ),
    "yolo-608": Real(VAL2017, f"{YOLO}/yolo_608_instances_val2017_results.json", {"AP": 0.1938, "AP50": 0.3180}, 4),
    "yolo-416": Real(VAL2017, f"{YOLO}/yolo_corrected_val2017_results.json", {"AP": 0.1808}, 4),
    "yolo-swapped-axes": Real(VAL2017, f"{YOLO}/instances_val2017_results.json", {"AP": 0.0018}, 4),
    "tumours": Real(
        f"{LOGGED}/BT_MaskRCNN/valid__annotations.coco.json",
        f"{LOGGED}/BT_MaskRCNN/coco_eval_coco_instances_results.json",
        {"AP": 0.4413349021944734}, 16,
    ),
    "fruit": Real(
        f"{LOGGED}/Fruit/output_inference_fruit_val_coco_format.json",
        f"{LOGGED}/Fruit/output_inference_coco_instances_results.json",
        {"AP": 0.757732398239824, "AP50": 1.0}, 15,
    ),
    "elevator": Real(
        f"{LOGGED}/Elevator_masks/output_mixed_test_coco_format.json",
        f"{LOGGED}/Elevator_masks/output_coco_instances_results.json",
        {"AP": 0.779410}, 6,
    ),
}  # fmt: skip


def scored(data: Path, name: str, protocol: str = "coco") -> Result:
    real = SETS[name]
    return evaluate(data / "data" / real.truth, data / "data" / real.results, protocol=protocol)


@pytest.mark.parametrize("name", SETS)
def test_known_scores(data: Path, name: str) -> None:
    result = scored(data, name)
    for metric, value in SETS[name].known.items():
        assert round(result[metric], SETS[name].digits) == value


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in SETS if name != "yolo-swapped-axes"])  # of the same boxes
def test_live_pycocotools(data: Path, pycocotools: Any, name: str) -> None:
    truth, results = (json.loads((data / "data" / path).read_text()) for path in SETS[name][:2])
    official = pycocotools(truth, results)
    result = scored(data, name)
    official.check(result)
    official.check_arrays(result)


@pytest.mark.parametrize(("name", "folder"), [("tumours", "BT_MaskRCNN"), ("fruit", "Fruit")])
def test_logs_of_training(data: Path, name: str, folder: str) -> None:
    """detectron2 logs percent: each number times 100, every digit of it."""
    lines = (data / "data" / LOGGED / folder / "output_metrics.json").read_text().splitlines()
    logged = [row for row in map(json.loads, lines) if "bbox/AP" in row][-1]
    result = scored(data, name)
    for metric in ("AP", "AP50", "AP75", "APs", "APm", "APl"):
        # As text, where nan equals nan.
        assert str(result[metric] * 100) == str(logged[f"bbox/{metric}"]), metric


def test_annotation_id_zero_costs_real_ap(data: Path) -> None:
    """The tumour annotations are numbered from 0; with ids from 1 pycocotools gives 44.8446."""
    assert round(scored(data, "tumours")["AP"] * 100, 4) == 44.1335
    assert round(scored(data, "tumours", "coco-fixed")["AP"] * 100, 4) == 44.8446


def test_full_precision_of_the_official_hundred_images(data: Path) -> None:
    stored = json.loads((data / "reference" / "coco100.json").read_text())["coco_bbox"]
    assert list(scored(data, "val2014-100").metrics.values()) == stored
