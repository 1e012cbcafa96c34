"""Odd ways to write JSON, one by one: which of them the kernel reads, and that it reads them as they are defined."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore import _core, _reference
from effort import examples

LAYOUT = [("", [("id", 0), ("score", 1), ("bbox", 2), ("name", 3), ("ids", 4)])]
USUAL = [
    '[{"id":1,"score":2,"bbox":[1,2,3,4],"name":"a"}]',
    '[{"x":1,"x":2,"id":-0}]',
    '[{"x":{"\\u0061":"\\""},"id":3}]',
    '[{"name":"\\u00e9"},{}]',
    '[{},{"id":0}]',
    '[{"name":null},{"id":0,"name":"a"},{"score":1},{"name":"b"}]',
    "[]",
    " [ ] ",
    "{}",
    '[{"x":[[]],"y":{},"z":[{}, {}]}]',
    '[{"id":999999999999999999,"score":1e-300}]',
    '[{"ids":[]},{"ids":[ 3 ]},{"ids":[1,-2 , 999999999999999999]}]',
    '[{"ids":[7]},{"ids":null},{},{"ids":[ ]},{"ids":[8,8]}]',
    '[{"ids":null}]',
]
UNUSUAL = [
    '[{"id":1,"id":1}]',
    '[{"id":1,"id":null}]',
    '[{"id":null,"id":null}]',
    '[{"id":null,"id":1}]',
    '[{"\\u0069d":1}]',
    '[{"x\\"":1}]',
    '[{"id":1.0}]',
    '[{"id":1e3}]',
    '[{"id":true}]',
    '[{"id":"1"}]',
    '[{"id":1000000000000000000}]',
    '[{"score":NaN}]',
    '[{"x":Infinity}]',
    '[{"score":1e400}]',
    '[{"score":"0.5"}]',
    '[{"score":.5}]',
    '[{"score":5.}]',
    '[{"score":+5}]',
    '[{"score":00}]',
    '[{"bbox":[1,2,3]}]',
    '[{"bbox":[1,2,3,4,5]}]',
    '[{"bbox":[1,2,3,null]}]',
    '[{"bbox":[]}]',
    '[{"bbox":{}}]',
    '[{"name":1}]',
    '[{"ids":[1.0]}]',
    '[{"ids":[1e0]}]',
    '[{"ids":[1.5]}]',
    '[{"ids":[01]}]',
    '[{"ids":["1"]}]',
    '[{"ids":[[1]]}]',
    '[{"ids":[null]}]',
    '[{"ids":[true]}]',
    '[{"ids":[1,]}]',
    '[{"ids":[,1]}]',
    '[{"ids":[1 2]}]',
    '[{"ids":[1,2}]',
    '[{"ids":[1000000000000000000]}]',
    '[{"ids":1}]',
    '[{"ids":"1"}]',
    '[{"ids":{}}]',
    '[{"ids":[1],"ids":[1]}]',
    "[1]",
    "[null]",
    "[[]]",
    "",
    "null",
    "[{},]",
    '[{"id":1,}]',
    "[{}] []",
    "[{} {}]",
    '[{"id" 1}]',
    "\ufeff[]",
]


# Values that nobody asks for: what a general parser takes, and what it does not.
SOUND = [
    "-0",
    "1e5",
    "1.5E-7",
    "[1.5, 2,3 ,-4.25e10 , 12345678.5, 123456789012345678901234567890]",
    "[239.97,1.5,0.5,0,-0.25]",
    "[[1.5,2.5],[3.5]]",
    '{"a":[{"b":[true,false,null,"\\u00e9\\n"]}],"c":{}}',
    '"\\"\\\\\\/\\b\\f\\n\\r\\t\\uD800"',
    "[ [ ] , { } ]",
    "[0.5,1]",
    "[1234567,1234567.1,1]",
]
DAMAGED = [
    "01",
    "-",
    "1.",
    ".5",
    "+1",
    "1e",
    "1e+",
    "1.5.2",
    "1-2",
    "0x1",
    "--1",
    "tru",
    "nulll",
    "True",
    "NaN",
    '"\\q"',
    '"\\u12g4"',
    '"\\u123"',
    "[1,]",
    "[,1]",
    "[1 2]",
    "[1}",
    '{"a" 1}',
    '{"a":1,}',
    "{a:1}",
    "{1:2}",
    '{"a"}',
    "[[1]",
    "[1]]",
    "[01,2]",
    "[1.5,02.5,3]",
    "[1.5,-,3]",
    "[1.5,2.,3]",
    "[1.5,.5,3]",
    "[1.5, 2.5e, 3]",
    "[239.97,1.5.5,2]",
    "[1,2,]",
    "[1.25,2.25, ]",
    "1 2",
    "[1\x002]",
    '"\x01"',
]


@pytest.mark.parametrize("value", [*SOUND, *DAMAGED])
def test_values_that_are_passed_over_are_checked(value: str) -> None:
    for text in (f'[{{"x":{value},"id":3}}]', f'[{{"x": [ {value} ] , "id":3}}]', f'[{{"id":3,"x":{{"y":{value}}}}}]'):
        content = text.encode()
        made = _core.json_columns(content, -1, len(content), LAYOUT, 0, len(content) + 1, 1)
        defined = _reference.json_columns(content, -1, len(content), LAYOUT)
        assert (made is not None) == (defined is not None) == (value in SOUND)
        if value not in ("NaN", "[1]]"):  # Python reads the first; the second may close what was opened around it
            assert is_json(text) == (value in SOUND)


def is_json(text: str) -> bool:
    """What the standard library says."""
    try:
        json.loads(text)
    except json.JSONDecodeError:
        return False
    return True


@settings(max_examples=examples(300))
@given(st.binary(min_size=1, max_size=6))
def test_texts_are_utf8(text: bytes) -> None:
    text = bytes(c if c >= 0x80 else 0x61 for c in text)
    try:
        text.decode()
        sound = True
    except UnicodeDecodeError:
        sound = False
    for content in (b'[{"x":"' + text + b'","id":3}]', b'[{"' + text + b'":1}]', b'[{"name":"' + text + b'"}]'):
        made = _core.json_columns(content, -1, len(content), LAYOUT, 0, len(content) + 1, 1)
        defined = _reference.json_columns(content, -1, len(content), LAYOUT)
        assert (made is not None) == (defined is not None) == sound


@pytest.mark.parametrize("text", [*USUAL, *UNUSUAL])
def test_one_text(text: str) -> None:
    content = text.encode()
    defined = _reference.json_columns(content, -1, len(content), LAYOUT)
    assert (defined is not None) == (text in USUAL)
    for block in (len(content) + 1, 1, 7):
        made = _core.json_columns(content, -1, len(content), LAYOUT, 0, block, 2)
        if block > len(content):  # smaller blocks may meet what looks like the border of records, and give up
            assert (made is None) == (defined is None)
        if made is not None:
            assert plain(made) == plain(defined)


def plain(columns: object) -> object:
    """Arrays as lists, so that they compare."""
    if isinstance(columns, dict):
        return {key: plain(value) for key, value in columns.items()}
    if isinstance(columns, tuple):
        return tuple(plain(part) for part in columns)
    return columns.tolist() if hasattr(columns, "tolist") else columns
