"""JSON read record by record: the same values and the same errors as read at once, for every kind of damage."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from boxscore.errors import InputError
from boxscore.formats.io.json_once import loads, loads_records
from boxscore.formats.io.json_records import Records

TEXTS = [
    json.dumps({"images": [{"id": 1, "n": "é"}], "x": 3, "annotations": [{"b": [1, 2.5, -3e4]}, {"s": {"a": [None]}}]}),
    json.dumps([{"a": 1}, {"b": [True, {"c": 2}]}, 7], indent=1),
    ' {"a": [{"b": 1, "b": 2}], "a": [1]} ',
    '{"z": [1, {"q": {"b": 1, "b": 2}}], "a": [{"b": 1, "b": 2}]}',
    '[[1, {"b": 1, "b": 2}], {"b": 1, "b": 2}]',
    '{"a": [], "b": "[", "c": {"d": [1]}}',
    "[]",
    "{}",
    "3",
]
CHARACTERS = '{}[],:" \n0-.eEtfnNI\\u\x01€'


def damaged(text: str) -> set[str]:
    """The text, cut off at every place, and with every character gone, replaced or one more."""
    places = range(len(text) + 1)
    made = {text[:i] for i in places} | {text[:i] + text[i + 1 :] for i in places}
    return made | {text[:i] + c + text[j:] for i in places for c in CHARACTERS for j in (i, i + 1)}


def outcome(parse: Callable[[str, object], Any], text: str) -> object:
    try:
        return repr(whole(parse(text, "x.json")))  # NaN is not equal to itself
    except json.JSONDecodeError as error:
        return error.msg, error.lineno, error.colno, error.pos
    except InputError as error:
        return str(error)


def whole(value: Any) -> Any:
    if isinstance(value, Records):
        return list(value)
    return {key: whole(item) for key, item in value.items()} if isinstance(value, dict) else value


@pytest.mark.parametrize("text", TEXTS)
def test_records_are_read_as_the_whole_is(text: str) -> None:
    for one in damaged(text):
        assert outcome(loads_records, one) == outcome(loads, one), one


def test_records_are_made_when_asked_for() -> None:
    records = loads_records('{"a": [{"b": 1}, 2, {}]}', "x.json")["a"]
    assert isinstance(records, Records)
    assert (len(records), records[2], records.odd, records[0] is records[0]) == (3, {}, [1], False)
