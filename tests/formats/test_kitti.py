"""KITTI: a file per image or per sequence, DontCare regions, truncation and occlusion as flags."""

from __future__ import annotations

import tarfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import boxscore as bs
from boxscore.errors import InputError
from boxscore.formats.io.files import open_files
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.registry import lookup
from boxscore.tables.model import Flag

SPACE = "1.5 1.6 4.1 -8.2 2.1 16.1 1.5"
REGION = int(Flag.IGNORE | Flag.DIFFICULT | Flag.CROWD)


def file(path: Path, *lines: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def test_labels_of_images(tmp_path: Path) -> None:
    file(
        tmp_path / "training" / "label_2" / "000001.txt", f"Car 0.30 0 -1.6 650 160.5 700 200 {SPACE}",
        f"Person_sitting 0 2 -1.6 1 2 3 4 {SPACE}", f"Van 0 3 -1.6 1 2 3 4 {SPACE}",
        "DontCare -1 -1 -10 5 6 7 8 -1 -1 -1 -1000 -1000 -1000 -10",
    )  # fmt: skip
    file(tmp_path / "training" / "label_2" / "000002.txt")
    file(tmp_path / "training" / "calib" / "000001.txt", "P0: 7 0 6 0 0 7 1 0 0 0 1 0")
    truth, findings = bs.read_truth(tmp_path, ReadOptions(shapes=True))
    assert (truth.format, findings, list(truth.images.key)) == ("kitti", [], ["000001", "000002"])
    assert truth.corners[0].tolist() == [650, 160.5, 700, 200]
    assert truth.classes.name == ("Car", "DontCare", "Person_sitting", "Van")
    assert truth.flags.tolist() == [int(Flag.TRUNCATED), int(Flag.OCCLUDED), 0, REGION]
    assert truth.attributes is not None
    said = list(zip(truth.attributes.row.tolist(), truth.attributes.name, truth.attributes.value, strict=True))
    assert said[:2] == [(0, "truncation", "0.3"), (0, "3d", f"-1.6 {SPACE}")]
    assert (2, "occlusion", "3") in said
    assert not any(row == 3 for row, _, _ in said)


def test_regions_that_nobody_cares_for_are_not_to_be_found(tmp_path: Path) -> None:
    file(tmp_path / "t" / "1.txt", f"Car 0 0 0 1 2 30 40 {SPACE}", f"DontCare -1 -1 -10 5 6 70 80 {SPACE}")
    file(tmp_path / "d" / "1.txt", f"Car -1 -1 0 1 2 30 40 {SPACE} 0.5")
    for protocol in ("voc2012", "tf-voc"):
        assert bs.evaluate(tmp_path / "t", tmp_path / "d", protocol=protocol)["mAP"] == 1


def test_a_list_of_classes_need_not_have_those_regions(tmp_path: Path) -> None:
    region = f"DontCare -1 -1 -10 5 6 70 80 {SPACE}"
    path = file(tmp_path / "1.txt", region, f"Van 0 0 0 1 2 30 40 {SPACE}")
    truth, _ = bs.read_truth(path, classes=("Car", "Van"))
    assert (truth.classes.name, truth.label.tolist()) == (("Car", "Van", "DontCare"), [2, 1])
    assert truth.flags.tolist() == [REGION, 0]
    with pytest.raises(InputError, match="class 'DontCare'; expected one of the 2 listed classes"):
        bs.read_detections(file(tmp_path / "2.txt", f"{region} 0.5"), classes=("Car", "Van"))


def test_sequences(tmp_path: Path) -> None:
    lines = [
        f"0 3 Car 0 0 -1.6 1 2 3 4 {SPACE}",
        f"2 3 Car 1 1 -1.6 2 2 3 4 {SPACE}",
        f"2 -1 Van 0 0 0 1 2 3 4 {SPACE}",
    ]
    truth, _ = bs.read_truth(file(tmp_path / "0001.txt", *lines))
    assert list(truth.images.key) == ["0001/000000.png", "0001/000001.png", "0001/000002.png"]
    assert truth.images.video == ["0001"] * 3
    assert truth.images.frame is not None
    assert (truth.images.frame.tolist(), truth.image.tolist()) == ([0, 1, 2], [0, 2, 2])
    assert truth.track is not None
    assert truth.track.tolist() == [3, 3, -1]
    found, _ = bs.read_detections(file(tmp_path / "d.txt", *(f"{line} {k}.5" for k, line in enumerate(lines))))
    assert (found.score.tolist(), len(found.images)) == ([0.5, 1.5, 2.5], 2)
    result = bs.evaluate(tmp_path / "0001.txt", tmp_path / "d.txt", protocol="voc2012")
    assert result["mAP"] == 1  # the only sequence of both sides is the same one


def test_detections_of_ab3dmot(tmp_path: Path) -> None:
    path = file(tmp_path / "0000.txt", "0,2,147.5,196.9,314.0,281.5,12.3,1.5,1.6,4.1,-8.2,2.1,16.1,1.5,2.0")
    found, _ = bs.read_detections(path)
    assert (found.classes.name, found.score.tolist()) == (("Car",), [12.3])
    assert found.corners.tolist() == [[147.5, 196.9, 314.0, 281.5]]


def test_tracks_are_written_by_sequence(tmp_path: Path) -> None:
    truth, _ = bs.read_truth(file(tmp_path / "0001.txt", f"1 3 Car 1 0 -10 1 2 3.5 4 {SPACE}"))
    bs.write(truth, tmp_path / "out", "kitti")
    again, _ = bs.read_truth(tmp_path / "out")
    assert (list(again.images.key), again.classes) == (list(truth.images.key), truth.classes)
    for column in ("corners", "box_area", "flags", "track", "image"):
        np.testing.assert_array_equal(getattr(again, column), getattr(truth, column))


def test_every_box_of_the_tracking_labels(data: Path, tmp_path: Path) -> None:
    with tarfile.open(data / "data" / "kitti_tracking" / "kitti_tracking_label.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    truth, _ = bs.read_truth(tmp_path)
    words = [line.split() for path in sorted(tmp_path.rglob("*.txt")) for line in path.read_text().splitlines()]
    assert len(truth) == len(words) == 65_301
    np.testing.assert_array_equal(truth.corners, np.array([row[6:10] for row in words], np.float64))
    assert Counter(truth.classes.name[k] for k in truth.label) == Counter(row[2] for row in words)
    np.testing.assert_array_equal(truth.flags == REGION, [row[2] == "DontCare" for row in words])
    found, _ = bs.read_detections(data / "data" / "kitti_tracking" / "pointrcnn_Car_val.tar.gz")
    assert (len(found), found.classes.name) == (48_553, ("Car",))


def test_fixtures_of_datumaro(data: Path) -> None:
    files = open_files(data / "data" / "datumaro_assets" / "tests_assets_annotations_only.tar.gz")
    reader = lookup("kitti").reader("truth")
    counts = [
        len(reader(files.below(f"kitti_dataset/{name}/training/label_2"), ReadOptions())[0])
        for name in ("kitti_detection", "kitti_3d")
    ]
    assert counts == [5, 3]
