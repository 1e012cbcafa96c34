"""PASCAL VOC: annotations as XML, results as a text file per class."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import boxscore as bs
from boxscore.formats import Reading, read_detections, read_truth
from boxscore.formats.lists import read_image_list
from boxscore.model import Flag

BOX = "<bndbox><xmin>10</xmin><ymin>20</ymin><xmax>30</xmax><ymax>60</ymax></bndbox>"
SIZE = "<size><width>500</width><height>375</height><depth>3</depth></size>"


def xml(path: Path, *objects: str, size: str = SIZE) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    inner = "".join(f"<object>{one}</object>" for one in objects)
    path.write_text(f"<annotation><filename>else.jpg</filename>{size}{inner}</annotation>")
    return path


def results(folder: Path, **files: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / f"{name}.txt").write_text(content)
    return folder


def test_a_file_per_image_sorted_by_name(tmp_path):
    xml(tmp_path / "b.xml", f"<name>dog</name><difficult>1</difficult>{BOX}", f"<name>cat</name>{BOX}")
    xml(tmp_path / "a.xml")
    (tmp_path / "a.jpg").write_bytes(b"\xff")
    truth, findings = read_truth(tmp_path)
    assert (truth.format, findings) == ("voc-xml", [])
    assert list(truth.images.key) == ["a", "b"]  # the files' own names; without objects, too
    assert truth.images.id is None
    assert (truth.images.width.tolist(), truth.images.height.tolist()) == ([500, 500], [375, 375])
    assert truth.classes == bs.Classes(("cat", "dog"), ("cat", "dog"))
    assert (truth.image.tolist(), truth.label.tolist()) == ([1, 1], [1, 0])
    assert truth.corners.tolist() == [[10, 20, 30, 60]] * 2
    assert truth.box_area.tolist() == [800, 800]
    assert truth.flags.tolist() == [Flag.DIFFICULT, 0]
    assert np.isnan(truth.area).all()
    assert truth.places[1] == str(tmp_path / "b.xml")


@pytest.mark.parametrize(
    ("element", "flags"),
    [
        ("<difficult/>", 0),
        ("<difficult> 0 </difficult><truncated>1</truncated>", Flag.TRUNCATED),
        ("<truncated>Unspecified</truncated><occluded>1</occluded>", Flag.OCCLUDED),
        ("<generated>1</generated><trackid>0</trackid>", Flag.GENERATED),
        ("<truncated>0.7</truncated><difficult>true</difficult>", Flag.TRUNCATED | Flag.DIFFICULT),
    ],
)
def test_flags(tmp_path, element, flags):
    xml(tmp_path / "a.xml", f"<name>dog</name>{element}{BOX}")
    assert read_truth(tmp_path)[0].flags.tolist() == [flags]


def test_children_are_found_by_name_and_parts_are_no_objects(tmp_path):
    box = "<bndbox><xmax>30.5</xmax><xmin>10</xmin><ymax>60</ymax><ymin>20</ymin></bndbox>"
    part = "<part><name>head</name><bndbox><xmin>1</xmin><ymin>1</ymin><xmax>2</xmax><ymax>2</ymax></bndbox></part>"
    xml(tmp_path / "a.xml", f"{part}<name>person</name>{box}")
    truth, _ = read_truth(tmp_path)
    assert truth.classes.name == ("person",)
    assert truth.corners.tolist() == [[10, 20, 30.5, 60]]


@pytest.mark.parametrize("size", ["", "<size><width>0</width><height/></size>", "<size><width>?</width></size>"])
def test_unknown_sizes(tmp_path, size):
    truth, _ = read_truth(xml(tmp_path / "a.xml", size=size).parent)
    assert np.isnan([*truth.images.width, *truth.images.height]).all()


def test_an_object_without_a_box_is_accounted_for(tmp_path):
    xml(tmp_path / "t" / "a.xml", "<name>dog</name><polygon/>", f"<name>dog</name>{BOX}")
    truth, _ = read_truth(tmp_path / "t")
    assert (len(truth), truth.rejected) == (1, (("no box", 1),))
    found = results(tmp_path / "d", comp4_det_test_dog="a .9 10 20 30 60\n")
    result = bs.evaluate(truth, found, protocol="voc2012")
    assert (result["mAP"], result.ledger.objects.read) == (1, 2)
    assert [f.code for f in result.ledger.findings] == ["BOX002"]


def test_a_devkit_and_folders_below(tmp_path):
    for name in ("VID/val/x/000001", "VID/val/x/000000", "top"):
        xml(tmp_path / "Annotations" / f"{name}.xml")
    (tmp_path / "Annotations" / "._top.xml").write_bytes(b"\x00")
    assert list(read_truth(tmp_path)[0].images.key) == ["VID/val/x/000000", "VID/val/x/000001", "top"]
    assert list(read_truth(tmp_path / "Annotations" / "VID")[0].images.key) == ["val/x/000000", "val/x/000001"]


@pytest.mark.parametrize(
    ("content", "names", "numbers"),
    [
        ("b\na\n", ["b", "a"], None),
        ("b 1\n\na -1\n", ["b", "a"], None),
        ("b.jpg 1\na.jpg 1", ["b", "a"], None),
        ("\ufeffx/b 7\r\na 3\r\n", ["x/b", "a"], [7, 3]),
        ("my b\t2\nmy a\t1\n", ["my b", "my a"], [2, 1]),
    ],
)
def test_image_lists(tmp_path, content, names, numbers):
    (tmp_path / "list.txt").write_text(content)
    for name in (*names, "unlisted"):
        xml(tmp_path / "Annotations" / f"{name}.xml")
    truth, _ = read_truth(tmp_path, Reading(image_list=tmp_path / "list.txt"))
    assert list(truth.images.key) == names
    assert (None if truth.images.id is None else truth.images.id.tolist()) == numbers
    assert read_image_list(tmp_path / "list.txt").number.tolist() == (numbers or [1, 2])


def test_listed_classes(tmp_path):
    xml(tmp_path / "t" / "a.xml", f"<name>dog</name>{BOX}", f"<name>owl</name>{BOX}")
    truth, _ = read_truth(tmp_path / "t", Reading(classes=("dog", "cat")))
    assert truth.classes == bs.Classes(("dog", "cat"), ("dog", "cat"))
    assert truth.label.tolist() == [0, -1]  # never evaluated, and the ledger says so
    result = bs.evaluate(truth, results(tmp_path / "d", comp4_det_x_dog="a 1 10 20 30 60"), protocol="voc2012")
    assert [f.code for f in result.ledger.findings] == ["OBJ001"]


@pytest.mark.parametrize("content", ["dog\ncat\n", "1 dog\n2 cat\n", "2 cat house_cat\n1 dog pet\n"])
def test_class_lists(tmp_path, content):
    (tmp_path / "classes.txt").write_text(content)
    xml(tmp_path / "a.xml", f"<name>dog</name>{BOX}")
    truth, _ = read_truth(tmp_path, Reading(class_list=tmp_path / "classes.txt"))
    assert dict(zip(truth.classes.name, truth.classes.id, strict=True)) == {"dog": 1, "cat": 2}
    assert truth.classes.name[truth.label[0]] == "dog"


def test_results(tmp_path):
    folder = results(
        tmp_path / "d", comp3_det_val_dog="", comp3_det_val_cat="b .5 1 2 3.5 4\n\n a\t1\t10 20 30 60\n", README="hello"
    )
    found, findings = read_detections(folder)
    assert (found.format, findings) == ("voc-results", [])
    assert list(found.images.key) == ["b", "a"]
    assert found.classes.name == ("cat", "dog")  # an empty file is a class without detections
    assert (found.image.tolist(), found.label.tolist()) == ([0, 1], [0, 0])
    assert found.score.tolist() == [0.5, 1]
    assert found.corners.tolist() == [[1, 2, 3.5, 4], [10, 20, 30, 60]]
    assert found.box_area.tolist() == [5, 800]


def test_rows_of_results_stand_by_file_and_line(tmp_path):
    folder = results(tmp_path / "d", comp3_det_val_b="x .1 1 1 2 2\ny .9 1 1 2 2", comp3_det_val_a="y .3 1 1 2 2")
    found, _ = read_detections(folder)
    assert found.score.tolist() == [0.3, 0.1, 0.9]
    assert found.position.tolist() == [0, 1, 2]


def test_class_names_with_underscores(tmp_path):
    xml(tmp_path / "t" / "a.xml", f"<name>traffic_light</name>{BOX}", f"<name>light</name>{BOX}")
    folder = results(tmp_path / "d", comp3_det_val_traffic_light="a .5 1 2 3 4\n", comp3_det_val_light="a .5 1 2 3 4\n")
    found, _ = read_detections(folder, None, read_truth(tmp_path / "t")[0])
    assert found.classes.name == ("light", "traffic_light")
    found, _ = read_detections(folder, Reading(classes=("light", "val_traffic_light", "traffic_light")))
    assert found.classes.name == ("light", "val_traffic_light")


def test_results_by_any_name_if_stated(tmp_path):
    folder = results(tmp_path / "d", det_test_cat="a .5 1 2 3 4\n", cow="")
    found, _ = read_detections(folder, Reading(detections_format="voc-results"))
    assert found.classes.name == ("cow", "cat")


def test_text_files_beside_xml(tmp_path):
    xml(tmp_path / "a.xml", f"<name>dog</name>{BOX}")
    results(tmp_path, a="dog .5 10 20 30 60\n")
    assert len(read_truth(tmp_path)[0]) == 1
    assert read_detections(tmp_path, Reading(box="xyxy"))[0].format == "text"


@pytest.mark.parametrize("seed", [11, 12, 13])
def test_a_devkit_holds_what_its_case_says(data, seed):
    cases = data / "reference" / "cases" / "voc"
    given = json.loads((cases / f"voc_{seed}.json").read_text())["input"]
    truth, _ = read_truth(cases / f"voc_{seed}_devkit")
    assert list(truth.images.key) == [i["name"] for i in given["images"]]
    objects = [o for i in given["images"] for o in i["objects"]]
    assert [truth.classes.name[k] for k in truth.label] == [o["class"] for o in objects]
    assert truth.corners.tolist() == [o["bbox"] for o in objects]
    assert ((truth.flags & Flag.DIFFICULT) != 0).tolist() == [bool(o["difficult"]) for o in objects]
    found, _ = read_detections(cases / f"voc_{seed}_devkit" / "results", None, truth)
    by_class = sorted(given["detections"], key=lambda d: d["class"])
    assert [row["box"] for row in found] == [tuple(d["bbox"]) for d in by_class]
    assert [(row["image"], row["class"], row["score"]) for row in found] == [
        (d["image"], d["class"], d["score"]) for d in by_class
    ]
