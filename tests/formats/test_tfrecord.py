"""TFRecords of TensorFlow's object detection: features, classes, names, sizes, masks."""

from __future__ import annotations

import gzip
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

import boxscore as bs
from boxscore.errors import InputError
from boxscore.formats.io.files import Files
from boxscore.formats.tfrecord.container import record
from boxscore.formats.tfrecord.example import example
from boxscore.formats.tfrecord.read import read_detections as detections_of
from boxscore.formats.tfrecord.read import read_truth as truth_of
from boxscore.joining.read import Reading
from boxscore.tables.model import Classes, Flag, Mark
from boxscore.tables.shapes import Shape
from effort import examples
from small_records import FLAGS, TWO, an_image, boxes, file, named
from table_scenes import named_rows, said_of_images


def test_objects():
    truth, findings = truth_of(file(an_image(**TWO), an_image("x\\b.jpg")), Reading())
    assert (findings, truth.relative, truth.images.key) == ([], False, ["a.jpg", "x/b.jpg"])
    assert (truth.images.width.tolist(), truth.images.height.tolist()) == ([200, 200], [100, 100])
    assert truth.classes == Classes(("cat", "dog"), (3, 7))  # by number
    assert named_rows(truth) == [("a.jpg", "dog", (50, 50, 150, 100)), ("a.jpg", "cat", (0, 0, 100, 50))]
    assert truth.box_area.tolist() == [5000, 5000]
    assert truth.flags.tolist() == [0, 0]
    assert np.isnan(truth.area).all()
    assert (truth.labels, truth.shapes) == (None, None)


def test_shares_are_not_rounded():
    truth, _ = truth_of(file({**an_image(**boxes((0.1, 0, 1, 1))), **named("a"), "image/width": [500]}), Reading())
    assert truth.corners[0, 0] == float(np.float32(0.1)) * 500 != 50


def test_flags_areas_and_statements():
    features = an_image(**TWO)
    for k, word in enumerate(("difficult", "truncated", "occluded", "group_of", "depiction", "is_crowd")):
        features[f"image/object/{word}"] = [int(k % 2 == 0), 1]
    features["image/object/area"] = np.array([12.5, np.nan])
    features["image/class/text"], features["image/class/label"] = [b"dog", b"owl"], [7, 9]
    features["image/class/confidence"] = np.array([1, 0])
    features["image/neg_category_ids"], features["image/not_exhaustive_category_ids"] = [3], [7, 11]
    truth, _ = truth_of(file(features), Reading())
    every = sum(FLAGS)
    assert truth.flags.tolist() == [Flag.DIFFICULT | Flag.OCCLUDED | Flag.DEPICTION, every]
    assert truth.area[0] == 12.5
    assert np.isnan(truth.area[1])
    assert truth.classes == Classes(("cat", "dog", "owl", "11"), (3, 7, 9, 11))
    assert said_of_images(truth) == sorted([
        ("a.jpg", "dog", Mark.POSITIVE), ("a.jpg", "owl", Mark.NEGATIVE), ("a.jpg", "cat", Mark.NEGATIVE),
        ("a.jpg", "dog", Mark.NOT_EXHAUSTIVE), ("a.jpg", "11", Mark.NOT_EXHAUSTIVE),
    ])  # fmt: skip
    truth, findings = truth_of(file(features), Reading(classes=("dog", "cat")))
    assert (truth.label.tolist(), len(truth.labels)) == ([0, 1], 3)
    assert [(f.code, f.count) for f in findings] == [("LBL001", 2)]  # what is said of classes that are not listed


def test_classes_by_name_number_or_label_map(tmp_path):
    numbered = {**boxes(*[(0, 0, 1, 1)] * 2), "image/object/class/label": [10, 9]}
    assert truth_of(file(an_image(**numbered)), Reading())[0].classes == Classes(("9", "10"), (9, 10))
    three = "item { id: 10 name: 'ten' } item { id: 2 name: 'dog' } item { id: 9 name: 'cat' }"
    (tmp_path / "map.pbtxt").write_text(three)
    how = Reading(label_map=tmp_path / "map.pbtxt")
    truth, _ = truth_of(file(an_image(**numbered)), how)
    assert (truth.classes, truth.label.tolist()) == (Classes(("dog", "cat", "ten"), (2, 9, 10)), [2, 1])
    assert truth_of(file(an_image(**TWO)), how)[0].label.tolist() == [0, 1]  # the name counts before the number
    (tmp_path / "map.pbtxt").write_text("item { id: 10 name: 'ten' }")
    with pytest.raises(InputError, match="class '9'; expected one of the 1 listed classes"):
        truth_of(file(an_image(**numbered)), how)
    unclear = {**TWO, "image/object/class/label": [3, 3]}
    assert truth_of(file(an_image(**unclear)), Reading())[0].classes == Classes(("cat", "dog"), ("cat", "dog"))
    some = {**TWO, "image/object/class/text": [b"", b"cat"]}
    assert truth_of(file(an_image(**some)), Reading())[0].classes.name == ("cat", "7")


def test_names_of_images():
    other = {"image/source_id": [b"17"]}
    only = {"image/filename": [b""], "image/source_id": [b"18"]}
    truth, _ = truth_of(file(an_image(**other), an_image("b.jpg", **other), {**an_image(), **only}), Reading())
    assert truth.images.key == ["a.jpg", "b.jpg", "18"]
    again = {"image/source_id": [b"x/a.jpg"]}
    truth, _ = truth_of(file(an_image(**other), an_image("b.jpg"), an_image(**again)), Reading())
    assert truth.images.key == ["17", "b.jpg", "x/a.jpg"]


