"""The quick and the careful way of reading a COCO file give the same table."""

from __future__ import annotations

import json
from dataclasses import fields

import numpy as np
import pytest

from boxscore.formats.io.source import Source
from boxscore.joining.read import read_detections, read_truth
from odd_coco import RESULTS, TRUTH, write


def changed(**sections):
    return {**TRUTH, **sections}


def same(a, b):
    """Equal tables, column by column."""
    assert list(a.images.key) == list(b.images.key)
    assert a.classes == b.classes
    for part in ("images", ""):
        one, other = (getattr(t, part) if part else t for t in (a, b))
        for f in fields(one):
            x, y = getattr(one, f.name), getattr(other, f.name)
            if isinstance(x, np.ndarray) or isinstance(y, np.ndarray):
                np.testing.assert_array_equal(x, y)
                assert x.dtype == y.dtype, f.name


VALID_TRUTH = {
    "usual": TRUTH,
    "no file names": changed(images=[{"id": i, "width": 4} for i in (5, 3, 9)]),
    "some file names": changed(images=[{"id": 5, "file_name": "x"}, {"id": 3}, {"id": 9, "file_name": None}]),
    "no areas, no flags, no ids": changed(annotations=[
        {"image_id": 3, "category_id": 20, "bbox": [1, 2, 3, 4]},
        {"image_id": 9, "category_id": 10, "bbox": [0, 0, 0, 0]},
    ]),
    "some ids": changed(annotations=[{**a, "id": a["id"] if a["id"] > 1 else None} for a in TRUTH["annotations"]]),
    "repeated annotation ids": changed(annotations=[{**a, "id": 7} for a in TRUTH["annotations"]]),
    "unlisted images": changed(annotations=[{**a, "image_id": 99} for a in TRUTH["annotations"]]),
    "unlisted classes": changed(annotations=[{**a, "category_id": 98} for a in TRUTH["annotations"]]),
    "no annotations": changed(annotations=[]),
    "nothing": {"images": [], "annotations": [], "categories": []},
    "a file twice": changed(images=[*TRUTH["images"], {"id": 4, "file_name": "b.jpg"}]),
    "CityPersons' names": changed(images=[{"id": i, "im_name": f"{i}.png"} for i in (5, 3, 9)]),
    "addresses": changed(images=[{"id": i, "coco_url": f"http://x.org/val/{i}.png"} for i in (5, 3, 9)]),
    "sizes of -1 and 0": changed(images=[{**i, "width": -1, "height": i["id"] - 3} for i in TRUTH["images"]]),
    "no names of classes": changed(categories=[]),
    "other order": dict(reversed(list(TRUTH.items()))),
}  # fmt: skip


@pytest.mark.parametrize("name", VALID_TRUTH)
@pytest.mark.parametrize("indent", [None, 2])
def test_both_ways_of_reading_truth_give_the_same_table(tmp_path, monkeypatch, name, indent):
    for ascii_only in (True, False):
        path = write(tmp_path / "t.json", json.dumps(VALID_TRUTH[name], indent=indent, ensure_ascii=ascii_only))
        quick, findings = read_truth(path)
        with monkeypatch.context() as patch:
            patch.setattr(Source, "json_columns", lambda *_: None)
            careful, more = read_truth(path)
        same(quick, careful)
        assert findings == more


@pytest.mark.parametrize(
    "value",
    [
        RESULTS,
        [],
        RESULTS[:1],
        [{**r, "extra": {"a": [1, None]}} for r in RESULTS],
        [{**r, "file_name": f"{r['image_id']}.jpg"} for r in RESULTS],
        [{**r, "file_name": name} for r, name in zip(RESULTS, ["x.jpg", "07.jpg", "7.jpg"], strict=True)],
    ],
)
def test_both_ways_of_reading_results_give_the_same_table(tmp_path, monkeypatch, value):
    path, truth = write(tmp_path / "r.json", value), read_truth(write(tmp_path / "t.json", TRUTH))[0]
    for known in (None, truth):
        quick, findings = read_detections(path, None, known)
        with monkeypatch.context() as patch:
            patch.setattr(Source, "json_columns", lambda *_: None)
            careful, more = read_detections(path, None, known)
        same(quick, careful)
        assert findings == more == []
