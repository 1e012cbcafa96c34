"""TFRecords, written; and real ones, compared with the same boxes in other formats."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from archived import unpacked
from boxscore.formats.io.files import Files
from boxscore.formats.io.writing import made
from boxscore.formats.tfrecord.read import read_detections as detections_of
from boxscore.formats.tfrecord.read import read_truth as truth_of
from boxscore.joining.read import Reading, read_truth
from boxscore.tables.model import Classes, Detections, Images, Mark, Truth
from boxscore.tables.shapes import Shape, ShapesMaker
from small_records import FLAGS, TWO, an_image, file, floats
from table_scenes import named_rows, said_of_images, tables


def single(values: np.ndarray) -> np.ndarray:
    return values.astype(np.float32).astype(np.float64)


def sizes_by_row(table: Truth | Detections) -> np.ndarray:
    columns = (table.images.width, table.images.height) * 2
    return np.array([[side[image] for side in columns] for image in table.image]).reshape(-1, 4)


def written(table: Truth | Detections) -> Files:
    ((name, content),) = made(table, "tfrecord")
    assert name == ""
    return file(raw=content) if content else Files("a", ("",), None, {"": b""})


def in_order(table: Truth | Detections) -> list[str]:
    return [table.classes.name[label] for label in table.label]


@given(
    tables(Truth, FLAGS, marks=[Mark.POSITIVE, Mark.NEGATIVE, Mark.NOT_EXHAUSTIVE, Mark.POSITIVE | Mark.NOT_EXHAUSTIVE])
)
def test_truth_comes_back(truth):
    back, findings = truth_of(written(truth), Reading())
    assert findings == []
    assert back.images.key == truth.images.key
    assert (back.images.width.tolist(), back.images.height.tolist()) == (
        truth.images.width.tolist(), truth.images.height.tolist(),
    )  # fmt: skip
    assert (back.image.tolist(), in_order(back)) == (truth.image.tolist(), in_order(truth))
    size = sizes_by_row(truth)
    assert back.corners.tolist() == (single(truth.corners / size) * size).tolist()
    assert back.flags.tolist() == truth.flags.tolist()
    assert said_of_images(back) == said_of_images(truth)


@given(tables(Truth), st.lists(st.integers(-5, 2**40), min_size=3, max_size=3, unique=True), st.data())
def test_numbers_of_classes_and_areas_come_back(truth, ids, data):
    area = data.draw(st.lists(st.one_of(floats, st.just(np.nan)), min_size=len(truth), max_size=len(truth)))
    keys = tuple(ids[: len(truth.classes)])
    truth = replace(truth, classes=replace(truth.classes, id=keys), area=np.array(area, np.float64))
    back, _ = truth_of(written(truth), Reading())
    used = {(truth.classes.name[k], keys[k]) for k in truth.label}
    assert {*zip(back.classes.name, back.classes.id, strict=True)} == used
    np.testing.assert_array_equal(back.area, truth.area)


@given(tables(Detections))
def test_detections_come_back(found):
    back, _ = detections_of(written(found), Reading())
    size = sizes_by_row(found)
    assert back.images.key == found.images.key
    assert (back.image.tolist(), in_order(back)) == (found.image.tolist(), in_order(found))
    assert back.corners.tolist() == (single(found.corners / size) * size).tolist()
    assert back.score.tolist() == single(found.score).tolist()


def test_relative_boxes_need_no_sizes():
    unknown = {**an_image(**TWO), "image/width": []}
    truth, _ = truth_of(file(unknown), Reading())
    back, _ = truth_of(written(replace(truth, images=Images(["a"]))), Reading())
    assert back.relative
    assert back.corners.tolist() == truth.corners.tolist()


def test_masks_come_back_if_all_objects_have_one():
    truth, _ = truth_of(file(an_image(**TWO)), Reading())
    values = [100.0, 200.0, 703.0, 2.0, 20000.0 - 705]
    both, one = ShapesMaker(), ShapesMaker()
    for row in (0, 1):
        both.add(row, Shape.RLE, values)
    one.add(1, Shape.RLE, values)
    back, _ = truth_of(written(replace(truth, shapes=both.shapes(2))), Reading(shapes=True))
    assert list(back.shapes) == [[(Shape.RLE, values)]] * 2
    assert truth_of(written(replace(truth, shapes=one.shapes(2))), Reading(shapes=True))[0].shapes is None


def test_raccoons(data):
    folder = data / "data" / "raccoon"
    truth, _ = read_truth(folder / "test.record", Reading(truth_format="tfrecord"))
    assert (len(truth), len(truth.images), truth.classes) == (44, 40, Classes(("raccoon",), (1,)))
    with (folder / "test_labels.csv").open() as table:
        rows = list(csv.DictReader(table))
    size = np.array([[float(row[side]) for side in ("width", "height") * 2] for row in rows])
    box = np.array([[float(row[side]) for side in ("xmin", "ymin", "xmax", "ymax")] for row in rows])
    expected = single(box / size) * size
    given_rows = [(row["filename"], row["class"], tuple(one)) for row, one in zip(rows, expected.tolist(), strict=True)]
    assert Counter(named_rows(truth)) == Counter(given_rows)


def test_the_same_boxes_as_in_voc_xml(data, tmp_path):
    gts = unpacked(data, "padilla_review/database_gts_dets.tar.gz", "data/database/gts", tmp_path)
    how = Reading(truth_format="tfrecord", label_map=gts / "tfrecord_format" / "label_map.pbtxt")
    truth, _ = read_truth(gts / "tfrecord_format", how)
    voc, _ = read_truth(gts / "pascalvoc_format", Reading(truth_format="voc-xml"))
    assert (len(truth), len(truth.images), len(truth.classes)) == (273, 100, 20)
    size = sizes_by_row(voc)
    expected = replace(voc, corners=single(voc.corners / size) * size)
    assert Counter(named_rows(truth)) == Counter(named_rows(expected))


def test_fixtures_of_datumaro(data, tmp_path):
    archive = "datumaro_assets/tests_assets_annotations_only.tar.gz"
    folder = unpacked(data, archive, "assets/roboflow_dataset/tfrecord", tmp_path)
    truth, _ = read_truth(folder, Reading(truth_format="tfrecord", split="train"))
    assert (len(truth), truth.images.key) == (2, ["train_001.jpg", "train_002.jpg"])
    assert truth.classes == Classes(("label_0", "label_1"), (1, 2))
    assert len(read_truth(folder, Reading(truth_format="tfrecord", split="val"))[0].images) == 1
    folder = unpacked(data, archive, "assets/tf_detection_api_dataset", tmp_path)
    truth, _ = read_truth(folder / "train.tfrecord", Reading(truth_format="tfrecord"))
    assert truth.corners.tolist() == [[0, 4, 4, 12], [0, 4, 4, 8], [2, 4, 6, 8]]
