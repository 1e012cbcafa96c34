"""YOLO in every layout, every kind of row, and as others have published it."""

from __future__ import annotations

import tarfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boxscore as bs
from boxscore.joining.read import Reading, read_detections, read_truth
from boxscore.tables.shapes import Shape

BOX = "0 0.5 0.5 0.25 0.5\n"


def folder(root: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content.encode())
    return root


def truth(root: Path, files: dict[str, str] | str, **how: Any) -> bs.Truth:
    folder(root, {"a.txt": files} if isinstance(files, str) else files)
    return read_truth(root, Reading(truth_format="yolo", **how))[0]


def found(root: Path, files: dict[str, str] | str, **how: Any) -> tuple[bs.Detections, list[Any]]:
    folder(root, {"a.txt": files} if isinstance(files, str) else files)
    return read_detections(root, Reading(detections_format="yolo", **how))


def test_boxes_stay_relative(tmp_path):
    made = truth(tmp_path, {"b.txt": "2 0.5 0.5 0.25 0.5\n10 .1 .2 .1 .2", "a.txt": ""})
    assert made.relative
    assert list(made.images.key) == ["a", "b"]
    assert made.image.tolist() == [1, 1]
    assert made.classes == bs.Classes(("2", "10"), (2, 10))  # by number, not by letter
    assert made.corners.tolist() == [[0.375, 0.25, 0.625, 0.75], [0.05, 0.1, 0.1 + 0.05, 0.2 + 0.1]]
    assert made.box_area.tolist() == [0.125, 0.1 * 0.2]
    assert np.isnan(made.area).all()
    assert made.places[1].endswith("b.txt")


def test_boxes_in_pixels_where_the_size_is_stated(tmp_path):
    made = truth(tmp_path, BOX + "0 .1 .1 .2 .1 .2 .3\n", image_size=(200, 100), shapes=True)
    assert not made.relative
    assert made.corners.tolist() == [[75, 25, 125, 75], [0.1 * 200, 0.1 * 100, 0.2 * 200, 0.3 * 100]]
    assert made.box_area.tolist()[0] == 2500
    assert made.shapes.of(1) == [(Shape.POLYGON, [20, 10, 40, 10, 40, 30])]


@pytest.mark.parametrize(
    "content", ["\ufeff" + BOX, "0.0 .5 .5 .25 .5", "0, .5, .5, .25, .5\r\n", "# it\n\n" + BOX, "0\t.5  .5 .25 .5 "]
)
def test_ways_of_writing_a_line(tmp_path, content):
    made = truth(tmp_path, content)
    assert made.classes.id == (0,)
    assert made.corners.tolist() == [[0.375, 0.25, 0.625, 0.75]]


