"""Azure Custom Vision: regions of images, and predictions of single images, in normalized coordinates."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import boxscore as bs
from boxscore.formats.io.files import open_files
from boxscore.formats.recognise import recognise

BOX = {"left": 0.25, "top": 0.5, "width": 0.5, "height": 0.25}
REGION = {"regionId": "r", "tagName": "cat", "tagId": "7", **BOX}
IMAGE = {"id": "i1", "width": 200, "height": 100, "tags": [{"tagName": "cat"}], "regions": [REGION]}
FOUND = {"probability": 0.75, "tagId": "7", "tagName": "cat", "boundingBox": BOX}


def file(path: Path, content: Any) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(content))
    return path


@pytest.mark.parametrize("wrapped", [False, True])
def test_regions_are_normalized(tmp_path: Path, wrapped: bool) -> None:
    images = [IMAGE, {"id": "i2", "width": 10, "height": 10, "regions": None}, {"id": 3, "name": "x\\a.jpg"}]
    truth, findings = bs.read_truth(file(tmp_path / "t.json", {"images": images} if wrapped else images))
    assert (truth.format, findings, list(truth.images.key)) == ("azure-custom-vision", [], ["i1", "i2", "x/a.jpg"])
    assert truth.relative
    assert truth.corners.tolist() == [[0.25, 0.5, 0.75, 0.75]]
    assert truth.images.width is not None
    assert truth.images.width[:2].tolist() == [200, 10]


def test_predictions_of_a_folder_are_of_the_images_that_files_are_called_after(tmp_path: Path) -> None:
    answer = {"id": "guid", "project": "p", "iteration": "i", "created": "2024", "predictions": [FOUND]}
    file(tmp_path / "d" / "a.jpg.json", answer)
    file(tmp_path / "d" / "b.json", {**answer, "predictions": []})
    found, _ = bs.read_detections(tmp_path / "d")
    assert list(found.images.key) == ["a.jpg", "b"]
    assert (found.score.tolist(), found.classes.name, found.image.tolist()) == ([0.75], ("cat",), [0])


@pytest.mark.parametrize("wrapped", [False, True])
def test_predictions_of_several_images(tmp_path: Path, wrapped: bool) -> None:
    answers = [{"id": "i1", "predictions": [FOUND]}, {"id": "i2", "predictions": [FOUND, FOUND]}]
    found, _ = bs.read_detections(file(tmp_path / "d.json", {"results": answers} if wrapped else answers))
    assert (list(found.images.key), found.image.tolist()) == (["i1", "i2"], [0, 1, 1])


def test_both_sides_meet(tmp_path: Path) -> None:
    truth = file(tmp_path / "t.json", [IMAGE])
    found = file(tmp_path / "d.json", [{"id": "i1", "predictions": [FOUND]}])
    assert bs.evaluate(truth, found, protocol="voc2012")["mAP"] == 1


def test_tags_of_whole_images_are_counted(tmp_path: Path) -> None:
    tag = {"probability": 0.5, "tagName": "cat"}
    found, _ = bs.read_detections(file(tmp_path / "d.json", [{"id": "i1", "predictions": [FOUND, tag]}]))
    assert (len(found), found.rejected) == (1, (("a tag of the whole image, without a box", 1),))


def test_a_class_without_a_name_is_its_id(tmp_path: Path) -> None:
    truth, _ = bs.read_truth(file(tmp_path / "t.json", [{"id": "a", "regions": [{"tagId": "7", **BOX}]}]))
    assert truth.classes.name == ("7",)


@pytest.mark.parametrize(
    ("content", "side"),
    [
        ([{"id": "a", "originalImageUri": "x", "tags": []}], "truth"),
        ({"images": [{"id": "a", "originalImageUri": "x", "tags": []}]}, "truth"),
        ({"id": "a", "iteration": "x", "predictions": []}, "detections"),
        ([{"id": "a", "iteration": "x", "predictions": []}], "detections"),
        ({"results": [{"id": "a", "iteration": "x", "predictions": []}]}, "detections"),
    ],
)
def test_a_first_image_without_boxes_is_recognised(tmp_path: Path, content: Any, side: str) -> None:
    path = file(tmp_path / "a.json", content)
    assert recognise(open_files(path), side).form == "azure-custom-vision"
