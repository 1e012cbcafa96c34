"""Shapes and lists of numbers in JSON records: equal to the definition, wherever the borders of blocks fall."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore import _core, _reference
from boxscore.formats.io.rle import counts_of, text_of
from effort import examples

INTEGER, NUMBERS, SHAPE, MASK = 0, 5, 6, 7
FIELDS = [("id", INTEGER), ("segmentation", SHAPE), ("keypoints", NUMBERS)]
LIST = [("", FIELDS)]
TABLES = [("images", [("id", INTEGER)]), ("annotations", FIELDS)]
DRAWN = [("id", INTEGER), ("segmentation", MASK)]
Columns = dict[str, dict[str, tuple[Any, ...]]] | None

gaps = st.sampled_from(["", " ", "\n  ", "\r\n\t"])


def listed(items: list[str], gap: str) -> str:
    return f"[{gap}{f'{gap},{gap}'.join(items)}{gap}]"


def record(pairs: list[tuple[str, str]], gap: str) -> str:
    return f"{{{gap}{f'{gap},{gap}'.join(f'{json.dumps(k)}{gap}:{gap}{v}' for k, v in pairs)}{gap}}}"


numbers = st.one_of(
    st.builds(lambda n, places: f"{n:.{places}f}", st.floats(-700, 700), st.integers(0, 7)),
    st.integers(-(10**9), 10**9).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.sampled_from(["0", "-0", "-0.0", "0.5", "1e2", "1.5E-3", "1234567", "12345678", "123456.7", "1234567.8"]),
)
polygon = st.lists(numbers, min_size=6, max_size=14).map(lambda some: some[: len(some) // 2 * 2])
letters = st.text([chr(c) for c in range(48, 112)], min_size=1, max_size=40)
backslashes = st.text(["\\", "0", "o"], min_size=1, max_size=20)
sides = st.one_of(st.integers(1, 2000), st.sampled_from([1, 2**31 - 1])).map(str)
counts = st.lists(st.one_of(st.integers(0, 40), st.integers(0, 2**32 - 1)).map(str), min_size=1, max_size=8)


@st.composite
def masks(draw: st.DrawFn, gap: str) -> str:
    texts, lists = st.one_of(letters, backslashes).map(json.dumps), counts.map(lambda some: listed(some, gap))
    pairs = [("size", listed([draw(sides), draw(sides)], gap)), ("counts", draw(st.one_of(texts, lists)))]
    return record(draw(st.permutations(pairs)), gap)


@st.composite
def rows(draw: st.DrawFn, gap: str) -> str:
    """A record: keys in any order, any absent, null or empty, and others that look like the border of records."""
    shapes = st.one_of(
        masks(gap),
        st.lists(polygon, min_size=1, max_size=3).map(lambda some: listed([listed(p, gap) for p in some], gap)),
        st.sampled_from(["null", "[]", '""', "[[]]", f"[{gap}[{gap}]{gap}]"]),
    )
    values = {
        "id": st.integers(-5, 10**18 - 1).map(str),
        "segmentation": shapes,
        "keypoints": st.one_of(st.lists(numbers, max_size=6).map(lambda some: listed(some, gap)), st.just("null")),
        "parts": st.just(listed([record([("id", "1")], gap), record([("id", "2")], gap)], gap)),
        "mask": masks(gap),
    }
    keys = draw(st.lists(st.sampled_from([*values]), max_size=5, unique=True))
    return record([(key, draw(values[key])) for key in keys], gap)


@st.composite
def documents(draw: st.DrawFn) -> tuple[bytes, Any]:
    gap = draw(gaps)
    text = listed(draw(st.lists(rows(gap), max_size=6)), gap)
    if draw(st.booleans()):
        return text.encode(), draw(st.sampled_from([LIST, [("", DRAWN)]]))
    images = listed([record([("id", "1")], gap), record([], gap)], gap)
    tables = [TABLES[0], ("annotations", draw(st.sampled_from([FIELDS, DRAWN])))]
    return record([("info", record([], gap)), ("images", images), ("annotations", text)], gap).encode(), tables


def read(text: bytes, layout: Any, block: int | None = None, threads: int = 1) -> Columns:
    made: Columns = _core.json_columns(text, -1, len(text), layout, len(layout) - 1, block or len(text) + 1, threads)
    return made


def assert_same(column: Any, defined: Any) -> None:
    assert type(column) is type(defined)
    if isinstance(defined, np.ndarray):
        np.testing.assert_array_equal(column, defined, strict=True)
    elif isinstance(defined, dict):
        assert column.keys() == defined.keys()
        for key, value in defined.items():
            assert_same(column[key], value)
    elif isinstance(defined, tuple):
        for one, other in zip(column, defined, strict=True):
            assert_same(one, other)
    else:
        assert column == defined


@settings(max_examples=examples(300))
@given(documents(), st.integers(1, 400), st.integers(1, 4))
def test_any_block_size_and_thread_count(document: tuple[bytes, Any], block: int, threads: int) -> None:
    text, layout = document
    defined = _reference.json_columns(text, -1, len(text), layout)
    assert defined is not None
    assert_same(read(text, layout), defined)
    for n in (1, threads):
        made = read(text, layout, block, n)
        if made is not None or b"parts" not in text:  # a value of many blocks that looks like records
            assert_same(made, defined)


@settings(max_examples=examples(200))
@given(documents(), st.integers(1, 400), st.data())
def test_a_truncated_text_is_never_believed(document: tuple[bytes, Any], block: int, data: st.DataObject) -> None:
    text, layout = document
    cut = text[: data.draw(st.integers(0, len(text) - 1))]
    assert read(cut, layout) is None
    assert read(cut, layout, block, 2) is None


@settings(max_examples=examples(200))
@given(st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=12))
def test_runs_become_coco_text(runs: list[int]) -> None:
    text = json.dumps([{"segmentation": {"size": [3, 4], "counts": runs}}]).encode()
    made = read(text, LIST)
    assert made is not None
    kind, value_ends, values, letter_ends, written = made[""]["segmentation"][2]
    assert (kind.tolist(), value_ends.tolist(), values.tolist()) == ([2], [2], [3.0, 4.0])
    assert written.tobytes().decode() == text_of(runs)
    assert letter_ends.tolist() == [len(written)]
    assert counts_of(written.tobytes()) == runs


def test_a_damaged_text_never_gives_other_values() -> None:
    rng = random.Random(2)
    shapes: list[Any] = [
        {"size": [480, 640], "counts": "0Ab\\c`o1"}, [[1, 2.5, 3, 4, 5.25, 6]], [],
        {"counts": [5, 2, 2, 2, 5], "size": [4, 4]}, [[1, 2, 3, 4, 5, 6], [10.5, 2, 3, 4, 5, 6, 7, 8]],
    ]  # fmt: skip
    whole = json.dumps([{"id": i, "segmentation": s, "keypoints": [1, 2.5, 2]} for i, s in enumerate(shapes)]).encode()
    both = 0
    for _ in range(3000):
        text = bytearray(whole)
        for _ in range(rng.choice((1, 1, 2))):
            at = rng.randrange(len(text))
            text[at : at + rng.choice((0, 1, 1))] = bytes(rng.choices(b'{}[],:"\\/ 0123456789.eE-nulo\x01\xff', k=1))
        defined = _reference.json_columns(bytes(text), -1, len(text), LIST)
        assert_same(read(bytes(text), LIST), defined)
        made = read(bytes(text), LIST, rng.choice((20, 60, 200)), 2)
        assert_same(made, defined)
        both += made is not None
    assert both > 500


USUAL = [
    "null", "[]", "[ ]", '""', "[[]]", " [ [ ] ] ", "[[1,2,3,4,5,6]]", '{"size":[1,1],"counts":"0"}',
    '{"counts":[0],"size":[2147483647,1]}', '{"size":[1,1],"counts":"\\\\"}', '{"size":[1,1],"counts":[-0,4294967295]}',
    '{ "counts" : [ 1 , 2 ] , "size" : [ 3 , 4 ] }',
]  # fmt: skip
UNUSUAL = [
    "[1,2,3,4,5,6]", "[[1,2,3,4,5,6],[]]", "[[],[1,2,3,4,5,6]]", "[[],[]]", "[[1,2,3,4,5]]", "[[1,2,3,4]]",
    "[[1,2,3,4,5,6,7]]", "[[[1,2,3,4,5,6]]]", "[[1,2,3,4,5,null]]", '[[1,2,3,4,5,"6"]]', "[[1,2,3,4,5,1e999]]",
    "[[1,2,3,4,5,NaN]]", "[[1,2,3,4,5,06]]", "[[1,2,3,4,5,6.]]", "[[1,2,3,4,5,.6]]", "[[1,2,3,4,5,6],]", "[null]",
    "[{}]", '""x', '"0"', '" "', "1", "true", "{}", '{"size":[1,1]}', '{"counts":"0"}',
    '{"size":[1,1],"counts":"0","x":1}', '{"x":1,"size":[1,1],"counts":"0"}', '{"size":[1,1],"size":[1,1]}',
    '{"size":[1,1],"counts":"0","counts":"0"}', '{"counts":"0","counts":"0","size":[1,1]}',
    '{"\\u0073ize":[1,1],"counts":"0"}', '{"size":[1],"counts":"0"}', '{"size":[1,1,1],"counts":"0"}',
    '{"size":[0,1],"counts":"0"}', '{"size":[-1,1],"counts":"0"}', '{"size":[2147483648,1],"counts":"0"}',
    '{"size":[1.0,1],"counts":"0"}', '{"size":null,"counts":"0"}', '{"size":"11","counts":"0"}',
    '{"size":[1,1],"counts":null}', '{"size":[1,1],"counts":""}', '{"size":[1,1],"counts":[]}',
    '{"size":[1,1],"counts":[-1]}', '{"size":[1,1],"counts":[4294967296]}', '{"size":[1,1],"counts":[1.0]}',
    '{"size":[1,1],"counts":["1"]}', '{"size":[1,1],"counts":"\\/"}', '{"size":[1,1],"counts":"/"}',
    '{"size":[1,1],"counts":"p"}', '{"size":[1,1],"counts":"0000000p"}', '{"size":[1,1],"counts":"\\u0030"}',
    '{"size":[1,1],"counts":"\\n"}', '{"size":[1,1],"counts":"\\""}', '{"size":[1,1],"counts":"\\\\\\"}',
    '{"size":[1,1],"counts":"é"}', '{"size":[1,1],"counts":"0 0"}', '{"size":[1,1],"counts":"0}', '{"size":[1,1]',
    '{"size":[1,1],"counts":"0",}', '{"size":[1,1] "counts":"0"}', '{"size":[1,1],"counts" "0"}',
]  # fmt: skip


@pytest.mark.parametrize("value", [*USUAL, *UNUSUAL])
def test_one_shape(value: str) -> None:
    for text in (f'[{{"segmentation":{value}}}]', f'[{{"id":1}}, {{"segmentation": {value} , "id":2}}]'):
        content = text.encode()
        defined = _reference.json_columns(content, -1, len(content), LIST)
        assert (defined is not None) == (value in USUAL)
        for block in (None, 1, 7):
            assert_same(read(content, LIST, block, 2), defined)


@pytest.mark.parametrize("byte", range(256))
def test_every_byte_at_every_place_of_a_text(byte: int) -> None:
    for place in range(17):
        text = bytearray(b"0" * 17)
        text[place] = byte
        content = b'[{"segmentation":{"size":[1,1],"counts":"' + bytes(text) + b'"}}]'
        made = read(content, LIST)
        assert (made is not None) == (48 <= byte < 112 and byte != 92)
        assert made is None or made[""]["segmentation"][2][4].tobytes() == bytes(text)


def test_borders_inside_of_records_cost_no_result() -> None:
    """Lists of objects in records look like records; blocks that were cut there are put together again."""
    parts = [{"id": k, "box": [k, 1.5]} for k in range(9)]
    rows = [{"parts": parts, "segmentation": [[1, 2, 3, 4, 5, i]], "id": i} for i in range(500)]
    text = json.dumps(rows).encode()
    defined = _reference.json_columns(text, -1, len(text), LIST)
    for block in (500, 1 << 12, 1 << 14):
        assert_same(read(text, LIST, block, 3), defined)
