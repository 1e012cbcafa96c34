"""VoTT: projects, assets, files of VoTT 1 and CSV; written and read again; real exports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import boxscore as bs
from boxscore.errors import InputError
from boxscore.formats.io.files import open_files
from boxscore.formats.io.writing import made
from boxscore.formats.registry import lookup
from boxscore.joining.read import Reading, read_detections, read_truth
from boxscore.tables.model import Truth
from boxscore.tables.shapes import Shape
from drawn_tables import ONE_POLYGON, again, rows_of, sizes_of, tables
from effort import examples

BOX = {"left": 10.5, "top": 20, "width": 30, "height": 40}
TAGS = [{"name": "dog", "color": "#fff"}, {"name": "cat", "color": "#000"}]


def region(*tags: str, **more: Any) -> Any:
    return {"id": "r", "type": "RECTANGLE", "tags": list(tags), "boundingBox": BOX, "points": [], **more}


def asset(name: str, *regions: Any, state: int = 2, **more: Any) -> Any:
    about = {"name": name, "path": f"file:/d/{name}", "size": {"width": 50, "height": 60}, "state": state, "type": 1}
    return {"asset": {**about, **more}, "regions": list(regions), "version": "2.2.0"}


def project(folder: Path, *assets: Any) -> Path:
    path = folder / "p-export.json"
    path.write_text(json.dumps({"name": "p", "tags": TAGS, "assets": {str(i): a for i, a in enumerate(assets)}}))
    return path


def read(path: Path, form: str = "vott-json", **how: Any) -> Truth:
    truth, findings = read_truth(path, Reading(truth_format=form, **{"shapes": True, **how}))
    assert findings == []
    return truth


def test_a_project(tmp_path):
    truth = read(project(tmp_path, asset("a%20b.jpg", region("cat"), region("cat", "dog")), asset("c.jpg", state=1)))
    assert list(truth.images.key) == ["a b.jpg", "c.jpg"]
    assert truth.classes.name == ("dog", "cat")  # as listed
    assert (truth.image.tolist(), truth.label.tolist()) == ([0, 0, 0], [1, 1, 0])  # a row per tag
    assert truth.corners.tolist() == [[10.5, 20, 40.5, 60]] * 3
    assert truth.box_area.tolist() == [1200] * 3
    assert sizes_of(truth) == {"a b.jpg": (50, 60), "c.jpg": (50, 60)}


def test_regions_that_are_no_boxes(tmp_path):
    points = [{"x": 1, "y": 2}, {"x": 9, "y": 3}, {"x": 4, "y": 8}]
    some = [
        region(), region("cat", type="POINT", points=points[:1]), region("cat", type="POLYLINE"),
        region("cat", type="POLYGON", points=points), region("dog", boundingBox=None, points=points),
    ]  # fmt: skip
    truth = read(project(tmp_path, asset("a.jpg", *some)))
    assert truth.rejected == (("no area: point", 1), ("no area: polyline", 1), ("no tag", 1))
    assert truth.corners.tolist() == [[10.5, 20, 40.5, 60], [1, 2, 9, 8]]
    assert [truth.shapes.of(0), truth.shapes.of(1)] == [[(Shape.POLYGON, [1, 2, 9, 3, 4, 8])], []]


def test_images_that_nobody_looked_at_are_left_out(tmp_path):
    path = project(tmp_path, asset("a.jpg", state=0), asset("b.jpg", region("cat"), state=0), asset("v.mp4", type=2))
    truth, findings = read_truth(path, Reading(truth_format="vott-json"))
    assert list(truth.images.key) == ["b.jpg"]
    assert [(f.code, f.count) for f in findings] == [("IMG020", 1)]
    assert "1 image is marked as not visited" in findings[0].text


def test_a_folder_of_assets_with_the_tags_of_its_project(tmp_path):
    for i, one in enumerate([asset("b.jpg", region("cat")), asset("a.jpg", state=1)]):
        (tmp_path / f"{i}-asset.json").write_text(json.dumps(one))
    (tmp_path / "p.vott").write_text(json.dumps({"name": "p", "tags": TAGS}))
    truth = read(tmp_path)
    assert (list(truth.images.key), truth.classes.name) == (["b.jpg", "a.jpg"], ("dog", "cat"))
    assert read(tmp_path / "0-asset.json").classes.name == ("cat",)


def test_names_that_several_share_become_paths(tmp_path):
    assets = [asset("a.jpg", path=f"file:/{folder}/a.jpg") for folder in "xy"]
    assert list(read(project(tmp_path, *assets)).images.key) == ["/x/a.jpg", "/y/a.jpg"]


def test_frames_of_videos(tmp_path):
    times = {"v.mp4#t=2.5": 2.5, "v.mp4#t=0.2": 0.2, "w.mp4#t=7": 7}
    assets = [
        asset(name, region("cat"), type=3, timestamp=time, parent={"name": name.partition("#")[0]})
        for name, time in times.items()
    ]
    truth = read(project(tmp_path, *assets))
    assert list(truth.images.key) == list(times)
    assert (truth.images.video, truth.images.frame.tolist()) == (["v.mp4", "v.mp4", "w.mp4"], [1, 0, 0])
    mixed = read(project(tmp_path, *assets, asset("a.jpg")))
    assert mixed.images.video is None


def v1(folder: Path) -> Path:
    corners = {"x1": 10, "y1": 20, "x2": 30, "y2": 40}
    shown = {"width": 100, "height": 200, "type": "Rectangle"}
    frames = {
        "a%20b.jpg": [{**corners, **shown, "tags": ["cat"]}, {"box": corners, **shown, "tags": []}],
        "c.jpg": [{"box": corners, **shown, "tags": ["dog", "cat"]}],
        "d.jpg": [],
    }
    path = folder / "v1.json"
    path.write_text(json.dumps({"frames": frames, "inputTags": "dog,cat,", "framerate": "1", "visitedFrames": []}))
    return path


def test_version_1_is_relative_to_the_displayed_size(tmp_path):
    truth = read(v1(tmp_path))
    assert truth.relative
    assert (list(truth.images.key), truth.classes.name) == (["a b.jpg", "c.jpg", "d.jpg"], ("dog", "cat"))
    assert truth.corners.tolist() == [[0.1, 0.1, 0.3, 0.2]] * 3
    assert truth.rejected == (("no tag", 1),)
    pixels = read(v1(tmp_path), image_size=(1000, 1000))
    assert not pixels.relative
    assert pixels.corners.tolist() == [[100, 100, 300, 200]] * 3
    assert pixels.images.width.tolist() == [1000] * 3


def table(folder: Path, text: str) -> Path:
    path = folder / "t.csv"
    path.write_text(text)
    return path


def test_csv_by_the_names_of_its_columns(tmp_path):
    usual = read(table(tmp_path, 'image,xmin,ymin,xmax,ymax,label\n"a%20b.jpg",1,2.5,3,4,"a, cat"\n'), "vott-csv")
    assert (list(usual.images.key), usual.classes.name) == (["a b.jpg"], ("a, cat",))
    assert (usual.corners.tolist(), usual.box_area.tolist()) == ([[1, 2.5, 3, 4]], [3])
    other = read(table(tmp_path, "label;ymin;xmin;xmax;ymax;Image\ndog;2;1;3;4;a.jpg\n"), "vott-csv")
    assert other.corners.tolist() == [[1, 2, 3, 4]]


def test_detections_in_csv(tmp_path):
    text = "image,xmin,ymin,xmax,ymax,label,score,x_size,y_size,more\na.jpg,1,2,3,4,1,0.5,50,60,?\n"
    how = Reading(detections_format="vott-csv", classes=("dog", "cat"))
    found, findings = read_detections(table(tmp_path, text), how)
    assert (found.score.tolist(), found.classes.name, found.label.tolist()) == ([0.5], ("dog", "cat"), [1])
    assert sizes_of(found) == {"a.jpg": (50, 60)}
    assert [(f.code, f.count) for f in findings] == [("COL001", 1)]
    with pytest.raises(InputError, match="class '7'; expected one of the 2 listed classes"):
        read_detections(table(tmp_path, text.replace(",1,0.5", ",7,0.5")), how)


# Round trips.


@settings(max_examples=examples(50))
@given(tables(shapes=ONE_POLYGON))
def test_projects_come_back(drawn):
    read_again = again(drawn, "vott-json")
    assert rows_of(read_again) == rows_of(drawn)
    assert sizes_of(read_again) == sizes_of(drawn)
    assert read_again.classes == drawn.classes
    assert list(read_again.images.key) == list(drawn.images.key)


@settings(max_examples=examples(50))
@given(tables())
def test_csv_comes_back_without_empty_images(drawn):
    assert rows_of(again(drawn, "vott-csv")) == {key: rows for key, rows in rows_of(drawn).items() if rows}


@settings(max_examples=examples(50))
@given(tables(scored=True))
def test_detections_come_back(drawn):
    assert rows_of(again(drawn, "vott-csv")) == {key: rows for key, rows in rows_of(drawn).items() if rows}


def test_what_is_written_is_what_vott_writes(tmp_path):
    truth = read(project(tmp_path, asset("a%20b.jpg", region("cat")), asset("c.jpg", state=1)))
    ((_, content),) = made(truth, "vott-json")
    first, second = json.loads(content)["assets"].values()
    assert (first["asset"]["name"], first["asset"]["state"], second["asset"]["state"]) == ("a%20b.jpg", 2, 1)
    assert first["regions"][0]["boundingBox"] == BOX
    assert first["regions"][0]["points"][2] == {"x": 40.5, "y": 60}
    ((_, content),) = made(truth, "vott-csv")
    assert content == b'"image","xmin","ymin","xmax","ymax","label"\n"a%20b.jpg",10.5,20,40.5,60,"cat"\n'


# Real files.


def test_real_csv_exports(data):
    cats = read(data / "data/vott/antonmu_Annotations-export.csv", "vott-csv")
    assert (len(cats.images), len(cats), cats.images.key[0]) == (100, 124, "9k_ (1).jpg")
    balls = read(data / "data/bad_real_files/adam-zaidi_vott_csv_named_as_openimages.csv", "vott-csv")
    assert (len(balls.images), len(balls), balls.classes.name) == (12, 246, ("ball",))
    assert balls.corners[0].tolist() == [107.166434480558, 209.011624396135, 130.580196263747, 235.491998792271]
    found, findings = read_detections(
        data / "data/vott/antonmu_Detection_Results.csv", Reading(detections_format="vott-csv", classes=("Cat_Face",))
    )
    assert (findings, found.score[0], found.images.width[0]) == ([], 0.8704878091812134, 810)
    for one in (cats, balls, found):
        assert rows_of(again(one, "vott-csv")) == rows_of(one)


def test_datumaros_files(data):
    files = open_files(data / "data/datumaro_assets/tests_assets_annotations_only.tar.gz")
    reader = lookup("vott-json").reader("truth")
    truth, findings = reader(files.below("vott_json_dataset/dataset"), Reading())
    assert (findings, truth.rejected) == ([], (("no tag", 1),))
    assert [(row["image"], row["class"]) for row in truth] == [
        ("img0001.jpg", "animal"), ("img0002.jpg", "animal"), ("img0002.jpg", "dog"), ("img0003.jpg", "person"),
    ]  # fmt: skip
    assert truth.corners[3].tolist() == [13.7, 20.2, 13.7 + 31.9, 20.2 + 43.4]
    rows = lookup("vott-csv").reader("truth")
    train, _ = rows(files.one("vott_csv_dataset/dataset/train-export.csv").source(), Reading())
    assert np.array_equal(train.corners, [[6.7, 10.3, 10, 15], [1, 2, 2, 4], [13.7, 20.2, 45.6, 63.6]])
    assert train.classes == bs.Classes(("helmet", "person"), ("helmet", "person"))
