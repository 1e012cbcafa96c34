"""One data set in all encodings of the 2021 toolkit: the same boxes, and the same recorded scores from each pair."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boxscore as bs
from archived import unpacked
from boxscore.formats.io.same_images import stem

REVIEW = "padilla_review"
# The encodings of the truth, and by how much their boxes may be off: TFRecords have single precision.
TRUTHS = {
    "pascalvoc_format": 0, "imagenet_format": 0, "coco_format_v1": 0, "coco_format_v2": 0, "cvat_format": 0,
    "labelme_format": 0, "openimages_format": 0, "yolo_format": 0, "tfrecord_format": 1e-4,
}  # fmt: skip
FOUND = {"abs_xywh": {"box": "xywh"}, "abs_xyx2y2": {"box": "xyxy"}, "rel_xywh": {}, "coco_format": {}}
TOY_TRUTHS = ("gts_vocpascal_format", "gts_coco_format")
TOY_FOUND = {
    "dets_classid_abs_xywh": {"box": "xywh"}, "dets_classid_abs_xyx2y2": {"box": "xyxy"},
    "dets_classid_rel_xcycwh": {}, "dets_classname_abs_xywh": {"box": "xywh"},
    "dets_classname_abs_xyx2y2": {"box": "xyxy"}, "dets_classname_rel_xcycwh": {}, "dets_coco_format": {},
}  # fmt: skip


@pytest.fixture(scope="module")
def files(data: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("encodings")
    return {
        "database": unpacked(data, f"{REVIEW}/database_gts_dets.tar.gz", "data/database", folder),
        "images": unpacked(data, f"{REVIEW}/database_images.tar.gz", "data/database/images", folder),
        "toy": unpacked(data, f"{REVIEW}/toyexample.tar.gz", "toyexample", folder),
        "names": data / "data" / "voc2007_test" / "voc.names",
    }


@pytest.fixture(scope="module")
def stored(data: Path) -> dict[str, Any]:
    entries = json.loads((data / "reference" / "toolkit_2021.json").read_text())
    return {name.split(" (")[0]: entry for name, entry in entries.items()}


@pytest.fixture(scope="module")
def truth(files: dict[str, Path]) -> Callable[[str], bs.Truth]:
    how = bs.Reading(images=files["images"])
    return cache(lambda name: bs.read_truth(files["database"] / "gts" / name, how)[0])


def rows(table: bs.Truth) -> list[tuple[Any, ...]]:
    return sorted((stem(row["image"]), row["class"], *row["box"]) for row in table)


@pytest.mark.parametrize(("name", "off"), TRUTHS.items())
def test_the_same_boxes(truth, name, off):
    made, expected = rows(truth(name)), rows(truth("pascalvoc_format"))
    assert (len(truth(name).images), len(made), len(truth(name).classes)) == (100, 273, 20)
    assert [row[:2] for row in made] == [row[:2] for row in expected]
    assert np.abs(np.array([row[2:] for row in made]) - np.array([row[2:] for row in expected])).max() <= off


@pytest.mark.parametrize("found", FOUND)
@pytest.mark.parametrize("name", TRUTHS)
def test_every_pair_has_the_recorded_scores(files, stored, truth, name, found):
    entry, how = stored["rod:data/database"], FOUND[found]
    objects = truth(name)
    reading = bs.Reading(images=files["images"], detections_classes=files["names"], **how)
    detections, _ = bs.read_detections(files["database"] / "dets" / found, reading, objects)
    assert len(detections) == 452
    for protocol, points in (("toolkit-voc", "all_point"), ("toolkit-voc11", "11_point")):
        made = bs.evaluate(
            objects, detections, protocol=bs.protocols.variant(bs.protocols.get(protocol), iou="0.5,0.75")
        )
        for iou in (0.5, 0.75):
            row = entry["voc_seed"][f"iou={iou} {points}"]
            for label, value in row["AP_per_class"].items():
                assert made[f"AP[iou={iou},class={label}]"] == value, (label, iou)
            # The mean is added up in the order of the classes, which encodings have not in common.
            assert made[f"mAP[iou={iou}]"] == pytest.approx(row["mAP"], abs=1e-12, rel=0)


@pytest.mark.parametrize("found", TOY_FOUND)
@pytest.mark.parametrize("name", TOY_TRUTHS)
def test_the_toy_example(files, name, found):
    """Figures 11 and 12 of the paper: .8864 and .8958 at 0.5, .4924 and .5097 at 0.75."""
    toy = files["toy"]
    # Its relative boxes are no whole pixels, and the toolkit rounds them.
    reading = {"detections_classes": toy / "voc.names", "images": toy / "images", "relative_boxes": "whole"}
    reading |= TOY_FOUND[found]
    expected = {"voc11-exact": (0.8864, 0.4924), "toolkit-voc11": (0.8864, 0.4924), "toolkit-voc": (0.8958, 0.5097)}
    for protocol, values in expected.items():
        rules = replace(bs.protocols.get(protocol), iou=(0.5, 0.75))
        made = bs.evaluate(toy / name, toy / found, protocol=rules, **reading)
        assert tuple(round(made[f"mAP[iou={iou}]"], 4) for iou in (0.5, 0.75)) == values
