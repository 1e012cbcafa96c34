"""TFRecords of TensorFlow's object detection: the container, the messages, the features, real files."""

from __future__ import annotations

import csv
import gzip
import io
import struct
import tarfile
import zlib
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

import boxscore as bs
from boxscore.formats import Reading, read_truth
from boxscore.formats.files import Files
from boxscore.formats.source import Source
from boxscore.formats.tfrecord import read_detections as detections_of
from boxscore.formats.tfrecord import read_truth as truth_of
from boxscore.formats.tfrecord_container import is_container, record, records
from boxscore.formats.tfrecord_example import Example, example
from boxscore.formats.writing import made
from boxscore.model import Classes, Detections, Flag, Images, Mark, Truth
from boxscore.shapes import Shape, ShapesMaker
from table_scenes import named_rows, said_of_images, tables

FLAGS = [Flag.CROWD, Flag.DIFFICULT, Flag.GROUP_OF, Flag.OCCLUDED, Flag.TRUNCATED, Flag.DEPICTION]


def file(*features: dict, raw: bytes = b"") -> Files:
    content = raw or b"".join(record(example(one)) for one in features)
    return Files("a.record", ("",), None, {"": content})


def an_image(name: str = "a.jpg", **more) -> dict:
    return {"image/filename": [name.encode()], "image/width": [200], "image/height": [100], **more}


def boxes(*given: tuple[float, ...], what: str = "object") -> dict:
    sides = ("xmin", "ymin", "xmax", "ymax")
    columns = np.array(given, np.float64).reshape(-1, 4).T
    return {f"image/{what}/bbox/{side}": column for side, column in zip(sides, columns, strict=True)}


def named(*names: str) -> dict:
    return {"image/object/class/text": [name.encode() for name in names]}


TWO = {**boxes((0.25, 0.5, 0.75, 1), (0, 0, 0.5, 0.5)), **named("dog", "cat"), "image/object/class/label": [7, 3]}


def test_the_container_by_hand():
    # Length 3, its check, the bytes, their check; the checks are those that TensorFlow writes for these records.
    assert record(b"") == bytes(8) + struct.pack("<I", 0x07980329) + struct.pack("<I", 0xA282EAD8)
    assert list(records(Source("a", None, record(b"abc") + record(b"")))) == [b"abc", b""]
    assert list(records(Source("a", None, b""))) == []
    assert is_container(record(b"abc"))
    assert not is_container(b'{"images": []}')
    assert not is_container(b"")


@given(st.lists(st.binary(max_size=40), max_size=5), st.sampled_from([gzip.compress, zlib.compress, bytes]))
def test_containers_come_back(contents, packed):
    whole = packed(b"".join(map(record, contents)))
    assert list(records(Source("a", None, whole))) == contents


def test_zlib_in_a_file(tmp_path):
    (tmp_path / "a").write_bytes(zlib.compress(record(b"abc")))
    assert list(records(Source("a", tmp_path / "a"))) == [b"abc"]
    two_members = gzip.compress(record(b"abc")) + gzip.compress(record(b"d"))
    assert list(records(Source("a", None, two_members))) == [b"abc", b"d"]


texts = st.text(max_size=6)
floats = st.floats(width=32, allow_nan=False, allow_infinity=False)
numbers = st.integers(-(2**63), 2**63 - 1)


@given(
    st.dictionaries(texts, st.lists(st.binary(max_size=200), max_size=4)),
    st.dictionaries(texts.map("f".__add__), st.lists(floats, max_size=4)),
    st.dictionaries(texts.map("i".__add__), st.lists(numbers, max_size=4)),
)
def test_features_come_back(binary, single, whole):
    binary = {f"b{name}": values for name, values in binary.items()}
    back = Example(example({**binary, **{k: np.array(v, np.float64) for k, v in single.items()}, **whole}))
    assert {name: back.bytes(name) for name in binary} == binary
    assert {name: back.floats(name).tolist() for name in single} == single
    assert {name: back.ints(name) for name in whole} == whole
    assert (back.bytes("no"), back.floats("no").tolist(), back.ints("no")) == ([], [], [])


def field(number: int, content: bytes, kind: int = 2) -> bytes:
    return bytes([number << 3 | kind]) + (bytes([len(content)]) if kind == 2 else b"") + content


