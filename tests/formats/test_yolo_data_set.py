"""data.yaml as a data set, images that tell their sizes, and what Ultralytics writes: read without a question."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import boxscore as bs

BOX = "0 0.5 0.5 0.25 0.5\n"
NAMES = "names: [cat, dog]\n"


def folder(root: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".jpg":
            Image.new("L", (200, 100)).save(path)
        else:
            path.write_text(content)
    return root


PETS = {
    "images/val/a.jpg": "", "images/val/b.jpg": "", "labels/val/a.txt": BOX, "labels/val/b.txt": "",
    "images/train/c.jpg": "", "labels/train/c.txt": BOX + BOX,
}  # fmt: skip


def truth(path: Path, **how: Any) -> bs.Truth:
    return bs.read_truth(path, **how)[0]


@pytest.mark.parametrize(
    "sheet",
    [
        "train: images/train\nval: images/val\n",
        "train: ./images/train/\nval: ./images/val/\n",
        "path: .\ntrain: images/train\nval: images/val\n",
        "path: {root}\ntrain: images/train\nval: images/val\n",
        "train: {root}/images/train\nval: {root}/images/val\n",
        "path: ../{name}\ntrain: images/train\nval: [images/val]\n",
        "path: {name}\ntrain: images/train\nval: images/val\n",  # as seen from the folder above
        "train: ../images/train\nval: ../images/val\n",  # Roboflow
        "path: /home/somebody/sets/pets\ntrain: images/train\nval: images/val\n",  # of another machine
        "train: /content/pets/images/train\nval: /content/pets/images/val\n",
        "train: images/train\nvalid: images/val\n",
        "train: train.txt\nval: lists/val.txt\n",
        "train: images/train\nval: [images/val/a.jpg, images/val/b.jpg]\n",
    ],
)
def test_places(tmp_path, sheet):
    root = folder(tmp_path / "pets", PETS)
    lists = {"lists/val.txt": "../images/val/a.jpg\n../images/val/b.jpg\n", "train.txt": "./images/train/c.jpg\n"}
    folder(root, {"data.yaml": sheet.format(root=root, name=root.name) + NAMES, **lists})
    made, findings = bs.read_truth(root / "data.yaml")
    assert [Path(key).name for key in made.images.key] == ["a.jpg", "b.jpg"]
    assert made.classes == bs.Classes(("cat", "dog"), (0, 1))
    assert made.corners.tolist() == [[0.375, 0.25, 0.625, 0.75]]
    assert (made.images.width.tolist(), made.images.height.tolist()) == ([200, 200], [100, 100])
    assert made.source == str(root / "data.yaml")
    (told,) = [f.text for f in findings if f.code == "SPL001"]
    assert f"{root / 'data.yaml'}: split val" in told
    assert "(2 images in " in told
    assert told.endswith("; --split takes another of its splits (train)")


def test_a_split_that_is_asked_for_is_not_told(tmp_path):
    folder(tmp_path, {**PETS, "data.yaml": "train: images/train\nval: images/val\n" + NAMES})
    made, findings = bs.read_truth(tmp_path / "data.yaml", split="train")
    assert (len(made), [f.code for f in findings]) == (2, [])


def test_the_only_split_is_taken(tmp_path):
    folder(tmp_path, {**PETS, "data.yaml": "test: images/val\n" + NAMES})
    assert len(truth(tmp_path / "data.yaml").images) == 2


def test_names_by_number_and_several_places(tmp_path):
    sheet = "val:\n  - images/val\n  - images/train\nnames:\n  0: cat\n  1: dog\n"
    folder(tmp_path, {**PETS, "data.yaml": sheet})
    made = truth(tmp_path / "data.yaml")
    assert made.classes.name == ("cat", "dog")
    assert list(made.images.key) == ["images/val/a.jpg", "images/val/b.jpg", "images/train/c.jpg"]
    assert len(made) == 3


def test_places_in_different_trees(tmp_path):
    one, two = folder(tmp_path / "one", PETS), folder(tmp_path / "two", PETS)
    folder(tmp_path, {"x/data.yaml": f"val: [{one}/images/val, {two}/images/val]\n" + NAMES})
    made = truth(tmp_path / "x" / "data.yaml")
    assert list(made.images.key) == [f"{n}/images/val/{i}.jpg" for n in ("one", "two") for i in "ab"]


def test_labels_alone(tmp_path):
    files = {name: text for name, text in PETS.items() if name.startswith("labels")}
    folder(tmp_path, {**files, "data.yaml": "val: images/val\n" + NAMES})
    made = truth(tmp_path / "data.yaml")
    assert list(made.images.key) == ["a", "b"]
    assert made.images.width is None


def test_relative_path_from_where_one_stands(tmp_path, monkeypatch):
    folder(tmp_path / "sets" / "pets", PETS)
    folder(tmp_path, {"cfg/pets.yaml": "path: sets/pets\nval: images/val\n" + NAMES})
    monkeypatch.chdir(tmp_path)
    made, findings = bs.read_truth("cfg/pets.yaml")
    assert len(made.images) == 2
    assert "cfg/pets.yaml: split val (2 images in sets/pets/images/val)" in findings[0].text


def test_poses_say_how_many_points_they_have(tmp_path):
    files = {**PETS, "labels/val/a.txt": BOX[:-1] + " .1 .2 1 .3 .4 2\n"}
    folder(tmp_path, {**files, "data.yaml": "val: images/val\nkpt_shape: [2, 3]\n" + NAMES})
    assert truth(tmp_path / "data.yaml").corners.tolist() == [[0.375, 0.25, 0.625, 0.75]]


# sizes


def test_images_beside_labels_make_pixels(tmp_path):
    folder(tmp_path, {**PETS, "data.yaml": "val: images/val\n" + NAMES})
    folder(tmp_path, {"runs/predict/labels/a.txt": "0 0.5 0.5 0.25 0.5 0.9\n1 0.1 0.1 0.1 0.1 0.8\n"})
    result = bs.evaluate(tmp_path / "data.yaml", tmp_path / "runs/predict/labels", confidence="last")
    assert result["AP"] == pytest.approx(1, abs=1e-12)
    assert np.isnan(result["APs"])
    assert result["APm"] == pytest.approx(1, abs=1e-12)  # 50 x 50 pixels: known without --images


def test_a_broken_image_is_told(tmp_path):
    folder(tmp_path, PETS)
    (tmp_path / "images/val/b.jpg").write_bytes(b"nothing")
    folder(tmp_path, {"data.yaml": "val: images/val\n" + NAMES})
    made, findings = bs.read_truth(tmp_path / "data.yaml")
    assert [f.code for f in findings] == ["SPL001", "SIZ003"]
    assert made.images.width[0] == 200
    assert np.isnan(made.images.width[1])


def test_plots_and_drawn_images_are_no_images_of_detections(tmp_path):
    files = {"predict/a.jpg": "", "predict/b.jpg": "", "predict/crops/cat/x.jpg": "", "predict/F1_curve.jpg": "",
             "predict/labels/a.txt": BOX[:-1] + " 0.9\n"}  # fmt: skip
    made, _ = bs.read_detections(folder(tmp_path, files) / "predict", confidence="last")
    assert list(made.images.key) == ["a.jpg"]
    assert made.images.width.tolist() == [200]


# predictions.json


def pets(tmp_path: Path, n: int = 2) -> Path:
    """A data set whose images are called 1.jpg, 2.jpg, …, with an object of each of three classes."""
    files = {f"images/val/{k:012}.jpg": "" for k in range(1, n + 1)}
    files |= {f"labels/val/{k:012}.txt": "0 .2 .5 .2 .4\n1 .5 .5 .2 .4\n2 .8 .5 .2 .4\n" for k in range(1, n + 1)}
    folder(tmp_path, {**files, "data.yaml": "val: images/val\nnames: [cat, dog, owl]\n"})
    return tmp_path / "data.yaml"


def predictions(path: Path, n: int, first: int, numbers: bool, classes: int = 3) -> Path:
    boxes = [[20, 30, 40, 40], [80, 30, 40, 40], [140, 30, 40, 40]]
    rows = [
        {"image_id": k if numbers else f"{k:012}", "category_id": first + label, "bbox": boxes[label], "score": 0.9}
        for k in range(1, n + 1) for label in range(classes)
    ]  # fmt: skip
    path.write_text(json.dumps(rows))
    return path


@pytest.mark.parametrize("numbers", [True, False])
@pytest.mark.parametrize("first", [0, 1])
def test_predictions_of_val(tmp_path, numbers, first):
    sheet = pets(tmp_path)
    found = predictions(tmp_path / "predictions.json", 2, first, numbers)
    result = bs.evaluate(sheet, found)
    assert result["AP"] == 1.0
    counted = [f.text for f in result.ledger.findings if f.code == "CLS006"]
    expected = [f"{found}: category ids are counted from 1: 1 is cat, 3 is owl"] if first else []
    assert counted == expected


@pytest.mark.parametrize("first", [0, 1])
def test_ids_that_can_be_counted_either_way_are_decided_by_the_objects(tmp_path, first):
    """Two of three classes are found: ids 0 and 1, or 1 and 2, which can be either."""
    sheet = pets(tmp_path, 12)
    result = bs.evaluate(sheet, predictions(tmp_path / "predictions.json", 12, first, True, classes=2))
    assert result["AP"] == pytest.approx(2 / 3, abs=1e-12)  # the third class has objects and no detections
    assert [f.code for f in result.ledger.findings if f.code == "CLS006"] == ["CLS006"] * first


def test_ids_stay_as_they_are_where_nothing_tells(tmp_path):
    sheet = pets(tmp_path)
    made, findings = bs.read_detections(
        predictions(tmp_path / "p.json", 2, 1, True, classes=2), truth=truth(sheet)
    )  # fmt: skip
    assert [made.classes.name[k] for k in made.label] == ["dog", "owl"] * 2
    assert "CLS006" not in [f.code for f in findings]


def test_a_list_of_classes_goes_before(tmp_path):
    sheet = pets(tmp_path)
    found = predictions(tmp_path / "p.json", 2, 1, True, classes=2)
    made, _ = bs.read_detections(found, truth=truth(sheet), detections_classes=["none", "cat", "dog"])
    assert [made.classes.name[k] for k in made.label] == ["cat", "dog"] * 2


def test_cocos_ids_with_gaps(tmp_path):
    names = [f"c{k}" for k in range(80)]
    folder(tmp_path, {"images/val/1.jpg": "", "labels/val/1.txt": "79 .5 .5 .2 .4\n",
                      "data.yaml": f"val: images/val\nnames: {names}\n"})  # fmt: skip
    found = [{"image_id": 1, "category_id": 90, "bbox": [80, 30, 40, 40], "score": 0.9}]
    (tmp_path / "p.json").write_text(json.dumps(found))
    made, findings = bs.read_detections(tmp_path / "p.json", truth=truth(tmp_path / "data.yaml"))
    assert [made.classes.name[k] for k in made.label] == ["c79"]
    assert [f.text.partition(": ")[2] for f in findings if f.code == "CLS006"] == [
        "category ids are counted as in COCO: 90 is c79"
    ]


def test_real_predictions(data, tmp_path):
    import tarfile

    source = data / "data/ultralytics_txl_pbc"
    with tarfile.open(source / "labels_val_test.tar.gz") as opened:
        opened.extractall(tmp_path, filter="data")
    root = tmp_path / "TXL_PBC"
    for split, sizes in json.loads((source / "image_sizes.json").read_text()).items():
        for name, (width, height) in sizes.items():
            (root / "images" / split).mkdir(parents=True, exist_ok=True)
            Image.new("L", (width, height)).save(root / "images" / split / name)
    (root / "data.yaml").write_bytes((source / "data.yaml").read_bytes())
    result = bs.evaluate(root / "data.yaml", source / "val_predictions.json")
    assert (round(result["AP"], 4), round(result["AP50"], 4)) == (0.8406, 0.9748)  # of pycocotools, with ids undone
