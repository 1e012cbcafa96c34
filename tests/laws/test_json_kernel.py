"""JSON records as columns: equal to the definition, wherever the borders of blocks fall."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore import _core, _reference
from effort import examples

INTEGER, NUMBER, BOX, STRING, INTEGERS = range(5)
FIELDS = [("id", INTEGER), ("score", NUMBER), ("bbox", BOX), ("name", STRING), ("ids", INTEGERS)]
IMAGE_FIELDS = [("ids", INTEGERS), ("id", INTEGER), ("name", STRING)]
TABLES = [("images", IMAGE_FIELDS), ("annotations", FIELDS), ("categories", [("id", INTEGER)])]
LIST = [("", FIELDS)]
Columns = dict[str, dict[str, tuple[Any, ...]]] | None


class Raw(str):
    """A number as it shall be written."""


def written(value: Any, gap: str) -> str:
    """JSON text with the given white space everywhere that white space may be; records are lists of pairs."""
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, list):
        return f"[{gap}{f'{gap},{gap}'.join(written(v, gap) for v in value)}{gap}]"
    if isinstance(value, tuple):
        pairs = (f"{written(k, gap)}{gap}:{gap}{written(v, gap)}" for k, v in value)
        return f"{{{gap}{f'{gap},{gap}'.join(pairs)}{gap}}}"
    return json.dumps(value, ensure_ascii=False)


digits = st.integers(0, 10**19).map(str)
numbers = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.integers(-(10**20), 10**20).map(str),
    st.builds(lambda a, b: f"-{a}.{b}", digits, digits),
    st.builds(lambda a, e: f"{a}e{e}", st.integers(1, 10**18), st.integers(-250, 250)),
    st.builds(lambda a, b, s: f"{a}.{b}E{s}7", st.integers(0, 99), digits, st.sampled_from("+-")),
).map(Raw)
integers = st.one_of(st.integers(-5, 5), st.integers(-(10**18) + 1, 10**18 - 1), st.just(Raw("-0"))).map(
    lambda i: i if isinstance(i, Raw) else Raw(i)
)
plain = st.text(st.characters(blacklist_categories=("Cs", "Cc"), blacklist_characters='"\\{}'), max_size=8)
tricky = st.sampled_from(['}, {"id": 7}, {', '"', "\\", '\\"}, {', "\n", "ä€😀", "]}", "}, {", "\\\\", "/", "\x7f"])
values = {
    "id": integers,
    "score": numbers,
    "bbox": st.lists(numbers, min_size=4, max_size=4),
    "name": plain,
    "ids": st.lists(integers, max_size=5),
}
nested: st.SearchStrategy[Any] = st.recursive(
    st.one_of(numbers, st.booleans(), st.none(), plain, tricky),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.lists(st.tuples(tricky, inner), max_size=2).map(tuple)),
    max_leaves=4,
)
odd = st.one_of(
    nested, numbers, st.lists(numbers, max_size=5), st.lists(st.one_of(integers, nested), max_size=3),
    st.just(Raw("01")), st.just(Raw("1.")), st.just(Raw("+1")),
)  # fmt: skip


def records(further: dict[str, st.SearchStrategy[Any]], wrong: bool = False) -> st.SearchStrategy[list[Any]]:
    """Lists of records: keys in any order, any absent or null, further keys between them."""
    known = {k: st.one_of(v, v, st.none(), *([odd] if wrong else [])) for k, v in values.items()}
    pair = st.one_of(*(st.tuples(st.just(k), v) for k, v in (known | further).items()))
    one = st.lists(pair, max_size=6, unique_by=None if wrong else lambda kv: kv[0]).map(tuple)
    return st.lists(one, max_size=6)


def documents(further: dict[str, st.SearchStrategy[Any]], wrong: bool = False) -> st.SearchStrategy[tuple[str, Any]]:
    """Texts with their layout: a list of records, or an object with tables and other things in any order."""
    gaps = st.sampled_from(["", " ", "\n  ", "\t", "\r\n"])
    rows, others = records(further, wrong), st.one_of(*further.values())
    keys = [name for name, _ in TABLES]
    pair = st.one_of(st.tuples(st.sampled_from(keys), rows), st.tuples(st.sampled_from(["info", "x"]), others))
    tables = st.lists(pair, max_size=5, unique_by=None if wrong else lambda kv: kv[0]).map(tuple)
    lists = st.builds(lambda r, g: (written(r, g), LIST), rows, gaps)
    return st.one_of(lists, st.builds(lambda t, g: (written(t, g), TABLES), tables, gaps))


def read(text: bytes, layout: Any, block: int | None = None, threads: int = 1) -> Columns:
    made: Columns = _core.json_columns(text, -1, len(text), layout, len(layout) // 2, block or len(text) + 1, threads)
    return made


def assert_same(made: Columns, defined: Columns) -> None:
    assert (made is None) == (defined is None)
    if made is None or defined is None:
        return
    assert made.keys() == defined.keys()
    for table, fields in made.items():
        assert fields.keys() == defined[table].keys()
        for name, (column, missing, extra) in fields.items():
            column_, missing_, extra_ = defined[table][name]
            np.testing.assert_array_equal(column, column_, err_msg=name, strict=True)
            assert (missing is None) == (missing_ is None)
            assert missing is None or missing.tolist() == missing_.tolist()
            if isinstance(extra_, np.ndarray):
                np.testing.assert_array_equal(extra, extra_, err_msg=name, strict=True)
            else:
                assert extra == extra_


OTHERS = {"more": st.one_of(plain, numbers, st.booleans()), "empty": st.just([])}
TRICKY = {"name": tricky, "more": nested, "segments": st.lists(st.tuples(st.tuples(plain, plain)), max_size=3)}


@settings(max_examples=examples(200))
@given(documents(OTHERS), st.integers(1, 300), st.integers(1, 4))
def test_any_block_size_and_thread_count(document: tuple[str, Any], block: int, threads: int) -> None:
    text, layout = document[0].encode(), document[1]
    defined = _reference.json_columns(text, -1, len(text), layout)
    assert defined is not None
    assert_same(read(text, layout), defined)
    assert_same(read(text, layout, block, threads), defined)


@settings(max_examples=examples(250))
@given(documents(TRICKY), st.integers(1, 300))
def test_a_false_border_is_never_believed(document: tuple[str, Any], block: int) -> None:
    """Strings and nested values may hold what looks like a border of records: no result then, or the right one."""
    text, layout = document[0].encode(), document[1]
    defined = _reference.json_columns(text, -1, len(text), layout)
    assert_same(read(text, layout), defined)
    made = read(text, layout, block)
    if made is not None:
        assert_same(made, defined)


@settings(max_examples=examples(250))
@given(documents(TRICKY, wrong=True), st.integers(1, 300))
def test_what_is_not_usual_is_left_to_others(document: tuple[str, Any], block: int) -> None:
    text, layout = document[0].encode(), document[1]
    defined = _reference.json_columns(text, -1, len(text), layout)
    assert_same(read(text, layout), defined)
    made = read(text, layout, block)
    if made is not None:
        assert_same(made, defined)


@settings(max_examples=examples(150))
@given(documents(TRICKY), st.integers(1, 300), st.data())
def test_a_truncated_text_is_never_believed(document: tuple[str, Any], block: int, data: st.DataObject) -> None:
    text, layout = document[0].encode().rstrip(), document[1]
    cut = text[: data.draw(st.integers(0, len(text) - 1))]
    assert read(cut, layout) is None
    assert read(cut, layout, block) is None
    assert read(text + b"]", layout, block) is None


@pytest.mark.skipif(not hasattr(os, "pread"), reason="files are read in blocks only where pread exists")
@settings(max_examples=examples(40))
@given(documents(OTHERS), st.integers(1, 300))
def test_a_file_reads_as_its_bytes(
    tmp_path_factory: pytest.TempPathFactory, document: tuple[str, Any], block: int
) -> None:
    path: Path = tmp_path_factory.mktemp("json") / "text.json"
    path.write_bytes(document[0].encode())
    descriptor = os.open(path, os.O_RDONLY)
    try:
        size, layout = path.stat().st_size, document[1]
        made = _core.json_columns(None, descriptor, size, layout, len(layout) // 2, block, 3)
    finally:
        os.close(descriptor)
    assert_same(made, read(path.read_bytes(), layout))


def test_a_damaged_text_never_gives_other_values() -> None:
    """Damage in values that nobody asked for may go unnoticed; damage elsewhere gives no result, never a wrong one."""
    rng = random.Random(1)
    box = ("bbox", [Raw("1"), Raw("2.5"), Raw("3e1"), Raw("0.125")])
    more, ids = ("more", [(("a", "x"),)]), ("ids", [Raw("-7"), Raw("0"), Raw("12")])
    rows = [(("id", Raw(f"{i}")), more, box, ids, ("name", "n\n"), ("score", Raw("0.5"))) for i in range(3)]
    whole = written((("images", [(("id", Raw("1")), ids)]), ("annotations", rows)), " ").encode()
    both = 0
    for _ in range(6000):
        text = bytearray(whole)
        for _ in range(rng.choice((1, 1, 2))):
            at = rng.randrange(len(text))
            text[at : at + rng.choice((0, 1, 1))] = bytes(
                rng.choices(b'{}[],:"\\ 0123456789.eE+-truefalsn\x01\xff', k=1)
            )
        made = read(bytes(text), TABLES, rng.choice((None, 20, 60)))
        defined = _reference.json_columns(bytes(text), -1, len(text), TABLES)
        if made is not None and defined is not None:
            both += 1
            assert_same(made, defined)
    assert both > 1000
