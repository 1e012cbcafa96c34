"""The check of TFRecords equals its definition, and the values that are published for it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxscore import _core, _reference


def of(content: bytes) -> np.ndarray:
    return np.frombuffer(content, np.uint8)


@given(st.binary(max_size=200))
def test_it_is_as_defined(content: bytes) -> None:
    assert _core.crc32c(of(content)) == _reference.crc32c(of(content))


@given(st.binary(max_size=60), st.integers(0, 20), st.integers(0, 20))
def test_parts_of_a_file_need_no_copy(content: bytes, before: int, after: int) -> None:
    whole = of(bytes(before) + content + bytes(after))
    assert _core.crc32c(whole[before : before + len(content)]) == _core.crc32c(of(content))


# RFC 3720, B.4, and the check value of the catalogue of parametrised CRC algorithms.
@pytest.mark.parametrize(
    ("content", "check"),
    [
        (b"", 0),
        (b"123456789", 0xE3069283),
        (bytes(32), 0x8A9136AA),
        (b"\xff" * 32, 0x62A8AB43),
        (bytes(range(32)), 0x46DD794E),
        (bytes(range(31, -1, -1)), 0x113FDB5C),
    ],
)
def test_published_values(content: bytes, check: int) -> None:
    assert _core.crc32c(of(content)) == _reference.crc32c(of(content)) == check


@given(st.binary(min_size=1, max_size=64), st.data())
def test_a_changed_bit_is_noticed(content: bytes, data: st.DataObject) -> None:
    bit = data.draw(st.integers(0, 8 * len(content) - 1))
    changed = of(content).copy()
    changed[bit // 8] ^= 1 << bit % 8
    assert _core.crc32c(changed) != _core.crc32c(of(content))
