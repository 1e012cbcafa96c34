"""Lines of names and numbers: the kernel gives what its definition gives, on files as they are and on damaged ones."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore import _core, _reference
from boxscore._reference.text_rows import LONGEST_LINE
from effort import examples

numbers = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.floats(0, 1).map(lambda v: f"{v:.6g}"),
    st.integers(-9, 9999).map(str),
    st.from_regex(r"\A-?[0-9]{0,25}\.?[0-9]{0,25}([eE][+-]?[0-9]{1,3})?\Z"),
    st.sampled_from(
        ["nan", "inf", "-inf", "1_0", "+1", "0x1", "1e999", "1e-999", "-0.0", ".", "-", "5e-324", "1.", "٣"]
    ),
)
usual = st.one_of(st.floats(0, 1).map(repr), st.integers(0, 640).map(str), st.sampled_from([".5", "1.", "1e-3", "007"]))
names = st.sampled_from(
    ["0", "7", "cat", "traffic light", "type 1", "#", "é", 'a"', "a,b", "1;", "x\x0b", "\x7f", "a'b"]
)
spaces = st.sampled_from([" ", "\t", "  ", " \t "])


@st.composite
def lines(draw: st.DrawFn, value: st.SearchStrategy[str], name: st.SearchStrategy[str]) -> str:
    words = [draw(name), *draw(st.lists(value, max_size=8))]
    inner = "".join(word + draw(spaces) for word in words)
    return draw(st.sampled_from(["", " "])) + inner.rstrip() + draw(st.sampled_from(["", " ", "\t"]))


def contents(line: st.SearchStrategy[str]) -> st.SearchStrategy[bytes]:
    ends = st.sampled_from(["\n", "\r\n", "\n\n", "\r", "\n \n"])
    text = st.lists(st.tuples(line, ends).map("".join), max_size=6).map("".join)
    start = st.sampled_from([b"", b"\xef\xbb\xbf"])
    return st.tuples(start, text, st.booleans()).map(lambda p: p[0] + (p[1].rstrip() if p[2] else p[1]).encode())


files = st.lists(
    st.one_of(
        contents(lines(usual, st.sampled_from(["0", "7", "cat", "traffic light"]))),
        contents(lines(numbers, names)),
        st.binary(max_size=40),
        st.text("0 .1-e\t\n\r#a", max_size=40).map(str.encode),
    ),
    max_size=12,
)  # fmt: skip


def assert_equal(made: tuple[Any, ...], defined: tuple[Any, ...]) -> None:
    for kernel, definition in zip(made, defined, strict=True):
        if isinstance(definition, list):
            assert kernel == definition
        else:
            assert kernel.dtype == definition.dtype
            assert kernel.tobytes() == definition.tobytes()  # bit by bit, the sign of zero included


@settings(max_examples=examples(150))
@given(files, st.integers(0, 5), st.integers(1, 3))
def test_files_in_memory(content: list[bytes], tail: int, threads: int) -> None:
    made = _core.text_rows(None, b"", content, tail, threads)
    assert_equal(made, _reference.text_rows(None, b"", content, tail))


@settings(max_examples=examples(60))
@given(files, st.sampled_from([0, 4, 5]))
def test_files_on_a_disk(tmp_path_factory: pytest.TempPathFactory, content: list[bytes], tail: int) -> None:
    folder = tmp_path_factory.mktemp("rows")
    for number, text in enumerate(content):
        (folder / f"é{number}.txt").write_bytes(text)
    (folder / "is a folder").mkdir()
    paths = [*(f"é{number}.txt" for number in range(len(content))), "is not there", "is a folder"]
    asked = os.fsencode(folder), os.fsencode("\0".join(paths))
    made = _core.text_rows(*asked, [], tail, 2)
    assert_equal(made, _reference.text_rows(*asked, [], tail))
    assert made[-1][-2:].tolist() == [1, 1]


def test_no_files_and_no_folder(tmp_path: Path) -> None:
    for root in (None, os.fsencode(tmp_path)):
        assert_equal(_core.text_rows(root, b"", [], 0, 2), _reference.text_rows(root, b"", [], 0))
    missing = os.fsencode(tmp_path / "missing")
    assert _core.text_rows(missing, b"a\0b", [], 0, 2)[-1].tolist() == [1, 1]


def test_many_files_by_any_number_of_threads(tmp_path: Path) -> None:
    """More files than a block has, some large, names that several blocks have, and odd ones between."""
    rng = np.random.default_rng(1)
    content = []
    for number in range(700):
        rows = 3000 if number == 300 else int(rng.integers(0, 9))
        text = "".join(f"{rng.integers(0, 80)} {rng.random()!r} {rng.random():.6g} 1 2\n" for _ in range(rows))
        content.append(text.encode() + (b"odd,\n" if number % 50 == 7 else b""))
        (tmp_path / str(number)).write_bytes(content[-1])
    paths = "\0".join(map(str, range(700))).encode()
    defined = _reference.text_rows(None, b"", content, 0)
    for threads in (1, 2, 5):
        assert_equal(_core.text_rows(None, b"", content, 0, threads), defined)
        assert_equal(_core.text_rows(os.fsencode(tmp_path), paths, [], 0, threads), defined)


@settings(max_examples=examples(300))
@given(st.lists(usual | numbers, min_size=1, max_size=30))
def test_numbers_are_what_python_reads(texts: list[str]) -> None:
    made = _core.text_rows(None, b"", [f"a {text}".encode() for text in texts], 1, 1)
    kept = [text for text, odd in zip(texts, made[-1], strict=True) if not odd]
    assert made[4].tobytes() == np.array([float(text) for text in kept]).tobytes()


@pytest.mark.parametrize("more", [0, 1])
def test_lines_that_are_too_long_are_left_to_the_careful_reader(more: int) -> None:
    end = b" 1 2 3 4"
    content = b"cat 1 2 3 4\n" + b"x" * (LONGEST_LINE - len(end) + more) + end + b"\n"
    for text_rows in (_core.text_rows, _reference.text_rows):
        odd = text_rows(None, b"", [content], 4, 1)[-1]
        assert bool(odd[0]) == bool(more)
