"""Real files of PASCAL VOC, ImageNet and the tools that write like them."""

from __future__ import annotations

import csv
import json
import tarfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import boxscore as bs
from boxscore.formats.io.files import Files, open_files
from boxscore.formats.voc import xml as voc_xml
from boxscore.joining.read import Reading, read_detections, read_truth
from boxscore.tables.model import Flag, Truth


def unpacked(archive: Path, folder: Path) -> Path:
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    return folder


def count(truth: Truth, flag: Flag) -> int:
    return int(((truth.flags & flag) != 0).sum())


def both_ways(files: Files) -> Truth:
    """What the quick reader finds; the general one finds the same."""
    quick, slow = (voc_xml.read_truth(files, Reading(shapes=shapes))[0] for shapes in (False, True))
    for name in ("image", "label", "corners", "flags"):
        assert np.array_equal(getattr(quick, name), getattr(slow, name))
    for name in ("width", "height"):
        assert np.array_equal(getattr(quick.images, name), getattr(slow.images, name), equal_nan=True)
    assert (list(quick.images.key), quick.classes) == (list(slow.images.key), slow.classes)
    return quick


@pytest.mark.long
def test_voc2007_packed_and_unpacked(data, tmp_path):
    """All test images and real detections; the mAP that is written down for them, as far as it is."""
    real = data / "data" / "voc2007_test"
    packed = real / "VOC2007_test_Annotations_xml.tar.gz", real / "yolov2_htt1084" / "results_000150.tar.gz"
    folders = [unpacked(archive, tmp_path / str(k)) for k, archive in enumerate(packed)]
    for protocol, known in (("voc2007", 0.72138), ("voc2012", 0.74518)):
        from_archives = bs.evaluate(*packed, protocol=protocol)
        assert round(from_archives["mAP"], 5) == known
        from_folders = bs.evaluate(folders[0], folders[1] / "000150", protocol=protocol)
        assert from_folders["mAP"] == from_archives["mAP"]
        ledger = from_archives.ledger
        assert (ledger.images.truth, ledger.objects.read, ledger.detections.read) == (4952, 14976, 101139)
        assert ledger.findings == ()


def test_voc2007_both_ways(data):
    truth = both_ways(open_files(data / "data" / "voc2007_test" / "VOC2007_test_Annotations_xml.tar.gz"))
    assert (len(truth.images), len(truth), count(truth, Flag.DIFFICULT)) == (4952, 14976, 2944)
    assert (truth.images.key[0], truth.images.width[0], len(truth.classes)) == ("000001.jpg", 353, 20)


def test_bccd(data):
    truth = both_ways(open_files(data / "data" / "bccd" / "BCCD_voc.tar.gz"))
    flat = (truth.corners[:, 2:] <= truth.corners[:, :2]).any(axis=1)
    assert (len(truth.images), len(truth), int(flat.sum())) == (364, 4888, 2)
    assert truth.classes.name == ("Platelets", "RBC", "WBC")


def test_raccoons_as_xml_and_as_csv(data):
    truth = both_ways(open_files(data / "data" / "raccoon" / "annotations_voc_xml.tar.gz"))
    assert (len(truth.images), len(truth)) == (200, 217)
    with (data / "data" / "raccoon" / "raccoon_labels.csv").open() as file:
        rows = [(r["filename"], *(float(r[c]) for c in ("xmin", "ymin", "xmax", "ymax"))) for r in csv.DictReader(file)]
    keys = truth.images.key
    assert Counter((keys[i], *box) for i, box in zip(truth.image, truth.corners.tolist(), strict=True)) == Counter(rows)


def test_voc_and_imagenet_hold_the_same_boxes(data):
    gts = open_files(data / "data" / "padilla_review" / "database_gts_dets.tar.gz").below("gts")
    voc, imagenet = (both_ways(gts.below(f"{name}_format")) for name in ("pascalvoc", "imagenet"))
    assert (len(voc.images), len(voc), count(voc, Flag.DIFFICULT)) == (100, 273, 38)
    rows = [Counter((row["image"], row["class"], row["box"]) for row in table) for table in (voc, imagenet)]
    assert rows[0] == rows[1]
    assert list(voc.images.key) == list(imagenet.images.key)


def test_what_labelme_makes(data):
    examples = open_files(data / "data" / "labelme" / "labelme_examples_json_voc.tar.gz")
    truth = both_ways(examples.below("bbox_detection/data_dataset_voc"))
    assert list(truth.images.key) == ["2011_000003.jpg", "2011_000006.jpg", "2011_000025.jpg"]
    assert (len(truth), count(truth, Flag.DIFFICULT), count(truth, Flag.TRUNCATED)) == (9, 0, 0)  # all empty elements


def test_wider_face_of_mmdetection(data):
    archive = "mmdet_tests_openimages_crowdhuman_widerface.tar.gz"
    files = open_files(data / "data" / "mmdet_tests" / archive).below("WIDERFace/WIDER_train")
    truth = both_ways(files)
    assert (list(truth.images.key), truth.classes.name) == (["0_Parade_marchingband_1_5.jpg"], ("face",))
    assert truth.corners[0].tolist() == [495, 177, 532, 228]


@pytest.mark.parametrize(
    ("folder", "split", "keys", "boxes"),
    [
        ("voc_dataset/voc_dataset1", None, ["2007_000001.jpg"], 2),
        ("voc_dataset/voc_dataset1", "train", ["2007_000001.jpg"], 2),
        ("voc_dataset/voc_dataset2", "trainval", ["@.jpg", "a.jpg", "b.jpg", "c.jpg", "d.jpg"], 4),
        ("roboflow_dataset/voc", "val", ["val/val_001.jpg"], 2),
        ("kaggle_dataset/relaxed_voc1", None, ["2007_000001.jpg"], 2),
    ],
)
def test_fixtures_of_datumaro(data, folder, split, keys, boxes):
    files = open_files(data / "data" / "datumaro_assets" / "tests_assets_annotations_only.tar.gz").below(folder)
    both_ways(files)
    truth, _ = voc_xml.read_truth(files, Reading(split=split))
    assert (list(truth.images.key), len(truth)) == (keys, boxes)


@pytest.mark.parametrize("seed", [11, 12, 13])
def test_a_devkit_holds_what_its_case_says(data, seed):
    cases = data / "reference" / "cases" / "voc"
    given = json.loads((cases / f"voc_{seed}.json").read_text())["input"]
    truth, _ = read_truth(cases / f"voc_{seed}_devkit")
    assert [key.removesuffix(".jpg") for key in truth.images.key] == [i["name"] for i in given["images"]]
    objects = [o for i in given["images"] for o in i["objects"]]
    assert [truth.classes.name[k] for k in truth.label] == [o["class"] for o in objects]
    assert truth.corners.tolist() == [o["bbox"] for o in objects]
    assert ((truth.flags & Flag.DIFFICULT) != 0).tolist() == [bool(o["difficult"]) for o in objects]
    found, _ = read_detections(cases / f"voc_{seed}_devkit" / "results", None, truth)
    by_class = sorted(given["detections"], key=lambda d: d["class"])
    assert [row["box"] for row in found] == [tuple(d["bbox"]) for d in by_class]
    assert [(row["image"].removesuffix(".jpg"), row["class"], row["score"]) for row in found] == [
        (d["image"], d["class"], d["score"]) for d in by_class
    ]
