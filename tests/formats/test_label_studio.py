"""Label Studio: percents of images, rotation about a corner, one annotation of a task, predictions with scores."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boxscore as bs
from boxscore.formats.io.files import open_files
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.registry import lookup
from boxscore.tables.model import Flag
from boxscore.tables.shapes import Shape

SIZE = {"original_width": 200, "original_height": 100, "image_rotation": 0}
SIDES = {"x": 10, "y": 20, "width": 30, "height": 40}


def region(form: str = "rectangle", label: str = "cat", **more: Any) -> dict[str, Any]:
    value = {**(SIDES if form == "rectangle" else {}), **more, f"{form}labels": [label]}
    return {"id": f"{form} {label}", "type": f"{form}labels", "value": value, **SIZE}


def task(*results: Any, image: str = "a.jpg", **more: Any) -> dict[str, Any]:
    return {"id": 1, "data": {"image": image}, "annotations": [{"result": list(results)}], **more}


def file(folder: Path, *tasks: Any) -> Path:
    path = folder / "made.json"
    path.write_text(json.dumps(tasks))
    return path


def read(folder: Path, *tasks: Any) -> bs.Truth:
    return bs.read_truth(file(folder, *tasks), ReadOptions(shapes=True))[0]


def test_percents_become_pixels(tmp_path: Path) -> None:
    truth = read(tmp_path, task(region()), task(image="b.jpg"))
    assert (truth.format, list(truth.images.key)) == ("label-studio", ["a.jpg", "b.jpg"])
    assert (truth.corners.tolist(), truth.box_area.tolist()) == ([[20, 20, 80, 60]], [2400])
    assert truth.images.width is not None
    assert truth.images.width.tolist()[:1] == [200]


def test_a_box_drawn_from_another_corner(tmp_path: Path) -> None:
    truth = read(tmp_path, task(region(x=40, width=-30, y=60, height=-40)))
    assert (truth.corners.tolist(), truth.box_area.tolist()) == ([[20, 20, 80, 60]], [2400])


def test_rotation_is_about_the_top_left_corner_in_pixels(tmp_path: Path) -> None:
    # 60 x 40 pixels at (100, 20), turned clockwise by a quarter: it hangs down to the left of that corner.
    truth = read(tmp_path, task(region(x=50, y=20, rotation=90)))
    np.testing.assert_allclose(truth.corners, [[60, 20, 100, 80]], atol=1e-12)
    assert truth.shapes is not None
    ((kind, values),) = truth.shapes.of(0)
    assert kind == Shape.QUAD
    np.testing.assert_allclose(values, [100, 20, 100, 80, 60, 80, 60, 20], atol=1e-12)


def test_polygons_ellipses_and_brushes(tmp_path: Path) -> None:
    bits = f"{8:032b}" + f"{7:05b}" + f"{3:04b}" * 4  # 8 values of 8 bits, lengths of 4 bits
    bits += "0" + "00" + f"{3:04b}" + "".join(f"{value:08b}" for value in (9, 9, 9, 255))  # a pixel as it is
    bits += "1" + "00" + f"{3:04b}" + f"{0:08b}"  # four times 0
    packed = [int(bits[k : k + 8].ljust(8, "0"), 2) for k in range(0, len(bits), 8)]
    brush = {**region("brush", format="rle", rle=packed), "original_width": 2, "original_height": 1}
    truth = read(
        tmp_path, task(region("polygon", points=[[0, 0], [50, 0], [50, 50]])),
        task(region("ellipse", x=50, y=50, radiusX=10, radiusY=20), image="b.jpg"), task(brush, image="c.jpg"),
    )  # fmt: skip
    assert truth.corners.tolist() == [[0, 0, 100, 50], [80, 30, 120, 70], [0, 0, 1, 1]]
    assert truth.shapes is not None
    assert [kind for row in truth.shapes for kind, _ in row] == [Shape.POLYGON, Shape.ELLIPSE, Shape.RLE]
    assert truth.shapes.of(2) == [(Shape.RLE, [1, 2, 0, 1, 1])]


def test_classes_flags_and_statements_of_other_results(tmp_path: Path) -> None:
    bare = {"id": "r", "type": "rectangle", "value": SIDES, **SIZE}
    said = [
        {"id": "r", "type": "labels", "value": {"labels": ["dog"]}},
        {"id": "r", "type": "choices", "from_name": "how", "value": {"choices": ["Occluded", "wet"]}},
        {"id": "r", "type": "textarea", "from_name": "note", "value": {"text": ["x", "y"]}},
        {"id": "w", "type": "choices", "value": {"choices": ["day"]}},
        {"id": "k", "type": "keypointlabels", "value": {"x": 1, "y": 2, "keypointlabels": ["nose"]}},
    ]
    truth = read(tmp_path, task(bare, *said))
    assert (truth.classes.name, truth.flags.tolist()) == (("dog",), [int(Flag.OCCLUDED)])
    assert truth.attributes is not None
    assert dict(zip(truth.attributes.name, truth.attributes.value, strict=True)) == {"how": "wet", "note": "x; y"}
    assert truth.rejected == (("no area: keypoint", 1), ("no box: choices", 1))


def test_several_labels_are_several_objects_and_none_is_counted(tmp_path: Path) -> None:
    both = {"id": "b", "type": "rectanglelabels", "value": {**SIDES, "rectanglelabels": ["cat", "dog"]}, **SIZE}
    none = {"id": "n", "type": "rectanglelabels", "value": {**SIDES, "rectanglelabels": []}, **SIZE}
    truth = read(tmp_path, task(both, none))
    assert (truth.label.tolist(), truth.rejected) == ([0, 1], (("no class", 1),))


def test_one_annotation_of_a_task_counts(tmp_path: Path) -> None:
    cancelled, first, best = (
        {"result": [region(label=name)], **more}
        for name, more in (("a", {"was_cancelled": True}), ("b", {}), ("c", {"ground_truth": True}))
    )
    truth = read(tmp_path, task(annotations=[cancelled, first]), task(annotations=[cancelled, first, best], image="b"))
    assert [truth.classes.name[k] for k in truth.label] == ["b", "c"]
    assert truth.rejected == (("of a cancelled annotation", 2), ("of another annotation of the same task", 1))


def test_tasks_that_nobody_annotated_are_left_out(tmp_path: Path) -> None:
    path = file(tmp_path, task(region()), task(image="b.jpg", annotations=[]))
    truth, findings = bs.read_truth(path)
    assert (list(truth.images.key), [f.code for f in findings]) == (["a.jpg"], ["IMG020"])


def test_predictions(tmp_path: Path) -> None:
    # Sizes are those of the annotation where a prediction states none; a score may be that of all regions.
    first, second = ({k: v for k, v in region(label=name).items() if k not in SIZE} for name in ("cat", "dog"))
    prediction = {"score": 0.25, "result": [{**first, "score": 0.75}, second]}
    found, _ = bs.read_detections(file(tmp_path, task(region(), predictions=[prediction])))
    assert found.score.tolist() == [0.75, 0.25]
    assert found.corners.tolist() == [[20, 20, 80, 60]] * 2


def test_json_min(tmp_path: Path) -> None:
    path = file(
        tmp_path, {"image": "/data/upload/1/0a1b2c3d-a.jpg", "id": 1, "annotator": 1, "annotation_id": 3,
                   "label": [{**SIDES, "rotation": 0, "rectanglelabels": ["cat"], **SIZE}]},
    )  # fmt: skip
    truth, _ = bs.read_truth(path)
    assert (list(truth.images.key), truth.corners.tolist()) == (["a.jpg"], [[20, 20, 80, 60]])


def test_names_of_uploads_stay_where_they_would_clash(tmp_path: Path) -> None:
    names = ["/data/upload/1/0a1b2c3d-a.jpg", "/data/upload/1/1a1b2c3d-a.jpg"]
    truth = read(tmp_path, *(task(image=name) for name in names))
    assert list(truth.images.key) == names


REAL = {  # images, boxes, what is no box, of people; boxes of models
    "brunocouto_label_studio_export.json.gz": (121, 121, 0, None),
    "test_export_csv/csv_test.json": (2, 3, 0, 2), "test_export_csv/csv_test2.json": (1, 0, 1, None),
    "test_export_csv/csv_test_history.json": (1, 0, 1, None), "test_export_json_min/data.json": (1, 1, 0, None),
    "test_export_json_min/data_repeater.json": (3, 1, 0, None), "test_export_yolo/data.json": (2, 4, 2, None),
    "test_export_yolo/data_obb.json": (3, 25, 0, None), "test_export_yolo/data_polygons.json": (1, 1, 0, None),
}  # fmt: skip


@pytest.mark.parametrize("name", REAL)
def test_real_exports(data: Path, name: str) -> None:
    folder = data / "data" / "label_studio"
    if name.endswith(".gz"):
        source = open_files(folder / name).source()
    else:
        source = open_files(folder / "label-studio-converter_tests_data.tar.gz").one(name).source()
    truth, _ = lookup("label-studio").reader("truth")(source, ReadOptions())
    images, boxes, rejected, predicted = REAL[name]
    assert (len(truth.images), len(truth), sum(n for _, n in truth.rejected)) == (images, boxes, rejected)
    if predicted is not None:
        assert len(lookup("label-studio").reader("detections")(source, ReadOptions())[0]) == predicted


def test_oriented_boxes_of_the_converter_are_turned_as_it_turns_them(data: Path) -> None:
    """The first box by hand: its corner at 10.537 % of 597 and 79.558 % of 768 pixels, turned by 328.33 degrees."""
    archive = open_files(data / "data" / "label_studio" / "label-studio-converter_tests_data.tar.gz")
    source = archive.one("test_export_yolo/data_obb.json").source()
    truth, _ = lookup("label-studio").reader("truth")(source, ReadOptions(shapes=True))
    x, y, angle = 0.10537066764905694 * 597, 0.7955767690059092 * 768, np.radians(328.33240366032836)
    width, height = 0.19045470024656689 * 597, 0.08132522043893883 * 768
    along, down = np.array([np.cos(angle), np.sin(angle)]) * width, np.array([-np.sin(angle), np.cos(angle)]) * height
    corner = np.array([x, y])
    expected = np.concatenate([corner, corner + along, corner + along + down, corner + down])
    np.testing.assert_allclose(truth.shapes.of(0)[0][1], expected, atol=1e-9)
