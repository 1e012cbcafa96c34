"""Normalized boxes whose image sizes nobody knows: what counts in pixels is n/a, all else is printed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boxscore as bs
from boxscore.errors import SIZES_UNKNOWN, SizesUnknown

Command = Callable[..., Any]
YOLO = ("truth", "found", "--truth-format", "yolo", "--detections-format", "yolo", "--confidence", "last")


@pytest.fixture
def yolo(folder: Path) -> Path:
    """Two YOLO folders without images: a hit, and a box that is off by a tenth of its sides."""
    for name, lines in (
        ("truth", ["0 0.5 0.5 0.2 0.2", "0 0.2 0.2 0.1 0.1"]),
        ("found", ["0 0.5 0.5 0.2 0.2 0.9", "0 0.21 0.21 0.1 0.1 0.8"]),
    ):
        (folder / name).mkdir()
        (folder / name / "a.txt").write_text("".join(f"{line}\n" for line in lines))
    return folder


@pytest.mark.parametrize("protocol", ["voc2007", "voc2012", "toolkit-voc", "toolkit-voc11", "imagenet-det"])
def test_a_headline_in_pixels_ends_with_3(boxscore: Command, yolo: Path, protocol: str) -> None:
    done = boxscore("eval", *YOLO, "--protocol", protocol, "--format", "json")
    assert done.code == 3
    assert f"boxscore: mAP of {protocol} is n/a ({SIZES_UNKNOWN})\n" in done.err
    (result,) = json.loads(done.out)["results"]
    assert result["metrics"]["mAP"] is None
    assert result["reasons"]["mAP"] == SIZES_UNKNOWN
    assert [c["objects"] for c in result["classes"]] == [2]
    assert result["classes"][0]["metrics"] == {"AP": None, "P": None, "R": None, "F1": None}
    assert result["operating_point"]["reason"] == SIZES_UNKNOWN
    assert "BOX005" in [f["code"] for f in result["findings"]]
    assert [row["count"] for row in result["ledger"]["detections"]["rows"]] == [2]


def test_numbers_that_need_no_pixels_stay(boxscore: Command, yolo: Path) -> None:
    done = boxscore("eval", *YOLO, "--format", "json")
    assert done.code == 0, done.err
    known = json.loads(boxscore("eval", *YOLO, "--image-size", "100,100", "--format", "json").out)["results"][0]
    (result,) = json.loads(done.out)["results"]
    for name in ("AP", "AP50", "AP75", "AR1", "AR10", "AR100"):
        assert result["metrics"][name] == pytest.approx(known["metrics"][name], abs=1e-12), name  # IoU: last bits
    for name in ("APs", "APm", "APl", "ARs", "ARm", "ARl"):
        assert result["metrics"][name] is None
        assert result["reasons"][name] == SIZES_UNKNOWN
    assert "(no medium objects)" not in boxscore("eval", *YOLO).out


@pytest.mark.parametrize("protocol", ["tf-voc", "openimages-v2"])
def test_protocols_without_pixels_are_not_touched(boxscore: Command, yolo: Path, protocol: str) -> None:
    done = boxscore("eval", *YOLO, "--protocol", protocol, "--format", "json")
    assert done.code == 0, done.err
    (result,) = json.loads(done.out)["results"]
    assert result["metrics"]["mAP"] == 1.0
    assert "BOX005" not in [f["code"] for f in result["findings"]]


def test_one_headline_of_two_is_enough(boxscore: Command, yolo: Path) -> None:
    done = boxscore("eval", *YOLO, "--protocol", "coco", "--protocol", "voc2012")
    assert done.code == 3
    assert "0.7030" in done.out  # AP of coco is there all the same
    assert "n/a" in done.out


def test_csv_gives_the_reason_of_each_class(boxscore: Command, yolo: Path) -> None:
    done = boxscore("eval", *YOLO, "--protocol", "voc2012", "--format", "csv", "--quiet")
    assert done.code == 3
    rows = [line.split(",", 4)[4] for line in done.out.splitlines()]
    assert f'0,AP,,"{SIZES_UNKNOWN}"' in rows
    assert "warning     BOX005: " in done.err


@pytest.mark.parametrize("command", ["threshold", "explain"])
def test_other_commands_refuse(boxscore: Command, yolo: Path, command: str) -> None:
    more = ("--protocol", "voc2012") if command == "threshold" else ("--from", "coco", "--to", "voc2012")
    done = boxscore(command, *YOLO, *more)
    assert done.code == 3
    assert done.err.endswith(f"boxscore: {SIZES_UNKNOWN}\n")


def relative_result(**options: Any) -> bs.Result:
    truth = [{"boxes": [[0.4, 0.4, 0.6, 0.6]], "labels": ["cat"]}]
    found = [{"boxes": [[0.4, 0.4, 0.6, 0.55]], "labels": ["cat"], "scores": [0.9]}]
    tables = bs.read_truth(truth, bs.Reading(box="xyxy"))[0], bs.read_detections(found, bs.Reading(box="xyxy"))[0]
    return bs.evaluate(*(replace(table, relative=True) for table in tables), **options)


def test_further_metrics() -> None:
    result = relative_result()
    assert result["meanIoU"] == pytest.approx(0.75)
    assert result["meanGIoU"] == pytest.approx(0.75)
    for name in ("meanDIoU", "meanCIoU", "AP[area=small]", "recall[area=large]"):
        with pytest.raises(SizesUnknown, match="image sizes unknown"):
            result[name]
    with pytest.raises(SizesUnknown):
        result.at(0.5, area="small")
    assert result.at(0.5).true_positives == 1


def test_shares_of_the_image_are_sizes_of_their_own() -> None:
    rule = bs.protocols.variant(bs.protocols.get("coco"), areas="all:-,small:0-0.05,large:0.05-1", area_unit="image")
    result = relative_result(protocol=rule)
    assert result["recall[area=small,iou=0.5]"] == 1.0  # 0.04 of the image
    assert np.isnan(result["AP[area=large]"])


def test_sizes_that_only_one_side_knows_serve_both(yolo: Path) -> None:
    truth, _ = bs.read_truth(yolo / "truth", bs.Reading(truth_format="yolo"))
    found, _ = bs.read_detections(yolo / "found", bs.Reading(detections_format="yolo", confidence="last"), truth)
    images = replace(found.images, width=np.array([200.0]), height=np.array([100.0]))
    sized = bs.evaluate(truth, replace(found, images=images), protocol="voc2012")
    stated = bs.evaluate(
        yolo / "truth", yolo / "found", truth_format="yolo", detections_format="yolo", confidence="last",
        image_size=(200, 100), protocol="voc2012",
    )  # fmt: skip
    assert sized["mAP"] == stated["mAP"]
    assert sized["meanIoU"] == stated["meanIoU"]


def test_merged_tallies_stay_unknown() -> None:
    tally = relative_result(protocol="voc2012").tally
    empty = replace(
        tally,
        unknown=0,
        images=tally.images + 1,
        **{
            name: getattr(tally, name)[:0]
            for name in ("image", "score", "rank", "hits", "ignored", "object_image", "object_label", "object_counted")
        },
        tie=None if tally.tie is None else tally.tie[:0],
        first=tally.first * 0,
        to_find=tally.to_find * 0,
        order=None,
    )
    assert (tally + empty).unknown == (empty + tally).unknown == 1
