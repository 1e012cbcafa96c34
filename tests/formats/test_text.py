"""Folders of text files: every way of writing that the predecessor's users have."""

from __future__ import annotations

import json
import math
import tarfile
from pathlib import Path

import numpy as np
import pytest

import boxscore as bs
from boxscore.joining.read import Reading, read_detections, read_truth


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
    assert findings[0].text.endswith("read as x y width height; read as corners, 1 box would have x2 < x1 or y2 < y1")


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


@pytest.mark.parametrize(
    "line",
    [
        "traffic light,0.5,10.25,20,30,40",
        "traffic light, 0.5, 10.25, 20, 30, 40",
        "traffic light;0.5;10.25;20;30;40;",
        "traffic light;0,5;10,25;20;30;40",
        "traffic light 0,5 10,25 20,0 30 40",
        "traffic light\t0,5\t10,25\t20\t30\t40",
        '"traffic light",0.5,10.25,20,30,40',
        '"traffic light" 0.5 10.25 20 30 40',
        "traffic light 0.5, 10.25, 20, 30, 40",
        "traffic light +0.5 1025e-2 20. 30 40",
    ],
)
def test_separators_and_decimal_commas(tmp_path, line):
    found, _ = read_detections(folder(tmp_path / "d", a=f"{line}\n{line}\r\n", b="# nothing"), Reading(box="xywh"))
    assert found.classes.name == ("traffic light",)
    assert found.score.tolist() == [0.5, 0.5]
    assert found.corners.tolist() == [[10.25, 20, 40.25, 60]] * 2


def test_difficult_with_other_separators(tmp_path):
    lines = "cat,1,1,5,5\ncat,2,2,9,9,difficult\ndog;1,5;1;5;5;difficult\n"
    truth, _ = read_truth(folder(tmp_path / "t", a=lines, b="cat 1 1 5 5\n"), Reading(box="xyxy"))
    assert truth.flags.tolist() == [0, bs.Flag.DIFFICULT, bs.Flag.DIFFICULT, 0]
    assert truth.corners[2].tolist() == [1.5, 1, 5, 5]


def test_usual_files_and_others_in_their_order(tmp_path):
    """Files that the kernel leaves to the careful reader stand between those that it takes."""
    files = {f"f{k:02d}": f"c{k % 3} {k} 0 1 1\n" + ("été 9 9 1 1\n" if k % 4 == 1 else "") for k in range(40)}
    truth, _ = read_truth(folder(tmp_path / "t", **files), Reading(box="xywh", coords="absolute"))
    rows = [(row["image"], row["class"], row["box"][0]) for row in truth]
    expected = [
        row
        for k, name in enumerate(files)
        for row in [(name, f"c{k % 3}", float(k)), *([(name, "été", 9.0)] if k % 4 == 1 else [])]
    ]
    assert rows == expected


def test_subfolders_are_part_of_the_name(tmp_path):
    folder(tmp_path / "t", a="cat 1 1 5 5")
    folder(tmp_path / "t" / "deep", a="dog 1 1 5 5")
    truth, _ = read_truth(tmp_path / "t", Reading(box="xywh"))
    assert list(truth.images.key) == ["a", "deep/a"]
    assert truth.image.tolist() == [0, 1]


def test_files_without_extension(tmp_path):
    (tmp_path / "a").write_text("cat 1 1 5 5")
    (tmp_path / "README").write_text("what this is")
    truth, _ = read_truth(tmp_path, Reading(box="xywh", truth_format="text"))
    assert list(truth.images.key) == ["a"]


def test_files_beside(tmp_path):
    path = folder(tmp_path / "t", a="cat 1 1 5 5", classes="cat\ndog", README="hello", requirements="numpy")
    (tmp_path / "t" / "obj.names").write_text("cat")
    assert list(read_truth(path, Reading(box="xywh"))[0].images.key) == ["a"]


def test_relative_boxes_of_unknown_images_stay_relative(tmp_path):
    truth, _ = read_truth(folder(tmp_path / "t", a="cat 0.5 0.5 0.25 0.5"))
    assert truth.relative
    assert truth.corners.tolist() == [[0.375, 0.25, 0.625, 0.75]]
    found, _ = read_detections(folder(tmp_path / "d", a="cat .9 0.5 0.5 0.25 0.5"))
    assert found.relative
    assert bs.evaluate(truth, found, protocol="tf-voc")["mAP"] == 1
    assert math.isnan(bs.evaluate(truth, found, protocol="voc2012")["mAP"])  # it counts in pixels


