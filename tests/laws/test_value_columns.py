"""Records in memory give the columns of their JSON, or nothing."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore import _core, _reference
from effort import examples

NAMES = ("integer", "number", "box", "string", "integers", "numbers", "shape", "mask")
FIELDS = [(name, kind) for kind, name in enumerate(NAMES)]
LAYOUT = [("images", [("id", 0), ("file_name", 3)]), ("annotations", FIELDS)]

whole = st.integers(-(10**18) + 1, 10**18 - 1)
numbers = st.one_of(st.floats(allow_nan=False, allow_infinity=False), st.integers(-(10**15), 10**15))
polygon = st.lists(st.one_of(st.floats(-700, 700), st.integers(-9, 700)), min_size=6, max_size=14).map(
    lambda some: some[: len(some) // 2 * 2]
)
letters = st.text([chr(c) for c in range(48, 112)], min_size=1, max_size=40)
counts = st.one_of(letters, st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=8))
sizes = st.lists(st.integers(1, 2**31 - 1), min_size=2, max_size=2)
shapes = st.one_of(
    st.lists(polygon, min_size=1, max_size=3),
    st.builds(lambda size, runs: {"size": size, "counts": runs}, sizes, counts),
    st.sampled_from([[], [[]], ""]),
)
values = {
    "integer": whole, "number": numbers, "box": st.lists(numbers, min_size=4, max_size=4),
    "string": st.text(st.characters(exclude_characters='"\\', exclude_categories=["Cs", "Cc"]), max_size=9),
    "integers": st.lists(whole, max_size=4), "numbers": st.lists(numbers, max_size=4), "shape": shapes, "mask": shapes,
}  # fmt: skip
rows = st.fixed_dictionaries({}, optional={k: st.one_of(st.none(), v) for k, v in values.items()})


def columns(records: Any, images: Any) -> Any:
    return _core.value_columns([images, records], LAYOUT, np.floating)


def assert_same(made: Any, defined: Any) -> None:
    if isinstance(defined, np.ndarray):
        np.testing.assert_array_equal(made, defined, strict=True)
    elif isinstance(defined, dict):
        assert made.keys() == defined.keys()
        for key, value in defined.items():
            assert_same(made[key], value)
    elif isinstance(defined, tuple):
        for one, other in zip(made, defined, strict=True):
            assert_same(one, other)
    else:
        assert made == defined


@settings(max_examples=examples(300))
@given(st.lists(rows, max_size=6), st.integers(0, 3))
def test_as_the_json(records: list[dict[str, Any]], n: int) -> None:
    images = [{"id": i, "file_name": f"{i}.jpg"} for i in range(n)]
    text = json.dumps({"images": images, "annotations": records}, ensure_ascii=False).encode()
    assert_same(columns(records, images), _reference.json_columns(text, -1, len(text), LAYOUT))


def test_many_records() -> None:
    mask = {"size": [3, 4], "counts": "52203"}
    records = [{"integer": i, "mask": mask if i % 3 else [[0, 0, i, 0, i, 5]], "box": [i, 1, 2, 3]} for i in range(999)]
    text = json.dumps({"images": [], "annotations": records}).encode()
    assert_same(columns(records, []), _core.json_columns(text, -1, len(text), LAYOUT, 1, 1 << 16, 2))


def test_numbers_of_numpy_and_texts_of_pycocotools() -> None:
    plain = [{"integer": 3, "number": 0.25, "box": [1.0, 2, 3, 4], "mask": {"size": [3, 4], "counts": "52203"}}]
    other = [
        {
            "integer": np.int64(3), "number": np.float32(0.25), "box": np.array([1.0, 2, 3, 4]),
            "mask": {"size": (np.int32(3), 4), "counts": b"52203"},
        }
    ]  # fmt: skip
    assert_same(columns(other, ()), columns(plain, []))


ODD = [
    {"integer": 1.0}, {"integer": True}, {"integer": "1"}, {"integer": 10**18}, {"integer": 2**70}, {"number": "1"},
    {"number": float("nan")}, {"number": float("inf")}, {"number": True}, {"number": np.bool_(True)},
    {"number": 10**400}, {"box": [1, 2, 3]}, {"box": "1234"}, {"box": [1, 2, 3, "4"]}, {"box": 5}, {"string": 5},
    {"string": "\ud800"}, {"integers": [1.5]}, {"integers": {1: 2}}, {"numbers": "12"}, {"numbers": [None]},
    {"mask": [[1, 2, 3, 4]]}, {"mask": [[1, 2, 3, 4, 5, 6], []]}, {"mask": [1, 2, 3, 4, 5, 6]}, {"mask": "x"},
    {"mask": {"size": [1, 1]}}, {"mask": {"size": [1, 1], "counts": "0", "x": 1}}, {"mask": {"size": 1, "counts": "0"}},
    {"mask": {"size": [0, 1], "counts": "0"}}, {"mask": {"size": [1, 2**31], "counts": "0"}},
    {"mask": {"size": [1, 1], "counts": ""}}, {"mask": {"size": [1, 1], "counts": []}},
    {"mask": {"size": [1, 1], "counts": "0 0"}}, {"mask": {"size": [1, 1], "counts": "\u00fc"}},
    {"mask": {"size": [1, 1], "counts": b"\xff"}}, {"mask": {"size": [1, 1], "counts": [-1]}},
    {"mask": {"size": [1, 1], "counts": [2**32]}}, {"mask": {"size": [1, 1], "counts": None}}, "record", None, [],
]  # fmt: skip


@pytest.mark.parametrize("record", ODD, ids=str)
def test_odd_values_are_left_to_others(record: Any) -> None:
    assert columns([{}, record], []) is None
    assert columns(5, []) is None
