"""COCO results in memory become the same tables as the file that holds them."""

from __future__ import annotations

import json

import numpy as np
import pytest

from boxscore import evaluate
from boxscore.errors import InputError
from boxscore.formats.coco.memory import Values
from boxscore.formats.coco.quick import results_layout
from boxscore.joining.read import ReadOptions, read_detections
from boxscore.tables.model import arrays_of

MASK = {"size": [4, 4], "counts": "52203"}
ONE = {"image_id": 1, "category_id": 2, "score": 0.5, "bbox": [1, 2, 3.5, 4], "segmentation": MASK}
NEEDS = ReadOptions(needs=("masks",))
UNBOXED = {key: value for key, value in ONE.items() if key != "bbox"}
BYTES = {**ONE, "segmentation": {"size": [4, 4], "counts": b"52203"}}
COUNTS = {**ONE, "segmentation": {"size": [4, 4], "counts": [5, 2, 2, 2, 5]}}
POLYGON = {**ONE, "segmentation": [[0, 0, 3, 0, 3, 3]]}


def plain(value):
    return json.loads(json.dumps(value, default=lambda v: v.decode() if isinstance(v, bytes) else v.tolist()))


@pytest.mark.parametrize("records", [
    [ONE], [ONE, {**ONE, "image_id": np.int64(7), "score": np.float32(0.25)}], [UNBOXED, UNBOXED], [BYTES, BYTES],
    [ONE, UNBOXED], [ONE, BYTES], [COUNTS], [POLYGON, ONE], [{**ONE, "bbox": np.array([1.0, 2, 3, 4])}],
    [{**ONE, "image_id": "7"}], [{**ONE, "file_name": "a.jpg"}], [{**ONE, "segmentation": []}],
])  # fmt: skip
@pytest.mark.parametrize("how", [NEEDS, ReadOptions(), ReadOptions(shapes=True)])
def test_as_from_a_file(tmp_path, records, how):
    path = tmp_path / "found.json"
    path.write_text(json.dumps(plain(records)))
    made, findings = read_detections(records, how)
    expected, of_file = read_detections(str(path), how)
    assert [(f.code, f.count) for f in findings] == [(f.code, f.count) for f in of_file if f.code != "FMT001"]
    assert list(made.images.key) == list(expected.images.key)
    columns, wanted = arrays_of(made), arrays_of(expected)
    assert columns.keys() == wanted.keys()
    for name, column in wanted.items():
        np.testing.assert_array_equal(columns[name], column, name)
    for kind in ("masks", "shapes"):
        one, other = getattr(made, kind), getattr(expected, kind)
        assert (one is None) == (other is None)
        if one is not None and one.runs is not None:
            assert [one.runs.text(i) for i in range(len(one.runs))] == [
                other.runs.text(i) for i in range(len(one.runs))
            ]


def test_usual_records_need_no_json(monkeypatch):
    monkeypatch.setattr(Values, "bytes", lambda self: pytest.fail("written as JSON"))
    for records in ([ONE] * 3, [UNBOXED] * 3, [BYTES] * 3):
        assert len(read_detections(records, NEEDS)[0]) == 3
    assert Values("r", None, value=[ONE]).json_columns(results_layout((), ""), 0) is not None


@pytest.mark.parametrize(("change", "message"), [
    ({"score": float("nan")}, "score"), ({"bbox": [1, 2, True, 4]}, "bbox"), ({"bbox": "1234"}, "bbox"),
    ({"score": True}, "score"), ({"segmentation": {"size": [4, 4], "counts": "5\u00fc"}}, "counts"),
    ({"segmentation": {"size": [4, 5], "counts": "52203"}}, "16 pixels"), ({"image_id": 1.5}, "image_id"),
])  # fmt: skip
def test_odd_values_have_messages(change, message):
    with pytest.raises(InputError, match=message):
        read_detections([ONE, {**ONE, **change}], NEEDS)


def test_masks_of_pycocotools():
    truth = {
        "images": [{"id": 1, "width": 4, "height": 4}], "categories": [{"id": 2, "name": "cat"}],
        "annotations": [{"id": 1, "image_id": 1, "category_id": 2, "bbox": [1, 1, 2, 2], "area": 4, "iscrowd": 0,
                         "segmentation": MASK}],
    }  # fmt: skip
    truth["annotations"][0]["segmentation"] = BYTES["segmentation"]
    assert evaluate(truth, [{**BYTES, "score": 0.9}], protocol="coco-segm")["AR100"] == 1.0
