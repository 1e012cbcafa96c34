"""Classes of Open Images: label maps, tables of descriptions, hierarchies."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import boxscore as bs
from boxscore.formats.io.hierarchy import parents_within, read_hierarchy
from boxscore.formats.io.label_map import read_label_map
from boxscore.joining.read import Reading, read_detections, read_truth

BOXES = "ImageID,LabelName,XMin,XMax,YMin,YMax\nb,/m/cat,0.1,0.3,0.2,0.6\na,/m/dog,0,1,0,1\n"
TREE = {
    "LabelName": "/m/root",
    "Subcategory": [
        {
            "LabelName": "/m/animal",
            "Subcategory": [{"LabelName": "/m/pet", "Subcategory": [{"LabelName": "/m/cat"}, {"LabelName": "/m/dog"}]}],
            "Part": [{"LabelName": "/m/paw"}],
        },
        {"LabelName": "/m/guard", "Subcategory": [{"LabelName": "/m/dog"}]},
    ],
}


def write(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8")
    return path


def test_ways_of_writing_a_label_map(tmp_path):
    text = """# classes
    item {
      id: 3
      name: "it's"   # with a quote
      keypoints { id: 7 label: "name: 'x'" }
    }
    item: { display_name: 'only shown', id: 1 }
    item { name: 'caf\\303\\251'; id: 2 }
    """
    assert read_label_map(write(tmp_path / "m", text)) == bs.Classes(("only shown", "café", "it's"), (1, 2, 3))


@pytest.mark.parametrize("head", ["", "LabelName,DisplayName\n"])
def test_class_descriptions_are_a_label_map(tmp_path, head):
    path = write(tmp_path / "d.csv", head + '/m/dog,Dog\n/m/cat,"Cat, tame"\n/m/owl,\n')
    assert read_label_map(path) == bs.Classes(("Dog", "Cat, tame", "/m/owl"), ("/m/dog", "/m/cat", "/m/owl"))


def test_a_shared_description_is_no_name(tmp_path):
    path = write(tmp_path / "d.csv", "/m/bat1,Bat\n/m/bat2,Bat\n/m/dog,Dog,7\n")
    assert read_label_map(path) == bs.Classes(("/m/bat1", "/m/bat2", "Dog"), ("/m/bat1", "/m/bat2", "/m/dog"))


def test_codes_and_descriptions_join(tmp_path):
    how = Reading(label_map=write(tmp_path / "d.csv", "/m/dog,Dog\n/m/cat,Cat\n"))
    tree = {"LabelName": "/m/root", "Subcategory": [{"LabelName": "/m/dog", "Subcategory": [{"LabelName": "/m/cat"}]}]}
    how = replace(how, hierarchy=write(tmp_path / "h.json", json.dumps(tree)))
    truth, findings = read_truth(write(tmp_path / "boxes.csv", BOXES), how)
    assert (truth.classes.name, truth.classes.parents, findings) == (("Dog", "Cat"), ((), (0,)), [])
    assert truth.label.tolist() == [1, 0]
    named = "ImageID,LabelName,Score,XMin,XMax,YMin,YMax\nb,Cat,0.5,0.1,0.3,0.2,0.6\na,/m/dog,0.5,0,1,0,1\n"
    found, _ = read_detections(write(tmp_path / "p.csv", named), how, truth)
    assert found.classes.name[:2] == ("Dog", "Cat")
    assert found.label.tolist() == [1, 0]


def test_hierarchy(tmp_path):
    tree = write(tmp_path / "h.json", json.dumps(TREE))
    truth, findings = read_truth(write(tmp_path / "boxes.csv", BOXES), Reading(hierarchy=tree))
    names = truth.classes.name
    assert names == ("/m/animal", "/m/cat", "/m/dog", "/m/guard", "/m/pet")  # neither the root nor a part
    above = {name: [names[k] for k in ks] for name, ks in zip(names, truth.classes.parents, strict=True)}
    assert above == {
        "/m/animal": [],
        "/m/cat": ["/m/pet"],
        "/m/dog": ["/m/guard", "/m/pet"],
        "/m/guard": [],
        "/m/pet": ["/m/animal"],
    }
    assert findings == []


def test_a_label_map_may_leave_out_classes_of_the_hierarchy(tmp_path):
    tree, names = read_hierarchy(write(tmp_path / "h.json", json.dumps(TREE))), ("/m/dog", "/m/animal", "/m/cat")
    assert parents_within(names, tree) == ((1,), (), (1,))


def test_labels_that_the_hierarchy_does_not_know(tmp_path):
    tree = write(tmp_path / "h.json", json.dumps({"LabelName": "r", "Subcategory": [{"LabelName": "/m/cat"}]}))
    truth, findings = read_truth(write(tmp_path / "boxes.csv", BOXES), Reading(hierarchy=tree))
    assert truth.classes.parents == ((), ())
    assert [(f.code, f.text) for f in findings] == [
        ("CLS003", "1 label of boxes or images is not in the hierarchy and has no classes above (/m/dog)")
    ]


def test_a_label_below_itself_is_no_parent_of_its_own():
    assert parents_within(["a", "b"], {"a": ("b", "a"), "b": ("a",)}) == ((1,), (0,))


def test_real_files(data):
    folder = data / "data" / "open_images"
    sizes = {
        "oid_v4": 601,
        "oid_bbox_trainable": 545,
        "oid_object_detection_challenge_500": 500,
        "pascal": 20,
        "mscoco": 80,
    }
    assert {k: len(read_label_map(folder / f"{k}_label_map.pbtxt")) for k in sizes} == sizes
    described = read_label_map(folder / "class-descriptions-boxable.csv")
    assert described.id == read_label_map(folder / "oid_v4_label_map.pbtxt").name
    tree = read_hierarchy(folder / "bbox_labels_600_hierarchy.json")
    assert set(tree) == set(described.id)
    assert sum(len(above) > 1 for above in tree.values()) == 45
