"""Odd ways to write JSON, one by one: which of them the kernel reads, and that it reads them as they are defined."""

from __future__ import annotations

import pytest

from boxscore import _core, _reference

LAYOUT = [("", [("id", 0), ("score", 1), ("bbox", 2), ("name", 3), ("ids", 4)])]
USUAL = [
    '[{"id":1,"score":2,"bbox":[1,2,3,4],"name":"a"}]',
    '[{"id":null,"id":1}]',
    '[{"id":null,"id":null}]',
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
    '[{"ids":[7]},{"ids":null},{},{"ids":null,"ids":[ ]},{"ids":[8,8]}]',
    '[{"ids":null}]',
]
UNUSUAL = [
    '[{"id":1,"id":1}]',
    '[{"id":1,"id":null}]',
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
