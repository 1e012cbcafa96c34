"""Width, height and EXIF rotation of JPEG and PNG images, defined: from how they begin, segment by segment."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

START = 1 << 15  # bytes of a file that are looked at
_SIZES = [marker for marker in range(0xC0, 0xD0) if marker not in (0xC4, 0xC8, 0xCC)]


class UnusualError(Exception):
    """The beginning is not of the usual kind; a general reader must look at it."""


def image_headers(root: bytes | None, paths: bytes, contents: Sequence[bytes], threads: int = 1) -> tuple[Any, ...]:
    """Width, height, whether it is shown with the two exchanged, and whether that could be read, for each file.

    `paths` are below `root` and separated by zeros; without a root, `contents` are the files.
    """
    files: list[bytes | None] = [content[:START] for content in contents]
    if root is not None and paths:
        files += [_start(os.path.join(root, path)) for path in paths.split(b"\0")]  # noqa: PTH118
    rows = []
    for start in files:
        try:
            rows.append((*_header(start or b""), 1))
        except (UnusualError, IndexError):
            rows.append((0, 0, 0, 0))
    columns = np.array(rows, np.int64).reshape(-1, 4).T
    return columns[0].copy(), columns[1].copy(), columns[2].astype(np.uint8), columns[3].astype(np.uint8)


def _start(path: bytes) -> bytes | None:
    try:
        with Path(os.fsdecode(path)).open("rb") as file:
            return file.read(START)
    except OSError:
        return None


def _header(s: bytes) -> tuple[int, int, int]:
    if s[:2] == b"\xff\xd8":
        return _jpeg(s)
    if s[:8] == b"\x89PNG\r\n\x1a\n":
        return _png(s)
    raise UnusualError


def _jpeg(s: bytes) -> tuple[int, int, int]:
    at, turned, exif = 2, 0, False
    while True:
        marker, length = _part(s, at, 4)[1], int.from_bytes(_part(s, at + 2, 2), "big")
        if s[at] != 0xFF or marker < 0xC0 or 0xD0 <= marker <= 0xDA or marker == 0xFF or length < 2:
            raise UnusualError
        body = _part(s, at + 4, length - 2)
        if marker == 0xE1:
            # A second one, or metadata of another kind, may say how it is turned as well.
            if exif or length <= 8 or body[:6] != b"Exif\0\0":
                raise UnusualError
            turned, exif = _rotation(body[6:]), True
        elif marker in _SIZES:
            height, width = (int.from_bytes(_part(body, i, 2), "big") for i in (1, 3))
            if length < 8 or not width or not height:
                raise UnusualError
            return width, height, turned
        at += 2 + length


def _png(s: bytes) -> tuple[int, int, int]:
    if _part(s, 8, 8) != b"\0\0\0\rIHDR":
        raise UnusualError
    _part(s, 16, 17)
    width, height = (int.from_bytes(s[i : i + 4], "big") for i in (16, 20))
    at = 33
    while True:
        length, kind = int.from_bytes(_part(s, at, 4), "big"), _part(s, at + 4, 4)
        if kind == b"IDAT":
            if not width or not height:
                raise UnusualError
            return width, height, 0
        if kind in (b"eXIf", b"iTXt", b"acTL"):
            raise UnusualError
        _part(s, at, 12 + length)
        at += 12 + length


def _rotation(tiff: bytes) -> int:
    order = {b"II*\0": "little", b"MM\0*": "big"}.get(_part(tiff, 0, 8)[:4])
    if order is None:
        raise UnusualError

    def number(at: int, n: int) -> int:
        return int.from_bytes(_part(tiff, at, n), order)  # type: ignore[arg-type]

    first = number(4, 4)
    entries = number(first, 2)
    _part(tiff, first + 2, 12 * entries)
    found = [e for e in range(first + 2, first + 2 + 12 * entries, 12) if number(e, 2) == 274]
    if len(found) > 1 or any(number(e + 2, 2) != 3 or number(e + 4, 4) != 1 for e in found):
        raise UnusualError
    return int(any(5 <= number(e + 8, 2) <= 8 for e in found))


def _part(s: bytes, at: int, n: int) -> bytes:
    if at + n > len(s):
        raise UnusualError
    return s[at : at + n]
