"""What people have in a notebook: tensors, dictionaries of libraries, arrays with stated columns, data frames.

No library is imported: stand-ins have the attributes and the refusals of the real ones.
"""

from __future__ import annotations

import inspect
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import boxscore as bs
from boxscore.formats.io.keywords import ReadKeywords
from boxscore.formats.io.options import NAMES

BOXES = [[10.0, 10.0, 50.0, 50.0], [60.0, 20.0, 90.0, 70.0]]
TRUTH = [{"boxes": BOXES, "labels": [1, 2]}]
ONE = pytest.approx(1, abs=1e-12)  # means of ones are one but for the last bit


class Tensor:
    """As PyTorch's: no NumPy array before it is detached, in main memory, and of a type that NumPy has."""

    def __init__(self, values: Any, grad: bool = False, device: str = "cpu", dtype: str = "torch.float32") -> None:
        self.values, self.grad, self.device, self.dtype = np.asarray(values), grad, device, dtype

    @property
    def shape(self) -> tuple[int, ...]:
        return self.values.shape

    @property
    def ndim(self) -> int:
        return self.values.ndim

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, i: Any) -> Tensor:
        return Tensor(self.values[i], self.grad, self.device, self.dtype)

    def detach(self) -> Tensor:
        return Tensor(self.values, False, self.device, self.dtype)

    def cpu(self) -> Tensor:
        return Tensor(self.values, self.grad, "cpu", self.dtype)

    def float(self) -> Tensor:
        return Tensor(self.values.astype(np.float32), self.grad, self.device)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        if self.grad:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        if self.device != "cpu":
            raise TypeError("can't convert cuda:0 device type tensor to numpy.")
        if self.dtype == "torch.bfloat16":
            raise TypeError("Got unsupported ScalarType BFloat16")
        half = {"torch.float16": np.float16}.get(self.dtype)
        return self.values.astype(half or self.values.dtype)


