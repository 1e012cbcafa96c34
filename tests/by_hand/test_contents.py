"""What a table holds, counted by hand."""

from __future__ import annotations

import json

import numpy as np
import pytest

from boxscore.analysis.contents import Histogram, contents
from boxscore.evaluation.ledger import ImageAccount
from boxscore.joining.read import ReadOptions, read_detections, read_truth
from boxscore.report.contents import as_markdown, as_text, dumps

IMAGES = [
    {"id": 1, "file_name": "a.jpg", "width": 100, "height": 50},
    {"id": 2, "file_name": "b.jpg", "width": 100, "height": 50},
]
BOXES = [
    {"id": 1, "image_id": 1, "category_id": 1, "bbox": [0, 0, 10, 20], "iscrowd": 1},
    {"id": 2, "image_id": 1, "category_id": 1, "bbox": [90, 0, 30, 20]},
    {"id": 3, "image_id": 1, "category_id": 2, "bbox": [5, 5, 0, 8]},
]
TRUTH = {"images": IMAGES, "annotations": BOXES, "categories": [{"id": 1, "name": "cat"}, {"id": 2, "name": "dog"}]}


def test_contents_by_hand():
    made = contents(read_truth(TRUTH)[0])
    assert (made.images, made.empty_images, made.boxes, made.flat, made.outside) == (2, 1, 3, 1, 1)
    assert [(c.name, c.boxes, c.images, c.width, c.height) for c in made.classes] == [
        ("cat", 2, 1, 20.0, 20.0),
        ("dog", 1, 1, 0.0, 8.0),
    ]
    assert made.quantiles["boxes per image"] == (0.0, pytest.approx(0.15), 0.75, 1.5, 2.25, pytest.approx(2.85), 3.0)
    assert dict(made.holds) == {"image sizes": 2, "image ids": 2, "object ids": 3, "flag 'crowd'": 1}
    sizes = made.histograms[0]
    assert sum(sizes.counts) == 2  # degenerate boxes have no size
    assert sizes.counts[1] == sizes.counts[2] == 1  # sides of 14.1 and 24.5


def test_a_bin_has_its_lower_edge():
    assert Histogram.of("x", np.array([0, 1, 1, 4, 5]), (0, 1, 4, np.inf)).counts == (1, 2, 2)


def test_no_boxes():
    made = contents(read_detections([])[0])
    assert made.boxes == 0
    assert "n/a" in as_text([made])
    assert json.loads(dumps([made], None, "1"))["contents"][0]["quantiles"]["width"]["0.5"] is None


def test_reports_agree():
    truth = read_truth(TRUTH)[0]
    found = read_detections([{"image_id": 1, "category_id": 1, "bbox": [0, 0, 10, 20], "score": 0.5}], None, truth)[0]
    made, account = [contents(truth), contents(found)], ImageAccount(2, 1, 1, 1, 0)
    text, page, data = as_text(made, account), as_markdown(made, account), json.loads(dumps(made, account, "1"))
    assert data["images"] == {"truth": 2, "detections": 1, "matched": 1, "only_truth": 1, "only_detections": 0}
    assert [c["boxes"] for c in data["contents"]] == [3, 1]
    for name in ("cat", "Quantiles", "only in the truth"):
        assert name in text
        assert name in page


def test_rows_with_shapes():
    masks = np.zeros((2, 10, 10), np.bool_)
    masks[0, 2:4, 2:6] = True
    masks[1, 0:5, 0:5] = True
    given = [
        {"masks": masks, "boxes": [[2, 2, 6, 4], [0, 0, 10, 5]], "labels": [1, 1]},
        {"masks": [], "boxes": [], "labels": []},
    ]
    made = contents(read_truth(given, ReadOptions(box="xyxy", shapes=True))[0])
    assert made.shapes == (("masks", 2),)
    assert made.quantiles["mask pixels"][0] == 8
    assert made.quantiles["mask / box"][::6] == (0.5, 1.0)
    polygons = [{"masks": [[[0, 0, 4, 0, 4, 4], [6, 6, 8, 6, 8, 8, 6, 8]]], "labels": [1]}]
    made = contents(read_truth(polygons, ReadOptions(shapes=True))[0])
    assert made.shapes == (("polygons", 1),)
    assert made.quantiles["corners per polygon"][::6] == (3.0, 4.0)
    assert "mask pixels" not in made.quantiles  # nothing says how large the image is
