"""A metric uses every key that it declares and refuses every other one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import boxscore as bs
from boxscore import metrics
from boxscore.errors import BoxscoreError, UsageError
from boxscore.metrics.expression import KEYS, Expression
from boxscore.tables.model import Classes
from small_tables import Found, Object, tables
from video_cases import video_tables

VALUES: dict[str, Any] = {
    "iou": 0.5, "area": "all", "max": 100, "score": 0.5, "class": "cat", "beta": 2.0, "frequency": "rare",
}  # fmt: skip
FIELDS = {"max": "cap", "class": "label"}


def a_result() -> bs.Result:
    truth = [{"boxes": [[0, 0, 10, 10], [20, 0, 30, 10]], "labels": ["cat", "dog"]}]
    found = [{"boxes": [[0, 0, 10, 9], [20, 0, 30, 10]], "labels": ["cat", "dog"], "scores": [0.9, 0.4]}]
    return bs.evaluate(truth, found, box="xyxy")


def a_result_of_relations() -> bs.Result:
    """Two relations whose objects are beside their subjects."""
    here, there = (0, 0, 10, 10), (20, 0, 30, 10)
    both = tables(
        [Object(1, "cat", here), Object(1, "dog", there)], [Found(1, "cat", here, 0.9), Found(1, "dog", there, 0.4)],
        classes=("cat", "dog"),
    )  # fmt: skip
    truth, found = (
        replace(
            table,
            end_boxes=np.hstack([table.corners, table.corners + 5.0]),
            end_labels=np.zeros((len(table), 2), np.int32),
            end_classes=Classes(("man",), ("man",)),
        )
        for table in both
    )
    return bs.evaluate(truth, found, protocol="openimages-vrd")


def a_result_of_videos() -> bs.Result:
    """A track of two frames, found in the second."""
    frames, box = [("v", 0), ("v", 1)], (0, 0, 40, 40)
    objects = [(frame, "cat", 1, box) for frame in frames]
    return bs.evaluate(
        *video_tables(objects, [(frames[1], "cat", 0.9, box)], frames, ["cat"]), protocol="average-delay"
    )


# Metrics that single boxes do not have.
OTHERS: dict[str, Callable[[], bs.Result]] = {
    "AD": a_result_of_videos, "phraseAP": a_result_of_relations, "VRDscore": a_result_of_relations,
}  # fmt: skip


class Watched(Expression):
    """An expression that remembers which of its fields were read."""

    read: set[str] = set()  # noqa: RUF012

    def __getattribute__(self, name: str) -> Any:
        Watched.read.add(name)
        return super().__getattribute__(name)


@pytest.mark.parametrize("name", metrics.REGISTRY)
def test_keys_that_a_metric_does_not_use_are_refused(name: str) -> None:
    result = a_result()
    for key in KEYS:
        text = f"{name}[{key}={VALUES[key]}]"
        if key not in metrics.USED[name]:
            with pytest.raises(UsageError, match=rf"{name} does not use {key} \(its keys are"):
                result[text]


@pytest.mark.parametrize("name", metrics.REGISTRY)
def test_declared_keys_are_looked_at(name: str) -> None:
    result = OTHERS.get(name, a_result)()
    assert result.numbers is not None
    for key in metrics.USED[name]:
        field = FIELDS.get(key, key)
        e = Watched(name, **{field: VALUES[key]})
        Watched.read = set()
        try:
            metrics.REGISTRY[name](result.numbers, e)
        except BoxscoreError:
            assert key == "frequency"  # the ground truth does not state how frequent its classes are
        assert field in Watched.read, key


@pytest.mark.parametrize("text", ["AP50[iou=0.75]", "APs[area=large]", "AR100[max=10]"])
def test_a_short_name_is_not_turned_into_another_metric(text: str) -> None:
    with pytest.raises(UsageError, match="does not fit"):
        a_result()[text]


def test_a_short_name_can_be_narrowed_down() -> None:
    result = a_result()
    assert result["AP50[class=dog]"] == result.per_class[1].metrics["AP50"]
    assert result["AP50[iou=0.5]"] == result["AP50"]
