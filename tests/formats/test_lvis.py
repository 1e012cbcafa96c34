"""LVIS files: what they add to COCO's reaches the table, the same from the quick and the careful reader."""

from __future__ import annotations

import json
from dataclasses import fields

import numpy as np
import pytest

from boxscore.formats.io.source import Source
from boxscore.joining.read import read_truth
from boxscore.tables.model import Mark
from odd_coco import write

URL = "http://images.cocodataset.org/val2017/00000000000{}.jpg"
IMAGES = [
    {"id": 5, "coco_url": URL.format(5), "neg_category_ids": [30, 10], "not_exhaustive_category_ids": []},
    {"id": 3, "coco_url": URL.format(3), "neg_category_ids": [], "not_exhaustive_category_ids": [20]},
    {"id": 9, "coco_url": URL.format(9), "neg_category_ids": [20], "not_exhaustive_category_ids": [30, 10]},
]
OBJECTS = [{"id": 1, "image_id": 3, "category_id": 20, "bbox": [1.5, 2, 3, 4], "area": 11}]
CLASSES = [
    {"id": 30, "name": "cup", "frequency": "f", "synonyms": ["cup"]},
    {"id": 10, "name": "ant", "frequency": "r", "synonyms": ["ant"]},
    {"id": 20, "name": "bee", "frequency": "c", "synonyms": ["bee", "honey bee"]},
]
TRUTH = {"images": IMAGES, "annotations": OBJECTS, "categories": CLASSES}


def changed(key, *changes):
    """The truth with changed records in one section; `...` deletes."""
    cut = [{k: v for k, v in {**a, **b}.items() if v is not ...} for a, b in zip(TRUTH[key], changes, strict=True)]
    return {**TRUTH, key: cut}


def statements(truth):
    """What is said of whole images, in words."""
    columns = (truth.labels.image, truth.labels.label, truth.labels.mark)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [(truth.images.key[image], truth.classes.name[label], Mark(mark).name) for image, label, mark in rows]


def not_needed(*_):
    raise AssertionError("the careful reader was not needed")


def both_ways(monkeypatch, side, quick_only=True):
    """The table of the quick reader, which must equal the one of the careful reader, and the findings."""
    with monkeypatch.context() as patch:
        if quick_only:
            patch.setattr("boxscore.formats.coco.checked.truth_checked", not_needed)
        quick, findings = read_truth(side)
    with monkeypatch.context() as patch:
        patch.setattr(Source, "json_columns", lambda *_: None)
        careful, more = read_truth(side)
    assert findings == more
    assert quick.classes == careful.classes
    assert quick.format == careful.format
    assert list(quick.images.key) == list(careful.images.key)
    assert (quick.labels is None) == (careful.labels is None)
    for a, b in ((quick, careful), (quick.images, careful.images), (quick.labels, careful.labels)):
        for f in fields(a) if a is not None else ():
            x, y = getattr(a, f.name), getattr(b, f.name)
            if isinstance(x, np.ndarray) or isinstance(y, np.ndarray):
                np.testing.assert_array_equal(x, y, err_msg=f.name, strict=True)
    return quick, findings


@pytest.mark.parametrize("indent", [None, 1])
def test_a_small_file(tmp_path, monkeypatch, indent):
    truth, findings = both_ways(monkeypatch, write(tmp_path / "t.json", json.dumps(TRUTH, indent=indent)))
    assert truth.format == "lvis"
    assert truth.classes.name == ("ant", "bee", "cup")
    assert truth.classes.frequency == ("r", "c", "f")
    a, b, c = (f"val2017/00000000000{i}.jpg" for i in (5, 3, 9))
    assert list(truth.images.key) == [a, b, c]
    assert statements(truth) == [
        (a, "cup", "NEGATIVE"), (a, "ant", "NEGATIVE"), (c, "bee", "NEGATIVE"),
        (b, "bee", "NOT_EXHAUSTIVE"), (c, "cup", "NOT_EXHAUSTIVE"), (c, "ant", "NOT_EXHAUSTIVE"),
    ]  # fmt: skip
    assert truth.labels.mark.dtype == np.uint8
    assert truth.labels.image.dtype == truth.labels.label.dtype == np.int32
    assert not findings
    assert statements(both_ways(monkeypatch, TRUTH)[0]) == statements(truth)  # as Python values


NO_LISTS = {"neg_category_ids": ..., "not_exhaustive_category_ids": ...}
NO_CLASS = {"frequency": ...}


def test_plain_coco_says_nothing_of_whole_images(monkeypatch):
    plain = {**changed("images", *[NO_LISTS] * 3), "categories": [{"id": 1, "name": "a"}]}
    for side in (plain, {**plain, "images": []}, {"images": [], "annotations": [], "categories": []}):
        truth, _ = both_ways(monkeypatch, side)
        assert (truth.format, truth.labels, truth.classes.frequency) == ("coco", None, None)


@pytest.mark.parametrize(
    ("changes", "count"),
    [
        ([NO_LISTS, {}, NO_LISTS], 1),
        ([{"neg_category_ids": None}, {"neg_category_ids": ...}, {}], 4),
        ([{"neg_category_ids": ...}] * 3, 3),
        ([{"not_exhaustive_category_ids": None}] * 3, 3),
        ([{"neg_category_ids": [], "not_exhaustive_category_ids": []}, NO_LISTS, NO_LISTS], 0),
        ([{}, {}, {"neg_category_ids": [20, 20], "not_exhaustive_category_ids": [20]}], 6),
    ],
)
def test_some_lists(monkeypatch, changes, count):
    truth, _ = both_ways(monkeypatch, changed("images", *changes))
    assert truth.format == "lvis"
    assert len(truth.labels) == count


