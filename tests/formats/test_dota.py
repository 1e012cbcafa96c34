"""DOTA: label files, results of both tasks, real files, and the way through other formats with oriented boxes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boxscore as bs
from boxscore.formats.io.writing import Writing, write
from boxscore.joining.read import Reading, read_detections, read_truth
from boxscore.tables.model import Classes, Detections, Flag, Images, Truth
from boxscore.tables.oriented import box_around, corners_of, quad_shapes, quads_of
from boxscore.tables.shapes import Shape, ShapesMaker

HEAD = "imagesource:GoogleEarth\ngsd:0.146\n"
DIAMOND = [5.0, 0, 10, 5, 5, 10, 0, 5]
KEPT = Reading(shapes=True)


def folder(path: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(content, "utf-8")
    return path


def test_label_files(tmp_path: Path) -> None:
    files = {
        "labelTxt/P1.txt": f"{HEAD}5 0 10 5 5 10 0 5 large-vehicle 1\n\n0 0 4 0 4 3 0 3 plane 0\n",
        "labelTxt/P2.txt": "imagesource:\ngsd:null\n",
        "labelTxt/P3.txt": "\ufeff0 0 4 0 4 3 0 3 plane\n5.0 0.0 10.0 5.0 5.0 10.0 0.0 5.0 ship 2\n",
        "images.txt": "P1\nP2\nP3\n",
    }
    truth, findings = read_truth(folder(tmp_path, files), KEPT)
    assert (truth.format, findings) == ("dota", [])
    assert list(truth.images.key) == ["P1", "P2", "P3"]
    assert truth.classes.name == ("large-vehicle", "plane", "ship")
    assert truth.corners.tolist() == [[0, 0, 10, 10], [0, 0, 4, 3], [0, 0, 4, 3], [0, 0, 10, 10]]
    assert truth.box_area.tolist() == [100, 12, 12, 100]
    assert (truth.flags == Flag.DIFFICULT).tolist() == [True, False, False, True]
    assert truth.shapes is not None
    assert truth.shapes.of(0) == [(Shape.QUAD, DIAMOND)]
    assert read_truth(tmp_path)[0].shapes is None


def test_objects_without_area_are_told_with_their_place(tmp_path: Path) -> None:
    path = folder(tmp_path, {"labelTxt/a.txt": "0 0 4 4 0 0 4 4 plane 0\n"})
    _, (found,) = read_truth(path)
    assert found.code == "BOX001"
    assert "labelTxt/a.txt:1" in found.text.replace("\\", "/")


def test_results_of_both_tasks(tmp_path: Path) -> None:
    files = {
        "results/Task1_plane.txt": "P1 0.5 5 0 10 5 5 10 0 5\n",
        "results/Task1_large-vehicle.txt": "",
        "results/Task2_plane.txt": "P2 0.25 1 2 3 4\nP1 0.75 0 0 4 3\n",
    }
    path = folder(tmp_path, files)
    oriented, _ = read_detections(path, Reading(shapes=True, rows="oriented"))
    assert (oriented.classes.name, oriented.corners.tolist()) == (("large-vehicle", "plane"), [[0, 0, 10, 10]])
    assert oriented.shapes is not None
    assert oriented.shapes.of(0) == [(Shape.QUAD, DIAMOND)]
    plain, _ = read_detections(path, Reading(shapes=True, rows="box"))
    assert (plain.corners.tolist(), plain.score.tolist(), plain.shapes) == (
        [[1, 2, 3, 4], [0, 0, 4, 3]],
        [0.25, 0.75],
        None,
    )
    for name, row in (("Task1", "a 0.5 0 0 4 0 4 3 0 3\n"), ("Task2", "a 0.5 0 0 4 3\n")):  # names tell nothing
        made, _ = read_detections(folder(tmp_path / name, {"cat.txt": row}), Reading(detections_format="dota"))
        assert (made.classes.name, made.corners.tolist()) == (("cat",), [[0, 0, 4, 3]])


def test_a_folder_with_both_sides(tmp_path: Path) -> None:
    files = {
        "labelTxt/P1.txt": f"{HEAD}5 0 10 5 5 10 0 5 cat 0\n",
        "results/Task1_cat.txt": "P1 0.5 5 0 10 5 5 10 0 5\n",
    }
    path = folder(tmp_path, files)
    assert [len(read_truth(path)[0]), len(read_detections(path)[0])] == [1, 1]
    assert bs.evaluate(path, path, protocol="voc2012")["mAP"] == 1


def test_folders_of_splits(tmp_path: Path) -> None:
    files = {"train/labelTxt/a.txt": "0 0 4 0 4 3 0 3 cat 0\n", "val/labelTxt/b.txt": "0 0 4 0 4 3 0 3 cat 0\n"}
    path = folder(tmp_path, files)
    with pytest.raises(bs.InputError, match="--split val"):
        read_truth(path)
    assert list(read_truth(path, Reading(split="val"))[0].images.key) == ["b"]
    assert list(read_truth(path / "train")[0].images.key) == ["a"]


numbers = st.one_of(st.integers(0, 500).map(float), st.floats(-1e4, 1e4))


@st.composite
def tables(draw: Any, side: str) -> Any:
    """Rows with four corners, an angle, or a box alone."""
    n, shapes, corners = draw(st.integers(0, 5)), ShapesMaker(), []
    for row in range(n):
        kind = draw(st.sampled_from([None, Shape.QUAD, Shape.ORIENTED]))
        quad = draw(st.lists(numbers, min_size=8, max_size=8))
        if kind == Shape.ORIENTED:
            box = [*quad[:2], abs(quad[2]) + 1, abs(quad[3]) + 1, draw(st.floats(-6, 6))]
            shapes.add(row, kind, box)
            quad = corners_of(np.array([box]))[0].tolist()
        elif kind == Shape.QUAD:
            shapes.add(row, kind, quad)
        corners.append(box_around(np.array([quad]))[0].tolist())
    made = np.array(corners).reshape(-1, 4)
    area = (made[:, 2] - made[:, 0]) * (made[:, 3] - made[:, 1])
    of = np.sort(np.array(draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)), np.int32))
    columns = (Images(["a", "b/c"]), Classes(("cat", "dog"), ("cat", "dog")), of, of, made, area, np.arange(n), "made")
    if side == "detections":
        return Detections(*columns, score=np.linspace(0, 1, n), shapes=shapes.shapes(n))
    flags = np.array(draw(st.lists(st.sampled_from([0, int(Flag.DIFFICULT)]), min_size=n, max_size=n)), np.uint16)
    return Truth(*columns, area=np.full(n, np.nan), flags=flags, shapes=shapes.shapes(n))


def quads(table: Any) -> list[list[float]]:
    """The corners of every row, of its box where it has no others."""
    made = table.corners[:, [0, 1, 2, 1, 2, 3, 0, 3]].copy()
    rows, own = quads_of(table.shapes)
    made[rows] = own
    return made.tolist()


@given(tables("truth"))
def test_truth_comes_back(tmp_path_factory: Any, truth: Truth) -> None:
    path = tmp_path_factory.mktemp("made") / "out"
    write(truth, path, "dota")
    back, _ = read_truth(path, Reading(shapes=True, truth_format="dota"))
    assert quads(back) == quads(truth)
    assert back.corners.tolist() == truth.corners.tolist()
    assert back.flags.tolist() == truth.flags.tolist()
    assert [back.classes.name[k] for k in back.label] == [truth.classes.name[k] for k in truth.label]
    assert list(back.images.key) == list(truth.images.key)


@given(tables("detections"), st.sampled_from([None, "box", "polygon"]))
def test_detections_come_back(tmp_path_factory: Any, detections: Detections, rows: str | None) -> None:
    path = tmp_path_factory.mktemp("made") / "out"
    write(detections, path, "dota", Writing(rows=rows))
    back, _ = read_detections(path, Reading(shapes=True, detections_format="dota"))
    oriented = rows == "polygon" or (rows is None and detections.shapes is not None)
    assert {file.name[:5] for file in path.iterdir()} == {"Task1" if oriented else "Task2"}
    if oriented:
        assert quads(back) == quads(detections)
    assert back.corners.tolist() == detections.corners.tolist()
    assert back.score.tolist() == detections.score.tolist()


@pytest.mark.parametrize(
    ("form", "read"), [("dota", {}), ("yolo", {"rows": "oriented"}), ("cvat", {}), ("voc-xml", {}), ("labelme", {})]
)
def test_oriented_boxes_through_every_format_that_has_them(tmp_path: Path, form: str, read: dict[str, Any]) -> None:
    boxes = np.array([[200.0, 150, 80, 40, 0.3], [300, 220, 30, 90, -1.2], [100, 100, 50, 20, np.pi / 2]])
    shapes = ShapesMaker()
    for row, box in enumerate(boxes.tolist()):
        shapes.add(row, Shape.ORIENTED, box)
    corners = box_around(corners_of(boxes))
    area = (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1])
    sizes = Images(["a.jpg"], None, np.array([640.0]), np.array([480.0]))
    zero = np.zeros(3, np.int32)
    columns = (sizes, Classes(("cat",), ("cat",)), zero, zero, corners, area, np.arange(3), "made")
    found = Detections(*columns, score=np.array([0.9, 0.5, 0.25]), shapes=shapes.shapes(3))
    truth = Truth(*columns, area=np.full(3, np.nan), flags=np.zeros(3, np.uint16), shapes=shapes.shapes(3))
    how = Reading(shapes=True, image_size=(640, 480) if form == "yolo" else None, **read)
    write(found, tmp_path / "found", form)
    write(truth, tmp_path / "truth", form)
    back, _ = read_detections(tmp_path / "found", how)
    np.testing.assert_array_equal(back.score, found.score)
    for table in (back, read_truth(tmp_path / "truth", how)[0]):
        rows, quad = quads_of(table.shapes)
        assert rows.tolist() == [0, 1, 2]
        np.testing.assert_allclose(quad, corners_of(boxes), rtol=0, atol=1e-9)  # shares of images, degrees
        np.testing.assert_allclose(table.corners, corners, rtol=0, atol=1e-9)


def test_shapes_of_quads() -> None:
    made = quad_shapes(np.arange(16.0).reshape(2, 8))
    assert made.of(1) == [(Shape.QUAD, [8, 9, 10, 11, 12, 13, 14, 15])]
    assert quads_of(made)[1].tolist() == np.arange(16.0).reshape(2, 8).tolist()
    assert quads_of(None)[1].shape == (0, 8)


@pytest.mark.parametrize("case", ["obb_11", "obb_12", "obb_13"])
def test_files_of_the_reference_cases(data: Path, case: str) -> None:
    cases = data / "reference" / "cases" / "obb"
    held = json.loads((cases / f"{case}.json").read_text())["input"]
    truth, _ = read_truth(cases / f"{case}_dota", KEPT)
    found, _ = read_detections(cases / f"{case}_dota", KEPT)
    assert list(truth.images.key) == [image["name"] for image in held["images"]]
    objects = [one for image in held["images"] for one in image["objects"]]
    assert quads(truth) == [one["quad"] for one in objects]
    assert (truth.flags > 0).tolist() == [bool(one["difficult"]) for one in objects]
    rows = [(found.images.key[i], found.classes.name[k]) for i, k in zip(found.image, found.label, strict=True)]
    assert sorted(zip(rows, found.score.tolist(), quads(found), strict=True)) == sorted(
        ((one["image"], one["class"]), one["score"], one["quad"]) for one in held["detections"]
    )


def test_real_label_files(data: Path) -> None:
    truth, findings = read_truth(data / "data" / "dota_example" / "labelTxt", KEPT)
    assert (truth.format, len(truth.images), len(truth), findings) == ("dota", 7, 984, [])
    assert int((truth.flags == Flag.DIFFICULT).sum()) == 67
    assert (box_around(quads_of(truth.shapes)[1]) == truth.corners).all()