def picture(width: int, height: int, form: str = "JPEG") -> bytes:
    content = io.BytesIO()
    Image.new("L", (width, height)).save(content, form)
    return content.getvalue()


def test_sizes_from_features_pictures_or_nowhere():
    encoded = {"image/encoded": [picture(30, 20)], "image/width": [0]}
    truth, _ = truth_of(file({**an_image(**TWO), **encoded}), Reading())
    assert (truth.images.width.tolist(), truth.images.height.tolist()) == ([30], [20])
    broken = {"image/encoded": [b"no picture"]}  # not looked at, since the size is known
    assert truth_of(file(an_image(**TWO, **broken)), Reading())[0].images.width.tolist() == [200]
    unknown = {**an_image(**TWO), "image/width": []}
    truth, _ = truth_of(file(unknown), Reading())
    assert truth.relative
    assert truth.corners.tolist() == [[0.25, 0.5, 0.75, 1], [0, 0, 0.5, 0.5]]
    assert np.isnan(truth.images.width).all()
    truth, _ = truth_of(file(unknown, an_image("b", **TWO)), Reading(image_size=(10, 10)))
    assert (truth.relative, truth.corners[:, 2].tolist()) == (False, [7.5, 5, 150, 100])
    empty = {**an_image("c"), "image/width": []}
    assert not truth_of(file(an_image(**TWO), empty), Reading())[0].relative  # no box needs that size


def test_masks():
    mask = np.zeros((100, 200), np.uint8)
    mask[3:5, 7] = 1
    content = io.BytesIO()
    Image.fromarray(mask).save(content, "PNG")
    values = [100, 200, 703, 2, 20000 - 705]
    pictures = an_image(**TWO, **{"image/object/mask": [content.getvalue(), picture(200, 100, "PNG")]})
    truth, _ = truth_of(file(pictures), Reading(shapes=True))
    assert list(truth.shapes) == [[(Shape.RLE, values)], [(Shape.RLE, [100, 200, 20000])]]
    dense = an_image(**TWO, **{"image/object/mask": np.concatenate([mask.ravel(), mask.ravel()]).astype(float)})
    truth, _ = truth_of(file(dense), Reading(shapes=True))
    assert list(truth.shapes) == [[(Shape.RLE, values)]] * 2
    assert truth_of(file(dense), Reading())[0].shapes is None


FOUND = {
    **boxes((0.25, 0.5, 0.75, 1), what="detection"), "image/detection/label": [7],
    "image/detection/score": np.array([0.5]),
}  # fmt: skip


def test_objects_and_detections_in_one_file():
    both = file(an_image(**TWO, **FOUND), an_image("b.jpg", **boxes()))
    truth, _ = truth_of(both, Reading())
    found, _ = detections_of(both, Reading(), truth)
    assert (len(truth), len(found), found.score.tolist()) == (2, 1, [0.5])
    assert named_rows(found) == [("a.jpg", "dog", (50, 50, 150, 100))]  # the objects know the name of 7
    assert found.images.key == ["a.jpg", "b.jpg"]
    result = bs.evaluate(truth, found, protocol="tf-voc")
    assert result.ledger.detections.read == 1


def test_numbers_of_detections_have_the_names_of_the_truth():
    truth, _ = truth_of(file(an_image(**TWO)), Reading())
    assert detections_of(file(an_image(**FOUND)), Reading(), truth)[0].classes == Classes(("dog",), (7,))
    assert detections_of(file(an_image(**FOUND)), Reading())[0].classes == Classes(("7",), (7,))


def test_no_records_are_an_empty_table():
    truth, _ = truth_of(Files("a", ("",), None, {"": b""}), Reading())
    assert (len(truth), len(truth.images)) == (0, 0)
    assert len(detections_of(Files("a", ("",), None, {"": b""}), Reading())[0]) == 0


def test_shards_and_splits():
    one, two = (record(example(an_image(name))) for name in ("a", "b"))
    shards = Files("f", ("s-00000-of-00002", "s-00001-of-00002"), None,
                   {"s-00000-of-00002": one, "s-00001-of-00002": gzip.compress(two)})  # fmt: skip
    assert truth_of(shards, Reading())[0].images.key == ["a", "b"]
    contents = {"train/x.tfrecord": one, "val/y.tfrecord": two, "val/label_map.pbtxt": b""}
    sets = Files("f", tuple(sorted(contents)), None, contents)
    assert truth_of(sets, Reading())[0].images.key == ["a", "b"]
    assert truth_of(sets, Reading(split="val"))[0].images.key == ["b"]


@settings(max_examples=examples(400))
@given(st.data())
def test_damaged_records_are_refused_or_read(data):
    """Whatever happens to a few bytes of a message whose checks are right: a table, or one of our own errors."""
    whole = bytearray(example(an_image(**TWO, **FOUND, **{"image/object/mask": [b"1", b"2"]})))
    for _ in range(data.draw(st.integers(0, 3))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    content = record(bytes(whole[: data.draw(st.one_of(st.just(len(whole)), st.integers(0, len(whole))))]))
    for read in (truth_of, detections_of):
        try:
            table, _ = read(file(raw=content), Reading(shapes=data.draw(st.booleans())))
        except bs.BoxscoreError:
            continue
        assert np.isfinite(table.corners).all()


@given(st.data())
def test_a_damaged_container_is_refused(data):
    whole = bytearray(record(example(an_image(**TWO))))
    whole[data.draw(st.integers(0, len(whole) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    with pytest.raises(bs.BoxscoreError):
        truth_of(file(raw=bytes(whole)), Reading())
