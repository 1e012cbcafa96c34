"""Datumaro JSON: items, groups of annotations, flags among attributes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boxscore as bs
from boxscore.formats.io.files import open_files
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.recognise import recognise
from boxscore.tables.model import Flag
from boxscore.tables.shapes import Shape

LABELS = {"label": {"labels": [{"name": "cat", "parent": ""}, {"name": "dog", "parent": ""}]}}
BOX = {"type": "bbox", "label_id": 0, "bbox": [10, 20, 30, 40]}


def file(folder: Path, *annotations: dict[str, Any], **item: Any) -> Path:
    image = {"id": "s/a", "image": {"path": "C:\\x\\A.JPG", "size": [480, 640]}, "annotations": list(annotations)}
    path = folder / "made.json"
    path.write_text(json.dumps({"categories": LABELS, "items": [{**image, **item}]}))
    return path


def test_an_item_is_an_image_with_its_size(tmp_path: Path) -> None:
    truth, findings = bs.read_truth(file(tmp_path, BOX))
    assert (truth.format, findings, list(truth.images.key)) == ("datumaro", [], ["s/a.JPG"])
    assert truth.images.width is not None
    assert truth.images.height is not None
    assert (truth.images.width.tolist(), truth.images.height.tolist()) == ([640], [480])
    assert (truth.corners.tolist(), truth.box_area.tolist()) == ([[10, 20, 40, 60]], [1200])
    assert truth.classes.name == ("cat", "dog")


def test_flags_tracks_and_attributes(tmp_path: Path) -> None:
    said = {"is_crowd": True, "occluded": 1, "is_group_of": False, "difficult": False, "truncated": "half", "n": 3}
    truth, _ = bs.read_truth(file(tmp_path, {**BOX, "attributes": said, "object_id": 7}, BOX))
    assert truth.flags.tolist() == [int(Flag.CROWD | Flag.OCCLUDED), 0]
    assert truth.track is not None
    assert truth.track.tolist() == [7, -1]
    assert truth.attributes is not None
    assert dict(zip(truth.attributes.name, truth.attributes.value, strict=True)) == {"truncated": "half", "n": "3"}


def test_a_group_is_an_object_with_its_shapes(tmp_path: Path) -> None:
    # The polygon reaches beyond the box, which is stated and so remains.
    corner = {"type": "polygon", "label_id": 0, "group": 5, "points": [0, 0, 10, 0, 10, 10]}
    points = {"type": "points", "label_id": 0, "group": 5, "points": [1, 2, 3, 4], "visibility": [2, 0]}
    alone = {**corner, "group": 6, "points": [0, 0, 4, 0, 4, 4]}
    rest = {**corner, "group": 6, "points": [8, 8, 9, 8, 9, 9]}
    path = file(tmp_path, corner, {**BOX, "group": 5}, points, alone, rest)
    truth, _ = bs.read_truth(path, ReadOptions(shapes=True))
    assert truth.corners.tolist() == [[10, 20, 40, 60], [0, 0, 9, 9]]
    assert truth.shapes is not None
    assert truth.shapes.of(0) == [
        (Shape.POLYGON, [0, 0, 10, 0, 10, 10]),
        (Shape.KEYPOINTS, [1, 2, 2, 3, 4, 0]),
    ]
    assert len(truth.shapes.of(1)) == 2


def test_several_boxes_of_a_group_are_several_objects(tmp_path: Path) -> None:
    truth, _ = bs.read_truth(file(tmp_path, {**BOX, "group": 1}, {**BOX, "group": 1}, {**BOX, "group": 1}))
    assert len(truth) == 3


def test_a_mask_and_an_ellipse_have_boxes(tmp_path: Path) -> None:
    mask = {"type": "mask", "label_id": 1, "rle": {"size": [4, 4], "counts": "52203"}}
    ellipse = {"type": "ellipse", "label_id": 1, "points": [2, 4, 6, 10]}
    truth, _ = bs.read_truth(file(tmp_path, mask, ellipse), ReadOptions(shapes=True))
    assert truth.corners.tolist() == [[1, 1, 3, 3], [2, 4, 6, 10]]
    assert truth.shapes is not None
    assert truth.shapes.of(0) == [(Shape.RLE, [4, 4, 5, 2, 2, 2, 5])]
    assert truth.shapes.of(1) == [(Shape.ELLIPSE, [4, 7, 2, 3, 0])]


def test_what_is_no_object_is_counted(tmp_path: Path) -> None:
    others = [
        {"type": "label", "label_id": 0}, {"type": "caption", "caption": "x"}, {"type": "bbox", "bbox": [0, 0, 1, 1]},
        {"type": "points", "label_id": 0, "points": [1, 2]},
    ]  # fmt: skip
    truth, _ = bs.read_truth(file(tmp_path, BOX, *others))
    assert (len(truth), truth.rejected) == (
        1, (("no area: points", 1), ("no box: caption", 1), ("no box: label", 1), ("no class", 1)),
    )  # fmt: skip


def test_detections_have_scores(tmp_path: Path) -> None:
    found, _ = bs.read_detections(file(tmp_path, {**BOX, "attributes": {"score": 0.25, "by": "x"}}))
    assert found.score.tolist() == [0.25]
    assert found.attributes is not None
    assert list(found.attributes.name) == ["by"]


def test_frames_of_videos(tmp_path: Path) -> None:
    truth, _ = bs.read_truth(file(tmp_path, BOX, image=None, video_frame={"video_path": "v.mp4", "frame_index": 3}))
    assert (truth.images.video, truth.images.frame.tolist()) == (["v.mp4"], [3])  # type: ignore[union-attr]


def test_images_that_differ_in_the_extension_only_are_written_apart(tmp_path: Path) -> None:
    empty = {"boxes": np.zeros((0, 4)), "labels": []}
    table, _ = bs.read_truth({"a.jpg": empty, "a.png": {"boxes": [[1, 2, 3, 4]], "labels": ["cat"]}}, box="xyxy")
    bs.write(table, tmp_path / "out", "datumaro")
    items = json.loads((tmp_path / "out").read_text())["items"]
    assert [item["id"] for item in items] == ["a.jpg", "a.png"]
    assert list(bs.read_truth(tmp_path / "out")[0].images.key) == ["a.jpg", "a.png"]


REAL = {  # folder and split: images, boxes, what is no box
    ("algorithms/noisy_label_detection_det", None): (10, 67, 0),
    ("algorithms/noisy_label_detection_cls", None): (6, 0, 6),
    ("datumaro_dataset/legacy", "train"): (2, 0, 5), ("datumaro_dataset/legacy", "val"): (1, 0, 0),
    ("datumaro_dataset/legacy", "test"): (1, 0, 2), ("compat/v0.1/project/dataset", None): (1, 0, 1),
}  # fmt: skip


@pytest.mark.parametrize(("folder", "split"), REAL)
def test_fixtures_of_datumaro(data: Path, folder: str, split: str | None) -> None:
    files = open_files(data / "data" / "datumaro_assets" / "tests_assets_annotations_only.tar.gz")
    taken = recognise(files.below(folder), "truth", None, split)
    from boxscore.formats.datumaro.read import read_truth

    truth, _ = read_truth(taken.files.source(), ReadOptions())
    rejected = sum(count for _, count in truth.rejected)
    assert (taken.form, len(truth.images), len(truth), rejected) == ("datumaro", *REAL[folder, split])
