"""TFRecords: the container, and the messages inside of it."""

from __future__ import annotations

import gzip
import struct
import zlib

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from boxscore.formats.io.source import Source
from boxscore.formats.tfrecord.container import is_container, record, records
from boxscore.formats.tfrecord.example import Example, example
from small_records import floats


def test_the_container_by_hand():
    # Length 3, its check, the bytes, their check; the checks are those that TensorFlow writes for these records.
    assert record(b"") == bytes(8) + struct.pack("<I", 0x07980329) + struct.pack("<I", 0xA282EAD8)
    assert list(records(Source("a", None, record(b"abc") + record(b"")))) == [b"abc", b""]
    assert list(records(Source("a", None, b""))) == []
    assert is_container(record(b"abc"))
    assert not is_container(b'{"images": []}')
    assert not is_container(b"")


@given(st.lists(st.binary(max_size=40), max_size=5), st.sampled_from([gzip.compress, zlib.compress, bytes]))
def test_containers_come_back(contents, packed):
    whole = packed(b"".join(map(record, contents)))
    assert list(records(Source("a", None, whole))) == contents


def test_zlib_in_a_file(tmp_path):
    (tmp_path / "a").write_bytes(zlib.compress(record(b"abc")))
    assert list(records(Source("a", tmp_path / "a"))) == [b"abc"]
    two_members = gzip.compress(record(b"abc")) + gzip.compress(record(b"d"))
    assert list(records(Source("a", None, two_members))) == [b"abc", b"d"]


texts = st.text(max_size=6)
numbers = st.integers(-(2**63), 2**63 - 1)


@given(
    st.dictionaries(texts, st.lists(st.binary(max_size=200), max_size=4)),
    st.dictionaries(texts.map("f".__add__), st.lists(floats, max_size=4)),
    st.dictionaries(texts.map("i".__add__), st.lists(numbers, max_size=4)),
)
def test_features_come_back(binary, single, whole):
    binary = {f"b{name}": values for name, values in binary.items()}
    back = Example(example({**binary, **{k: np.array(v, np.float64) for k, v in single.items()}, **whole}))
    assert {name: back.bytes(name) for name in binary} == binary
    assert {name: back.floats(name).tolist() for name in single} == single
    assert {name: back.ints(name) for name in whole} == whole
    assert (back.bytes("no"), back.floats("no").tolist(), back.ints("no")) == ([], [], [])


def field(number: int, content: bytes, kind: int = 2) -> bytes:
    return bytes([number << 3 | kind]) + (bytes([len(content)]) if kind == 2 else b"") + content


def feature(name: str, content: bytes) -> bytes:
    return field(1, field(1, field(1, name.encode()) + field(2, content)))


def test_lists_that_are_not_packed_and_fields_that_nobody_knows():
    single = b"".join(field(1, struct.pack("<f", value), 5) for value in (0.5, -2))
    assert Example(feature("x", field(2, single))).floats("x").tolist() == [0.5, -2]
    whole = field(1, b"\x03", 0) + field(1, b"\xff" * 9 + b"\x01", 0) + field(1, b"\x05\x80\x01")
    assert Example(feature("x", field(3, whole))).ints("x") == [3, -1, 5, 128]
    unknown = field(9, b"abc") + field(9, b"\x01", 0) + field(9, bytes(8), 1) + field(9, bytes(4), 5)
    assert Example(unknown + feature("x", unknown + field(3, field(1, b"\x07")))).ints("x") == [7]
    twice = feature("x", field(3, field(1, b"\x07"))) + feature("x", field(3, field(1, b"\x08")))
    assert Example(twice).ints("x") == [8]  # the last one counts, as in any map of protocol buffers
