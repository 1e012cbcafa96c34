"""What is said of equal scores: how many there are, and how much their order can matter."""

from __future__ import annotations

import json
from typing import Any

import pytest

import boxscore as bs
from boxscore import Result
from boxscore.report.html import as_html
from boxscore.report.json import dumps
from boxscore.report.markdown import as_markdown
from boxscore.report.text import as_text


@pytest.fixture
def tied() -> Result:
    """A miss and a hit with one score."""
    truth: dict[str, Any] = {"image": [1], "boxes": [[0, 0, 10, 10]], "labels": ["cat"]}
    boxes = [[50, 50, 60, 60], [0, 0, 10, 10]]
    found: dict[str, Any] = {"image": [1, 1], "boxes": boxes, "labels": ["cat"] * 2, "scores": [0.5, 0.5]}
    return bs.evaluate(truth, found, box="xyxy", protocol="voc2012")


def test_the_ledger_counts_them(tied: Result) -> None:
    assert "of these, tied scores (same class)        2\n" in as_text([tied], ledger=True)
    assert "| of these, tied scores (same class) | 2 |" in as_markdown([tied], ledger=True)
    assert "<td>of these, tied scores (same class)</td><td>2</td>" in as_html([tied])
    assert json.loads(dumps([tied]))["results"][0]["ledger"]["tied"] == 2


def test_bounds_only_where_asked_for(tied: Result) -> None:
    assert "between" not in as_text([tied], ledger=True)
    assert "tie_bounds" not in json.loads(dumps([tied]))["results"][0]


def test_bounds(tied: Result) -> None:
    result = tied.with_tie_bounds()
    assert (
        "Equal scores            voc2012\n"
        "mAP between   0.5000 and 1.0000\n"
        "when tied scores are reordered (matching fixed)\n"
    ) in as_text([result])
    assert "| mAP between | 0.5000 and 1.0000 |" in as_markdown([result])
    assert "<td>mAP between</td><td>0.5000 and 1.0000</td>" in as_html([result])
    entry = json.loads(dumps([result]))["results"][0]
    assert entry["tie_bounds"] == {"mAP": [0.5, 1.0]}
    assert list(entry).index("tie_bounds") == list(entry).index("reasons") + 1


def test_bounds_are_stored(tied: Result) -> None:
    result = tied.with_tie_bounds()
    again = Result.from_dict(result.to_dict())
    assert again.bounds == result.bounds
    assert again.tie_bounds("mAP") == (0.5, 1.0)
    assert again.to_dict() == result.to_dict()


def test_undefined_bounds_are_null() -> None:
    truth: dict[str, Any] = {"image": [1], "boxes": [[0, 0, 10, 10]], "labels": ["cat"], "crowd": [1]}
    found: dict[str, Any] = {"image": [1], "boxes": [[0, 0, 10, 10]], "labels": ["cat"], "scores": [0.5]}
    result = bs.evaluate(truth, found, box="xyxy").with_tie_bounds()
    assert json.loads(dumps([result]))["results"][0]["tie_bounds"]["AP"] == [None, None]
    assert "between" not in as_text([result])
