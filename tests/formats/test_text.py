"""Folders of text files: every way of writing that the predecessor's users have."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import boxscore as bs
from boxscore.formats import Reading, read_detections, read_truth


def folder(path: Path, **files: str | bytes) -> str:
    path.mkdir()
    for name, content in files.items():
        (path / f"{name}.txt").write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


def test_a_file_per_image_sorted_by_name(tmp_path):
    truth, findings = read_truth(folder(tmp_path / "t", b="dog 1 2 3 4\n", a="", c="cat 1 1 5 5"), Reading(box="xywh"))
    assert list(truth.images.key) == ["a", "b", "c"]  # an empty file is an image without objects
    assert truth.classes.name == ("cat", "dog")
    assert truth.image.tolist() == [1, 2]
    assert truth.label.tolist() == [1, 0]
    assert truth.corners.tolist() == [[1, 2, 4, 6], [1, 1, 6, 6]]
    assert truth.box_area.tolist() == [12, 25]
    assert np.isnan(truth.area).all()
    assert truth.places[1].endswith("b.txt")
    assert findings == []


@pytest.mark.parametrize(
    ("form", "line"), [("xywh", "cat 10 20 30 40"), ("xyxy", "cat 10 20 40 60"), ("xyrb", "cat 10 20 40 60")]
)
def test_forms(tmp_path, form, line):
    truth, _ = read_truth(folder(tmp_path / "t", a=line), Reading(box=form))
    assert truth.corners.tolist() == [[10, 20, 40, 60]]


@pytest.mark.parametrize(
    "content",
    [
        "cat .5 10.25 2e1 30 40.0\n",
        "cat\t0.5\t10.25\t20\t30\t40\n",
        "cat 0.5 10.25 20 30 40\r\n\r\n",
        "\n   \ncat  0.5   10.25 20 30 40",
        "\ufeffcat 0.5 10.25 20 30 40\n",
        "# class score x y width height\ncat 0.5 10.25 20 30 40\n",
        "  cat 0.5 10.25 20 30 40  \n",
    ],
    ids=["decimals", "tabs", "crlf", "blank lines", "byte order mark", "comment", "spaces around"],
)
def test_ways_of_writing_a_line(tmp_path, content):
    found, _ = read_detections(folder(tmp_path / "d", a=content), Reading(box="xywh"))
    assert found.classes.name == ("cat",)
    assert found.score.tolist() == [0.5]
    assert found.corners.tolist() == [[10.25, 20, 40.25, 60]]


def test_class_names_may_hold_spaces_and_numbers(tmp_path):
    content = "traffic light .9 1 1 5 5\ntraffic  \tlight .8 1 1 5 5\ntype 1 .7 1 1 5 5\nsnow_man .6 1 1 5 5\n"
    found, _ = read_detections(folder(tmp_path / "d", a=content), Reading(box="xywh"))
    assert found.classes.name == ("snow_man", "traffic light", "type 1")
    assert found.label.tolist() == [1, 1, 2, 0]
    truth, _ = read_truth(folder(tmp_path / "t", a="type 1 1 1 5 5"), Reading(box="xywh"))
    assert truth.classes.name == ("type 1",)


def test_difficult_objects(tmp_path):
    truth, _ = read_truth(folder(tmp_path / "t", a="cat 1 1 5 5\ncat 2 2 9 9 difficult\n"), Reading(box="xyxy"))
    assert truth.flags.tolist() == [0, bs.Flag.DIFFICULT]
    found = folder(tmp_path / "d", a="cat .9 1 1 5 5\ncat .8 2 2 9 9\n")
    assert bs.evaluate(truth, found, box="xyxy", protocol="voc2012").ledger.objects.evaluated == 1


def test_upper_case_extension_and_other_files(tmp_path):
    folder(tmp_path / "t", a="cat 1 1 5 5")
    (tmp_path / "t" / "b.TXT").write_text("cat 1 1 5 5")
    (tmp_path / "t" / "b.jpg").write_bytes(b"\xff")
    (tmp_path / "t" / "c.txt").mkdir()
    (tmp_path / "t" / "._a.txt").write_bytes(b"\x00\xff")  # what some archives add
    truth, _ = read_truth(tmp_path / "t", Reading(box="xywh"))
    assert list(truth.images.key) == ["a", "b"]


def test_class_lists(tmp_path):
    how = Reading(box="xywh", classes=("dog", "cat", "owl"))
    numbers, _ = read_truth(folder(tmp_path / "t", a="1 1 1 5 5\n0 1 1 5 5"), how)
    names, _ = read_truth(folder(tmp_path / "u", a="cat 1 1 5 5\ndog 1 1 5 5"), how)
    assert numbers.classes == names.classes == bs.Classes(("dog", "cat", "owl"), (0, 1, 2))
    assert numbers.label.tolist() == names.label.tolist() == [1, 0]


def test_listed_classes_that_no_detection_has_are_not_unknown(tmp_path):
    truth = read_truth(folder(tmp_path / "t", a="cat 1 1 5 5"), Reading(box="xywh"))[0]
    result = bs.evaluate(truth, folder(tmp_path / "d", a="1 .9 1 1 5 5"), box="xywh", classes=("dog", "cat", "owl"))
    assert result["AP50"] == pytest.approx(1, abs=1e-12)
    assert result.ledger.findings == ()


def test_relative_boxes(tmp_path):
    line = "cat 0.5 0.5 0.25 0.5"
    truth, _ = read_truth(folder(tmp_path / "t", a=line), Reading(image_size=(200, 100)))
    assert truth.corners.tolist() == [[75, 25, 125, 75]]
    same, _ = read_truth(tmp_path / "t", Reading(image_size=(200, 100), coords="relative", box="cxcywh"))
    assert same.corners.tolist() == truth.corners.tolist()


def test_relative_boxes_may_leave_the_image(tmp_path):
    truth, _ = read_truth(
        folder(tmp_path / "t", a="cat 0.5 0.5 1.1 1.04\ncat 0.0 0.9 0.2 0.2"), Reading(image_size=(10, 10))
    )
    assert truth.corners.tolist() == [[-0.5, 5 - 5.2, 10.5, 5 + 5.2], [-1, 8, 1, 10]]


def test_relative_truth_and_absolute_detections(tmp_path):
    truth = folder(tmp_path / "t", a="cat 0.5 0.5 0.25 0.5")
    found = folder(tmp_path / "d", a="cat .9 75 25 50 50")
    result = bs.evaluate(truth, found, protocol="voc2012", detections_box="xywh", image_size=(200, 100))
    assert result["mAP"] == 1


def test_sizes_may_come_from_the_truth(tmp_path):
    images = [{"id": 7, "file_name": "x/a.jpg", "width": 200, "height": 100}]
    (tmp_path / "t.json").write_text(
        json.dumps(
            {
                "images": images,
                "annotations": [{"id": 1, "image_id": 7, "category_id": 3, "bbox": [75, 25, 50, 50]}],
                "categories": [{"id": 3, "name": "cat"}],
            }
        )
    )
    found = folder(tmp_path / "d", a="cat .9 0.5 0.5 0.25 0.5")
    result = bs.evaluate(tmp_path / "t.json", found, protocol="coco-fixed")
    assert result["AP"] == 1
    assert [f.code for f in result.ledger.findings] == ["IMG002"]
    assert result.ledger.findings[0].text == (
        "1 image name was joined with the truth's, compared without folders and extensions (a = x/a.jpg)"
    )


def test_the_form_is_inferred_where_corners_are_ruled_out(tmp_path):
    truth, findings = read_truth(folder(tmp_path / "t", a="cat 100 100 30 40\ncat 1 1 5 5"))
    assert truth.corners.tolist() == [[100, 100, 130, 140], [1, 1, 6, 6]]
    assert [f.code for f in findings] == ["BOX003"]
    assert findings[0].text.endswith("read as x y width height, because as corners 1 box would end before beginning")


def test_one_flat_box_does_not_turn_corners_into_sizes(tmp_path):
    lines = "cat 1 1 5 5\n" * 19 + "cat 5 5 5 9\n"
    with pytest.raises(bs.InputError, match="x y width height or x y right bottom"):
        read_truth(folder(tmp_path / "t", a=lines))


def test_images_that_only_one_side_has(tmp_path):
    truth = folder(tmp_path / "t", a="cat 1 1 5 5", b="cat 1 1 5 5", c="")
    found = folder(tmp_path / "d", a="cat .9 1 1 5 5", c="", d="cat .8 1 1 5 5")
    result = bs.evaluate(truth, found, box="xywh", protocol="voc2012")
    images = result.ledger.images
    assert (images.truth, images.detections, images.matched, images.only_truth, images.only_detections) == (
        3,
        3,
        2,
        1,
        1,
    )
    assert result["mAP"] == 0.5
    assert [f.code for f in result.ledger.findings] == ["IMG001"]
    counted = bs.evaluate(truth, found, box="xywh", protocol="toolkit-voc")
    assert counted.at(0).false_positives == 1  # the toolkit counts what stands on unknown images


def test_no_detections_at_all(tmp_path):
    truth, found = folder(tmp_path / "t", a="cat 1 1 5 5"), folder(tmp_path / "d", a="\n")
    result = bs.evaluate(truth, found, box="xywh", protocol="voc2012")
    assert result["mAP"] == 0
    assert [f.code for f in result.ledger.findings] == ["DET001"]


def test_no_objects_at_all(tmp_path):
    truth, found = folder(tmp_path / "t", a=""), folder(tmp_path / "d", a="")
    result = bs.evaluate(truth, found, protocol="voc2012")
    assert np.isnan(result["mAP"])
    assert result.reasons["mAP"] == "no objects"