LAYOUTS = {
    "darknet": {
        "obj.data": "classes = 2\ntrain = data/train.txt\nnames = data/obj.names\n", "obj.names": "cat\ndog\n",
        "train.txt": "data/obj_train_data/b.jpg\ndata/obj_train_data/a.jpg\ndata/obj_train_data/c.jpg\n",
        "obj_train_data/a.txt": BOX, "obj_train_data/b.txt": "", "obj_train_data/not_listed.txt": BOX,
    },
    "darknet with images": {
        "obj.names": "cat\ndog", "obj_train_data/a.jpg": "", "obj_train_data/a.txt": BOX, "obj_train_data/b.jpg": "",
    },
    "labelImg": {"classes.txt": "cat\ndog\n", "a.png": "", "a.txt": BOX, "b.png": "", "README.txt": "0 a label"},
    "ultralytics": {
        "data.yaml": "path: ../datasets/pets\ntrain: images/train\nval: images/val\nnames:\n  0: cat\n  1: dog\n",
        "images/val/a.jpg": "", "images/val/b.jpg": "", "labels/val/a.txt": BOX,
        "images/train/a.jpg": "", "labels/train/a.txt": "",
    },
    "ultralytics, labels alone": {
        "data.yaml": "val: ./images/val/\nnc: 2\nnames: ['cat', 'dog']\n",
        "labels/val/a.txt": BOX, "labels/val/b.txt": "",
    },
    "ultralytics, lists": {
        "pets.yaml": 'path: /data/pets\nval: ["val.txt"]\ntest: test.txt\nnames: {"0": cat, "1": dog}\n',
        "val.txt": "./images/b.jpg\n./images/a.jpg\n", "test.txt": "./images/c.jpg\n",
        "images/a.jpg": "", "labels/a.txt": BOX, "labels/c.txt": "",
    },
    "roboflow": {
        "data.yaml": "train: ../train/images\nval: ../valid/images\nnc: 2\nnames: ['cat', 'dog']\n",
        "README.roboflow.txt": "made by", "train/images/c.jpg": "", "train/labels/c.txt": BOX + BOX,
        "valid/images/a.jpg": "", "valid/images/b.jpg": "", "valid/labels/a.txt": BOX, "valid/labels/b.txt": "",
    },
    "roboflow, the folder is called otherwise": {
        "data.yaml": "train: ../train/images\nval: ../valid/images\nnames: ['cat', 'dog']\n",
        "train/labels/c.txt": BOX + BOX, "val/labels/a.txt": BOX, "val/labels/b.txt": "",
    },
    "roboflow darknet": {
        "valid/_darknet.labels": "cat\ndog", "train/_darknet.labels": "cat\ndog", "train/c.txt": "",
        "valid/a.jpg": "", "valid/a.txt": BOX, "valid/b.jpg": "", "valid/b.txt": "",
    },
    "drawn images beside": {
        "predict/a.jpg": "", "predict/b.jpg": "", "predict/labels/a.txt": BOX, "x.names": "cat\ndog",
    },
}  # fmt: skip
KEYS = {
    "darknet": ["data/obj_train_data/b.jpg", "data/obj_train_data/a.jpg", "data/obj_train_data/c.jpg"],
    "darknet with images": ["obj_train_data/a.jpg", "obj_train_data/b.jpg"],
    "labelImg": ["a.png", "b.png"],
    "ultralytics": ["images/val/a.jpg", "images/val/b.jpg"],
    "ultralytics, labels alone": ["a", "b"],
    "ultralytics, lists": ["images/b.jpg", "images/a.jpg"],
    "roboflow": ["valid/images/a.jpg", "valid/images/b.jpg"],
    "roboflow, the folder is called otherwise": ["a", "b"],
    "roboflow darknet": ["valid/a.jpg", "valid/b.jpg"],
    "drawn images beside": ["predict/a.jpg", "predict/b.jpg"],
}
SPLITS = [
    "ultralytics",
    "ultralytics, lists",
    "roboflow",
    "roboflow, the folder is called otherwise",
    "roboflow darknet",
]


@pytest.mark.parametrize("name", LAYOUTS)
def test_layouts(tmp_path, name):
    made = truth(tmp_path, LAYOUTS[name], split="val" if name in SPLITS else None)
    assert list(made.images.key) == KEYS[name]
    assert made.classes == bs.Classes(("cat", "dog"), (0, 1))
    assert made.corners.tolist() == [[0.375, 0.25, 0.625, 0.75]]
    assert Path(made.images.key[made.image[0]]).stem == "a"
    assert len(made.places) == len(made.images)


@pytest.mark.parametrize("name", SPLITS)
def test_a_split_must_be_chosen(tmp_path, name):
    with pytest.raises(bs.InputError, match="2 splits"):
        truth(tmp_path, LAYOUTS[name])


def test_names_of_splits(tmp_path):
    files = {"labels/train2017/a.txt": BOX, "labels/val2017/b.txt": "", "labels/val2017/deep/c.txt": BOX}
    for split in ("val", "val2017", "valid"):
        assert list(truth(tmp_path, files, split=split).images.key) == ["b", "deep/c"]
    for split in ("train", "train2017"):
        assert list(truth(tmp_path, files, split=split).images.key) == ["a"]


