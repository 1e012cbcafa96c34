"""How files begin and end."""

from __future__ import annotations

from boxscore.formats.io.files import Files

START = 1 << 16  # bytes that are looked at


def beginning(files: Files, path: str = "", size: int = START) -> bytes:
    """The first bytes of a file, unpacked."""
    if files.root is None:
        return files.contents[path][:size]
    with (files.root / path if path else files.root).open("rb") as file:
        start = file.read(size)
    return files.source(path).content[:size] if start[:2] == b"\x1f\x8b" else start


def end(files: Files, path: str = "", size: int = 1 << 14) -> str:
    """The last characters of a file that can be read."""
    source = files.source(path)
    if source.path is None:
        return source.content[-size:].decode("utf-8", "replace")
    with source.path.open("rb") as file:
        file.seek(max(0, source.path.stat().st_size - size))
        return file.read(size).decode("utf-8", "replace")