def test_boxes_that_would_leave_the_image_are_corners(tmp_path):
    lines = "cat 10 10 90 90\ncat 60 50 95 95\ncat 1 1 5 5"
    truth, findings = read_truth(folder(tmp_path / "t", a=lines), Reading(image_size=(100, 100)))
    assert truth.corners.tolist() == [[10, 10, 90, 90], [60, 50, 95, 95], [1, 1, 5, 5]]
    assert [f.code for f in findings] == ["BOX006"]
    assert findings[0].text.endswith("read as corners; read as x y width height, 1 box would leave the image")
    with pytest.raises(bs.InputError, match="x y width height or x y right bottom"):
        read_truth(tmp_path / "t", Reading(image_size=(1000, 1000)))


def test_percent_confidences_are_kept(tmp_path):
    found, _ = read_detections(folder(tmp_path / "d", a="cat 87 1 1 5 5\ncat 9.5 1 1 5 5"), Reading(box="xywh"))
    assert found.score.tolist() == [87, 9.5]


def test_classes_of_one_side(tmp_path):
    truth, _ = read_truth(folder(tmp_path / "t", a="1 1 1 5 5"), Reading(box="xywh", truth_classes=("a", "b")))
    assert truth.classes.name == ("a", "b")


# real files


def test_coco_as_text(data):
    path = data / "data/coco_val2017_boxes/co24428_ground-truth_txt.tar.gz"
    truth, _ = read_truth(path, Reading(truth_format="text", box="xyxy"))
    assert (len(truth.images), len(truth), len(truth.classes)) == (5000, 36781, 80)
    assert len(truth.images) - len(np.unique(truth.image)) == 48
    sizes = json.loads((data / "data/coco_val2017_boxes/image_sizes.json").read_text())
    assert len(sizes) == 5000
    found, _ = read_detections(
        data / "data/coco_val2017_boxes/co24428_detection-results_txt_letterbox416_bug.tar.gz",
        Reading(detections_format="text", box="xyxy"),
    )
    assert (len(found.images), len(found)) == (5000, 10994)


def test_the_readme_of_object_detection_metrics(data, tmp_path):
    with tarfile.open(data / "data/padilla_odm/samples_and_gt_det.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    pixels, findings = read_truth(tmp_path / "groundtruths", Reading(truth_format="text"))
    shares, _ = read_truth(tmp_path / "groundtruths_rel", Reading(truth_format="text", image_size=(200, 200)))
    assert [f.code for f in findings] == ["BOX003"]
    assert pixels.corners == pytest.approx(shares.corners, abs=1e-9)
    both = [
        read_detections(tmp_path / name, Reading(detections_format="text", image_size=(200, 200)))[0]
        for name in ("detections", "detections_rel")
    ]
    assert both[0].corners == pytest.approx(both[1].corners, abs=1e-9)
    assert (len(pixels), len(both[0])) == (15, 24)


def test_the_three_encodings_of_the_review_toolkit(data, tmp_path):
    with tarfile.open(data / "data/padilla_review/database_gts_dets.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    root = tmp_path / "data/database/dets"
    how = {"abs_xywh": {}, "abs_xyx2y2": {"box": "xyxy"}, "rel_xywh": {}}
    tables = [read_detections(root / name, Reading(detections_format="text", **more))[0] for name, more in how.items()]
    assert [(len(table.images), len(table)) for table in tables] == [(98, 452)] * 3
    assert tables[0].corners.tolist() == tables[1].corners.tolist()
    assert [table.relative for table in tables] == [False, False, True]
    truth, _ = read_truth(tmp_path / "data/database/gts/pascalvoc_format", Reading(truth_format="voc-xml"))
    in_pixels, _ = read_detections(root / "rel_xywh", Reading(detections_format="text"), truth)
    assert not in_pixels.relative  # the truth knows the sizes
    assert np.abs(in_pixels.corners - tables[0].corners).max() < 1  # those were rounded
    corners, findings = read_detections(root / "abs_xyx2y2", Reading(detections_format="text"), truth)
    assert [f.code for f in findings if f.code.startswith("BOX")] == ["BOX006"]
    assert corners.corners.tolist() == tables[1].corners.tolist()