KINDS = {
    "plain": {}, "gradients": {"grad": True}, "on a device": {"device": "cuda:0"},
    "half": {"dtype": "torch.float16"}, "bfloat16": {"dtype": "torch.bfloat16"},
    "all of it": {"grad": True, "device": "cuda:0", "dtype": "torch.bfloat16"},
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_tensors_of_torchvision_and_detr(kind):
    """Both give a dictionary per image with boxes, labels and scores."""
    found = [{"boxes": Tensor(BOXES, **KINDS[kind]), "labels": Tensor([1, 2]),
              "scores": Tensor([0.875, 0.5], **KINDS[kind])}]  # fmt: skip
    assert bs.evaluate(TRUTH, found, box="xyxy")["AP"] == ONE
    assert bs.read_detections(found, box="xyxy")[0].score.tolist() == [0.875, 0.5]


def test_scores_as_a_list_of_single_tensors():
    found = [{"boxes": BOXES, "labels": [1, 2], "scores": [Tensor(0.875, grad=True), Tensor(0.5, grad=True)]}]
    assert bs.read_detections(found, box="xyxy")[0].score.tolist() == [0.875, 0.5]


def test_targets_of_torchvision():
    targets = [{"boxes": Tensor(BOXES), "labels": Tensor([1, 2]), "image_id": Tensor([7]),
                "area": Tensor([1600.0, 1500]), "iscrowd": Tensor([0, 1])}]  # fmt: skip
    truth, _ = bs.read_truth(targets, box="xyxy")
    assert truth.images.id.tolist() == [7]
    assert truth.flags.tolist() == [0, int(bs.Flag.CROWD)]


def test_targets_of_hugging_face():
    targets = [{"boxes": Tensor([[0.3, 0.3, 0.4, 0.4]]), "class_labels": Tensor([1]), "image_size": [100, 100]}]
    truth, _ = bs.read_truth(targets, box="cxcywh", coords="relative")
    assert truth.corners == pytest.approx(np.array([[10, 10, 50, 50]]), abs=1e-12)


COLUMNS = "x1 y1 x2 y2 score label"


@pytest.mark.parametrize("columns", [COLUMNS, COLUMNS.split(), "x1, y1, x2, y2, score, label"])
def test_arrays_with_stated_columns(columns):
    rows = np.array([[*BOXES[0], 0.875, 1], [*BOXES[1], 0.5, 2]], np.float32)
    truth = [np.array([[*BOXES[0], 1], [*BOXES[1], 2]])]
    how: dict[str, Any] = {"detections_columns": columns, "truth_columns": "x1 y1 x2 y2 label"}
    assert bs.evaluate(truth, [rows], **how)["AP"] == ONE
    assert bs.evaluate(TRUTH, [Tensor(rows, grad=True)], truth_box="xyxy", detections_columns=columns)["AP"] == ONE
    assert bs.evaluate({"a": truth[0]}, {"a": rows}, **how)["AP"] == ONE


def test_columns_in_another_order_and_form():
    rows = np.array([[1, 0.875, 10, 10, 40, 40]])
    made, _ = bs.read_detections([rows], detections_columns="label score x y w h")
    assert (made.corners.tolist(), made.score.tolist(), made.label.tolist()) == ([BOXES[0]], [0.875], [0])


def test_one_array_with_a_column_of_images():
    rows = np.array([[5, *BOXES[0], 0.875, 1], [9, *BOXES[1], 0.5, 2]])
    made, _ = bs.read_detections(rows, detections_columns="image x1 y1 x2 y2 score label")
    assert made.images.id.tolist() == [5, 9]


def test_images_without_detections():
    made, _ = bs.read_detections([np.zeros((0, 6)), np.zeros(0)], detections_columns=COLUMNS)
    assert (len(made), len(made.images)) == (0, 2)


def test_an_array_without_stated_columns_is_a_question():
    with pytest.raises(bs.InputError, match=r"detections_columns='x1 y1 x2 y2 score label'"):
        bs.evaluate(TRUTH, [np.zeros((2, 6))], box="xyxy")


@pytest.mark.parametrize("number", [int, np.int64])
def test_classes_by_number(number):
    found = [{"boxes": BOXES, "labels": [1, 3], "scores": [0.9, 0.8]}]
    truth = [{"boxes": BOXES, "labels": [1, 3]}]
    result = bs.evaluate(truth, found, box="xyxy", classes={number(3): "dog", number(1): "cat", number(9): "owl"})
    made, _ = bs.read_truth(truth, box="xyxy", classes={number(3): "dog", number(1): "cat", number(9): "owl"})
    assert made.classes == bs.Classes(("cat", "dog", "owl"), (1, 3, 9))
    assert result["AP"] == ONE


def test_classes_numbered_from_0_are_a_list():
    assert bs.ReadOptions(classes={1: "dog", 0: "cat"}).classes == ("cat", "dog")


FRAMES = {
    "pandas of YOLOv5": {"xmin": [10.0], "ymin": [10.0], "xmax": [50.0], "ymax": [50.0], "confidence": [0.9],
                         "class": [1], "name": ["cat"], "image": ["a"]},
    "names alone": {"x1": [10], "y1": [10], "x2": [50], "y2": [50], "conf": [0.9], "class_name": ["1"],
                    "image_name": ["a"]},
    "Open Images": {"ImageID": ["a"], "LabelName": ["1"], "Confidence": [0.9], "XMin": [10], "YMin": [10], "XMax": [50],
                    "YMax": [50]},
    "centres": {"image_id": ["a"], "label": [1], "score": [0.9], "x_center": [30], "y_center": [30], "width": [40],
                "height": [40]},
    "underscores": {"image": ["a"], "cls": [1], "conf": [0.9], "x_min": [10], "y_min": [10], "x_max": [50],
                    "y_max": [50]},
}  # fmt: skip


@pytest.mark.parametrize("name", FRAMES)
def test_frames_with_usual_names(name):
    made, _ = bs.read_detections(pd.DataFrame(FRAMES[name]))
    assert made.corners.tolist() == [BOXES[0]]
    assert (made.classes.name, made.score.tolist(), list(made.images.key)) == (("1",), [0.9], ["a"])


def test_a_frame_of_another_library():
    """As polars answers: columns is a list, a column is no NumPy array."""

    class Frame:
        columns = ("image", "label", "score", "x1", "y1", "x2", "y2")

        def __getitem__(self, name: str) -> Any:
            values = dict(zip(self.columns, (["a"], [1], [0.9], [10], [10], [50], [50]), strict=True))
            return SimpleNamespace(__array__=None) if name not in values else np.array(values[name])

    made, _ = bs.read_detections(Frame())
    assert made.corners.tolist() == [BOXES[0]]


# functions as people see them


FUNCTIONS = (bs.evaluate, bs.evaluate_many, bs.doctor, bs.explain, bs.read_truth, bs.read_detections)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_keyword_is_shown_with_its_type(function):
    shown = inspect.signature(function).parameters
    assert {*NAMES} <= {*shown}
    assert not [p for p in shown.values() if p.kind is p.VAR_KEYWORD]
    assert all(p.annotation is not p.empty for p in shown.values())
    assert shown["box"].annotation == "str | None"
    assert shown["box"].default is None


def test_keywords_are_the_options():
    assert list(ReadKeywords.__annotations__) == list(NAMES)


def test_dir_shows_public_names():
    assert sorted(dir(bs)) == sorted([*bs.__all__, "__version__"])


ODD: list[Any] = [
    5, 1.5, None, True, object(), b"bytes", {1, 2}, [1, 2], [[1, 2]], [None], {"a": 1}, {"boxes": 5, "labels": 5},
    [{"boxes": "x", "labels": [1], "scores": [1]}], [{"boxes": [[1, 2]], "labels": [1], "scores": [1]}],
    [{"boxes": [[1, 2, 3, "x"]], "labels": [1], "scores": [1]}], [{"boxes": BOXES, "labels": object(), "scores": [1]}],
    [{"boxes": BOXES, "labels": [[1], [2]], "scores": [0.1, 0.2]}],
    [{"boxes": BOXES, "labels": [1, 2], "scores": "ab"}],
    np.array("x"), np.zeros(3), np.zeros((2, 2, 2)), lambda: 1, range(3), "", "no such file", [object()],
    [SimpleNamespace(xyxy=1, confidence=None, class_id=None)], [SimpleNamespace(boxes=1, orig_shape=2, names=3)],
    SimpleNamespace(columns=5, __getitem__=None), [{"boxes": {}, "labels": {}, "scores": {}}], {None: None}, [[]],
    SimpleNamespace(xyxy=np.zeros((1, 4)), confidence=np.ones(1), class_id=np.zeros(1, int)), (1,), iter([1]),
]  # fmt: skip


@pytest.mark.parametrize("odd", ODD, ids=[f"{type(one).__name__} {i}" for i, one in enumerate(ODD)])
def test_odd_values_get_our_errors(odd):
    good = [{"boxes": BOXES, "labels": [1, 2], "scores": [0.9, 0.8]}]
    for truth, found in ((odd, good), (TRUTH, odd)):
        doctored = () if odd is None or isinstance(odd, str) else (bs.doctor,)  # a path is a diagnosis
        for function in (bs.evaluate, *doctored):
            with pytest.raises(bs.BoxscoreError):
                function(truth, found, box="xyxy")
    for name in NAMES:
        if name not in ("shapes", "tell", "map_classes", "images"):
            try:
                bs.ReadOptions(**{name: odd})
            except bs.BoxscoreError:
                continue