def test_a_statement_about_splits_does_not_harm_where_there_are_none(tmp_path):
    assert len(truth(tmp_path, BOX, split="val")) == 1


def test_two_names_for_one_split_are_no_question(tmp_path):
    files = {"data.yaml": "train: images\nval: images\nnames: [cat]", "labels/train/a.txt": BOX, "labels/b.txt": ""}
    assert list(truth(tmp_path, files).images.key) == ["b", "train/a"]


def test_labels_named_like_splits(tmp_path):
    made = truth(tmp_path, {"train.txt": BOX, "test.txt": BOX, "train_001.txt": BOX})
    assert list(made.images.key) == ["test", "train", "train_001"]


def test_images_without_a_file_are_told(tmp_path):
    folder(tmp_path, {"a.jpg": "", "b.jpg": "", "b.txt": BOX})
    made, findings = read_truth(tmp_path, Reading(truth_format="yolo"))
    assert list(made.images.key) == ["a.jpg", "b.jpg"]
    assert [f.text for f in findings if f.code == "NEG001"] == [
        "1 image without a file of labels is taken to have no objects (a.jpg)"
    ]  # fmt: skip


def test_the_users_classes_stand_before_those_of_the_folder(tmp_path):
    made = truth(tmp_path, {"classes.txt": "cat\ndog", "obj.names": "owl", "a.txt": BOX}, truth_classes=("x", "y"))
    assert made.classes.name == ("x", "y")


def test_names_that_yaml_takes_for_something_else(tmp_path):
    made = truth(tmp_path, {"a.txt": BOX, "data.yaml": "names: [no, 1, 'on', '2.50']\nnc: 4"})
    assert made.classes.name == ("no", "1", "on", "2.50")


# rows


def test_polygons_have_hulls(tmp_path):
    made = truth(tmp_path, "0 .1 .2 .4 .1 .3 .5\n" + BOX + "1 .1 .1 .2 .1 .2 .3 .1 .3\n", shapes=True)
    assert made.corners.tolist() == [[0.1, 0.1, 0.4, 0.5], [0.375, 0.25, 0.625, 0.75], [0.1, 0.1, 0.2, 0.3]]
    assert made.box_area.tolist() == [(0.4 - 0.1) * (0.5 - 0.1), 0.125, (0.2 - 0.1) * (0.3 - 0.1)]
    assert made.shapes.of(0) == [(Shape.POLYGON, [0.1, 0.2, 0.4, 0.1, 0.3, 0.5])]
    assert made.shapes.of(1) == []
    assert made.shapes.of(2) == [(Shape.POLYGON, [0.1, 0.1, 0.2, 0.1, 0.2, 0.3, 0.1, 0.3])]
    assert truth(tmp_path, "0 .1 .2 .4 .1 .3 .5\n").shapes is None  # nobody asked


def test_oriented_boxes(tmp_path):
    made = truth(tmp_path, "1 .1 .2 .2 .1 .3 .2 .2 .3\n", shapes=True, rows="oriented")
    assert made.shapes.of(0) == [(Shape.QUAD, [0.1, 0.2, 0.2, 0.1, 0.3, 0.2, 0.2, 0.3])]
    assert made.corners.tolist() == [[0.1, 0.1, 0.3, 0.3]]
    scored, _ = found(tmp_path, "1 .1 .2 .2 .1 .3 .2 .2 .3 .9 7\n", shapes=True, rows="oriented")
    assert (scored.score.tolist(), scored.track.tolist()) == ([0.9], [7])
    assert scored.shapes.of(0)[0][0] == Shape.QUAD


