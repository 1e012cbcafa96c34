"""Folders as the development kit of PASCAL VOC has them: the AP of its own code, read from its own files."""

from __future__ import annotations

import json
import math
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

from boxscore import evaluate, protocols

SEEDS = (11, 12, 13)
IOUS = (0.5, 0.75)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("protocol", "field"), [("voc2007", "ap_11"), ("voc2012", "ap_all_points")])
def test_devkit(data: Path, tmp_path: Path, seed: int, protocol: str, field: str) -> None:
    cases = data / "reference" / "cases" / "voc"
    case, kit = json.loads((cases / f"voc_{seed}.json").read_text()), cases / f"voc_{seed}_devkit"
    rules = replace(protocols.get(protocol), iou=IOUS)
    listed = tmp_path / "classes.txt"  # some annotations are of other classes, which the kit never asks about
    listed.write_text("\n".join(case["input"]["classes"]))
    result = evaluate(kit, kit / "results", protocol=rules, class_list=listed, image_list=kit / "ImageSets/val.txt")
    for iou in IOUS:
        expected = case["expected"][f"iou_{iou}"]
        for name in case["input"]["classes"]:
            row, keys = expected[name], f"iou={iou},class={name}"
            value = result[f"AP[{keys}]"]
            assert math.isnan(value) if row[field] is None else value == row[field], (name, iou)
            assert (result[f"TP[{keys}]"], result[f"FP[{keys}]"]) == (row["tp"], row["fp"])
            assert result[f"TP[{keys}]"] + result[f"FN[{keys}]"] == row["n_positive"]
    assert result.ledger.images.only_truth + result.ledger.images.matched == len(case["input"]["images"])


@pytest.mark.long
def test_yolo_on_voc2007(data: Path, tmp_path: Path) -> None:
    """All 4,952 test images and 101,139 real detections; the mAP that is written down for them, as far as it is."""
    real = data / "data" / "voc2007_test"
    for archive in (real / "VOC2007_test_Annotations_xml.tar.gz", real / "yolov2_htt1084" / "results_000150.tar.gz"):
        with tarfile.open(archive) as packed:
            packed.extractall(tmp_path, filter="data")
    for protocol, known in (("voc2007", 0.72138), ("voc2012", 0.74518)):
        result = evaluate(tmp_path, tmp_path / "000150", protocol=protocol)
        assert round(result["mAP"], 5) == known
    ledger = result.ledger
    assert (ledger.objects.read, ledger.objects.evaluated, ledger.detections.read) == (14976, 12032, 101139)
    assert ledger.findings == ()
