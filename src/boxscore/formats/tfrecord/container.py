"""The container of TFRecord files: records one after the other, each with checks of its length and of its bytes."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from typing import BinaryIO

import numpy as np

from boxscore import _core
from boxscore.errors import InputError
from boxscore.formats.io.source import Source
from boxscore.formats.io.unpacking import GZIP_OR_ZLIB, unpacked

_HEAD = struct.Struct("<QI")  # length, check of these eight bytes
_EXPECTED = "a complete TFRecord file"
_PACKED = "a TFRecord file, perhaps compressed"


def check(content: bytes) -> int:
    """The check that the container keeps: turned, so that checks of bytes that hold checks are good ones, too."""
    crc = _core.crc32c(np.frombuffer(content, np.uint8))
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def record(content: bytes) -> bytes:
    """A record as it stands in a file."""
    length = struct.pack("<Q", len(content))
    return b"".join((length, struct.pack("<I", check(length)), content, struct.pack("<I", check(content))))


def records(source: Source) -> Iterator[bytes]:
    """The records of a file, which may be compressed as a whole (GZIP or ZLIB); they are counted from 0."""
    with _opened(source) as file:
        size = file.seek(0, io.SEEK_END)
        file.seek(0)
        number = 0
        while start := file.read(_HEAD.size):
            place = f"record {number}"
            if len(start) < _HEAD.size:
                raise InputError(source.name, f"{place}: the file ends after {len(start)} of its bytes", _EXPECTED)
            length, of_length = _HEAD.unpack(start)
            if check(start[:8]) != of_length:
                raise InputError(source.name, f"{place}: its length does not fit its checksum", _EXPECTED)
            left = size - file.tell()
            if length + 4 > left:
                found = f"{place}: the file ends {length + 4 - left:,} bytes before the record"
                raise InputError(source.name, found, _EXPECTED)
            content = file.read(length)
            if check(content) != int.from_bytes(file.read(4), "little"):
                raise InputError(source.name, f"{place}: its content does not fit its checksum", _EXPECTED)
            yield content
            number += 1


def is_container(start: bytes) -> bool:
    """Whether a file that begins so is one: the first length fits its checksum."""
    return len(start) >= _HEAD.size and check(start[:8]) == int.from_bytes(start[8:12], "little")


def _opened(source: Source) -> BinaryIO:
    file: BinaryIO = io.BytesIO(source.content) if source.path is None else source.path.open("rb")
    start = file.read(_HEAD.size)
    # GZIP begins with 1f 8b; ZLIB with two bytes that as a number are a multiple of 31, with deflate (8) as the method.
    packed = start[:2] == b"\x1f\x8b" or (start[:1] != b"" and start[0] & 15 == 8 and _number(start[:2]) % 31 == 0)
    if is_container(start) or not packed:
        return file
    with file:
        return io.BytesIO(unpacked(source.name, start + file.read(), GZIP_OR_ZLIB, _PACKED))


def _number(content: bytes) -> int:
    return int.from_bytes(content, "big")