@pytest.mark.parametrize(
    ("files", "how", "points"),
    [
        ({"data.yaml": "names: [a]\nkpt_shape: [2, 3]", "a.txt": BOX[:-1] + " .1 .2 1 .3 .4 2"}, {},
         [0.1, 0.2, 1, 0.3, 0.4, 2]),
        ({"data.yaml": "names: [a]\nkpt_shape: [3, 2]", "a.txt": BOX[:-1] + " .1 .2 0 0 .3 .4"}, {},
         [0.1, 0.2, 2, 0, 0, 0, 0.3, 0.4, 2]),
        ({"a.txt": BOX[:-1] + " .1 .2 1 .3 .4 2"}, {"rows": "pose"}, [0.1, 0.2, 1, 0.3, 0.4, 2]),
        ({"a.txt": BOX[:-1] + " .1 .2 .3 .4"}, {"rows": "pose"}, [0.1, 0.2, 2, 0.3, 0.4, 2]),
        ({"a.txt": BOX[:-1] + " .1 .2 2" * 17}, {}, [0.1, 0.2, 2] * 17),
    ],
)  # fmt: skip
def test_poses(tmp_path, files, how, points):
    made = truth(tmp_path, files, shapes=True, **how)
    assert made.corners.tolist() == [[0.375, 0.25, 0.625, 0.75]]
    assert made.shapes.of(0) == [(Shape.KEYPOINTS, points)]


def test_scored_poses(tmp_path):
    made, _ = found(tmp_path, BOX[:-1] + " .1 .2 2" * 17 + " .75\n", shapes=True)
    assert made.score.tolist() == [0.75]
    assert made.corners.tolist() == [[0.375, 0.25, 0.625, 0.75]]
    known = {"data.yaml": "names: [a]\nkpt_shape: [2, 3]", "a.txt": BOX[:-1] + " .1 .2 1 .3 .4 2 .75 12"}
    tracked, _ = found(tmp_path, known)
    assert (tracked.score.tolist(), tracked.track.tolist()) == ([0.75], [12])


def test_scored_polygons_and_tracks(tmp_path):
    made, _ = found(tmp_path, "0 .1 .2 .4 .1 .3 .5 .8\n0 .5 .5 .2 .2 .7 3\n0 .5 .5 .2 .2 .6\n", shapes=True)
    assert made.score.tolist() == [0.8, 0.7, 0.6]
    assert made.track.tolist() == [-1, 3, -1]
    assert made.corners.tolist()[0] == [0.1, 0.1, 0.4, 0.5]
    assert made.shapes.of(0) == [(Shape.POLYGON, [0.1, 0.2, 0.4, 0.1, 0.3, 0.5])]


def test_repeated_rows_are_kept(tmp_path):
    assert len(found(tmp_path, BOX[:-1] + " .9\n" + BOX[:-1] + " .9\n", confidence="last")[0]) == 2


# where the confidence is


@pytest.mark.parametrize("place", ["first", "last"])
def test_the_confidence_as_stated(tmp_path, place):
    made, findings = found(tmp_path, "0 .5 .4 .3 .2 .1\n", confidence=place)
    assert made.score.tolist() == [0.5 if place == "first" else 0.1]
    assert made.corners[0].mean() == pytest.approx(0.35 if place == "first" else 0.45, abs=1e-12)
    assert findings == []


OUTSIDE = "would leave the image or have a confidence beyond 0 to 1"


@pytest.mark.parametrize(
    ("content", "score", "why"),
    [
        ("0 .99 .5 .9 .2 .1\n0 .5 .5 .2 .2 .2\n", [0.99, 0.5], f"with the last one 1 box {OUTSIDE}"),
        ("0 .2 .5 .1 .2 .9\n0 .2 .5 .1 .2 .9\n", [0.9, 0.9], f"with the first one 2 boxes {OUTSIDE}"),
        (
            "".join(f"0 .{4 + k % 2} .5 .5 .{3 - k % 2} .{k}\n" for k in range(2, 9)), [k / 10 for k in range(2, 9)],
            "it alone is sorted in every file",
        ),
    ],
)  # fmt: skip
def test_the_confidence_by_evidence(tmp_path, content, score, why):
    made, findings = found(tmp_path, content)
    assert made.score.tolist() == score
    assert [(f.code, f.text.partition("because ")[2]) for f in findings] == [("CNF001", why)]


