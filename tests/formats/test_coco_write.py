"""COCO, written and read again: the same table, as far as the format can hold it."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxscore.formats.coco.more import FLAGS
from boxscore.formats.coco.quick import TRUTH_LAYOUT, usual_truth
from boxscore.formats.coco.read import read_results
from boxscore.formats.coco.read import read_truth as read_coco
from boxscore.formats.holding import losses
from boxscore.formats.io.source import Source
from boxscore.formats.io.writing import Writing, made, write
from boxscore.formats.registry import lookup
from boxscore.joining.read import Reading, read_detections, read_truth
from boxscore.tables.box_forms import to_corners
from boxscore.tables.model import Classes, Detections, Flag, ImageLabels, Images, Mark, Truth
from boxscore.tables.shapes import Attributes, Shape, ShapesMaker
from odd_coco import RESULTS, TRUTH
from odd_coco import write as put

TEXT = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=6)
NUMBER = st.integers(-(10**6), 10**6).map(lambda v: v / 64) | st.floats(-1e4, 1e4).map(lambda v: v + 0.0)
SIDE = st.integers(0, 10**6).map(lambda v: v / 100)
IDS = st.integers(-(2**40), 2**40)
POLYGON = st.lists(NUMBER, min_size=3, max_size=4).map(lambda v: v * 2)
MASK = st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(
    lambda size: st.integers(0, size[0] * size[1]).map(
        lambda run: [float(v) for v in (*size, run, size[0] * size[1] - run)]
    )
)
SHAPES = st.one_of(
    st.just([]),
    st.lists(POLYGON.map(lambda v: (Shape.POLYGON, v)), min_size=1, max_size=2),
    MASK.map(lambda v: [(Shape.RLE, v)]),
    st.tuples(NUMBER, NUMBER, st.sampled_from([0.0, 1.0, 2.0])).map(lambda v: [(Shape.KEYPOINTS, [*v, 1.0, 2.0, 2.0])]),
)
SAID = st.dictionaries(TEXT.filter(lambda name: name not in FLAGS), st.lists(
    TEXT | st.sampled_from(["true", "0.5", "1e400", "-0", "NaN", "007", '{"a": 1}', "[1]"]), min_size=1, max_size=2,
), max_size=2)  # fmt: skip


@st.composite
def images(draw):
    keys = draw(st.lists(TEXT, max_size=4, unique=True))
    n = len(keys)
    ids = draw(st.none() | st.lists(IDS, min_size=n, max_size=n, unique=True))
    sizes = draw(st.none() | st.lists(st.sampled_from([np.nan, 1, 640, 10.5]), min_size=2 * n, max_size=2 * n))
    videos = draw(st.none() | st.lists(st.sampled_from(["", "v 1", "ü"]), min_size=n, max_size=n))
    widths, heights = (None, None) if sizes is None else np.array(sizes, np.float64).reshape(2, n)
    if videos is not None and not any(videos):
        videos = None
    frames = None if videos is None else np.array([draw(st.integers(0, 99)) if v else 0 for v in videos], np.int64)
    return Images(keys, None if ids is None else np.array(ids, np.int64), widths, heights, videos, frames)


@st.composite
def classes(draw):
    names = draw(st.lists(TEXT, max_size=3, unique=True))
    ids = draw(st.just([f"/m/{i}" for i in range(len(names))]) | st.lists(
        st.integers(0, 90), min_size=len(names), max_size=len(names), unique=True,
    ).map(sorted))  # fmt: skip
    frequent = draw(st.none() | st.just(("r", "c", "f")[: len(names)])) if names else None
    return Classes(tuple(names), tuple(ids), frequent)


@st.composite
def tables(draw, kind):
    listed, known = draw(images()), draw(classes())
    n = draw(st.integers(0, 5)) if len(listed) and len(known) else 0
    boxes = np.array([draw(st.tuples(NUMBER, NUMBER, SIDE, SIDE)) for _ in range(n)], np.float64).reshape(-1, 4)
    rows = {
        "image": np.array([draw(st.integers(0, len(listed) - 1)) for _ in range(n)], np.int32),
        "label": np.array([draw(st.integers(0, len(known) - 1)) for _ in range(n)], np.int32),
    }
    maker, said = ShapesMaker(), []
    plain = SAID if kind is Truth else SAID | st.just({"occluded": ["true"], "difficult": ["0"]})
    for row in range(n):
        for shape, values in draw(SHAPES):
            maker.add(row, shape, values)
        said += [(row, name, value) for name, values in draw(plain).items() for value in values]
    more = {
        "shapes": maker.shapes(n),
        "track": np.array([draw(st.integers(-1, 9)) for _ in range(n)], np.int64) if draw(st.booleans()) else None,
        "attributes": Attributes(np.array([s[0] for s in said]), *(tuple(s[k] for s in said) for k in (1, 2)))
        if said
        else None,
    }
    corners, area = to_corners(boxes, "xywh")
    position = np.arange(n, dtype=np.int64)
    common = (listed, known, rows["image"], rows["label"], corners, area, position)
    if kind is Detections:
        score = np.array([draw(st.floats(0, 1)) for _ in range(n)], np.float64)
        return Detections(*common, **more, score=score)
    labels = None
    if len(listed) and len(known) and draw(st.booleans()):
        stated = [(i, k) for i in range(len(listed)) for k in range(len(known)) if draw(st.booleans())]
        marks = [draw(st.sampled_from([Mark.NEGATIVE, Mark.NOT_EXHAUSTIVE])) for _ in stated]
        pairs = np.array(stated, np.int32).reshape(-1, 2)
        labels = ImageLabels(pairs[:, 0], pairs[:, 1], np.array(marks, np.uint8))
    ids = np.array(draw(st.lists(IDS, min_size=n, max_size=n)), np.int64) if draw(st.booleans()) else None
    areas = np.array([draw(st.sampled_from([np.nan, 0.1, 7.0])) for _ in range(n)], np.float64)
    flags = np.array([draw(st.integers(0, sum(Flag))) for _ in range(n)], np.uint16)
    return Truth(*common, **more, area=areas, flags=flags, id=ids, labels=labels)


def same_rows(one, other):
    """What both tables keep of rows."""
    for name in ("corners", "box_area", "position"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    assert list(one.shapes or [[]] * len(one)) == list(other.shapes or [[]] * len(other))
    tracks = [np.full(len(t), -1) if t.track is None else t.track for t in (one, other)]
    np.testing.assert_array_equal(*tracks)
    assert statements(one) == statements(other)


def statements(table):
    said = table.attributes
    return (
        [] if said is None else sorted(zip(said.row.tolist(), said.name, said.value, strict=True), key=lambda s: s[0])
    )


def same_images(one, other):
    assert list(one.key) == list(other.key)
    for name in ("width", "height"):
        sides = [np.full(len(i), np.nan) if getattr(i, name) is None else getattr(i, name) for i in (one, other)]
        np.testing.assert_array_equal(*sides)
    assert (one.video is None) == (other.video is None)
    if one.video is not None:
        assert (list(one.video), one.frame.tolist()) == (list(other.video), other.frame.tolist())


def marks(truth):
    said = truth.labels
    return (
        [] if said is None else sorted(zip(said.image.tolist(), said.label.tolist(), said.mark.tolist(), strict=True))
    )


def source(table):
    ((path, content),) = made(table, "coco")
    assert path == ""
    return Source("made", None, content)


@given(tables(Truth))
def test_truth_comes_back(truth):
    again, findings = read_coco(source(truth), shapes=True)
    same_rows(truth, again)
    same_images(truth.images, again.images)
    if truth.images.id is not None:
        np.testing.assert_array_equal(truth.images.id, again.images.id)
    assert again.classes.name == truth.classes.name
    assert again.classes.frequency == truth.classes.frequency
    numbers = all(isinstance(key, int) for key in truth.classes.id)
    assert again.classes.id == (truth.classes.id if numbers else tuple(range(1, len(truth.classes) + 1)))
    np.testing.assert_array_equal(truth.image, again.image)
    np.testing.assert_array_equal(truth.label, again.label)
    np.testing.assert_array_equal(truth.flags, again.flags)
    np.testing.assert_array_equal(np.where(np.isnan(truth.area), truth.box_area, truth.area), again.area)
    assert again.id.tolist() == (list(range(1, len(truth) + 1)) if truth.id is None else truth.id.tolist())
    assert marks(truth) == marks(again)
    assert findings == []


@given(tables(Truth))
def test_the_quick_reader_takes_what_is_written(truth):
    assert usual_truth(source(truth).json_columns(TRUTH_LAYOUT, 1)) is not None
    again, _ = read_coco(source(truth))
    for name in ("image", "label", "corners", "box_area"):
        np.testing.assert_array_equal(getattr(truth, name), getattr(again, name))
    assert list(again.images.key) == list(truth.images.key)
    shared = int(Flag.CROWD | Flag.IGNORE)
    np.testing.assert_array_equal(truth.flags & shared, again.flags)


@given(tables(Detections))
def test_detections_come_back(detections):
    text = source(detections)
    again, findings = read_results(text, shapes=True)
    same_rows(detections, again)
    np.testing.assert_array_equal(detections.score, again.score)
    assert findings == []
    own = detections.images.id is not None and all(isinstance(key, int) for key in detections.classes.id)
    assert text.first_character() == ("[" if own else "{")
    names = [detections.classes.name[k] for k in detections.label]
    if own:  # a list of results knows numbers only
        assert again.images.id[again.image].tolist() == detections.images.id[detections.image].tolist()
        ids = [again.classes.id[k] for k in again.label]
        assert ids == [detections.classes.id[k] for k in detections.label]
    else:
        same_images(detections.images, again.images)
        np.testing.assert_array_equal(detections.image, again.image)
        assert again.classes.name == detections.classes.name
        assert [again.classes.name[k] for k in again.label] == names


@given(tables(Truth))
def test_what_is_said_to_be_lost(truth):
    lost = dict(losses(truth, lookup("coco")))
    assert set(lost) <= {"statements about whole images"}


def test_a_file_by_hand(tmp_path):
    truth, _ = read_truth(put(tmp_path / "t.json", {**TRUTH, "annotations": TRUTH["annotations"][:2]}))
    write(truth, tmp_path / "again.json", "coco")
    assert json.loads((tmp_path / "again.json").read_text(encoding="utf-8")) == {
        "images": TRUTH["images"],
        "annotations": [
            {"id": 1, "image_id": 3, "category_id": 20, "bbox": [1.5, 2, 3, 4], "area": 11, "iscrowd": 0},
            {"id": 2, "image_id": 5, "category_id": 10, "bbox": [0.1, 0.2, 0.3, 0.4], "area": 0.12, "iscrowd": 1,
             "ignore": 1},
        ],
        "categories": [{"id": 10, "name": "dög"}, {"id": 20, "name": "cat"}],
    }  # fmt: skip
    found, _ = read_detections(put(tmp_path / "r.json", RESULTS), None, truth)
    write(found, tmp_path / "results.json", "coco")
    assert json.loads((tmp_path / "results.json").read_text()) == RESULTS


def test_detections_without_numbers_join_by_name(tmp_path):
    import boxscore as bs

    truth = put(tmp_path / "t.json", TRUTH)
    found, _ = read_detections(put(tmp_path / "r.json", RESULTS), None, read_truth(truth)[0])
    write(replace(found, images=replace(found.images, id=None)), tmp_path / "named.json", "coco")
    assert "categories" in json.loads((tmp_path / "named.json").read_text(encoding="utf-8"))
    expected = bs.evaluate(truth, tmp_path / "r.json").metrics
    assert str(bs.evaluate(truth, tmp_path / "named.json").metrics) == str(expected)


def test_rows_of_unlisted_images_have_no_number(tmp_path):
    odd = {**TRUTH, "annotations": [*TRUTH["annotations"], {**TRUTH["annotations"][0], "id": 9, "image_id": 99}]}
    truth, _ = read_truth(put(tmp_path / "t.json", odd))
    ((_, content),) = made(truth, "coco", Writing())
    assert [row["id"] for row in json.loads(content)["annotations"]] == [1, 2, 3]


@pytest.mark.parametrize("name", [
    "cocoapi_val2014_100/instances_val2014_100.json", "lvis_val_100/lvis_val_100.json",
    "coco_val2017_boxes/derived/instances_val2017_boxes.json",
    "detectron2_logged_ap/BT_MaskRCNN/valid__annotations.coco.json", "sahi/visdrone2019-det-train-first50image.json",
])  # fmt: skip
def test_real_truth_comes_back(data, tmp_path, name):
    truth, _ = read_truth(data / "data" / name, Reading(shapes=True))
    write(truth, tmp_path / "again.json", "coco")
    again, _ = read_truth(tmp_path / "again.json", Reading(shapes=True))
    same_rows(truth, again)
    same_images(truth.images, again.images)
    assert (truth.classes, marks(truth)) == (again.classes, marks(again))
    for column in ("image", "label", "flags", "id", "area"):
        np.testing.assert_array_equal(getattr(truth, column), getattr(again, column))


@pytest.mark.parametrize("name", [
    "cocoapi_val2014_100/instances_val2014_fakebbox100_results.json",
    "cocoapi_val2014_100/instances_val2014_fakesegm100_results.json",
    "detectron2_logged_ap/BT_MaskRCNN/coco_eval_coco_instances_results.json",
    "coco_val2017_boxes/marinamsm_YOLO/yolo_608_instances_val2017_results.json",
    "coco_val2017_boxes/yolact_web_dets/yolact_base.json", "ultralytics_txl_pbc/val_predictions.json",
])  # fmt: skip
def test_real_detections_come_back(data, tmp_path, name):
    found, _ = read_detections(data / "data" / name, Reading(shapes=True))
    write(found, tmp_path / "again.json", "coco")
    again, _ = read_detections(tmp_path / "again.json", Reading(shapes=True))
    same_rows(found, again)
    np.testing.assert_array_equal(found.score, again.score)
    assert [again.images.key[i] for i in again.image] == [found.images.key[i] for i in found.image]
    assert [again.classes.name[k] for k in again.label] == [found.classes.name[k] for k in found.label]
