"""CreateML: centres in pixels, images by name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import boxscore as bs
from boxscore.formats.io.files import open_files
from boxscore.formats.recognise import recognise

BOX = {"x": 30, "y": 40.5, "width": 20, "height": 11}


def file(folder: Path, content: Any) -> Path:
    path = folder / "made.json"
    path.write_text(json.dumps(content))
    return path


def test_x_and_y_are_centres(tmp_path: Path) -> None:
    annotations = [{"label": "cat", "coordinates": BOX}]
    path = file(tmp_path, [{"image": "a.jpg", "annotations": annotations}, {"image": "b.jpg", "annotations": []}])
    truth, findings = bs.read_truth(path)
    assert (truth.format, findings, list(truth.images.key)) == ("createml", [], ["a.jpg", "b.jpg"])
    assert truth.corners.tolist() == [[20, 35, 40, 46]]
    assert truth.box_area.tolist() == [220]


@pytest.mark.parametrize("image", ["image", "imagefilename", "imageURL"])
@pytest.mark.parametrize("objects", ["annotations", "annotation"])
def test_keys_that_tools_write(tmp_path: Path, image: str, objects: str) -> None:
    path = file(tmp_path, [{image: "x\\a.jpg", objects: [{"label": "cat", "coordinates": BOX, "confidence": 0.5}]}])
    found, _ = bs.read_detections(path)
    assert (found.images.key[0], found.classes.name, found.score.tolist()) == ("x/a.jpg", ("cat",), [0.5])


def test_objects_without_a_score_are_no_detections(tmp_path: Path) -> None:
    path = file(tmp_path, [{"image": "a.jpg", "annotations": [{"label": "cat", "coordinates": BOX}]}])
    with pytest.raises(bs.InputError, match=r"no `confidence` \(its keys: label, coordinates\)"):
        bs.read_detections(path)


def test_a_first_image_without_objects_is_recognised(tmp_path: Path) -> None:
    path = file(tmp_path, [{"image": "a.jpg", "annotations": []}])
    assert recognise(open_files(path), "truth").form == "createml"
