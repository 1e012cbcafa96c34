"""Where bytes come from: a file, a compressed file, standard input."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from boxscore import _core
from boxscore.errors import InputError
from boxscore.formats.io.pipes import Drained, at_hand
from boxscore.formats.io.unpacking import GZIP, unpacked
from boxscore.tables.model import thread_count

BLOCK = 1 << 19  # bytes that one thread parses at a time: its records stay in the cache
_BEGINNING = 1 << 14
KINDS = {"integer": 0, "number": 1, "box": 2, "string": 3, "integers": 4, "numbers": 5, "shape": 6, "mask": 7}


@dataclass(frozen=True)
class Source:
    """A readable input under the name that messages use."""

    name: str
    path: Path | None  # None: `content` holds it all
    content: bytes = b""

    def bytes(self) -> bytes:
        """Everything."""
        return self.content if self.path is None else self.path.read_bytes()

    def first_character(self) -> str:
        """The first character that is not white space; empty if there is none."""
        if self.path is None:
            return self.content[:4096].lstrip()[:1].decode("latin-1")
        with self.path.open("rb") as file:
            return file.read(4096).lstrip()[:1].decode("latin-1")

    def beginning(self) -> str:
        """The first characters, enough to see what it is; what is no text comes out as odd characters."""
        if self.path is None:
            return self.content[:_BEGINNING].decode("utf-8-sig", "replace")
        with self.path.open("rb") as file:
            return file.read(_BEGINNING).decode("utf-8-sig", "replace")

    def json_columns(
        self, layout: dict[str, dict[str, str]], main: int, threads: int = 0
    ) -> dict[str, dict[str, Any]] | None:
        """The tables of a JSON file as columns; None where the file is not written in the usual way."""
        tables, n = layout_of(layout), thread_count(threads)
        with self._opened() as (text, descriptor, size):
            block = _block(size, n)
            columns = _core.json_columns(text, descriptor, size, tables, main, block, n)
            if columns is None and size > block:  # records may hold what looks like the border of records
                columns = _core.json_columns(text, descriptor, size, tables, main, size, 1)
        return cast("dict[str, dict[str, Any]] | None", columns)

    def csv_columns(
        self, begin: int, delimiter: str, width: int, wanted: Sequence[tuple[bool, Sequence[int]]], threads: int = 0
    ) -> list[Any] | None:
        """The wanted fields of all rows from a byte on as columns; None where they are not written in the usual way."""
        n = thread_count(threads)
        with self._opened() as (text, descriptor, size):
            columns = _core.csv_columns(text, descriptor, begin, size, delimiter, width, wanted, _block(size, n), n)
        return cast("list[Any] | None", columns)

    @contextmanager
    def _opened(self) -> Iterator[tuple[Any, int, int]]:
        """All of its bytes or a descriptor, and the size."""
        if self.path is None:
            yield self.content, -1, len(self.content)
            return
        descriptor = os.open(self.path, os.O_RDONLY)
        try:
            yield None, descriptor, os.fstat(descriptor).st_size
        finally:
            os.close(descriptor)


def layout_of(layout: dict[str, dict[str, str]]) -> list[tuple[str, list[tuple[str, int]]]]:
    """Tables and their fields, with the kinds that the kernel knows."""
    return [(name, [(f, KINDS[kind]) for f, kind in fields.items()]) for name, fields in layout.items()]


def _block(size: int, threads: int) -> int:
    """Bytes of a block; small files have as many blocks as threads."""
    return max(min(BLOCK, size // threads + 1), 1 << 12)


def open_source(path: str | os.PathLike[str]) -> Source:
    """The input behind a path; `-` is standard input, pipes are read whole, and anything gzipped is unpacked."""
    path = at_hand(path)
    if isinstance(path, Drained):
        return Source(path.name, None, _unpacked(path.name, path.content))
    name = os.fspath(path)
    file = Path(name)
    try:
        if file.is_dir():
            raise InputError(name, "a folder", "a file")
        with file.open("rb") as opened:
            packed = opened.read(2) == b"\x1f\x8b"
        if packed:
            return Source(name, None, _unpacked(name, file.read_bytes()))
    except FileNotFoundError:
        raise InputError(name, "no such file") from None
    except OSError as error:
        raise InputError(name, f"cannot be read ({error.strerror})") from None
    return Source(name, file)


def file_bytes(file: str) -> bytes:
    """The content of a file; with thousands of small files, what `open` adds to the system's own calls shows."""
    parts = []
    try:
        descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        try:
            while part := os.read(descriptor, 1 << 20):
                parts.append(part)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise InputError(file, f"cannot be read ({error.strerror})") from None
    return b"".join(parts)


def _unpacked(name: str, content: bytes) -> bytes:
    return unpacked(name, content, GZIP, "a complete .gz file") if content[:2] == b"\x1f\x8b" else content
