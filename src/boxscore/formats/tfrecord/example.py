"""The messages inside of TFRecords (`tf.train.Example`), as far as they are needed: features by name.

Protocol buffers write fields as a key (number of the field, kind of value) and a value. A feature is decoded when
somebody asks for it, so that encoded images cost nothing.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from boxscore.tables.model import Floats

_FIXED = {1: 8, 5: 4}  # bytes of values of fixed length, by kind
_KINDS = {1: "bytes", 2: "float", 3: "int64"}  # the lists that a feature can be
Value = Sequence[bytes] | Sequence[int] | Floats


class Damaged(ValueError):
    """What is wrong with the bytes of a record."""


class Example:
    """The features of a record; what is missing is an empty list."""

    def __init__(self, record: bytes) -> None:
        self.features: dict[str, memoryview] = {}
        for number, value in _messages(memoryview(record)):
            if number == 2:
                raise Damaged("a SequenceExample, whose features are lists of lists")
            if number == 1:
                for _, entry in _messages(value):
                    parts = dict(_messages(entry))
                    self.features[_text(bytes(parts.get(1, b"")), "the name of a feature")] = parts.get(2, _NOTHING)

    def texts(self, name: str) -> list[str]:
        """A list of texts."""
        return [_text(value, name) for value in self.bytes(name)]

    def bytes(self, name: str) -> list[bytes]:
        """A list of bytes."""
        return [bytes(value) for _, value in _messages(self._list(name, 1)) if isinstance(value, memoryview)]

    def holds(self, name: str, kind: str) -> bool:
        """Whether the feature is a list of this kind."""
        return any(_KINDS.get(number) == kind for number, _ in _messages(self.features.get(name, _NOTHING)))

    def floats(self, name: str) -> Floats:
        """A list of numbers, which are written with 32 bits."""
        parts = [np.zeros(0, "<f4")]
        for number, value in _numbered(self._list(name, 2), single=True):
            if number == 1 and isinstance(value, memoryview):
                if len(value) % 4:
                    raise Damaged(f"{name} holds {len(value)} bytes, which are no whole number of floats")
                parts.append(np.frombuffer(value, "<f4"))
        return np.concatenate(parts).astype(np.float64)

    def ints(self, name: str) -> list[int]:
        """A list of whole numbers."""
        made: list[int] = []
        for number, value in _numbered(self._list(name, 3)):
            if number == 1:
                made += _packed(value) if isinstance(value, memoryview) else [value]
        return [number - (1 << 64) if number >> 63 else number for number in made]

    def _list(self, name: str, kind: int) -> memoryview:
        """The list of a feature, which must be of the given kind unless it is empty."""
        found, feature = _NOTHING, self.features.get(name)
        if feature is None:
            return found
        for number, value in _messages(feature):
            if number == kind:
                found = value
            elif number in _KINDS and len(value):
                raise Damaged(f"{name} is a list of {_KINDS[number]}, not of {_KINDS[kind]}")
        return found


_NOTHING = memoryview(b"")


def _messages(content: memoryview) -> Iterator[tuple[int, memoryview]]:
    """Number and content of the fields that have bytes; others are passed over."""
    return ((number, value) for number, value in _numbered(content) if isinstance(value, memoryview))


def _numbered(content: memoryview, single: bool = False) -> Iterator[tuple[int, int | memoryview]]:
    """Number and value of the fields; those of fixed length are passed over, but for single floats if wanted."""
    at, end = 0, len(content)
    while at < end:
        key, at = (content[at], at + 1) if content[at] < 128 else _varint(content, at)
        kind = key & 7
        if kind == 0:
            value, at = _varint(content, at)
            yield key >> 3, value
            continue
        if kind == 2:
            length, at = _varint(content, at)
        elif kind in _FIXED:
            length = _FIXED[kind]
        else:
            raise Damaged(f"a field of the unknown kind {kind}")
        if at + length > end:
            raise Damaged(f"a field ends {at + length - end:,} bytes after what it is part of")
        if kind == 2 or (single and kind == 5):
            yield key >> 3, content[at : at + length]
        at += length


def _varint(content: memoryview, at: int) -> tuple[int, int]:
    """A number in groups of 7 bits, the lowest first, and where the next value begins."""
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(content):
            raise Damaged("it ends within a number")
        byte = content[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value & (1 << 64) - 1, at
    raise Damaged("a number of more than 10 bytes")


def _packed(content: memoryview) -> list[int]:
    numbers = list(content)
    if max(numbers, default=0) < 128:  # most are small: one byte each
        return numbers
    made, at = list[int](), 0
    while at < len(content):
        value, at = _varint(content, at)
        made.append(value)
    return made


def _text(content: bytes, name: str) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise Damaged(f"{name} is not UTF-8") from None


def example(features: Mapping[str, Value]) -> bytes:
    """The bytes of an example; arrays become floats, other lists bytes or whole numbers by their first value."""
    entries = [
        _field(1, _field(1, name.encode()) + _field(2, _feature(values))) for name, values in sorted(features.items())
    ]
    return _field(1, b"".join(entries))


def _feature(values: Value) -> bytes:
    if not len(values):
        return b""
    if isinstance(values, np.ndarray):
        return _field(2, _field(1, values.astype("<f4").tobytes()))
    if isinstance(values[0], bytes):
        return _field(1, b"".join(_field(1, value) for value in values if isinstance(value, bytes)))
    numbers = b"".join(_as_varint(value & (1 << 64) - 1) for value in values if isinstance(value, int))
    return _field(3, _field(1, numbers))


def _field(number: int, content: bytes) -> bytes:
    return struct.pack("B", number << 3 | 2) + _as_varint(len(content)) + content


def _as_varint(value: int) -> bytes:
    made = bytearray()
    while value > 127:
        made.append(value & 127 | 128)
        value >>= 7
    made.append(value)
    return bytes(made)