def feature(name: str, content: bytes) -> bytes:
    return field(1, field(1, field(1, name.encode()) + field(2, content)))


def test_lists_that_are_not_packed_and_fields_that_nobody_knows():
    single = b"".join(field(1, struct.pack("<f", value), 5) for value in (0.5, -2))
    assert Example(feature("x", field(2, single))).floats("x").tolist() == [0.5, -2]
    whole = field(1, b"\x03", 0) + field(1, b"\xff" * 9 + b"\x01", 0) + field(1, b"\x05\x80\x01")
    assert Example(feature("x", field(3, whole))).ints("x") == [3, -1, 5, 128]
    unknown = field(9, b"abc") + field(9, b"\x01", 0) + field(9, bytes(8), 1) + field(9, bytes(4), 5)
    assert Example(unknown + feature("x", unknown + field(3, field(1, b"\x07")))).ints("x") == [7]
    twice = feature("x", field(3, field(1, b"\x07"))) + feature("x", field(3, field(1, b"\x08")))
    assert Example(twice).ints("x") == [8]  # the last one counts, as in any map of protocol buffers


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
    truth, findings = truth_of(file(features), Reading(classes=("dog",)))
    assert (truth.label.tolist(), len(truth.labels)) == ([0, -1], 2)
    assert [(f.code, f.count) for f in findings] == [("LBL001", 3)]


def test_classes_by_name_number_or_label_map(tmp_path):
    numbered = {**boxes(*[(0, 0, 1, 1)] * 2), "image/object/class/label": [10, 9]}
    assert truth_of(file(an_image(**numbered)), Reading())[0].classes == Classes(("9", "10"), (9, 10))
    (tmp_path / "map.pbtxt").write_text("item { id: 10 name: 'ten' } item { id: 2 name: 'dog' }")
    how = Reading(label_map=tmp_path / "map.pbtxt")
    truth, _ = truth_of(file(an_image(**numbered)), how)
    assert (truth.classes, truth.label.tolist()) == (Classes(("dog", "ten"), (2, 10)), [1, -1])
    assert truth_of(file(an_image(**TWO)), how)[0].label.tolist() == [0, -1]  # the name counts before the number
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


def unpacked(data: Path, archive: str, name: str, into: Path) -> Path:
    with tarfile.open(data / "data" / archive) as tar:
        for member in tar.getmembers():
            if member.name.startswith(name) and member.isfile():
                target = into / member.name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(tar.extractfile(member).read())
    return into / name


def test_the_same_boxes_as_in_voc_xml(data, tmp_path):
    gts = unpacked(data, "padilla_review/database_gts_dets.tar.gz", "data/database/gts", tmp_path)
    how = Reading(truth_format="tfrecord", label_map=gts / "tfrecord_format" / "label_map.pbtxt")
    truth, _ = read_truth(gts / "tfrecord_format", how)
    voc, _ = read_truth(gts / "pascalvoc_format", Reading(truth_format="voc-xml"))
    assert (len(truth), len(truth.images), len(truth.classes)) == (273, 100, 20)
    size = sizes_by_row(voc)
    expected = replace(voc, corners=single(voc.corners / size) * size)
    assert Counter((k.removesuffix(".jpg"), c, b) for k, c, b in named_rows(truth)) == Counter(named_rows(expected))


def test_fixtures_of_datumaro(data, tmp_path):
    archive = "datumaro_assets/tests_assets_annotations_only.tar.gz"
    folder = unpacked(data, archive, "assets/roboflow_dataset/tfrecord", tmp_path)
    truth, _ = read_truth(folder, Reading(truth_format="tfrecord"))
    assert (len(truth), truth.images.key) == (4, ["train_001.jpg", "train_002.jpg", "val_001.jpg"])
    assert truth.classes == Classes(("label_0", "label_1"), (1, 2))
    assert len(read_truth(folder, Reading(truth_format="tfrecord", split="val"))[0].images) == 1
    folder = unpacked(data, archive, "assets/tf_detection_api_dataset", tmp_path)
    truth, _ = read_truth(folder / "train.tfrecord", Reading(truth_format="tfrecord"))
    assert truth.corners.tolist() == [[0, 4, 4, 12], [0, 4, 4, 8], [2, 4, 6, 8]]


@settings(max_examples=400)
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
