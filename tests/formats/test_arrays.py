"""Arrays in memory: columns, data frames, lists of mappings, and whatever becomes an array."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import boxscore as bs
from boxscore.joining.read import Reading, read_detections, read_truth

XYXY = Reading(box="xyxy")


class Tensor:
    """What torch, jax and tensorflow have in common."""

    def __init__(self, values):
        self.values = np.asarray(values)

    def __array__(self, dtype=None, copy=None):
        return self.values if dtype is None else self.values.astype(dtype)


class Exchanged:
    """An array that only DLPack hands over."""

    def __init__(self, values):
        self.values = np.array(values)

    def __dlpack__(self, **keywords):
        return self.values.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()


COLUMNS = {
    "image": [7, 3, 7],
    "labels": [2, 1, 1],
    "boxes": [[0.0, 0, 10, 10], [0, 0, 20, 20], [5, 5, 15, 15]],
    "scores": [0.9, 0.8, 0.7],
}


@pytest.mark.parametrize("as_array", [list, np.array, Tensor, Exchanged], ids=["lists", "numpy", "__array__", "DLPack"])
def test_columns_of_any_kind(as_array):
    found, findings = read_detections({name: as_array(values) for name, values in COLUMNS.items()}, XYXY)
    assert found.images.id.tolist() == [3, 7]
    assert list(found.images.key) == ["3", "7"]
    assert found.images.key[0:1] == ["3"]
    assert found.image.tolist() == [1, 0, 1]
    assert found.classes == bs.Classes(("1", "2"), (1, 2))
    assert found.label.tolist() == [1, 0, 0]
    assert found.corners.dtype == np.float64
    assert found.corners.tolist() == COLUMNS["boxes"]
    assert found.box_area.tolist() == [100, 400, 100]
    assert found.score.tolist() == COLUMNS["scores"]
    assert found.position.tolist() == [0, 1, 2]
    assert findings == []


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.int8, np.uint16, np.int64, object])
def test_number_types(dtype):
    boxes = np.array([[1, 2, 3, 4]], dtype)
    truth, _ = read_truth({"image": np.array([1], np.uint8), "labels": np.array([5.0]), "boxes": boxes}, XYXY)
    assert truth.corners.tolist() == [[1, 2, 3, 4]]
    assert truth.classes.id == (5,)


def test_arguments_are_not_changed():
    columns = {name: np.array(values) for name, values in COLUMNS.items()}
    for form in ("xyxy", "xywh", "cxcywh"):
        read_detections(columns, Reading(box=form))
    for name, values in COLUMNS.items():
        assert columns[name].tolist() == values


def test_images_without_objects_count():
    truth, _ = read_truth({"images": [1, 2, 3], "image": [2], "labels": ["cat"], "boxes": [[0, 0, 1, 1]]}, XYXY)
    assert truth.images.id.tolist() == [1, 2, 3]
    assert truth.image.tolist() == [1]
    named, _ = read_truth({"images": ["a", "b"], "image": ["b"], "labels": ["cat"], "boxes": [[0, 0, 1, 1]]}, XYXY)
    assert list(named.images.key) == ["a", "b"]
    assert named.image.tolist() == [1]
    nothing, _ = read_truth({"images": [4, 5], "image": [], "labels": [], "boxes": []})
    assert len(nothing) == 0
    assert len(nothing.images) == 2


def test_one_image_for_all_rows():
    truth, _ = read_truth({"image": 5, "labels": [1, 1], "boxes": [[0, 0, 1, 1], [0, 0, 2, 2]]}, XYXY)
    assert truth.images.id.tolist() == [5]
    assert truth.image.tolist() == [0, 0]


def test_labels_are_ids_or_names_or_numbers_of_a_list():
    rows = {"image": [1, 1], "boxes": [[0, 0, 1, 1]] * 2}
    listed = Reading(box="xyxy", classes=("dog", "cat"))
    for labels in (["cat", "dog"], np.array(["cat", "dog"]), np.array([b"cat", b"dog"]), [1, 0]):
        truth, _ = read_truth({**rows, "labels": labels}, listed)
        assert truth.classes == bs.Classes(("dog", "cat"), (0, 1))
        assert truth.label.tolist() == [1, 0]
    truth, _ = read_truth({**rows, "labels": ["dog", "cat"]}, XYXY)
    assert truth.classes.name == ("cat", "dog")  # by name
    assert truth.label.tolist() == [1, 0]


def test_flags_area_and_id():
    truth, _ = read_truth(
        {
            "image": [1, 1, 1],
            "labels": [1, 1, 1],
            "boxes": [[0, 0, 1, 1]] * 3,
            "iscrowd": [0, 1, 0],
            "difficult": np.array([True, False, False]),
            "ignore": [0.0, 1.0, 0.0],
            "area": [3.5, np.nan, 1],
            "id": [10, 20, 30],
        },
        XYXY,
    )
    assert truth.flags.tolist() == [bs.Flag.DIFFICULT, bs.Flag.CROWD | bs.Flag.IGNORE, 0]
    assert truth.area.tolist()[::2] == [3.5, 1]
    assert np.isnan(truth.area[1])
    assert truth.id.tolist() == [10, 20, 30]
    named, _ = read_truth({"image": [1, 1], "labels": [1, 1], "boxes": [[0, 0, 1, 1]] * 2, "id": ["x", "x"]}, XYXY)
    assert named.id.tolist() == [1, 1]


BOX = ([0, 0, 10, 10], [20, 20, 30, 40])


@pytest.mark.parametrize(
    ("names", "boxes"),
    [
        (("x", "y", "w", "h"), [[0, 0, 10, 10], [20, 20, 10, 20]]),
        (("x", "y", "width", "height"), [[0, 0, 10, 10], [20, 20, 10, 20]]),
        (("x0", "y0", "x1", "y1"), BOX),
        (("x1", "y1", "x2", "y2"), BOX),
        (("xmin", "ymin", "xmax", "ymax"), BOX),
        (("left", "top", "right", "bottom"), BOX),
        (("cx", "cy", "w", "h"), [[5, 5, 10, 10], [25, 30, 10, 20]]),
    ],
    ids=lambda value: "-".join(value) if isinstance(value[0], str) else "",
)
def test_data_frames(names, boxes):
    frame = pd.DataFrame(boxes, columns=list(names))
    frame["image_id"], frame["class"], frame["score"] = ["a.jpg", "b.jpg"], ["cat", "dog"], [0.5, 0.25]
    found, findings = read_detections(frame)
    assert found.corners.tolist() == [list(map(float, box)) for box in BOX]
    assert list(found.images.key) == ["a.jpg", "b.jpg"]
    assert found.classes.name == ("cat", "dog")
    assert found.score.tolist() == [0.5, 0.25]
    assert findings == []
    same, _ = read_detections({name: frame[name] for name in frame.columns})
    assert same.corners.tolist() == found.corners.tolist()


def test_a_data_frame_with_a_column_of_boxes():
    frame = pd.DataFrame({"image_id": [1, 2], "category_id": [1, 1], "bbox": [[0, 0, 1, 2], [0, 0, 3, 4]]})
    truth, _ = read_truth(frame, Reading(box="xywh"))
    assert truth.box_area.tolist() == [2, 12]


def test_columns_that_nobody_asked_for_are_named():
    frame = pd.DataFrame({"image_id": [1], "class": ["cat"], "xmin": [0], "ymin": [0], "xmax": [9], "ymax": [9]})
    _, findings = read_truth(frame.assign(width=100, height=100, weather="rain", camera=2))
    assert [(f.code, f.count, f.text) for f in findings] == [
        ("COL001", 4, "4 columns are not used (truth: width, height, weather and 1 more)")
    ]


TRUTH = [
    {"boxes": [[0, 0, 10, 10]], "labels": [1]},
    {"boxes": [], "labels": []},
    {"boxes": [[0, 0, 10, 10], [50, 50, 60, 60]], "labels": [1, 2]},
]
FOUND = [
    {"boxes": [[0, 0, 10, 10]], "labels": [1], "scores": [0.9]},
    {"boxes": [[0, 0, 10, 10]], "labels": [2], "scores": [0.8]},
    {"boxes": np.zeros((0, 4)), "labels": np.zeros(0, np.int64), "scores": np.zeros(0)},
]


def test_a_list_with_one_mapping_per_image():
    truth, _ = read_truth(TRUTH, XYXY)
    assert len(truth.images) == 3
    assert truth.image.tolist() == [0, 2, 2]
    assert truth.label.dtype == np.int32
    assert truth.classes.id == (1, 2)
    result = bs.evaluate(TRUTH, FOUND, box="xyxy", protocol="voc2012")
    assert result.ledger.images.truth == 3
    assert result.ledger.objects.evaluated == 3
    assert result["mAP"] == pytest.approx(0.25)  # half of class 1, nothing of class 2


def test_lists_are_joined_by_image_or_by_place():
    names = [{**one, "image_id": np.array([key])} for one, key in zip(TRUTH, (30, 10, 20), strict=True)]
    found = [{**one, "image": key} for one, key in zip(FOUND, (30, 10, 20), strict=True)]
    expected = bs.evaluate(TRUTH, FOUND, box="xyxy", protocol="voc2012").metrics
    for truth, detections in ((names, found), (names, found[::-1]), (names, FOUND), (tuple(TRUTH), FOUND)):
        assert bs.evaluate(truth, detections, box="xyxy", protocol="voc2012").metrics == expected
    columns = {"image": [0, 1], "boxes": [[0, 0, 10, 10]] * 2, "labels": [1, 2], "scores": [0.9, 0.8]}
    assert bs.evaluate(TRUTH, columns, box="xyxy", protocol="voc2012").metrics == expected
    assert bs.evaluate(TRUTH, pd.DataFrame(columns), box="xyxy", protocol="voc2012").metrics == expected
    texts = [{**one, "image": f"{key}.jpg"} for one, key in zip(TRUTH, "abc", strict=True)]
    others = [{**one, "image": f"{key}.png"} for one, key in zip(FOUND, "abc", strict=True)]
    assert bs.evaluate(texts, others, box="xyxy", protocol="voc2012").metrics == expected


def test_no_detections():
    for nothing in ([], {"image": [], "boxes": [], "labels": [], "scores": []}):
        result = bs.evaluate(TRUTH, nothing, box="xyxy", protocol="voc2012")
        assert result["mAP"] == 0
        assert [f.code for f in result.ledger.findings] == ["DET001"]
        assert result.ledger.images.only_truth == 3


def test_detections_share_the_lists_of_the_truth():
    truth, _ = read_truth({"image": [1, 2], "labels": ["cat", "dog"], "boxes": [[0, 0, 1, 1]] * 2}, XYXY)
    found, _ = read_detections({"image": [2], "labels": ["dog"], "boxes": [[0, 0, 1, 1]], "scores": [1]}, XYXY, truth)
    assert found.images is truth.images
    assert found.classes is truth.classes


def test_relative_boxes():
    truth, _ = read_truth(
        {"image": [1], "labels": [1], "boxes": [[0.5, 0.5, 0.25, 0.5]]},
        Reading(box="cxcywh", coords="relative", image_size=(200, 100)),
    )
    assert truth.corners.tolist() == [[75, 25, 125, 75]]


def test_each_side_has_its_own_form():
    truth = {"image": [1], "labels": [1], "boxes": [[10, 10, 5, 5]]}
    found = {"image": [1], "labels": [1], "boxes": [[10, 10, 15, 15]], "scores": [1]}
    result = bs.evaluate(truth, found, truth_box="xywh", detections_box="xyxy", protocol="voc2012")
    assert result["mAP"] == 1
