"""A metric uses every key that it declares and refuses every other one."""

from __future__ import annotations

from typing import Any

import pytest

import boxscore as bs
from boxscore import metrics
from boxscore.errors import BoxscoreError, UsageError
from boxscore.metrics.expression import KEYS, Expression

VALUES: dict[str, Any] = {
    "iou": 0.5, "area": "all", "max": 100, "score": 0.5, "class": "cat", "beta": 2.0, "frequency": "rare",
}  # fmt: skip
FIELDS = {"max": "cap", "class": "label"}


def a_result() -> bs.Result:
    truth = [{"boxes": [[0, 0, 10, 10], [20, 0, 30, 10]], "labels": ["cat", "dog"]}]
    found = [{"boxes": [[0, 0, 10, 9], [20, 0, 30, 10]], "labels": ["cat", "dog"], "scores": [0.9, 0.4]}]
    return bs.evaluate(truth, found, box="xyxy")


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
    result = a_result()
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
