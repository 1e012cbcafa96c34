"""Masks, polygons and oriented boxes in memory: every way to give them is the same evaluation."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from boxscore import evaluate
from boxscore.joining.read import ReadOptions, read_detections, read_truth
from boxscore.tables.oriented import corners_of
from boxscore.tables.runs import Runs

SIZE = (30, 40)  # height, width
BOXES = np.array([[2.0, 3.0, 12.0, 13.0], [20.0, 5.0, 30.0, 25.0]])
LABELS, SCORES = np.array([1, 2]), np.array([0.9, 0.8])


def bitmaps(boxes: Any = BOXES) -> Any:
    """A filled box is a mask."""
    made = np.zeros((len(boxes), *SIZE), np.bool_)
    for mask, (x0, y0, x1, y1) in zip(made, boxes.astype(int), strict=True):
        mask[y0:y1, x0:x1] = True
    return made


def runs(mask: Any) -> list[int]:
    flat = mask.T.ravel()
    ends = np.flatnonzero(np.diff(np.concatenate([[False], flat, [not flat[-1]]])))
    return np.diff(np.append(0, ends)).tolist()


def rles(masks: Any, form: str) -> list[dict[str, Any]]:
    forms = {"str": lambda c: Runs.of_counts(c).decode(), "bytes": Runs.of_counts, "list": list, "array": np.array}
    return [{"size": [*SIZE], "counts": forms[form](runs(mask))} for mask in masks]


def polygons(boxes: Any = BOXES) -> list[Any]:
    return [[[x0, y0, x1, y0, x1, y1, x0, y1]] for x0, y0, x1, y1 in boxes.tolist()]


WAYS = {
    "bool": bitmaps(), "uint8": bitmaps().astype(np.uint8), "255": bitmaps().astype(np.uint8) * 255,
    "soft": bitmaps()[:, None] * np.float32(0.7), "listed": list(bitmaps()),
    **{form: rles(bitmaps(), form) for form in ("str", "bytes", "list", "array")},
    "polygons": polygons(), "corners": [[np.array(one[0]).reshape(-1, 2)] for one in polygons()],
    "single": [np.array(one[0]).reshape(-1, 2) for one in polygons()],
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("boxes", [True, False])
def test_every_way_to_give_masks(way, boxes):
    shifted = bitmaps(BOXES + np.array([1, 0, 1, 0]))
    expected = evaluate(
        [{"masks": bitmaps(), "labels": LABELS}], [{"masks": shifted, "labels": LABELS, "scores": SCORES}],
        protocol="coco-segm",
    )  # fmt: skip
    given = {"masks": WAYS[way], "labels": LABELS, **({"boxes": BOXES} if boxes else {})}
    found = {"masks": shifted, "labels": LABELS, "scores": SCORES, **({"boxes": BOXES} if boxes else {})}
    result = evaluate([given], [found], protocol="coco-segm", box="xyxy", image_size=SIZE[::-1])
    assert 0 < result["AP"] < 1
    assert result["AP"] == expected["AP"]


def test_boxes_are_put_around_masks():
    table, findings = read_detections([{"masks": bitmaps(), "labels": LABELS, "scores": SCORES}], ReadOptions())
    assert table.corners.tolist() == BOXES.tolist()
    assert table.area.tolist() == [100.0, 200.0]
    assert table.images.width.tolist() == [40.0]
    assert [f.code for f in findings] == ["BOX010"]
    assert table.shapes is None  # nobody asked


def test_columns_of_rows():
    given = {"image": ["a", "b"], "masks": rles(bitmaps(), "bytes"), "labels": LABELS}
    table, _ = read_truth(given, ReadOptions(shapes=True))
    assert table.shapes.runs.counts(0) == runs(bitmaps()[0])
    assert table.corners.tolist() == BOXES.tolist()


TURNED = np.array([[20.0, 15.0, 10.0, 4.0, 0.3], [10.0, 10.0, 6.0, 6.0, 0.0]])


@pytest.mark.parametrize("given", [
    {"boxes": TURNED}, {"boxes": corners_of(TURNED)}, {"boxes": corners_of(TURNED).reshape(-1, 4, 2)},
    {"quads": corners_of(TURNED)}, {"quads": corners_of(TURNED).reshape(-1, 4, 2), "boxes": np.zeros((2, 4))},
])  # fmt: skip
def test_oriented_boxes(given):
    truth = [{**given, "labels": LABELS}]
    found = [{"boxes": TURNED + np.array([0.5, 0, 0, 0, 0.1]), "labels": LABELS, "scores": SCORES}]
    reference = evaluate([{"boxes": TURNED, "labels": LABELS}], found, protocol="coco-obb")
    assert 0 < reference["AP"] < 1
    assert evaluate(truth, found, protocol="coco-obb", box="xyxy")["AP"] == reference["AP"]


class Tensor:
    """As of torch, on another device: an array only after `cpu()`."""

    def __init__(self, values: Any) -> None:
        self.values = np.asarray(values, np.float32)

    def cpu(self) -> Any:
        return self.values


def supervision(**more: Any) -> Any:
    given = {"xyxy": BOXES, "mask": None, "confidence": SCORES, "class_id": LABELS, "tracker_id": None, "data": {}}
    return SimpleNamespace(**{**given, **more})


def ultralytics(**more: Any) -> Any:
    boxes = SimpleNamespace(xyxy=Tensor(BOXES), conf=Tensor(SCORES), cls=Tensor(LABELS))
    given = {"boxes": boxes, "masks": None, "obb": None, "keypoints": None, "orig_shape": SIZE, "path": "image0.jpg"}
    return SimpleNamespace(**{**given, "names": {1: "cat", 2: "dog"}, **more})


MASKED = {
    "supervision": supervision(mask=bitmaps()),
    "ultralytics, as large as the image": ultralytics(
        masks=SimpleNamespace(data=Tensor(bitmaps()), xy=[np.zeros((0, 2))] * 2)
    ),
    "ultralytics, polygons": ultralytics(
        masks=SimpleNamespace(
            data=Tensor(np.zeros((2, 64, 64))), xy=[np.array(p[0]).reshape(-1, 2) for p in polygons()]
        )
    ),
    "torchvision": {"boxes": BOXES, "labels": LABELS, "scores": SCORES, "masks": bitmaps()[:, None] * np.float32(0.9)},
}


@pytest.mark.parametrize("name", MASKED)
def test_objects_of_libraries_with_masks(name):
    truth = [{"masks": bitmaps(), "labels": LABELS}] * 2
    result = evaluate(truth, [MASKED[name]] * 2, protocol="coco-segm", box="xyxy")
    assert result["AR100"] == 1.0


def test_objects_of_libraries_by_image():
    coco = {
        "images": [{"id": 7, "file_name": "a.jpg", "width": 40, "height": 30}],
        "categories": [{"id": 10, "name": "cat"}, {"id": 20, "name": "dog"}],
        "annotations": [
            {"id": k, "image_id": 7, "category_id": 10 * k, "bbox": [x0, y0, x1 - x0, y1 - y0], "area": 1, "iscrowd": 0}
            for k, (x0, y0, x1, y1) in enumerate(BOXES.tolist(), 1)
        ],
    }  # fmt: skip
    named = supervision(class_id=np.array([0, 1]), data={"class_name": np.array(["cat", "dog"])})
    assert evaluate(coco, {"a.jpg": named})["AR100"] == 1.0
    assert evaluate(coco, [ultralytics(path="/data/a.jpg")])["AR100"] == 1.0


def test_oriented_boxes_of_libraries():
    quads = corners_of(TURNED).reshape(-1, 4, 2)
    truth = [{"boxes": TURNED, "labels": LABELS}]
    obb = SimpleNamespace(xyxyxyxy=Tensor(quads), xyxy=Tensor(BOXES), conf=Tensor(SCORES), cls=Tensor(LABELS))
    for one in (ultralytics(boxes=None, obb=obb), supervision(data={"xyxyxyxy": quads})):
        assert evaluate(truth, [one], protocol="coco-obb")["AP"] > 0.95  # the stand-in's tensors are single