def test_classes_that_are_not_listed_are_left_out(monkeypatch):
    changes = [{"neg_category_ids": [99, 10]}, {"not_exhaustive_category_ids": [98]}, {"neg_category_ids": [99]}]
    truth, (found,) = both_ways(monkeypatch, changed("images", *changes))
    names = ", ".join(f"val2017/00000000000{i}.jpg" for i in (5, 3, 9))
    assert (found.code, found.severity, found.count) == ("LBL001", "warning", 3)
    assert found.text == f"3 labels of whole images are of classes that the truth does not list (in {names}); left out"
    assert [row[1:] for row in statements(truth)] == [
        ("ant", "NEGATIVE"), ("cup", "NOT_EXHAUSTIVE"), ("ant", "NOT_EXHAUSTIVE")
    ]  # fmt: skip


@pytest.mark.parametrize("missing", [..., None])
def test_a_class_without_frequency(monkeypatch, missing):
    truth, _ = both_ways(monkeypatch, changed("categories", {}, {"frequency": missing}, {}))
    assert truth.classes.frequency is None
    assert truth.format == "lvis"
    assert both_ways(monkeypatch, {**changed("categories", *[NO_CLASS] * 3), "images": []})[0].format == "coco"
    only = {**TRUTH, "images": changed("images", *[NO_LISTS] * 3)["images"]}
    assert both_ways(monkeypatch, only)[0].format == "lvis"


@pytest.mark.parametrize(
    ("changes", "keys"),
    [
        ([{"file_name": "a"}, {"file_name": "b/c"}, {"file_name": "d"}], ["a", "b/c", "d"]),
        ([{"file_name": "a"}, {}, {}], [f"val2017/00000000000{i}.jpg" for i in (5, 3, 9)]),
        ([{}, {"coco_url": ...}, {}], ["5", "3", "9"]),
        ([{}, {"coco_url": None}, {}], ["5", "3", "9"]),
        ([{}, {"coco_url": ""}, {}], ["5", "3", "9"]),
        ([{}, {"coco_url": "http://x"}, {}], ["5", "3", "9"]),
        ([{"coco_url": "http://x/ü.jpg"}, {"coco_url": "y.jpg"}, {"coco_url": "u/v/w.jpg"}],
         ["ü.jpg", "y.jpg", "v/w.jpg"]),
    ],
)  # fmt: skip
def test_names_of_images(monkeypatch, changes, keys):
    truth, _ = both_ways(monkeypatch, changed("images", *changes))
    assert list(truth.images.key) == keys


def test_lists_that_only_the_careful_reader_reads(monkeypatch):
    strange = [
        {"neg_category_ids": ["30", 10.0]},
        {"not_exhaustive_category_ids": ["bee", 20]},
        {"coco_url": 7, "file_name": 7},
    ]
    truth, findings = both_ways(monkeypatch, changed("images", *strange), quick_only=False)
    assert [f.code for f in findings] == ["ID004", "LBL001"]
    assert len(truth.labels) == 6
    assert list(truth.images.key) == ["5", "3", "9"]
    # ids that are text, and an image and a class that are there twice
    ids = {c["id"]: c["name"] for c in CLASSES}
    listed = [{k: [ids[i] for i in v] if isinstance(v, list) else v for k, v in image.items()} for image in IMAGES]
    named = [{**c, "id": c["name"]} for c in CLASSES]
    textual = {
        "images": [*listed, listed[0]],
        "annotations": [],
        "categories": [*named, {**named[1], "frequency": "f"}],  # the last record counts, as for lvis
    }
    truth, findings = both_ways(monkeypatch, textual, quick_only=False)
    assert [f.code for f in findings] == ["ID003", "ID003"]
    usual = read_truth(TRUTH)[0]
    assert statements(truth) == statements(usual)
    assert dict(zip(truth.classes.id, truth.classes.frequency, strict=True)) == {"cup": "f", "ant": "f", "bee": "c"}


def of_values(content):
    """The statements of a file as sets of ids, straight from its values."""
    key = {"NEGATIVE": "neg_category_ids", "NOT_EXHAUSTIVE": "not_exhaustive_category_ids"}
    return {name: {(i["id"], c) for i in content["images"] for c in i[field]} for name, field in key.items()}


def of_table(truth):
    """The same from a table."""
    ids, made = truth.images.id.tolist(), {"NEGATIVE": set(), "NOT_EXHAUSTIVE": set()}
    for image, label, mark in zip(truth.labels.image, truth.labels.label, truth.labels.mark, strict=True):
        made[Mark(int(mark)).name].add((ids[image], truth.classes.id[label]))
    return made


def check(monkeypatch, side, content):
    truth, findings = both_ways(monkeypatch, side)
    assert not findings
    assert truth.format == "lvis"
    assert of_table(truth) == of_values(content)
    assert len(truth.labels) == sum(map(len, of_values(content).values()))
    letters = {c["id"]: c["frequency"] for c in content["categories"]}
    assert dict(zip(truth.classes.id, truth.classes.frequency, strict=True)) == letters


def test_the_real_file_of_a_hundred_images(data, monkeypatch):
    path = data / "data/lvis_val_100/lvis_val_100.json"
    check(monkeypatch, path, json.loads(path.read_text()))


def test_reference_cases(data, monkeypatch):
    paths = sorted((data / "reference/cases/lvis").glob("*.json"))
    assert paths
    for path in paths:
        content = json.loads(path.read_text())["input"]["ground_truth"]
        check(monkeypatch, content, content)
