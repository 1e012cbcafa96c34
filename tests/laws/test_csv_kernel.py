"""Rows between delimiters as columns: equal to the definition, wherever the borders of blocks fall."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from boxscore import _core, _reference
from effort import examples

WIDTH = 5
WANTED = [(True, [1]), (False, [3, 2]), (True, [4]), (False, [0])]
Columns = list[Any] | None


def read(text: bytes, delimiter: str = ",", begin: int = 0, block: int | None = None, threads: int = 1) -> Columns:
    made: Columns = _core.csv_columns(
        text, -1, begin, len(text), delimiter, WIDTH, WANTED, block or len(text) + 1, threads
    )
    return made


def defined(text: bytes, delimiter: str = ",", begin: int = 0) -> Columns:
    return _reference.csv_columns(text, -1, begin, len(text), delimiter, WIDTH, WANTED)


def assert_same(made: Columns, wanted: Columns) -> None:
    assert (made is None) == (wanted is None)
    if made is None or wanted is None:
        return
    for (is_text, _), column, other in zip(WANTED, made, wanted, strict=True):
        if is_text:
            np.testing.assert_array_equal(column[0], other[0], strict=True)
            assert column[1] == other[1]
        else:
            np.testing.assert_array_equal(column, other, strict=True)
            np.testing.assert_array_equal(np.signbit(column), np.signbit(other))


digits = st.text("0123456789", min_size=1, max_size=22)
numbers = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.integers(-(10**20), 10**20).map(str),
    st.builds(lambda s, a, b: f"{s}{a}.{b}", st.sampled_from(["", "+", "-"]), digits, digits),
    st.builds(lambda a, e: f"{a}e{e}", digits, st.integers(-250, 250)),
    st.sampled_from(["", "1.", ".5", "-.5E1", "+1.e+2", "0", "-0", "007"]),
)
odd = st.sampled_from(
    ["nan", "inf", "1_0", "0x1", "1e", "e5", ".", "-", "+-1", "1e999", "1e-999", "٣", "1 2", "0,5", "1.5.2", "\x00"]
)
names = st.one_of(
    st.sampled_from(["a", "b", "cat", "/m/0199g", "x y", "", "ä€😀", "0123456789abcdef", "0123456789abcdeg"]),
    st.text(st.characters(blacklist_categories=("Cs", "Cc"), blacklist_characters='",;'), max_size=20),
)
strange = st.sampled_from(['a"b', '""', '"', "two\nlines", "\t", "a\rb", "\ufeff", "a,b", '"a" "b"', "\x7f", "\x1f"])
gaps, quotes = st.sampled_from(["", "", "", " ", "   "]), st.sampled_from(["", "", "", '"'])


@st.composite
def texts(draw: st.DrawFn, wrong: bool = False) -> tuple[bytes, str]:
    """A text with its delimiter; with `wrong`, some fields and widths are not as they should be."""
    delimiter = draw(st.sampled_from(",;\t"))
    number = st.one_of(numbers, odd) if wrong else numbers
    name = st.one_of(names, strange) if wrong else names
    fields = st.tuples(number, name, number, number, name).map(list)
    lines = []
    for row in draw(st.lists(fields, max_size=12)):
        if wrong and draw(st.integers(0, 20)) == 0:
            row = row[: draw(st.integers(0, 4))] + ["x"] * draw(st.integers(0, 2))
        quoted = [f"{draw(gaps)}{(q := draw(quotes))}{draw(gaps)}{field}{draw(gaps)}{q}{draw(gaps)}" for field in row]
        lines += draw(st.sampled_from([[], [], ["", f"  {delimiter} "]]))
        lines.append(delimiter.join(quoted))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    return (end.join(lines) + draw(st.sampled_from(["", end]))).encode(), delimiter


@settings(max_examples=examples(300))
@given(texts(), st.integers(1, 200), st.integers(1, 3))
@example((b'"",a,1,2,b\n', ","), 1, 1)
@example((b",,,,\n", ","), 1, 1)
@example((b"1,a,1,2,b\r", ","), 1, 1)
@example((b"", ","), 1, 1)
def test_any_block_size_and_thread_count(text: tuple[bytes, str], block: int, threads: int) -> None:
    wanted = defined(*text)
    assert_same(read(*text), wanted)
    assert_same(read(*text, block=block, threads=threads), wanted)


@settings(max_examples=examples(400))
@given(texts(wrong=True), st.integers(1, 200), st.integers(1, 3))
def test_what_is_not_usual_is_left_to_others(text: tuple[bytes, str], block: int, threads: int) -> None:
    wanted = defined(*text)
    assert_same(read(*text), wanted)
    assert_same(read(*text, block=block, threads=threads), wanted)


@given(texts(), st.integers(1, 100))
def test_a_header_is_passed_over(text: tuple[bytes, str], block: int) -> None:
    head = '\ufeffsome,"header\n'.encode()
    assert_same(read(head + text[0], text[1], len(head), block, 2), defined(*text))
    assert_same(defined(head + text[0], text[1], len(head)), defined(*text))


@pytest.mark.skipif(not hasattr(os, "pread"), reason="files are read in blocks only where pread exists")
@settings(max_examples=examples(40))
@given(texts(), st.integers(1, 100))
def test_a_file_reads_as_its_bytes(tmp_path_factory: pytest.TempPathFactory, text: Any, block: int) -> None:
    path: Path = tmp_path_factory.mktemp("csv") / "text.csv"
    path.write_bytes(text[0])
    descriptor = os.open(path, os.O_RDONLY)
    try:
        arguments = (None, descriptor, 0, len(text[0]), text[1], WIDTH, WANTED)
        assert_same(_core.csv_columns(*arguments, block, 3), read(*text))
        assert_same(_reference.csv_columns(*arguments), read(*text))
    finally:
        os.close(descriptor)


def test_many_rows_in_many_blocks() -> None:
    rng = random.Random(3)
    lines = [
        f"{i},i{rng.randrange(900)},{rng.random()!r},{rng.gauss(0, 99):.3f},{rng.choice('01')}" for i in range(5000)
    ]
    text = "\n".join(lines).encode()
    wanted = defined(text)
    assert wanted is not None
    for block, threads in ((1 << 9, 1), (1 << 9, 3), (4096, 2), (1 << 20, 2)):
        assert_same(read(text, block=block, threads=threads), wanted)


def test_a_line_longer_than_any_window() -> None:
    long = "x" * 300_000
    text = f"1,{long},2,3,a\n4,{long},5,6,b\n".encode()
    assert_same(read(text, block=1000, threads=2), defined(text))


def test_a_damaged_text_never_gives_other_values() -> None:
    rng = random.Random(1)
    whole = b'1,cat,0.5,-2e1,0\r\n 7 ,"a, b", 3 ,.25,1\n\n9,\xc3\xa4\xf0\x9f\x98\x80,,1,-1\n'
    values = 0
    for _ in range(8000):
        text = bytearray(whole)
        for _ in range(rng.choice((1, 1, 2))):
            at = rng.randrange(len(text))
            text[at : at + rng.choice((0, 1, 1))] = bytes(
                rng.choices(b'," \n\r;0123.eE+-_a\x00\x01\xff\xed\xa0\xf4', k=1)
            )
        wanted = defined(bytes(text))
        values += wanted is not None
        assert_same(read(bytes(text), block=rng.choice((None, 1, 7, 30)), threads=rng.choice((1, 2))), wanted)
    assert values > 1000
