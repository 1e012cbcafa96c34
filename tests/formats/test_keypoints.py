"""Keypoints from every format that has them, to the evaluation and back into files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boxscore import InputError, evaluate, read_detections, read_truth, write
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.io.writing import Writing
from boxscore.tables.shapes import Shape

BOX = "0 .5 .5 .4 .4"
PROTOCOL = "coco-keypoints[sigmas=0.1,0.2]"
SIZE = {"image_size": (100, 50)}


def folder(path: Path, files: dict[str, str]) -> Path:
    path.mkdir(parents=True)
    for name, text in files.items():
        (path / name).write_text(text)
    return path


def test_poses_of_yolo(tmp_path: Path) -> None:
    sheet = "names: [a]\nkpt_shape: [2, 3]"
    truth = folder(tmp_path / "truth", {"data.yaml": sheet, "a.txt": f"{BOX} .4 .4 2 .6 .6 1\n"})
    found = folder(tmp_path / "found", {"data.yaml": sheet, "a.txt": f"{BOX} .4 .4 .9 .6 .6 .8 .75\n"})
    made = evaluate(truth, found, protocol=PROTOCOL, **SIZE)
    assert made["AR"] == 1.0
    without = folder(tmp_path / "two", {"data.yaml": sheet.replace("3]", "2]"), "a.txt": f"{BOX} .4 .4 .6 .6 .75\n"})
    assert evaluate(truth, without, protocol=PROTOCOL, **SIZE)["AR"] == 1.0


@pytest.mark.parametrize("form", ["yolo", "coco", "cvat"])
def test_written_and_read_back(tmp_path: Path, form: str) -> None:
    points = np.array([[[40, 20, 2], [60, 30, 1]], [[0, 0, 2], [10, 5, 2]]], float)
    boxes = [[40.0, 20, 60, 30], [0, 0, 10, 5]]  # CVAT has skeletons where these are the boxes around them
    columns: dict[str, Any] = {"image": ["a.jpg", "a.jpg"], "boxes": boxes, "labels": ["p", "p"], "keypoints": points}
    truth, _ = read_truth(columns, ReadOptions(box="xyxy"))
    width, height = np.array([100.0]), np.array([50.0])
    truth = replace(truth, images=replace(truth.images, width=width, height=height))
    out = tmp_path / ("out" if form == "yolo" else f"out.{'json' if form == 'coco' else 'xml'}")
    write(truth, out, form)
    back, _ = read_truth(out, ReadOptions(shapes=True, image_size=(100, 50) if form == "yolo" else None))
    assert back.shapes is not None
    kept = [values for shapes in back.shapes for kind, values in shapes if kind == Shape.KEYPOINTS]
    np.testing.assert_allclose(np.array(kept).reshape(2, 2, 3), points, rtol=1e-15)
    found = {**columns, "scores": [0.9, 0.8]}
    detections, _ = read_detections(found, ReadOptions(box="xyxy"))
    made = evaluate(truth, detections, protocol=PROTOCOL)
    assert made["AR"] == 1.0


def test_polygons_or_poses(tmp_path: Path) -> None:
    record = {"id": 1, "image_id": 1, "category_id": 1, "bbox": [0, 0, 10, 10], "area": 100, "iscrowd": 0}
    more = {"segmentation": [[0, 0, 10, 0, 10, 10, 0, 10]], "keypoints": [1, 2, 2], "num_keypoints": 1}
    data = {
        "images": [{"id": 1, "file_name": "a.jpg", "width": 20, "height": 20}],
        "annotations": [{**record, **more}],
        "categories": [{"id": 1, "name": "p"}],
    }
    truth, _ = read_truth(data, ReadOptions(shapes=True))
    write(truth, tmp_path / "polygons", "yolo")
    assert (tmp_path / "polygons/labels/a.txt").read_text() == "0 0 0 0.5 0 0.5 0.5 0 0.5\n"
    write(truth, tmp_path / "poses", "yolo", Writing(rows="pose"))
    assert (tmp_path / "poses/labels/a.txt").read_text() == "0 0.25 0.25 0.5 0.5 0.05 0.1 2\n"
    assert "kpt_shape:\n- 1\n- 3" in (tmp_path / "poses/data.yaml").read_text()


@pytest.mark.parametrize(
    ("keypoints", "message"),
    [
        ([[1.0, 2, 2]], r"shape \(1, 3\)"),
        ([[[1.0, 2, 3, 4]]], r"shape \(1, 1, 4\)"),
        ([[[1.0, np.nan]]], "nan"),
        ([[[1.0, 2]], [[1.0, 2]]], "2 rows; expected one per box"),
    ],
)
def test_arrays_that_are_no_keypoints(keypoints: Any, message: str) -> None:
    side = [{"boxes": [[0, 0, 1, 1]], "labels": [1], "keypoints": keypoints}]
    with pytest.raises(InputError, match=message):
        read_truth(side, ReadOptions(box="xyxy"))


def test_arrays_relative_to_the_image() -> None:
    side = [{"boxes": [[0, 0, 0.5, 0.5]], "labels": [1], "keypoints": [[[0.5, 0.25]]]}]
    truth, _ = read_truth(side, ReadOptions(box="xyxy", coords="relative", image_size=(100, 50)))
    assert truth.shapes is not None
    assert truth.shapes.of(0) == [(Shape.KEYPOINTS, [50.0, 12.5, 2.0])]


@pytest.mark.parametrize(
    ("value", "message"), [([1, 2], "`keypoints`"), ([1, 2, 2, 3], "`keypoints`"), ([1, "x", 2], "`keypoints`")]
)
def test_records_that_are_no_keypoints(value: Any, message: str) -> None:
    data = {
        "images": [{"id": 1, "file_name": "a.jpg"}],
        "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [0, 0, 1, 1], "keypoints": value}],
        "categories": [{"id": 1, "name": "p"}],
    }
    with pytest.raises(InputError, match=message):
        read_truth(data, ReadOptions(shapes=True))
