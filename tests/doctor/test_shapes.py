"""The doctor looks at masks, polygons and keypoints: every mistake in them, and none where there is none."""

from __future__ import annotations

import json

import numpy as np
import pytest

from boxscore import doctor, evaluate

N = 20
POINTS = [v for k in range(17) for v in (20 + k, 20 + k, 2)]


def records(**changes):
    """Objects of 30 x 20 pixels on images of 100 x 80, each changed."""
    rows = []
    for k in range(N):
        x, y = 10 + k, 10 + k // 2
        row = {
            "id": k + 1, "image_id": k + 1, "category_id": 1, "bbox": [x, y, 30, 20], "area": 600, "iscrowd": 0,
            "segmentation": [[x, y, x + 30, y, x + 30, y + 20, x, y + 20]],
        }  # fmt: skip
        rows.append({**row, **{key: value(row) if callable(value) else value for key, value in changes.items()}})
    return rows


def truth(**changes):
    images = [{"id": k + 1, "file_name": f"{k}.jpg", "width": 100, "height": 80} for k in range(N)]
    return {"images": images, "categories": [{"id": 1, "name": "cat"}], "annotations": records(**changes)}


def codes(**changes):
    return {d.code for d in doctor(truth(**changes)) if d.code.startswith("SHP")}


def square(row):
    x, y, w, h = row["bbox"]
    return [[x, y, x + w, y + h, x + w, y, x, y + h]]  # a bow tie


FAULTS = {
    "SHP001": {"segmentation": {"size": [100, 80], "counts": [100, 50, 7850]}, "bbox": [1, 0, 1, 50], "area": 50},
    "SHP002": {"segmentation": {"size": [80, 100], "counts": [8000]}},
    "SHP101": {"bbox": lambda row: [row["bbox"][0] + 20, *row["bbox"][1:]], "area": 600},
    "SHP102": {"segmentation": square, "area": 300},
    "SHP103": {"segmentation": [[1, 1, 5, 5]]},
    "SHP104": {"area": 3000},
    "SHP105": {"keypoints": [200, 20, 2, *POINTS[3:]]},
    "SHP106": {"keypoints": [99, 79, 2, *POINTS[3:]]},
    "SHP107": {"segmentation": "none"},
}


def test_sound_shapes():
    assert codes() == set()
    assert codes(segmentation=[]) == set()


@pytest.mark.parametrize("code", FAULTS)
def test_a_fault_is_named(code, tmp_path):
    if code in ("SHP105", "SHP106"):  # read with everything, as for a corrected copy
        given = truth(**FAULTS[code])
        found = {d.code for d in doctor(given, shapes=True) if d.code.startswith("SHP")}
        assert code in found
        return
    assert code in codes(**FAULTS[code])


def test_a_mask_that_is_the_box_of_another_size_of_image(tmp_path):
    path = tmp_path / "t.json"
    path.write_text(json.dumps(truth(**FAULTS["SHP001"])))
    (one,) = [d for d in doctor(str(path)) if d.code == "SHP001"]
    assert one.count == N
    assert one.examples[0] == "t.json: record 0, image 0.jpg"


def test_an_evaluation_says_what_can_match_nothing():
    results = [
        {"image_id": row["image_id"], "category_id": 1, "score": 0.5,
         "segmentation": {"size": [80, 100], "counts": np.array([8000]).tolist()} if row["id"] == 1
         else {"size": [100, 80], "counts": [100, 50, 7850]}}
        for row in records()
    ]  # fmt: skip
    findings = {f.code: f for f in evaluate(truth(), results, protocol="coco-segm").ledger.findings}
    assert findings["SHP001"].text == "19 detections have a mask whose height and width are not those of the image"
    assert findings["SHP002"].text == "1 detection has a mask without a single pixel"
