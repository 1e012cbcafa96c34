"""MOTChallenge: frames and tracks of sequences, what is to be ignored, classes of MOT16 and later, folders."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import numpy as np
import pytest

import boxscore as bs
from boxscore.tables.model import Flag

IGNORED = int(Flag.IGNORE | Flag.DIFFICULT)
GT = "1,1,10,20,30,40,1,-1,-1,-1\n3,1,11,20,30,40,1,-1,-1,-1\n3,2,50,60,7,8,0,-1,-1,-1\n"


def file(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_frames_from_the_first_to_the_last_are_images(tmp_path: Path) -> None:
    truth, findings = bs.read_truth(file(tmp_path / "SEQ-1" / "gt" / "gt.txt", GT))
    assert (truth.format, findings) == ("mot", [])
    assert list(truth.images.key) == [f"SEQ-1/img1/{frame:06d}.jpg" for frame in (1, 2, 3)]
    assert truth.images.video == ["SEQ-1"] * 3
    assert truth.images.frame is not None
    assert truth.images.frame.tolist() == [1, 2, 3]
    assert truth.image.tolist() == [0, 2, 2]
    assert truth.track is not None
    assert truth.track.tolist() == [1, 1, 2]
    assert truth.corners.tolist() == [[10, 20, 40, 60], [11, 20, 41, 60], [50, 60, 57, 68]]
    assert truth.flags.tolist() == [0, 0, IGNORED]
    assert truth.classes.name == ("pedestrian",)


def test_seqinfo_tells_sizes_and_how_many_frames_there_are(tmp_path: Path) -> None:
    file(tmp_path / "A" / "seqinfo.ini", "[Sequence]\nname=A\nseqLength=5\nimWidth=640\nimHeight=480\n")
    path = file(tmp_path / "A" / "gt" / "gt.txt", GT)
    for given in (path, tmp_path / "A", tmp_path):
        truth, _ = bs.read_truth(given)
        assert len(truth.images) == 5
        assert truth.images.width is not None
        assert truth.images.height is not None
        assert (set(truth.images.width), set(truth.images.height)) == ({640.0}, {480.0})


def test_classes_of_later_challenges(tmp_path: Path) -> None:
    # A car that is not considered; a static person, who distracts from pedestrians although the file considers it.
    rows = ["1,1,1,1,5,5,1,1,0.5", "1,2,1,1,5,5,0,3,1", "1,3,1,1,5,5,1,7,1", "1,4,1,1,5,5,1,-1,1"]
    truth, _ = bs.read_truth(file(tmp_path / "gt.txt", "\n".join(rows)), shapes=True)
    assert [truth.classes.name[k] for k in truth.label] == ["pedestrian", "car", "pedestrian", "pedestrian"]
    assert truth.flags.tolist() == [0, IGNORED, IGNORED, 0]
    assert truth.attributes is not None
    said = list(zip(truth.attributes.row.tolist(), truth.attributes.name, truth.attributes.value, strict=True))
    assert said == [(0, "visibility", "0.5"), (1, "visibility", "1"), (2, "class", "static person"),
                    (2, "visibility", "1"), (3, "visibility", "1")]  # fmt: skip


def test_a_list_of_classes_beside_the_boxes(tmp_path: Path) -> None:
    file(tmp_path / "gt" / "labels.txt", "dog\nstatic cat\n")
    truth, _ = bs.read_truth(file(tmp_path / "gt" / "gt.txt", "1,1,1,1,5,5,1,2,1\n"))
    assert (truth.classes.name, truth.label.tolist(), truth.flags.tolist()) == (("dog", "static cat"), [1], [0])


def test_a_coordinate_is_no_class(tmp_path: Path) -> None:
    truth, _ = bs.read_truth(file(tmp_path / "gt.txt", "1,1,1,1,5,5,1,3,7,0.5\n"))
    assert truth.classes.name == ("pedestrian",)


def test_detections_join_the_only_sequence_of_the_ground_truth(tmp_path: Path) -> None:
    truth = file(tmp_path / "A" / "gt" / "gt.txt", GT)
    found = file(tmp_path / "mine.txt", "1,-1,10,20,30,40,86.48,-1,-1,-1\n4,-1,10,20,30,40,0.5,-1,-1,-1\n")
    result = bs.evaluate(truth, found, protocol="voc2012")
    assert (result["mAP"], result.ledger.detections.read) == (0.5, 2)
    table, _ = bs.read_detections(found)
    assert table.track is None
    assert table.score.tolist() == [86.48, 0.5]


def test_a_confidence_of_minus_one_throughout_is_none(tmp_path: Path) -> None:
    path = file(tmp_path / "A.txt", "1,7,10,20,30,40,-1,-1,-1,-1\n2,7,10,20,30,40,-1,-1,-1,-1\n")
    found, _ = bs.read_detections(path)
    assert found.score.tolist() == [1, 1]
    assert found.track is not None
    assert found.track.tolist() == [7, 7]


def test_other_separators_and_empty_lines(tmp_path: Path) -> None:
    plain, _ = bs.read_truth(file(tmp_path / "a" / "gt.txt", GT))
    odd, _ = bs.read_truth(file(tmp_path / "b" / "gt.txt", "# x\n\n" + GT.replace(",", " ; ")), truth_format="mot")
    np.testing.assert_array_equal(plain.corners, odd.corners)


def test_a_folder_holds_both_sides(tmp_path: Path) -> None:
    for name in ("A", "B"):
        file(tmp_path / name / "gt" / "gt.txt", GT)
        file(tmp_path / name / "det" / "det.txt", GT.replace(",1,-1,-1,-1", ",0.5,-1,-1,-1"))
    truth, _ = bs.read_truth(tmp_path)
    found, _ = bs.read_detections(tmp_path)
    assert (len(truth), len(found), len(truth.images)) == (6, 6, 6)
    assert (truth.score if hasattr(truth, "score") else None, set(found.score.tolist())) == (None, {0.5, 0.0})


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    truth, _ = bs.read_truth(file(tmp_path / "A" / "gt" / "gt.txt", GT))
    bs.write(truth, tmp_path / "out", "mot")
    again, _ = bs.read_truth(tmp_path / "out")
    assert (list(again.images.key), again.classes) == (list(truth.images.key), truth.classes)
    for column in ("corners", "box_area", "flags", "track", "image", "label"):
        np.testing.assert_array_equal(getattr(again, column), getattr(truth, column))


def test_frames_from_0_are_written_from_1(tmp_path: Path) -> None:
    tube = {"video_id": 1, "category_id": 1, "id": 4, "track": [{"frame": 0, "bbox": [1, 2, 3, 4]}]}
    lists = {"videos": [{"id": 1, "file_name": "v/w.mp4"}], "categories": [{"id": 1, "name": "dog"}]}
    path = tmp_path / "t.json"
    path.write_text(json.dumps({**lists, "annotations": [tube]}))
    bs.write(bs.read_truth(path)[0], tmp_path / "out", "mot")
    assert (tmp_path / "out" / "v_w.mp4" / "gt" / "gt.txt").read_text() == "1,4,1,2,3,4,1,1,1\n"
    assert (tmp_path / "out" / "v_w.mp4" / "gt" / "labels.txt").read_text() == "dog\n"


def unpacked(data: Path, name: str, folder: Path) -> Path:
    with tarfile.open(data / "data" / "mot15_train" / name) as archive:
        archive.extractall(folder, filter="data")
    return folder


def by_hand(path: Path) -> np.ndarray:
    return np.array([[float(word) for word in line.split(",")] for line in path.read_text().split()])


def test_every_box_of_mot15(data: Path, tmp_path: Path) -> None:
    folder = unpacked(data, "mot15_train_gt_det.tar.gz", tmp_path) / "train"
    truth, _ = bs.read_truth(folder)
    found, _ = bs.read_detections(folder)
    assert (len(truth), truth.rejected, found.rejected) == (43_138, (), ())
    assert truth.images.video is not None
    assert len(set(truth.images.video)) == 11
    gts = [by_hand(path) for path in sorted(folder.glob("*/gt/gt.txt"))]
    dets = [by_hand(path) for path in sorted(folder.glob("*/det/det.txt"))]
    np.testing.assert_array_equal(truth.corners[:, :2], np.concatenate(gts)[:, 2:4])
    np.testing.assert_array_equal(truth.flags != 0, np.concatenate(gts)[:, 6] == 0)
    np.testing.assert_array_equal(found.score, np.concatenate(dets)[:, 6])
    assert len(truth.images) == sum(int(rows[:, 0].max()) for rows in gts)


@pytest.mark.parametrize("protocol", ["voc2012", "coco-fixed"])
def test_a_sequence_scores_as_its_arrays_do(data: Path, tmp_path: Path, protocol: str) -> None:
    folder = unpacked(data, "mot15_train_gt_det.tar.gz", tmp_path) / "train" / "KITTI-17"
    gt, det = by_hand(folder / "gt" / "gt.txt"), by_hand(folder / "det" / "det.txt")
    frames = np.arange(1, int(gt[:, 0].max()) + 1)
    truth = {
        "images": frames, "image": gt[:, 0].astype(int), "boxes": gt[:, 2:6], "labels": np.ones(len(gt), int),
        "ignore": gt[:, 6] == 0, "difficult": gt[:, 6] == 0,
    }  # fmt: skip
    found = {
        "image": det[:, 0].astype(int), "boxes": det[:, 2:6], "labels": np.ones(len(det), int), "scores": det[:, 6],
    }  # fmt: skip
    ours = bs.evaluate(folder / "gt" / "gt.txt", folder / "det" / "det.txt", protocol=protocol)
    theirs = bs.evaluate(truth, found, protocol=protocol, box="xywh")
    assert list(ours.metrics.values()) == pytest.approx(list(theirs.metrics.values()), abs=0, nan_ok=True)
    assert ours.ledger.objects.read == len(gt)


def test_tracker_output_has_tracks(data: Path, tmp_path: Path) -> None:
    unpacked(data, "mot15_train_gt_det.tar.gz", tmp_path)
    unpacked(data, "sort_tracker_results.tar.gz", tmp_path)
    result = bs.evaluate(
        tmp_path / "train" / "TUD-Campus" / "gt" / "gt.txt", tmp_path / "test" / "TUD-Campus.txt", protocol="stt-ap"
    )
    assert (result.ledger.objects.read, result.ledger.detections.read) == (8, 14)
    assert 0 < result["mSTT-AP"] < 1