def test_no_guess_where_both_columns_are_sorted(tmp_path):
    with pytest.raises(bs.InputError, match="whether the confidence is the first or the last value"):
        found(tmp_path, "".join(f"0 .5 .5 .5 .2 .{k}\n" for k in range(9, 1, -1)))


def test_no_question_where_both_readings_are_the_same(tmp_path):
    assert found(tmp_path, "0 .3 .3 .3 .3 .3\n")[0].score.tolist() == [0.3]
    assert len(found(tmp_path, "")[0]) == 0


# real files


def archive(data: Path, tmp_path: Path, name: str) -> Path:
    with tarfile.open(data / "data" / f"{name}.tar.gz") as opened:
        opened.extractall(tmp_path, filter="data")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "how", "images", "boxes", "classes"),
    [
        ("ultralytics_txl_pbc/labels_val_test", {"split": "val"}, 288, 5334, 3),
        ("ultralytics_txl_pbc/labels_val_test", {"split": "test"}, 144, 2687, 3),
        ("voc2007_test/VOC2007_test_yolo_labels", {}, 4952, 12032, 20),
        ("yolo_pose/coco_val2017_pose_labels_2346", {"shapes": True}, 2346, 6352, 1),
        ("visdrone/VisDrone2019-DET-val_annotations", {}, 515, 14064, 1),
        ("visdrone/val_yolo_labels", {}, 515, 14064, 1),
        ("ultralytics_txl_pbc/predict_txt_noconf", {}, 144, 3063, 3),
    ],
)
def test_real_labels(data, name, how, images, boxes, classes):
    made, findings = read_truth(data / "data" / f"{name}.tar.gz", Reading(truth_format="yolo", **how))
    assert (len(made.images), len(made), len(made.classes)) == (images, boxes, classes)
    assert findings == []
    if "shapes" in how:
        assert set(made.shapes.kind.tolist()) == {Shape.KEYPOINTS}


def test_real_predictions_without_confidences(data):
    with pytest.raises(bs.InputError, match="save_conf"):
        read_detections(
            data / "data/ultralytics_txl_pbc/predict_txt_noconf.tar.gz", Reading(detections_format="yolo")
        )  # fmt: skip


def test_the_same_boxes_as_in_other_formats(data, tmp_path):
    root = archive(data, tmp_path, "padilla_review/database_gts_dets") / "data/database"
    made, _ = read_truth(root / "gts/yolo_format", Reading(truth_format="yolo"))
    assert (len(made.images), len(made), len(made.classes)) == (100, 273, 20)
    xml, _ = read_truth(root / "gts/pascalvoc_format", Reading(truth_format="voc-xml"))
    stems = [Path(key).stem for key in xml.images.key]
    size = {key: (w, h) for key, w, h in zip(stems, xml.images.width, xml.images.height, strict=True)}
    ours = sorted(
        (Path(row["image"]).stem, row["class"], *np.multiply(row["box"], np.tile(size[Path(row["image"]).stem], 2)))
        for row in made
    )
    theirs = sorted((Path(row["image"]).stem, row["class"], *row["box"]) for row in xml)
    assert [row[:2] for row in ours] == [row[:2] for row in theirs]
    # Six decimals of at most 500 pixels.
    assert np.abs(np.array([row[2:] for row in ours]) - np.array([row[2:] for row in theirs])).max() < 1e-3


def test_real_detections_of_darknet(data, tmp_path):
    root = archive(data, tmp_path, "padilla_review/database_gts_dets") / "data/database/dets"
    made, findings = read_detections(root / "rel_xywh", Reading(detections_format="yolo"))
    as_text, _ = read_detections(root / "rel_xywh", Reading(detections_format="text"))
    assert [f.code for f in findings] == ["CNF001"]
    assert made.score.tolist() == as_text.score.tolist()
    assert made.corners.tolist() == as_text.corners.tolist()
    assert made.relative
    assert as_text.relative
    pixels, _ = read_detections(root / "abs_xywh", Reading(detections_format="text"))
    assert pixels.score.tolist() == made.score.tolist()
