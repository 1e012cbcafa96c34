"""Where bytes come from: a file, a compressed file, standard input."""

from __future__ import annotations

import gzip
import os
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from boxscore import _core
from boxscore.errors import InputError
from boxscore.model import thread_count

BLOCK = 1 << 19  # bytes that one thread parses at a time: its records stay in the cache
_BEGINNING = 1 << 14
KINDS = {"integer": 0, "number": 1, "box": 2, "string": 3, "integers": 4}


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
        tables = [(name, [(f, KINDS[kind]) for f, kind in fields.items()]) for name, fields in layout.items()]
        n = thread_count(threads)
        descriptor, size = -1, len(self.content)
        if self.path is not None:
            descriptor, size = os.open(self.path, os.O_RDONLY), self.path.stat().st_size
        try:
            # Small files: as many blocks as threads.
            block = min(BLOCK, size // n + 1)
            text = self.content if self.path is None else None
            columns = _core.json_columns(text, descriptor, size, tables, main, max(block, 1 << 12), n)
            if columns is None and size > block:  # records may hold what looks like the border of records
                columns = _core.json_columns(text, descriptor, size, tables, main, size, 1)
        finally:
            if descriptor >= 0:
                os.close(descriptor)
        return cast("dict[str, dict[str, Any]] | None", columns)


def open_source(path: str | os.PathLike[str]) -> Source:
    """The input behind a path; `-` is standard input, and anything gzipped is unpacked."""
    name = os.fspath(path)
    if name == "-":
        return Source("standard input", None, _unpacked("standard input", sys.stdin.buffer.read()))
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
    if content[:2] != b"\x1f\x8b":
        return content
    try:
        return gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(name, f"damaged gzip data ({error})", "a complete .gz file") from None
